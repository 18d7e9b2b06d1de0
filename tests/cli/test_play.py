"""krow play: through a pipe, and in a terminal that is resized, interrupted, closed and killed."""
import os
import random
import signal
import time

from krowtest import KrowTest, Terminal, main


class Piped(KrowTest):
    def test_agents_play_to_the_end(self):
        out, err = self.krow("play", "connect6", "--first", "adjacent", "--second", "random", "--seed", "3")
        self.assertRegex(out, r"(wins with|a draw)")
        self.assertNotIn("\033", out)
        self.assertEqual(err, "")

    def test_same_seed_same_game(self):
        games = {tuple(self.json("play", "gomoku", "--first", "adjacent", "--second", "random", "--seed", "9")["stones"])
                 for _ in range(2)}
        self.assertEqual(len(games), 1)

    def test_two_people(self):
        out, _ = self.krow("play", "tictactoe", "--first", "human", "--second", "human",
                           stdin="a1\nb1\na2\nb2\na3\n")
        self.assertIn("X wins with a1 a2 a3 after 5 stones.", out)

    def test_mistakes_change_nothing(self):
        out, err = self.krow("play", "tictactoe", "--first", "human", "--second", "human",
                             stdin="a1\na1\nz9\nb1 b2\n\nb1\na2\nb2\na3\n")
        self.assertIn("a1 is taken by X", err)
        self.assertIn("'z9' is outside", err)
        self.assertIn("2 stones, but 1 is left", err)
        self.assertIn("X wins", out)

    def test_turns_of_two_stones(self):
        out, _ = self.krow("play", "6x6:k=3,p=2,q=1", "--first", "human", "--second", "human",
                           stdin="a1\nf1 f3\nb1\nc1\n")
        self.assertIn("X wins with a1 b1 c1 after 5 stones.", out)

    def test_undo(self):
        out, _ = self.krow("play", "tictactoe", "--first", "human", "--second", "human",
                           stdin="undo\na1\nundo\nb2\na1\na2\na3\nundo\nc3\nb1\nc1\nb3\n")
        self.assertIn("nothing to take back", out)
        self.assertIn("X wins with b1 b2 b3", out)
        # Against an agent, undo goes back to one's own turn.
        out, _ = self.krow("play", "tictactoe", "--second", "random", "--seed", "2", stdin="a1\nundo\nmoves\nquit\n")
        self.assertIn("No stones yet.", out)
        # The first turn of an agent stays.
        out, _ = self.krow("play", "tictactoe", "--first", "random", "--seed", "2", stdin="undo\nmoves\nquit\n")
        self.assertRegex(out, r"nothing of yours[^\n]*\n[a-c][1-3]\n")

    def test_redo(self):
        out, _ = self.krow("play", "6x6:k=3,p=2,q=1", "--second", "random", "--seed", "2",
                           stdin="redo\na1\nb2 c2\nmoves\nundo\nundo\nmoves\nredo\nredo\nmoves\nundo\na6 b6\nredo\nquit\n")
        self.assertEqual(out.count("There is nothing to play again."), 2)  # at the beginning, and after other stones
        lists = [line for line in out.splitlines() if line.startswith("a1 ") or line == "No stones yet."]
        self.assertRegex(lists[0], r"^a1( \w\d){6}$")
        self.assertEqual(lists[1:], ["No stones yet.", lists[0]])

    def test_other_players_and_games(self):
        # The sides change in the middle of the game: the level plays X on.
        out, err = self.krow("play", "connect4", "--level", "3",
                             stdin="d\nswap\nlevel 2\nlevel 11\na\nmoves\nnew tictactoe\nno\nnew\ny\nquit\n")
        self.assertRegex(out, r"X \(level 3\) plays [a-g]\d\b[^$]*X \(level 2\) plays [a-g]\d\b")
        self.assertIn("You play O; X begins. Your opponent is level 2 of 10.", out)
        self.assertIn("This game has levels 1 to 10", err)
        self.assertNotIn("tictactoe", out)
        # The new game begins with X, the level.
        self.assertEqual(out.count("X (level 2) plays"), 2)
        # A level that the new game lacks becomes its middle one; a game that is wrong changes nothing.
        out, err = self.krow("play", "connect4", stdin="new 3x3:k=9\nnew tictactoe\nnew\nquit\n")
        self.assertIn("tictactoe: Three in a row win on 3 × 3.\nOne stone a turn.\n", out)
        self.assertIn("Your opponent is level 2 of 3.", out)
        self.assertIn("3x3:k=9", err)
        _, err = self.krow("play", "tictactoe", "--first", "human", "--second", "human",
                           stdin="swap\nlevel 1\nlevl\nquit\n")
        self.assertIn("Both sides are people", err)
        self.assertIn("'levl' is neither a command nor a cell; type 'help'", err)

    def test_analysis_and_review(self):
        out, err = self.krow("play", "tictactoe", "a1 b1", "--first", "human", "--second", "human",
                             stdin="analyze x\nanalyze 0.2\nreview\nquit\n")
        self.assertIn("'x' is not a number of seconds", err)
        self.assertIn("win in 5", out)
        self.assertIn("2. O's b1 lets X win by force", out)

    def test_who_plays_by_default(self):
        out, _ = self.krow("play", "connect4", stdin="d\nquit\n")
        self.assertIn("O (level 5) plays", out)

    def test_hint_help_resign(self):
        out, _ = self.krow("play", "connect6", "--second", "random", stdin="hint\nhelp\nresign\n")
        self.assertRegex(out, r"\w+ would play [a-s]\d+\n")
        self.assertIn("save FILE", out)
        self.assertIn("suggest a turn, with the reason", out)
        self.assertIn("X resigned: O wins.", out)

    def hint(self, game, moves):
        """What is recommended, and the sentences on it."""
        out, _ = self.krow("play", game, moves, "--first", "human", "--second", "human", stdin="hint\nquit\n")
        return out[out.index(" would play ") + len(" would play "):].splitlines()

    def test_hint_says_why(self):
        # Turns that any agent worth asking plays.
        self.assertEqual(self.hint("tictactoe", "a1 b1 a2 b2"), ["a3", "Completes three in a row, a1 a2 a3, and wins."])
        self.assertRegex(self.hint("connect4", "44556")[1], "^No turn keeps X from winning: X can complete four at [cg]1")
        self.assertEqual(self.hint("tictactoe", "a1 b2 b1"), [
            "c1", "Blocks X's pair a1 b1: X could have won at c1.", "Threatens to complete three at a3.",
            "With best play of both sides the game is a draw."])
        # The rest of a started turn.
        self.assertEqual(self.hint("6x6:k=3,p=2,q=1", "a1 f1 f3 b1"), [
            "c1", "Completes three in a row, a1 b1 c1, and wins."])

    def test_save_and_resume(self):
        saved = self.path("game.txt")
        self.krow("play", "tictactoe", "--first", "human", "--second", "human", stdin=f"a1\nb1\nsave {saved}\nquit\n")
        with open(saved, encoding="utf-8") as file:
            self.assertIn("stones a1 b1\n", file.read())
        out, _ = self.krow("play", "--resume=" + saved, stdin="a2\nb2\na3\n")
        self.assertIn("X wins with a1 a2 a3", out)

    def test_save_that_cannot_be_written(self):
        out, err = self.krow("play", "tictactoe", "--first", "human", "--second", "human",
                             stdin=f"save {self.path('no/such/folder/game')}\nsave\nsave /dev/null\nquit\n")
        self.assertIn("Not saved", err)
        self.assertIn("A file name is needed", err)
        self.assertIn("not a regular file", err)
        self.assertEqual(sorted(os.listdir(self.home)), ["state"])

    def test_input_that_ends_keeps_the_game(self):
        out, err = self.krow("play", "tictactoe", "--first", "human", "--second", "human", stdin="a1\nb1\n", status=1)
        self.assertIn("the input ended before the game", err)
        out, _ = self.krow("play", "--resume", stdin="a2\nb2\na3\n")
        self.assertIn("X wins with a1 a2 a3", out)

    def test_set_up_position_is_kept(self):
        board = self.write("board", "XX.\n...\n...\nturn X 1\n")
        self.krow("play", "tictactoe", "--board", board, "--first", "human", "--second", "human", stdin="a1\nquit\n")
        out, _ = self.krow("play", "--resume", stdin="b1\nc3\n")
        self.assertIn("X wins with a3 b3 c3", out)

    def test_level_is_for_the_side_that_is_not_named(self):
        def names(*words):
            value = self.json("play", "tictactoe", *words, "--seed", "1")
            return value["first"], value["second"]
        self.assertEqual(names("--first", "random", "--level", "2"), ("random", "level:n=2"))
        self.assertEqual(names("--second", "random", "--level", "3"), ("level:n=3", "random"))
        out, _ = self.krow("play", "connect4", "--level", "1", stdin="d\nquit\n")
        self.assertIn("O (level 1) plays", out)
        out, _ = self.krow("play", "connect4", "--level", "9", "--second", "human", stdin="quit\n")
        self.assertIn("X (level 9) plays", out)

    def test_level_of_a_game_that_goes_on(self):
        self.krow("play", "connect4", "--level", "1", stdin="d\nquit\n")
        out, _ = self.krow("play", "--resume", "--level", "4", stdin="d\nquit\n")
        self.assertIn("O (level 4) plays", out)
        # The person keeps its side, the new level is kept with the game.
        out, _ = self.krow("play", "--resume", stdin="e\nquit\n")
        self.assertIn("O (level 4) plays", out)
        self.krow("play", "connect4", "--first", "human", "--second", "human", stdin="d\nquit\n")
        self.refused("play", "--resume", "--level", "4", words="add --first human or --second human")
        out, _ = self.krow("play", "--resume", "--level", "4", "--second", "human", stdin="e\nquit\n")
        self.assertIn("X (level 4) plays", out)

    def test_levels_that_are_not_there(self):
        self.refused("play", "connect4", "--level", "11", words="--level: '11' is not a whole number from 1 to 10")
        self.refused("play", "connect4", "--level", "0", words="--level")
        self.refused("play", "tictactoe", "--level", "4", words="3x3:k=3 has levels 1 to 3, not 4")
        self.refused("play", "connect4", "--level", "2", "--first", "human", "--second", "random",
                     words="both --first and --second")

    def test_json_needs_agents(self):
        self.refused("play", "tictactoe", "--json", words="--json needs agents on both sides")

    def test_unwritable_state_folder_is_said(self):
        self.environment["XDG_STATE_HOME"] = "/dev/null/x"
        out, err = self.krow("play", "tictactoe", stdin="quit\n")
        self.assertIn("will not be saved", err)


class InTerminal(KrowTest):
    def start(self, *arguments, **size):
        terminal = Terminal(self, "play", *arguments, **size)
        terminal.expect("> ")
        return terminal

    def test_hint(self):
        terminal = self.start("connect4", "d1 a1 e1 a2 f1", "--first", "human", "--second", "human")
        terminal.type("hint\r")
        said = terminal.expect("O to move (1 stone)> ")
        self.assertIn("No turn keeps X from winning: X can complete four at", said)
        terminal.type("quit\r")
        self.assertEqual(terminal.wait(), 0)

    def test_a_whole_game_with_colours_and_history(self):
        terminal = self.start("tictactoe", "--first", "human", "--second", "human")
        terminal.type("a1\r")
        drawn = terminal.expect("O to move (1 stone)> ")
        self.assertIn("\033[1;36;7mX", drawn)
        for cell in ("b1", "a2", "b2"):
            terminal.type(cell + "\r")
            terminal.expect("to move (1 stone)> ")
        # Up fetches the last line; it is edited into another cell.
        terminal.type("\033[A\x7f3\r")
        terminal.expect("to move (1 stone)> ")
        terminal.type("c3\r")
        terminal.expect("to move (1 stone)> ")
        terminal.type("a3\r")
        terminal.expect("X wins with a1 a2 a3")
        terminal.expect("game over> ")
        terminal.type("quit\r")
        self.assertEqual(terminal.wait(), 0)

    def test_a_game_is_introduced_and_a_rematch_follows(self):
        terminal = Terminal(self, "play", "tictactoe", "a1 b1 a2 b2", "--second", "random")
        terminal.expect("You play X and begin. Your opponent is random.")
        terminal.expect("> ")
        terminal.type("a3\r")
        terminal.expect("X wins with a1 a2 a3 after 5 stones.")
        terminal.expect("You won in 5 stones.")
        terminal.expect("game over> ")
        terminal.type("hint\r")
        terminal.expect("'hint' needs a game in progress")
        terminal.expect("game over> ")
        terminal.type("a3\r")
        terminal.expect("The game is over. Type 'rematch'")
        terminal.expect("game over> ")
        terminal.type("undo\r")
        terminal.expect("X to move (1 stone)> ")
        terminal.type("resign\r")
        terminal.expect("X resigned: O wins.")
        terminal.expect("game over> ")
        terminal.type("swap\r")
        terminal.expect("tictactoe: Three in a row win on 3 × 3.")
        terminal.expect("You play O; X begins. Your opponent is random.")
        terminal.expect("X (random) plays")
        terminal.expect("O to move (1 stone)> ")
        terminal.type("quit\r")
        self.assertEqual(terminal.wait(), 0)

    def test_thinking_is_shown(self):
        terminal = self.start("gomoku", "--second", "engine:book=0", "--time", "1")
        terminal.type("h8\r")
        terminal.expect("engine:book=0 is thinking")
        terminal.expect("O (engine:book=0) plays")

    def test_discs(self):
        self.environment["LC_ALL"] = "C.UTF-8"
        terminal = self.start("connect4", "--first", "human", "--second", "human")
        terminal.type("d\r")
        self.assertIn("\033[1;31m●", terminal.expect("O to move"))

    def test_no_color(self):
        self.environment["NO_COLOR"] = "1"
        terminal = self.start("tictactoe", "--first", "human", "--second", "human")
        terminal.type("a1\r")
        self.assertNotIn("\033[1;36", terminal.expect("O to move (1 stone)> "))

    def test_resize_keeps_the_typed_line_and_narrows_the_board(self):
        terminal = self.start("connect6", "--first", "human", "--second", "human")
        terminal.type("j1")
        time.sleep(0.2)
        terminal.resize(30, 30)
        os.kill(terminal.pid, signal.SIGWINCH)
        time.sleep(0.2)
        terminal.type("0\r")
        drawn = terminal.expect("O to move")
        self.assertIn("abcdefghijklmnopqrs", drawn.replace("\033[0m", ""))

    def test_interrupt_once_warns_twice_leaves(self):
        terminal = self.start("tictactoe", "--first", "human", "--second", "human")
        terminal.type("a1\r")
        terminal.expect("O to move (1 stone)> ")
        terminal.type("b\x03")
        terminal.expect("press Ctrl-C again")
        terminal.expect("> ")
        terminal.type("b1\r")
        terminal.expect("X to move (1 stone)> ")
        terminal.type("\x03")
        terminal.expect("press Ctrl-C again")
        terminal.expect("> ")
        terminal.type("\x03")
        terminal.expect("The game is saved")
        self.assertEqual(terminal.wait(), 1)
        self.assertIn("a1 b1", self.krow("play", "--resume", stdin="moves\nquit\n")[0])

    def test_end_of_input_leaves(self):
        terminal = self.start("tictactoe", "--first", "human", "--second", "human")
        terminal.type("\x04")
        self.assertEqual(terminal.wait(), 1)

    def test_closed_terminal_loses_nothing(self):
        terminal = self.start("tictactoe", "--first", "human", "--second", "human")
        terminal.type("a1\r")
        terminal.expect("O to move (1 stone)> ")
        terminal.hang_up()
        end = time.monotonic() + 60
        while not terminal.has_ended() and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(terminal.has_ended())
        self.assertIn("a1", self.krow("play", "--resume", stdin="moves\nquit\n")[0])


class Killed(KrowTest):
    def test_a_kill_at_any_instant_leaves_a_whole_game(self):
        """Kills krow while it plays and saves; the file is always a game, and never older than an answered stone."""
        chance = random.Random(1)
        for _ in range(int(os.environ.get("KROW_TEST_KILLS", "10"))):
            terminal = Terminal(self, "play", "gomoku", "--first", "human", "--second", "human")
            terminal.expect("X to move (1 stone)> ")
            answered = 0
            cells = [f"{column}{row}" for row in range(1, 16, 2) for column in "abcdefghijklmno"]
            chance.shuffle(cells)
            for cell in cells[:chance.randrange(1, 6)]:
                terminal.type(cell + "\r")
                terminal.expect("to move (1 stone)> ")
                answered += 1
            terminal.type(cells[6] + "\r")
            time.sleep(chance.random() * 0.01)
            os.kill(terminal.pid, signal.SIGKILL)
            terminal.wait()
            out, _ = self.krow("play", "--resume", stdin="moves\nquit\n")
            moves = [line for line in out.splitlines() if line.startswith(cells[0] + " ") or line == cells[0]]
            self.assertEqual(len(moves), 1)
            self.assertIn(len(moves[0].split()), (answered, answered + 1))
            self.assertEqual(moves[0].split()[:answered], cells[:answered])


if __name__ == "__main__":
    main()
