"""Commands and their JSON output, compared with the manual."""
import re
import subprocess

from krowtest import KROW, KrowTest, main


class Help(KrowTest):
    def test_help_lists_commands_and_each_has_help(self):
        out, _ = self.krow("--help")
        names = re.findall(r"^  (\w+) +\S", out, re.M)
        self.assertGreaterEqual(len(names), 8)
        for name in names:
            if name != "help":
                text, _ = self.krow(name, "--help")
                self.assertIn("Usage: krow " + name, text)
                self.assertEqual(self.krow("help", name)[0], text)

    def test_version(self):
        self.assertRegex(self.krow("--version")[0], r"^krow \d+\.\d+\.\d+\n$")
        self.assertEqual(self.krow("-V"), self.krow("--version"))
        self.assertEqual(self.krow("help", "--help"), self.krow("--help"))

    def test_no_command_is_a_wrong_call(self):
        self.refused(words="Usage: krow COMMAND")

    def test_unknown_command_suggests(self):
        self.refused("shwo", words=["no command 'shwo'", "did you mean 'show'"])
        self.refused("zzz", words="no command 'zzz'")
        self.refused("gomku", words="did you mean 'krow play gomoku'?")
        self.refused("gomoku", words="type 'krow play gomoku'")

    def test_unknown_option_and_too_many_words(self):
        self.refused("show", "gomoku", "--nonsense", words="--nonsense")
        self.refused("games", "x", words="unexpected argument 'x'")
        self.refused("show", words="GAME")


class Show(KrowTest):
    def test_drawing(self):
        out, _ = self.krow("show", "connect4", "4453")
        self.assertIn(" 1 . .(O)X X . . 1\n", out)
        self.assertIn("X to move, 1 stone.", out)
        # Neighbours that were placed last share a pair of brackets.
        self.assertIn(" . . .(O O). . ", self.krow("show", "connect6", "h8 h9 i9")[0])
        self.assertNotIn("\033", out)

    def test_json_of_a_game(self):
        value = self.json("show", "connect6", "j10", "k10,k11")
        self.assertEqual(value["game"], "19x19:k=6,p=2,q=1")
        self.assertEqual(value["stones"], ["j10", "k10", "k11"])
        self.assertEqual((value["turn"], value["stones_left"]), ("first", 2))
        self.assertEqual((value["over"], value["winner"], value["line"]), (False, None, []))

    def test_json_of_a_won_game(self):
        value = self.json("show", "tictactoe", "a1 b1 a2 b2 a3")
        self.assertEqual((value["over"], value["winner"], value["line"]), (True, "first", ["a1", "a2", "a3"]))
        self.assertEqual(value["stones_left"], 0)

    def test_json_of_a_draw(self):
        value = self.json("show", "tictactoe", "a1 b1 c1 b2 a2 c2 b3 a3 c3")
        self.assertEqual((value["over"], value["winner"], value["line"]), (True, "draw", []))

    def test_win_in_the_middle_of_a_turn(self):
        value = self.json("show", "5x5:k=3,p=2,q=1", "a1 e1 e3 b1 c1")
        self.assertEqual((value["winner"], value["line"]), ("first", ["a1", "b1", "c1"]))

    def test_canonical_game_text(self):
        for given, canonical in [("gomoku", "15x15:k=5"), ("connect4", "7x6:k=4,gravity"), ("Standard", "15x15:k=5,exact"),
                                 ("9x8:exact,gravity,q=2,k=4", "9x8:k=4,p=1,q=2,gravity,exact"),
                                 ("connect6", "19x19:k=6,p=2,q=1"), ("7x7:k=3,p=1,q=1", "7x7:k=3")]:
            self.assertEqual(self.json("show", given)["game"], canonical)

    def test_columns(self):
        for moves in ["4453", "44 53", "d d e c", "ddec", "DDEC", "d1 d2 e1 c1"]:
            self.assertEqual(self.json("show", "connect4", moves)["stones"], ["d1", "d2", "e1", "c1"])

    def test_wide_boards(self):
        value = self.json("show", "64x64:k=5", "z1 aa1 az64 ba2 bl64")
        self.assertEqual(value["stones"], ["z1", "aa1", "az64", "ba2", "bl64"])

    def test_diagram_goes_round(self):
        drawn, _ = self.krow("show", "connect6", "j10 k10 k11 a1", "--diagram")
        again, _ = self.krow("show", "connect6", "--diagram", "--board", "-", stdin=drawn)
        self.assertEqual(drawn, again)
        value = self.json("show", "connect6", "b2", "--board", self.write("board", drawn))
        self.assertEqual((value["turn"], value["stones_left"], value["stones"]), ("second", 2, ["b2"]))

    def test_key_knows_the_turn(self):
        board = "X . .\n. O .\n. . .\n"
        keys = {self.json("show", "3x3:k=3,p=2,q=1", "--board", "-", stdin=board + turn)["key"]
                for turn in ("turn X 1", "turn X 2", "turn O 1", "turn O 2")}
        self.assertEqual(len(keys), 4)


class Threats(KrowTest):
    # Levin et al., section 2.3: the improved count sees one threat where two stones are needed.
    CROSSED = """
        . . . . . . . .
        . . . . . O O .
        . . . . . X X .
        . . . . . X X .
        O X X X X . . O
        . . . . . X X .
        . . . . . X X .
        . . . . . . . .
        . . . . . O O .
        turn O 2
        """

    def test_counts_windows_and_answers(self):
        value = self.json("threats", "8x9:k=6,p=2,q=1", "--board", "-", stdin=self.CROSSED)
        first = value["first"]
        self.assertEqual((first["sliding"], first["marked"], first["exact"]), (2, 1, 2))
        self.assertEqual(first["windows"], [["b5", "c5", "d5", "e5", "f5", "g5"],
                                            ["f7", "f6", "f5", "f4", "f3", "f2"],
                                            ["g7", "g6", "g5", "g4", "g3", "g2"]])
        self.assertEqual(first["answers"], [["f2", "g5"], ["g2", "f5"], ["f5", "g5"]])
        self.assertEqual((first["truncated"], first["uncertain"], first["in_play"]), (False, False, 2))
        self.assertEqual(value["second"]["windows"], [])
        self.assertEqual((value["second"]["exact"], value["second"]["answers"]), (0, []))
        self.assertEqual((value["turn"], value["stones_left"]), ("second", 2))

    def test_for_people(self):
        out, _ = self.krow("threats", "8x9:k=6,p=2,q=1", "--board", "-", stdin=self.CROSSED)
        self.assertIn("first (X): sliding 2, marked 1, exact 2\n", out)
        self.assertIn("  second stops them all with one of\n    f2 g5\n    g2 f5\n    f5 g5\n", out)
        self.assertIn("second (O): sliding 0, marked 0, exact 0\n", out)
        out, _ = self.krow("threats", "gomoku", "h8 a1 h9 a3 h10 a5 h11")
        self.assertIn("first (X): sliding 2, marked 2, exact more than 1\n", out)
        self.assertIn("  no turn of second stops them all\n", out)

    def test_threes_and_fours(self):
        moves = "h8 a1 h9 a3 h10 a5 j2 c3"
        rows = self.json("threats", "gomoku", moves)
        self.assertEqual([row["name"] for row in rows["first"]["rows"]], ["open three"])
        row = rows["first"]["rows"][0]
        self.assertEqual((row["stones"], row["next"], row["stops"]),
                         (["h10", "h9", "h8"], ["h11", "h7"], ["h11", "h7"]))
        self.assertEqual((row["lacks"], row["open"], row["split"], row["waiting"]), (2, True, False, False))
        out, _ = self.krow("threats", "gomoku", moves + " h11")
        self.assertIn("  open four h11 h10 h9 h8: h12 or h7 completes the row, and no stone stops both.\n", out)
        self.assertIn("  closed split three a5 a3 a1: a4 or a2 makes a closed four.\n", out)
        out, _ = self.krow("threats", "6x6:k=6", "a1 a2 c1 b2 d1 f2 f1 e2")
        self.assertIn("  closed split four a1 c1 d1 f1: b1 or e1 makes a closed five.\n", out)
        self.assertIsNone(self.json("threats", "connect6", "j10")["first"]["rows"])

    def test_gravity(self):
        board = ".......\n.......\n.......\nOOO....\nXXX....\nXXX....\nturn O 1\n"
        value = self.json("threats", "connect4", "--board", "-", stdin=board)
        self.assertEqual((value["first"]["exact"], value["first"]["in_play"]), (1, 2))
        self.assertEqual(value["first"]["answers"], [["d1"]])
        out, _ = self.krow("threats", "connect4", "--board", "-", stdin=board)
        self.assertIn("as stones fall it takes more than 1:", out)

    def test_answers_do_not_float(self):
        """With several stones per turn, an answer fills the cells below its stones, or does not use those columns."""
        moves = "d1 c1 b1 a1 d2 d3 e1"
        rules, p = "7x6:k=4,p=3,q=1,gravity", 3
        value = self.json("threats", rules, moves)["second"]
        stones = moves.split()
        self.assertGreater(len(value["answers"]), 0)
        for answer in value["answers"]:
            self.assertLessEqual(len(answer), p)
            for window in value["windows"]:
                self.assertTrue(set(window) & set(answer))
            placed = set(stones)
            for cell in answer:  # in the order printed
                self.assertTrue(cell[1] == "1" or f"{cell[0]}{int(cell[1]) - 1}" in placed, answer)
                placed.add(cell)

    def test_errors(self):
        self.refused("threats", words="GAME")
        self.refused("threats", "gomoku", "h8 h8", words="h8")


class Perft(KrowTest):
    def test_counts(self):
        self.assertEqual(self.json("perft", "connect4", "8")["counts"],
                         [7, 49, 343, 2401, 16807, 117649, 823536, 5673234])
        self.assertEqual(self.json("perft", "tictactoe", "9")["counts"],
                         [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872])

    def test_table_and_quiet(self):
        out, err = self.krow("perft", "gomoku", "2")
        self.assertIn("50 400", out)
        self.assertEqual(self.krow("perft", "gomoku", "2", "--quiet")[1], "")

    def test_bad_depth(self):
        for depth in ("0", "65", "x", "-1"):
            self.refused("perft", "gomoku", "--", depth, words=f"depth '{depth}'")


class Lists(KrowTest):
    def test_games(self):
        games = {game["name"]: game["game"] for game in self.json("games")["games"]}
        self.assertEqual(games["connect6"], "19x19:k=6,p=2,q=1")
        self.assertEqual(len(games), 8)
        out, _ = self.krow("games")
        for name, text in games.items():
            self.assertRegex(out, rf"{name} +{re.escape(text)}")

    def test_agents(self):
        agents = {agent["name"]: agent for agent in self.json("agents")["agents"]}
        for name in ("random", "adjacent"):
            self.assertEqual(set(agents[name]), {"name", "summary", "source", "games", "options"})
        names = [option["name"] for option in agents["adjacent"]["options"]]
        self.assertEqual(names, ["reach", "depth", "width", "deepening", "table"])
        self.assertEqual(agents["exec"]["options"], [])
        out, _ = self.krow("agents")
        for name in agents:
            self.assertIn(name + ": ", out)
        self.assertEqual(out.count("minimax search depth in stones"), 1)
        out, _ = self.krow("agents", "adjacent")
        self.assertIn("width=8", out)
        out, _ = self.krow("agents", "exec")
        self.assertNotIn("width=8", out)
        self.refused("agents", "missing", words="no agent 'missing'")


class Move(KrowTest):
    def test_search(self):
        value = self.json("move", "tictactoe", "a1 c2 a2 c1", "--agent", "adjacent:depth=2,width=0", "--seed", "1")
        self.assertEqual(value["stones"], ["a3"])
        self.assertEqual((value["proven"], value["distance"], value["pv"]), ("win", 1, ["a3"]))
        self.refused("move", "tictactoe", "--agent", "adjacent:width=8,deep=1",
                     words="there is no option 'deep'; there is: reach, depth, width, deepening, table")

    def test_fields(self):
        value = self.json("move", "connect6", "j10", "--agent", "adjacent", "--seed", "1")
        for field in ("stones", "score", "depth", "nodes", "ms", "pv", "proven", "distance"):
            self.assertIn(field, value)
        self.assertEqual(len(value["stones"]), 2)
        self.assertEqual((value["proven"], value["distance"]), (None, None))
        self.assertRegex(value["reason"], r"^[A-Z].*\.$")

    def test_reason(self):
        value = self.json("move", "tictactoe", "a1 b1 a2 b2")
        self.assertEqual(value["reason"], "Completes three in a row, a1 a2 a3, and wins.")
        # Facts of the position, whatever the agent thinks of its turn.
        value = self.json("move", "4x1:k=2", "b1 d1", "--agent", "random")
        self.assertRegex(value["reason"], "^Completes two in a row, ")

    def test_ratings(self):
        """What an agent sees: every rated cell; its turn is one of the best ones."""
        position = ("move", "tictactoe", "a1 c2 a2 c1", "--agent", "sequences")
        value = self.json(*position, "--ratings")
        ratings = {entry["cell"]: entry["rating"] for entry in value["ratings"]}
        self.assertEqual((value["agent"], value["turn"]), ("sequences", "first"))
        self.assertEqual(set(ratings), {"a3", "b1", "b2", "b3", "c3"})
        self.assertEqual(value["best"], [cell for cell in ratings if ratings[cell] == max(ratings.values())])
        self.assertIn(self.json(*position)["stones"][0], value["best"])
        out, err = self.krow(*position, "--ratings")
        lines = out.splitlines()
        self.assertEqual([line.split()[0] for line in lines[:3]], ["3", "2", "1"])
        self.assertEqual(lines[3].split(), ["a", "b", "c"])
        self.assertTrue(lines[0].split()[1].startswith("*") and lines[2].split()[1:4:2] == ["X", "O"])
        self.assertIn("ratings of sequences for the next stone of X", err)
        self.refused("move", "tictactoe", "--agent", "chain", "--ratings", words="decides whole turns")
        for agent in ("threats", "adjacent", "mesh", "windows", "sequences", "defence"):
            value = self.json("move", "connect6", "j10 k10 k11", "--agent", agent, "--ratings")
            self.assertGreater(len(value["ratings"]), 0)

    def test_same_seed_same_turn(self):
        turns = {tuple(self.json("move", "gomoku", "h8", "--agent", "random", "--seed", "5")["stones"]) for _ in range(3)}
        self.assertEqual(len(turns), 1)

    def test_short_last_turn(self):
        value = self.json("move", "3x2:k=3,p=4,q=1", "--board", "-", stdin="X O O\nO X .\nturn X 4")
        self.assertEqual(len(value["stones"]), 1)

    def test_errors(self):
        self.refused("move", "tictactoe", "a1 b1 a2 b2 a3", words="over")
        self.refused("move", "gomoku", "--agent", "missing", words="no agent 'missing'")
        self.refused("move", "gomoku", "--agent", "adjacent:reach=99", words=["reach", "99", "1 to 63"])
        self.refused("move", "gomoku", "--agent", "adjacent:far=1", words=["no option 'far'", "reach"])
        self.refused("move", "gomoku", "--time", "soon", words=["--time", "soon"])


class Output(KrowTest):
    def test_full_disk_is_no_success(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([KROW, "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("could not be written", result.stderr)


if __name__ == "__main__":
    main()
