"""krow learn: weights are learned, written, used and reproduced, also after a kill."""
import os
import signal
import subprocess
import time

from krowtest import KROW, KrowTest, main

SMALL = ("learn", "6x6:k=4,p=2,q=1", "--games", "40", "--seed", "5", "-q")


class Learned(KrowTest):
    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_fields(self):
        value = self.json(*SMALL, "-o", self.path("w.txt"))
        self.assertEqual((value["family"], value["games"], value["output"]), ("k=4,p=2", 40, self.path("w.txt")))
        self.assertEqual(value["first"] + value["second"] + value["draws"], 40)
        self.assertGreater(value["stones"], 40 * 4)
        self.assertGreater(value["loss"], 0)
        text = self.read("w.txt")
        self.assertTrue(text.startswith("# krow learned weights\nversion 2\nfamily k=4,p=2\nsource 40 games, 6x6:k=4"))
        self.assertRegex(text, r"\nweight 1 own3 -?[\d.e-]+\n")
        self.assertFalse(os.path.exists(self.path("w.txt.state")))
        self.assertIsNone(self.json(*SMALL)["output"])

    def test_weights_are_played_with(self):
        self.krow(*SMALL, "-o", self.path("w.txt"))
        out, _ = self.krow("match", f"learned:weights={self.path('w.txt')}", "learned:weights=none", "--game",
                           "7x7:k=4,p=2,q=1", "--games", "4", "--db", "none", "-q")
        self.assertIn("faults: none", out)
        self.refused("move", "gomoku", "--agent", f"learned:weights={self.path('w.txt')}",
                     words="line 3: these weights are for 'k=4,p=2', but the game has k=5")

    def state(self):
        return self.read("w.txt.state") if os.path.exists(self.path("w.txt.state")) else None

    def start(self, *options):
        """A run that has stored a new state, unless it has ended before."""
        before = self.state()
        process = subprocess.Popen([KROW, "learn", *options], env=self.environment, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and self.state() in (None, before):
            time.sleep(0.01)
        return process

    def test_a_stopped_run_continues(self):
        """Killed, continued, interrupted by Ctrl-C and continued to the end."""
        options = ("7x7:k=4,p=2,q=1", "--games", "1500", "--seed", "2", "-q", "-o", self.path("w.txt"))
        self.krow("learn", *options)
        os.rename(self.path("w.txt"), self.path("whole.txt"))
        with self.start(*options) as process:
            process.send_signal(signal.SIGKILL)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        with self.start(*options, "--resume") as process:
            process.send_signal(signal.SIGINT)
            self.assertIn("interrupted; --resume continues", process.communicate()[1])
        self.assertEqual(process.returncode, 1)
        self.assertFalse(os.path.exists(self.path("w.txt")))
        self.krow("learn", *options, "--resume")
        self.assertEqual(self.read("w.txt"), self.read("whole.txt"))
        self.assertFalse(os.path.exists(self.path("w.txt.state")))

    def test_errors(self):
        self.refused("learn", words="GAME")
        self.refused("learn", "nogame", words="nogame")
        self.refused("learn", "connect4", "--resume", words="--resume needs -o FILE")
        self.refused("learn", "connect4", "--games", "0", words="--games")
        self.refused("learn", "connect4", "-o", "/nowhere/w.txt", words="/nowhere", status=1)
        with open(self.path("w.txt.state"), "w", encoding="utf-8") as file:
            file.write("something else\n")
        self.refused(*SMALL, "-o", self.path("w.txt"), "--resume", words="w.txt.state: the stored state is of another")


if __name__ == "__main__":
    main()
