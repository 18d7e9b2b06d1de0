"""krow puzzles: making, interrupted and continued; lists, attempts, proofs and checks."""
import json
import os
import signal
import subprocess

from krowtest import KROW, SANITIZED, KrowTest, Terminal, main

GAME = "4x4:k=4,gravity"
MANY = 20 if SANITIZED else 60  # puzzles of it, which need a few batches of games


class Puzzles(KrowTest):
    def make(self, count, *options):
        return self.json("puzzles", "make", GAME, "--count", str(count), "--seed", "3", *options)

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_own_puzzles(self):
        made = self.make(3)
        self.assertEqual((made["puzzles"], made["seed"], made["game"]), (3, 3, GAME))
        listed = self.json("puzzles", "list", GAME)["list"]
        self.assertEqual([puzzle["number"] for puzzle in listed], [1001, 1002, 1003])
        games = self.json("puzzles", "list")["games"]
        self.assertEqual([game["game"] for game in games], ["15x15:k=5", "19x19:k=6,p=2,q=1", "7x6:k=4,gravity", GAME])
        self.assertEqual([game["puzzles"] for game in games], [200, 200, 200, 3])
        checked = self.json("puzzles", "verify", GAME, "--grades", "--agent", "engine:nodes=10000")
        self.assertEqual([checked[field] for field in ("puzzles", "proved", "unique", "graded", "solved")], [3] * 5)
        self.assertEqual((checked["failures"], checked["unsolved"]), ([], []))
        levels = [puzzle["levels"] for puzzle in listed]
        for i, level in enumerate(checked["levels"]):
            self.assertEqual(level["solved"], sum(grades[i]["solved"] for grades in levels))
        # An agent that cannot solve it is named with its answer.
        weak = self.json("puzzles", "verify", GAME, "--agent", "random")
        self.assertEqual(weak["solved"] + len(weak["unsolved"]), 3)

    def test_interrupted_and_continued(self):
        """Ctrl-C, at any moment, and the same command again make the same file."""
        whole, parts = self.path("whole"), self.path("parts")
        self.make(MANY, "--output", whole)
        process = subprocess.Popen([KROW, "puzzles", "make", GAME, "--count", str(MANY), "--seed", "3", "-o", parts],
                                   stderr=subprocess.PIPE, env=self.environment)
        while not os.path.exists(parts) and process.poll() is None:
            pass
        process.send_signal(signal.SIGINT)
        words = process.communicate()[1].decode()
        if process.returncode != 0: # it may have ended just before
            self.assertEqual(process.returncode, 1)
            self.assertIn("stored; the same command continues", words)
        self.make(MANY, "--output", parts, "--jobs", "2")
        self.assertEqual(self.read(whole), self.read(parts))

    def test_damage_is_found(self):
        path = self.path("puzzles")
        self.make(1, "--output", path)
        text = self.read(path)
        grades = next(line for line in text.splitlines() if line.startswith("tempting"))
        self.write("puzzles", text.replace(grades, "tempting 15"))
        self.assertEqual(self.json("puzzles", "verify", path)["unique"], 1)
        out, err = self.krow("puzzles", "verify", path, "--grades", status=1)
        self.assertIn("puzzle 1: the grades are not those of the file", out)
        self.write("puzzles", text[:text.index("proof ")])
        out, err = self.krow("puzzles", "verify", path, status=1)
        self.assertIn("puzzle 1: there is no proof", out)
        self.write("puzzles", text.replace("game " + GAME, "game 4x4:k=4"))
        self.refused("puzzles", "make", GAME, "-o", path, words="has puzzles of another game", status=2)
        self.write("puzzles", text)
        self.refused("puzzles", "make", GAME, "-o", path, "--seed", "4", words="was made with --seed 3")

    def test_attempts(self):
        """A wrong turn is answered to the completed row; the first attempt is rated."""
        proof = self.path("proof")
        self.krow("puzzles", "proof", "gomoku", "1", "-o", proof)
        self.assertTrue(self.json("verify", proof)["ok"])
        wrong = self.json("puzzles", "solve", "gomoku", "--number", "1", "--turn", "a1")
        self.assertFalse(wrong["solved"])
        self.assertIn("wins by force", wrong["words"])
        self.assertEqual(len(wrong["line"]) % 2, 1)
        self.assertTrue(wrong["rating"] < 1500 and wrong["rating_error"] < 350)
        again = self.json("puzzles", "solve", "gomoku", "--number", "1", "--turn", "a2")
        self.assertEqual(again["rating"], wrong["rating"])
        terminal = Terminal(self, "puzzles", "solve", "gomoku", "--number", "2", rows=60)
        for line, words in [("z9", "outside the 15x15 board"), ("help", "Type the cells"),
                            ("a1", "wins by force"), ("solution", "The solution is "), ("", "Your rating: ")]:
            if line:
                terminal.expect("Your turn")
                terminal.type(line + "\r")
            terminal.expect(words)
        self.assertEqual(terminal.wait(), 0)
        history = self.read(os.path.join(self.home, "data", "krow", "puzzle-attempts.txt"))
        self.assertEqual(len(history.splitlines()), 4)

    def test_errors(self):
        self.refused("puzzles", "make", GAME, "--count", "0", words="--count: '0' is not a whole number from 1")
        self.refused("puzzles", "make", "9x9:k=4,p=9", words="turns of at most 8 stones", status=1)
        self.refused("puzzles", "verify", "gomoku", "--number", "900", words="there are no such puzzles")
        self.refused("puzzles", "verify", "no/file", words="cannot read 'no/file'", status=1)
        self.refused("puzzles", "proof", "gomoku", "900", words="there is no puzzle 900")
        self.refused("puzzles", "solve", GAME, words=f"'krow puzzles make {GAME}' makes more", status=1)
        self.refused("puzzles", "solve", "gomoku", "--json", words="--json needs --turn CELLS")


if __name__ == "__main__":
    main()
