"""krow solve: text and JSON output, one position per line, proofs, refused input; exact scores in krow analyze and krow
play."""
import json
import os
import signal
import subprocess

import proofs
from krowtest import KROW, KrowTest, main

# Connect Four with eleven empty cells: solved at once.
LATE = "1476421157755316127415273725522"
SCORE = 5  # of LATE, for the side to move, which is the second player
CELLS = {"c3": 5, "d4": -5, "f3": -5}


class Solve(KrowTest):
    def test_text(self):
        out, err = self.krow("solve", "connect4", "112233", "--nodes", "20000")
        self.assertIn("X to move, 1 stone.", out)
        self.assertIn("X wins in 1 stone: score 18.\nbest: d1\ncells:  a3 ", out)
        self.assertRegex(out, r"(?m)^cells: .*  d1 18  ")
        self.assertRegex(out, r"(?m)^[\d ]+ positions, \d+\.\d{3} s$")
        self.assertEqual(err, "")

    def test_json(self):
        value = self.json("solve", "connect4", LATE)
        self.assertEqual(value["value"], "second")
        self.assertEqual(value["score"], SCORE)
        self.assertEqual((value["low"], value["high"]), (SCORE, SCORE))
        self.assertEqual(value["best"], ["c3"])
        self.assertEqual([(cell["cell"], cell["score"]) for cell in value["cells"]], list(CELLS.items()))
        self.assertEqual(value["distance"], 3)
        self.assertEqual(value["ruled_out"], ["first", "draw"])
        self.assertFalse(value["weak"] or value["interrupted"] or value["over"])
        self.assertGreater(value["nodes"], 0)
        self.assertGreaterEqual(value["ms"], 0)

    def test_other_games(self):
        for game, value, score, best in [("tictactoe", "draw", 0, 9), ("3x3:k=2", "first", 1, 9),
                                         ("4x3:k=3,p=3,q=2,gravity", "second", -1, 4)]:
            with self.subTest(game=game):
                reported = self.json("solve", game)
                self.assertEqual((reported["value"], reported["score"], len(reported["best"])), (value, score, best))
                self.assertTrue(reported["weak"])
                self.assertIsNone(reported["distance"])
        out, _ = self.krow("solve", "tictactoe", "a1")
        self.assertIn("A draw.\nbest: b2\n", out)
        self.assertNotIn("cells:", out)
        reported = self.json("solve", "tictactoe", "a1", "b1")
        self.assertEqual(reported["value"], "first")

    def test_weak(self):
        value = self.json("solve", "connect4", LATE, "--weak")
        self.assertEqual((value["value"], value["score"], value["weak"], value["distance"]), ("second", 1, True, None))
        self.assertEqual([cell["score"] for cell in value["cells"]], [1, -1, -1])
        out, _ = self.krow("solve", "connect4", LATE, "--weak")
        self.assertIn("O wins.\n", out)

    def test_threads_and_memory(self):
        value = self.json("solve", "connect4", LATE, "--threads", "2", "--memory", "1")
        self.assertEqual(value["score"], SCORE)

    def test_set_up_position(self):
        board = self.write("board", "...\n.X.\n.O.\nturn X 1\n")
        self.assertEqual(self.json("solve", "tictactoe", "--board", board)["value"], "first")

    def test_unknown(self):
        value = self.json("solve", "connect4", "--nodes", "1")
        self.assertEqual((value["value"], value["score"], value["best"]), ("unknown", None, []))
        self.assertLessEqual(value["low"], 1)
        self.assertGreaterEqual(value["high"], 1)
        self.assertEqual(value["ruled_out"], [])
        self.assertEqual(len(value["cells"]), 7)
        for cell in value["cells"]:
            self.assertIsNone(cell["score"])
            self.assertLess(cell["low"], cell["high"])
        out, _ = self.krow("solve", "connect4", "--nodes", "1")
        self.assertRegex(out, r"The value is not known; the score is between -\d+ and \d+\.\ncells: ")
        out, _ = self.krow("solve", "8x8:k=5", "--nodes", "20")
        self.assertIn("The value is not known.\n", out)
        value = self.json("solve", "8x8:k=5", "--time", "0.01")
        self.assertEqual(value["value"], "unknown")

    def test_ruled_out(self):
        """With one stone per turn and no gravity, the second player never wins; known before the search ends."""
        for nodes in "1", "50", "200":
            value = self.json("solve", "5x5:k=4", "--nodes", nodes)
            with self.subTest(nodes=nodes):
                self.assertEqual("second" in value["ruled_out"], value["low"] == 0)
                self.assertEqual("first" in value["ruled_out"], value["high"] == 0)
                self.assertEqual(value["value"] == "unknown", value["low"] < value["high"])

    def test_game_over(self):
        value = self.json("solve", "connect4", "1122334")
        self.assertEqual((value["value"], value["score"], value["best"], value["cells"], value["distance"]),
                         ("first", -18, [], [], None))
        self.assertTrue(value["over"])
        value = self.json("solve", "tictactoe", *"a1 b1 c1 b2 a2 c2 b3 a3 c3".split())
        self.assertEqual((value["value"], value["score"]), ("draw", 0))
        value = self.json("solve", "4x1:k=2,p=2,q=2", "a1", "b1")
        self.assertEqual((value["value"], value["ruled_out"]), ("first", ["second", "draw"]))
        out, _ = self.krow("solve", "connect4", "1122334")
        self.assertNotIn("positions", out)

    def test_refusals(self):
        for arguments, words in [
            (["connect6"], "361 cells are more than 64"),
            (["13x12:k=4,gravity"], "13 columns of 12 rows and a spare one are more than 128"),
            (["connect4", "--check"], "--check needs --stdin"),
            (["connect4", "44", "--stdin"], "remove the moves"),
            (["connect4", "--stdin", "--board", "x"], "remove the moves"),
            (["connect4", "--stdin", "--json"], "--stdin cannot be combined with --json or --proof"),
            (["connect4", "--stdin", "--proof", self.path("x")], "--stdin cannot be combined with --json or --proof"),
            (["connect4", "--memory", "0"], "memory"),
            (["connect4", "--threads", "0"], "threads"),
            (["connect4", "48"], "48"),
            (["nothing"], "nothing"),
            ([], "GAME"),
        ]:
            with self.subTest(arguments=arguments):
                self.refused("solve", *arguments, words=words)
        self.refused("solve", "tictactoe", "--proof", self.path("no/folder"), words="no/folder", status=1)


class Batch(KrowTest):
    def test_scores(self):
        out, err = self.krow("solve", "connect4", "--stdin", stdin=f"{LATE}\n  112233 \t\n")
        self.assertEqual(out, f"{LATE} {SCORE}\n112233 18\n")
        self.assertEqual(err, "")

    def test_weak(self):
        out, _ = self.krow("solve", "connect4", "--stdin", "--weak", stdin="112233\n")
        self.assertEqual(out, "112233 1\n")

    def test_empty_board_and_cells(self):
        out, _ = self.krow("solve", "tictactoe", "--stdin", stdin="\na1 b1\na1")
        self.assertEqual(out, "0\na1 b1 1\na1 0\n")

    def test_check(self):
        out, err = self.krow("solve", "connect4", "--stdin", "--check", stdin=f"{LATE} {SCORE}\n112233\t18\n")
        self.assertEqual(out, f"{LATE} {SCORE}\n112233 18\n")
        self.assertEqual(err, "")
        self.assertEqual(self.krow("solve", "tictactoe", "--stdin", "--check", stdin="0\n")[0], "0\n")

    def test_differences(self):
        out, err = self.krow("solve", "connect4", "--stdin", "--check", stdin=f"112233 18\n{LATE} 3\n", status=1)
        self.assertEqual(out, f"112233 18\n{LATE} {SCORE}\n")
        self.assertIn(f"line 2: {LATE} is worth {SCORE} instead of 3\n", err)
        self.assertIn("1 of 2 scores differ", err)

    def test_who_wins_is_compared_without_scores(self):
        lines = f"112233 18\n{LATE} 7\n"
        self.krow("solve", "connect4", "--stdin", "--check", "--weak", stdin=lines)
        _, err = self.krow("solve", "connect4", "--stdin", "--check", "--weak", stdin="112233 0\n", status=1)
        self.assertIn("line 1: 112233 is worth 1 instead of 0", err)

    def test_unknown(self):
        out, _ = self.krow("solve", "connect4", "--stdin", "--nodes", "1", stdin="4\n")
        self.assertRegex(out, r"^4 unknown -\d+ \d+\n$")
        _, err = self.krow("solve", "connect4", "--stdin", "--nodes", "1", "--check", stdin="4 -1\n", status=1)
        self.assertIn("1 of 1 scores were not found within the limits", err)
        _, err = self.krow("solve", "connect4", "--stdin", "--nodes", "1", "--check", stdin="4 40\n", status=1)
        self.assertRegex(err, r"line 1: 4 is worth -\d+ to \d+ instead of 40\n")

    def test_bad_lines(self):
        for line, words, options in [
            ("118", "'118'", []),
            ("1122334", "the game is over", []),
            ("112233", "'112233' is not a score", ["--check"]),
            ("", "'' is not a score", ["--check"]),
            ("112233 x", "'x' is not a score", ["--check"]),
            ("112233 1.5", "'1.5' is not a score", ["--check"]),
        ]:
            with self.subTest(line=line):
                good = f"{LATE} {SCORE}\n" if options else LATE + "\n"
                out, err = self.krow("solve", "connect4", "--stdin", *options, stdin=good + line + "\n", status=2)
                self.assertEqual(out, f"{LATE} {SCORE}\n")
                self.assertIn("line 2: ", err)
                self.assertIn(words, err)

    def test_long_lines(self):
        """A position of 41 stones is printed whole; a line without an end is not read without a limit."""
        full = "75734113277357564726241632313465225465461"
        self.assertEqual(self.krow("solve", "connect4", "--stdin", stdin=full + "\n")[0], full + " 0\n")
        _, err = self.krow("solve", "connect4", "--stdin", stdin=LATE + "\n" + "1" * 70000, status=2)
        self.assertIn("line 2 is longer than 65535 bytes", err)

    def test_interrupted_while_it_waits(self):
        process = subprocess.Popen([KROW, "solve", "connect4", "--stdin"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)
        process.stdin.write("112233\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "112233 18\n")
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted after line 1", err)


class Proofs(KrowTest):
    def test_proofs_are_accepted(self):
        for arguments, words in [
            (["tictactoe"], "The value is a draw."),
            (["3x3:k=2"], "first wins: proved."),
            (["4x4:k=3,gravity"], "first wins: proved."),
            (["5x4:k=4,gravity", "a", "b"], "second wins: proved."),
            (["4x3:k=3,p=3,q=2,gravity"], "second wins: proved."),
            (["connect4", LATE], "second wins: proved."),
        ]:
            with self.subTest(arguments=arguments):
                path = self.path("proof")
                _, err = self.krow("solve", *arguments, "--proof", path)
                self.assertIn(f"'krow verify {path}' checks it", err)
                self.assertIn(f"{os.path.getsize(path)}", err.replace(" ", ""))
                self.assertIn(words, self.krow("verify", path)[0])
                with open(path, "rb") as file:
                    self.assertTrue(proofs.is_accepted(file.read()))
                os.remove(path)

    def test_json_and_quiet(self):
        path = self.path("proof")
        out, err = self.krow("solve", "tictactoe", "--proof", path, "--json", "--quiet")
        self.assertEqual(json.loads(out)["value"], "draw")
        self.assertEqual(err, "")
        self.krow("verify", path)

    def test_nothing_to_prove(self):
        path = self.path("proof")
        _, err = self.krow("solve", "connect4", "--nodes", "1", "--proof", path, status=1)
        self.assertIn("the value is not known", err)
        _, err = self.krow("solve", "connect4", "1122334", "--proof", path, status=2)
        self.assertIn("the game is over", err)
        self.assertFalse(os.path.exists(path))


class InUse(KrowTest):
    def test_analyze(self):
        """With a limit of positions, so that no clock has a say in what is found."""
        value = self.json("analyze", "connect4", LATE, "--nodes", "1000000")
        self.assertEqual(value["cells"], CELLS)
        self.assertEqual((value["agent"], value["cells_agent"]), ("exact", "exact"))
        self.assertEqual([(line["stones"], line["score"], line["proven"], line["distance"], line["by"])
                          for line in value["lines"]],
                         [(["c3"], 5, "win", 3, "exact"), (["f3"], -5, "loss", 2, "exact"),
                          (["d4"], -5, "loss", 2, "exact")])
        value = self.json("analyze", "connect4", "--nodes", "1000000")  # by the opening table
        self.assertEqual(value["cells"], {"a1": -2, "b1": -1, "c1": 0, "d1": 1, "e1": 0, "f1": -1, "g1": -2})
        value = self.json("analyze", "connect4", LATE, "--nodes", "1000", "--agent", "random")
        self.assertNotEqual(value["cells_agent"], "exact")

    def test_agent(self):
        value = self.json("move", "connect4", "--agent", "perfect")
        self.assertEqual((value["stones"], value["counts"]), (["d1"], {"solved": 1, "guessed": 0}))

    def test_scores_in_play(self):
        def play(game, *lines):
            out, err = self.krow("play", game, "--first", "human", "--second", "human", "--quiet",
                                 stdin="\n".join(lines) + "\nquit\n")
            return out, err
        out, _ = play("connect4", "scores")
        self.assertIn("With perfect play X wins in 41 stones.\n"
                      "Scores: a1 -2 b1 -1 c1 +0 d1 +1 e1 +0 f1 -1 g1 -2\n"
                      "Positive scores win, negative scores lose; a larger absolute value means sooner.\n", out)
        out, _ = play("tictactoe", "a1", "SCORES")
        self.assertIn("With perfect play the game is a draw.\nBest: b2\n", out)
        self.assertRegex(play("tictactoe", "help")[0], r"\n  scores +the exact values")
        out, err = play("connect6", "scores", "help")
        self.assertIn("361 cells are more than 64", err)
        self.assertNotRegex(out, r"\n  scores ")


if __name__ == "__main__":
    main()
