"""krow tune: games are played, stored and resumed; weights are tuned, written and used."""
import os
import re
import signal
import subprocess
import time

from krowtest import KROW, KrowTest, main

SMALL = ("tune", "7x7:k=4", "--games", "40", "--nodes", "30", "--openings", "20", "--seed", "5")


class Tune(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = self.database("tune.db")

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_fields(self):
        self.assertIsNone(self.json(*SMALL, "-q")["moves"])
        value = self.json(*SMALL, "-q", "--resume", "--moves", "-o", self.path("w.txt"))
        self.assertEqual((value["family"], value["games"], value["left_out"]), ("k=4", 40, 0))
        for part in ("values", "moves"):
            self.assertGreater(value[part]["samples"], value[part]["held_out"])
            self.assertGreater(value[part]["held_out"], 0)
            self.assertLessEqual(value[part]["after"], value[part]["before"])
        self.assertEqual(value["output"], self.path("w.txt"))
        text = self.read("w.txt")
        self.assertTrue(text.startswith("# krow weights\nversion 1\nfamily k=4\nshapes 10\nsource 40 games of engine:"))
        self.assertRegex(text, r"\nmove [0-9a-f]{4} -?\d+ -?\d+\n")

    def test_same_games_give_the_same_weights(self):
        self.krow(*SMALL, "-q", "-o", self.path("a.txt"))
        self.krow(*SMALL, "-q", "-o", self.path("b.txt"), "--jobs", "2", "--db", self.database("other.db"))
        self.assertEqual(self.read("a.txt"), self.read("b.txt"))
        # The games of the database, all of the family or those of one match.
        for more in ((), ("--match", "last")):
            self.krow("tune", "9x9:k=4", "--seed", "5", "-q", "-o", self.path("c.txt"), *more)
            lines = [text.split("\n") for text in (self.read("a.txt"), self.read("c.txt"))]
            self.assertEqual(*[[line for line in text if not line.startswith("source 40 games")] for text in lines])
        other, _ = self.krow("tune", "7x7:k=4", "--seed", "5", "--pull", "100", "-q", "-o", self.path("d.txt"))
        self.assertNotEqual(self.read("a.txt"), self.read("d.txt"))
        self.assertIn("written to", other)
        self.assertIn("krow match engine:weights=", other)

    def test_weights_are_played_with(self):
        self.krow(*SMALL, "-q", "-o", self.path("w.txt"))
        out, _ = self.krow("match", f"engine:weights={self.path('w.txt')}", "engine:weights=none", "--game", "9x9:k=4",
                           "--games", "2", "--nodes", "50", "--db", "none", "-q")
        self.assertIn("faults: none", out)
        self.refused("move", "gomoku", "--agent", f"engine:weights={self.path('w.txt')}",
                     words="line 3: weights for the family 'k=4', but this game is of the family k=5")
        self.refused("move", "9x9:k=4", "--agent", "engine:weights=/nowhere", words="'/nowhere'", status=1)

    def test_resume(self):
        command = [KROW, "tune", "9x9:k=5", "--games", "60", "--nodes", "100", "--openings", "30", "-o", self.path("w.txt")]
        with subprocess.Popen([*command, "-q"], env=self.environment, stderr=subprocess.PIPE) as process:
            while process.poll() is None and self.kept() < 3:
                time.sleep(0.02)
            process.kill()
        kept = self.kept()
        self.assertGreaterEqual(kept, 3)
        self.assertFalse(os.path.exists(self.path("w.txt")))
        _, err = self.krow(*command[1:], "--resume")
        self.assertRegex(err, r"60/60 games")
        self.assertEqual(self.kept(), 60)
        resumed = self.read("w.txt")
        self.krow(*command[1:], "--db", self.database("fresh.db"))
        self.assertEqual(resumed, self.read("w.txt"))

    def kept(self):
        """How many games the database has."""
        result = subprocess.run([KROW, "db", "info"], capture_output=True, text=True, env=self.environment, check=False)
        if result.returncode != 0:
            return 0  # it is not made yet
        result = subprocess.run([KROW, "export"], capture_output=True, text=True, env=self.environment, check=False)
        return result.stdout.count("# krow game")

    def test_interrupt(self):
        command = [KROW, "tune", "15x15:k=5", "--games", "5000", "--nodes", "300", "-q"]
        with subprocess.Popen(command, env=self.environment, stderr=subprocess.PIPE, text=True) as process:
            while process.poll() is None and self.kept() < 1:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("finished games are stored; --resume continues", err)

    def test_refused(self):
        self.refused("tune", "nogame", words="nogame")
        self.refused("tune", words="GAME")
        self.refused("tune", "gomoku", "--games", "10", "--agent", "random", words="'random' has no weights")
        self.refused("tune", "gomoku", "--games", "10", "--db", "none", words="--db none is not supported")
        self.refused("tune", "gomoku", "--games", "10", "--match", "1", words="cannot be combined")
        self.refused("tune", "gomoku", "--pull", "0", words="--pull: '0'")
        self.refused("tune", "gomoku", "-o", "/nowhere/w.txt", words="/nowhere", status=1)
        self.refused("tune", "gomoku", words="too few games to tune weights: 0 quiet positions", status=1)
        self.refused(*SMALL[:3], "2", "-q", words="too few games", status=1)

    def test_games_of_others(self):
        """Games of any players can be learned from; those without a result are left out."""
        self.krow("match", "adjacent", "random", "--game", "7x7:k=4", "--games", "30", "--openings", "15", "-q")
        out, _ = self.krow("tune", "7x7:k=4")
        self.assertTrue(re.match(r"k=4, 30 games\n", out))


if __name__ == "__main__":
    main()
