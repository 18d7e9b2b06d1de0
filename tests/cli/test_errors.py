"""Invalid input: the message names problem and location, the status is 2 (1 for files), and no result is printed."""
from krowtest import KrowTest, main


class Games(KrowTest):
    def test_invalid_rules(self):
        for game, words in [
            ("7x7:k=9", ["k is 9, but the board is only 7 long. Choose 7 or less"]),
            ("7x6", ["does not say k", "7x6:k="]),
            ("0x5:k=3", ["0x5", "1 to 64"]),
            ("65x5:k=3", ["65x5", "1 to 64"]),
            ("5x5:k=0", ["k is 0"]),
            ("5x5:k=3,p=0", ["p is 0", "1 to 25"]),
            ("5x5:k=3,p=26", ["p is 26", "1 to 25"]),
            ("5x5:k=3,q=26", ["q is 26", "1 to 25"]),
            ("5x5:k=x", ["'k=x'", "character 5"]),
            ("5x5:k=3,gravty", ["'gravty'", "character 9", "gravity"]),
            ("5x5:k=3,gravity=1", ["'gravity=1'"]),
            ("5x5:k=3,k=4", ["'k' is given twice", "character 9"]),
            ("5x5:k=3,", ["nothing follows the last comma"]),
            ("ax5:k=3", ["'a'", "columns"]),
            ("5xb:k=3", ["'b'", "rows"]),
            ("nosuchgame", ["'nosuchgame'", "krow games"]),
            ("", ["no game"]),
            ("99999999999999999999x5:k=3", ["columns"]),
        ]:
            with self.subTest(game=game):
                self.refused("show", game, words=words)


class Moves(KrowTest):
    def test_cells(self):
        for game, moves, words in [
            ("gomoku", "h8 p1", ["stone 2", "'p1'", "character 4", "outside the 15x15 board", "a1 to o15"]),
            ("gomoku", "h8 h16", ["'h16'", "outside"]),
            ("gomoku", "h8 h0", ["'h0'", "outside"]),
            ("gomoku", "h8 8h", ["'8h'", "no cell"]),
            ("gomoku", "h8,h8", ["stone 2", "h8 is taken by X"]),
            ("tictactoe", "a1 b1 a2 b2 a3 c3", ["stone 6", "'c3'", "the game is over: the first player has won"]),
            ("tictactoe", "a1 b1 c1 b2 a2 c2 b3 a3 c3 a1", ["stone 10", "a draw"]),
            ("connect4", "d2", ["d2 would float", "d1"]),
            ("connect4", "d1 d1", ["d1 is taken", "d2"]),
            ("connect4", "4444444", ["stone 7", "column '4' is full"]),
            ("connect4", "8", ["no column '8'", "7"]),
            ("connect4", "0", ["columns count from 1"]),
            ("connect4", "z", ["no column 'z'"]),
            ("gomoku", "4453", ["'4453'", "no cell"]),
        ]:
            with self.subTest(game=game, moves=moves):
                self.refused("show", game, moves, words=words)


class Diagrams(KrowTest):
    def refused_board(self, game, text, *words):
        with self.subTest(text=text):
            self.refused("show", game, "--board", "-", stdin=text, words=["standard input", *words])

    def test_shape(self):
        self.refused_board("tictactoe", "...\n..\n...\n", "line 2", "2 cells", "3")
        self.refused_board("tictactoe", "...\n....\n...\n", "line 2", "more than the 3 cells")
        self.refused_board("tictactoe", "...\n...\n", "2 rows", "3")
        self.refused_board("tictactoe", "...\n...\n...\n...\n", "line 4", "more than the 3 rows")
        self.refused_board("tictactoe", "...\n.0.\n...\n", "line 2, column 2", "'0'", "letter O")
        self.refused_board("tictactoe", "...\n.?.\n...\n", "line 2, column 2", "'?'")

    def test_turn(self):
        self.refused_board("tictactoe", "...\n...\n...\nturn Z 1\n", "line 4", "turn X 1")
        self.refused_board("tictactoe", "...\n...\n...\nturn X 2\n", "line 4", "1 to 1")
        self.refused_board("tictactoe", "...\n...\n...\nturn X 0\n", "line 4")
        self.refused_board("tictactoe", "...\n...\n...\nturn X 1\n...\n", "line 5", "follow")
        self.refused_board("tictactoe", "...\nturn X 1\n", "line 2", "3 rows")

    def test_impossible_stones(self):
        self.refused_board("tictactoe", "XX.\n...\n...\n", "2 X and 0 O", "1 X and 1 O", "turn X 1")
        self.refused_board("connect4", "\n".join(["......."] * 4 + ["..X....", "......."]), "c2 floats", "c1")
        self.refused_board("tictactoe", "XXX\nOOO\n...\n", "both X and O")
        self.refused_board("tictactoe", "XXX\nOO.\nO..\n", "X has 3 in a row", "O placed the last")

    def test_studies_are_allowed_with_a_turn(self):
        value = self.json("show", "tictactoe", "--board", "-", stdin="XX.\n...\n...\nturn O 1\n")
        self.assertEqual((value["turn"], value["rows"][0]), ("second", "XX."))


class Files(KrowTest):
    def test_missing_file(self):
        self.refused("show", "gomoku", "--board", self.path("nothing"), words=["nothing", "No such file"], status=1)
        self.refused("show", "gomoku", "--board", self.home, words="directory", status=1)

    def test_resume(self):
        self.refused("play", "--resume=" + self.path("nothing"), words="No such file", status=1)
        self.refused("play", "--resume", words="No such file", status=1)
        bad = self.write("bad", "game tictactoe\nfirst human\nstones a1 a1\n")
        self.refused("play", "--resume=" + bad, words=["line 3", "a1 is taken"])
        cut = self.write("cut", "game tictactoe\nfirst human\n")
        self.refused("play", "--resume=" + cut, words="cut off")
        self.refused("play", "gomoku", "--resume=" + bad, words="remove GAME")

    def test_bytes_of_a_damaged_file_do_not_reach_the_terminal(self):
        with open(self.path("junk"), "wb") as file:
            file.write(b"\x1b[31m\x07\xff\xc2\x9b junk\n")
        err = self.refused("play", "--resume=" + self.path("junk"), words="comes before 'game'")
        self.assertEqual([character for character in err if ord(character) < 32], ["\n"])


if __name__ == "__main__":
    main()
