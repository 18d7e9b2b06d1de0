"""krow prove: proofs are found, written, verified and continued."""
import json
import os
import signal
import subprocess

from krowtest import KROW, KrowTest, main

LEAF = ("15x15:k=5,exact", "h8", "h11", "g7", "a11", "g9")


class Prove(KrowTest):
    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def unproved(self, *arguments):
        """The JSON object of a search that ends without a proof."""
        out, err = self.krow(*arguments, "--json", status=1)
        self.assertIn("not proved", err)
        return json.loads(out)

    def test_a_proof(self):
        proof = self.path("a.proof")
        value = self.json("prove", "6x6:k=4", "-q", "-o", proof)
        self.assertEqual((value["state"], value["side"], value["ended"]), ("proved", "first", None))
        verified = self.json("verify", proof, "-q")
        claim = verified["claims"][0]
        self.assertEqual((verified["ok"], verified["value"], claim["claim"]), (True, "first", "first wins"))
        for name in ("answers", "positions", "replies", "depth"):
            self.assertEqual(claim[name], value["proof"][name])
        self.assertEqual(verified["bytes"], os.path.getsize(proof))
        out, _ = self.krow("verify", proof, "-q")
        self.assertIn("replies checked, the longest line has", out)

    def test_the_side_and_replies(self):
        value = self.json("prove", "6x6:k=4", "c3", "-q", "--side", "first")
        self.assertEqual(value["state"], "proved")
        self.assertTrue(value["first_stones"] and all(stone["proved"] for stone in value["first_stones"]))
        value = self.unproved("prove", "6x6:k=4", "-q", "--side", "second", "--searches", "50")
        self.assertEqual(value["state"], "open")
        self.assertEqual((value["ended"], value["proof"]), ("limit of searches", None))

    def test_a_log_is_continued(self):
        log, command = self.path("a.log"), ("prove", *LEAF, "-q", "--threat-nodes", "300")
        self.krow(*command, "--log", log, "--searches", "20", status=1)
        first = self.text("a.log")
        self.assertTrue(first.startswith("krow proof search 1\ngame 15x15:k=5,exact\nstart "))
        value = self.unproved(*command, "--log", log, "--searches", "20")
        self.assertEqual(value["resumed"], len(first.splitlines()) - 5)
        self.assertTrue(self.text("a.log").startswith(first))
        self.krow(*command, "--log", log)
        # A finished search has nothing to do but to write the proof, each time the same one.
        for name in ("a.proof", "b.proof"):
            value = self.json(*command, "--log", log, "-o", self.path(name))
            self.assertEqual(value["resumed"], len(self.text("a.log").splitlines()) - 5)
        with open(self.path("a.proof"), "rb") as a, open(self.path("b.proof"), "rb") as b:
            self.assertEqual(a.read(), b.read())
        out, _ = self.krow("verify", self.path("a.proof"), "-q")
        self.assertIn("first wins: proved", out)

    def test_a_killed_search_continues(self):
        log, lines = self.path("k.log"), 0
        command = ("prove", "15x15:k=5", "h8", "h14", "-q", "--threat-nodes", "300", "--log", log)
        for _ in range(3):
            with subprocess.Popen([KROW, *command], env=self.environment) as process:
                while not os.path.exists(log) or len(self.text("k.log").splitlines()) < lines + 40:
                    self.assertIsNone(process.poll())
                process.send_signal(signal.SIGKILL)
            lines = len(self.text("k.log").splitlines())
            value = self.unproved(*command, "--searches", "1")
            self.assertGreaterEqual(value["resumed"], lines - 6)
        # A line that a kill has cut is dropped, and so is a header.
        with open(log, "a", encoding="utf-8") as file:
            file.write("17 f 3")
        self.assertEqual(self.unproved(*command, "--searches", "1")["state"], "open")
        with open(log, "w", encoding="utf-8") as file:
            file.write("krow proof search 1\ngame 15")
        self.assertEqual(self.unproved(*command, "--searches", "1")["resumed"], 0)

    def test_parts_are_joined(self):
        parts = self.path("parts")
        os.mkdir(parts)
        for cell in (column + row for row in "123" for column in "abcd"):
            if cell != "b2":
                self.krow("prove", "4x3:k=3", "b2", cell, "-q", "-o", os.path.join(parts, cell + ".proof"))
        join = ("prove", "4x3:k=3", "b2", "--parts", parts, "-q", "-o", self.path("whole.proof"))
        value = self.json(*join)
        self.assertEqual(value["state"], "proved")
        self.assertTrue(self.json("verify", self.path("whole.proof"), "-q")["ok"])
        # From the empty board, with the stone that all parts begin with.
        self.krow("prove", "4x3:k=3", "--parts", parts, "-q", "-o", self.path("all.proof"))
        self.assertEqual(self.json("verify", self.path("all.proof"), "-q")["depth"], value["proof"]["depth"] + 1)
        # a1 and a3 are symmetric to each other: the lower one is needed.
        os.remove(os.path.join(parts, "a3.proof"))
        self.krow(*join)
        os.remove(os.path.join(parts, "a1.proof"))
        self.refused(*join, words="has no part for the reply a1", status=1)
        with open(os.path.join(parts, "b1.proof"), "r+b") as file:
            file.seek(-1, os.SEEK_END)
            file.write(b"?")
        self.refused(*join, words="b1.proof': ")
        self.refused("prove", "4x3:k=3", "b2", "--parts", parts, words="--parts needs -o FILE")

    def test_wrong_logs(self):
        log, command = self.path("a.log"), ("prove", *LEAF, "-q", "--threat-nodes", "300", "--searches", "20", "--log")
        self.krow(*command, log, status=1)
        lines = self.text("a.log").splitlines()
        self.refused("prove", *LEAF, "-q", "--log", log, words="line 5: this log is of another proof, or of other options")
        self.refused("prove", *LEAF[:-1], "-q", "--log", log, words="line 3: this log is of another proof")
        for number, line, words in ((8, lines[7].replace(" ", "  ", 1), "line 8: damaged"),
                                    (9, lines[7], "line 9: this finding does not fit the lines before it")):
            with open(log, "w", encoding="utf-8") as file:
                file.write("\n".join(lines[:number - 1] + [line] + lines[number:]) + "\n")
            self.refused(*command, log, words=words)
        self.refused(*command, self.path("no/a.log"), words="a.log", status=1)

    def test_what_is_refused(self):
        self.refused("prove", "connect4", words="without gravity, with one stone per turn")
        self.refused("prove", "connect6", words="with one stone per turn")
        self.refused("prove", "tictactoe", "a1", "a2", "b1", "b2", "c1", words="the game is over")
        self.refused("prove", "gomoku", "--side", "both", words="--side: 'both' is neither 'first' nor 'second'")
        self.refused("prove", "gomoku", "-o", self.path("no/x.proof"), words="x.proof", status=1)


if __name__ == "__main__":
    main()
