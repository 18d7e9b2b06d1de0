"""krow train: games, networks and gates in a folder; interrupted, killed and continued runs."""
import ast
import json
import os
import signal
import struct
import subprocess
import time
import zipfile

from krowtest import KROW, KrowTest, main

SMALL = ("train", "7x7:k=4", "--games", "80", "--nodes", "30", "--epochs", "2", "--gate-games", "4", "--gate-time", "0.001",
         "--seed", "3")


def rounded(value):
    """A JSON value with numbers of eight digits; --json prints fewer than files have."""
    return json.dumps(json.loads(json.dumps(value), parse_float=lambda text: round(float(text), 8)), sort_keys=True)


class Train(KrowTest):
    def read(self, *path):
        with open(os.path.join(self.path(path[0]), *path[1:]), "rb") as file:
            return file.read()

    @staticmethod
    def size(folder):
        """How much the first generation has played so far."""
        path = os.path.join(folder, "games-1.scored")
        return os.path.getsize(path) if os.path.exists(path) else 0

    def test_fields(self):
        value = self.json(*SMALL, "--folder", self.path("a"), "--generations", "2", "--jobs", "2", "-q", "--svg",
                          self.path("loss.svg"))
        self.assertEqual(rounded(value), rounded(json.loads(self.read("a", "train.json"))))
        self.assertEqual(value["options"]["game"], "7x7:k=4")
        self.assertEqual([generation["games"] for generation in value["generations"]], [80, 80])
        self.assertEqual([generation["all_games"] for generation in value["generations"]], [80, 160])
        for generation in value["generations"]:
            self.assertTrue(generation["finished"] and generation["trained"])
            self.assertEqual(len(generation["epochs"]), 2)
            played = generation["match_nodes"]
            self.assertEqual(played["wins"] + played["draws"] + played["losses"], 4)
        self.assertIn(b"Training of a network", self.read("loss.svg"))
        network = self.read("a", "network-2.net")
        self.assertTrue(network.startswith(b"krow network 1\nfamily k=4\nsize 351 32 32 16\nsource krow train 7x7:k=4 "))
        # Nothing is left to be done, and the network can be played with.
        self.assertEqual(self.json(*SMALL, "--folder", self.path("a"), "--generations", "2", "-q")["generations"][1]["all_games"], 160)
        out, _ = self.krow("move", "9x9:k=4", "e5", "--agent", f"engine:network={self.path('a')}/network-2.net", "--nodes",
                           "100", "--quiet")
        self.assertTrue(out)

    def test_killed_and_continued(self):
        self.krow(*SMALL, "--folder", self.path("whole"), "-q")
        for sign in (signal.SIGKILL, signal.SIGINT):
            folder = self.path(f"cut{sign}")
            size = 0
            for _ in range(3):
                process = subprocess.Popen([KROW, *SMALL, "--folder", folder, "-q"], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE, env=self.environment)
                while process.poll() is None and self.size(folder) <= size:
                    time.sleep(0.001)
                size = self.size(folder)
                process.send_signal(sign)
                err = process.communicate()[1].decode()
                if sign == signal.SIGINT and process.returncode != 0:
                    self.assertEqual(process.returncode, 1)
                    self.assertIn("interrupted; the same command continues", err)
            self.krow(*SMALL, "--folder", folder, "-q")
            for name in ("games-1.scored", "network-1.net"):
                self.assertEqual(self.read("whole", name), self.read(f"cut{sign}", name), name)
            self.assertFalse(os.path.exists(os.path.join(folder, "training-1.checkpoint")))

    def test_hours(self):
        """Time instead of a number of games: at least one block of games."""
        value = self.json("train", "5x5:k=3", "--hours", "0.000001", "--nodes", "5", "--epochs", "1", "--gate-games", "0",
                          "--folder", self.path("a"), "-q")
        self.assertEqual(value["generations"][0]["games"], 64)

    def test_positions(self):
        """Positions for other programs: a zip file of arrays, read here without NumPy."""
        self.krow("train", "5x4:k=3,p=2,q=1", "--games", "40", "--nodes", "5", "--varied", "0", "--epochs", "1", "--gate-games", "0",
                  "--folder", self.path("a"), "-q")
        games = self.path("a") + "/games-1.scored"
        self.krow("export", "--format", "npz", games, "-o", self.path("p.npz"), "-q")
        arrays = {}
        with zipfile.ZipFile(self.path("p.npz")) as archive:
            self.assertIsNone(archive.testzip())
            for name in archive.namelist():
                data = archive.read(name)
                size = struct.unpack("<H", data[8:10])[0]
                self.assertEqual((data[:8], (10 + size) % 64), (b"\x93NUMPY\x01\0", 0))
                head = ast.literal_eval(data[10:10 + size].decode())
                code = {"|u1": "B", "|i1": "b", "<u2": "H", "<i2": "h", "<u4": "I"}[head["descr"]]
                body = data[10 + size:]
                arrays[name[:-4]] = (head["shape"], struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body))
        positions = arrays["score"][0][0]
        self.assertGreater(positions, 40)
        self.assertEqual({name: shape for name, (shape, _) in arrays.items()},
                         {"board": (positions, 4, 5), "stones_left": (positions,), "score": (positions,),
                          "result": (positions,), "game": (positions,)})
        self.assertEqual(set(arrays["game"][1]), set(range(40)))
        self.assertEqual(set(arrays["stones_left"][1]), {1, 2})
        board, results = arrays["board"][1], arrays["result"][1]
        for i in range(positions):
            cells = board[20 * i:20 * i + 20]
            own, other = cells.count(1), cells.count(2)
            self.assertEqual(own + other + cells.count(0), 20)
            # One stone in the first turn, then two each.
            first_to_move = (own + other + 1) % 4 < 2 if own + other else True
            self.assertIn(own - other, {-1, 0} if first_to_move else {-1, 0, 1})
            self.assertIn(results[i], (-1, 0, 1))
        self.refused("export", "--format", "npz", games, words="-o FILE")
        self.refused("export", "--format", "npz", "-o", self.path("x"), words="needs files of scored games")
        self.refused("export", "--format", "npz", self.path("p.npz"), "-o", self.path("x"),
                     words="not a file of scored games")

    def test_refused(self):
        folder = self.path("a")
        self.refused("train", "7x7:k=4", words="--folder DIR is needed")
        self.refused("train", "20x20:k=9", "--folder", folder, words="networks support rows of at most 8 stones")
        self.refused("train", "gomoku", "--folder", folder, "--sizes", "20-13", words="'20-13' is not a range")
        self.refused("train", "gomoku", "--folder", folder, "--from", self.path("b"), words="cannot read", status=1)
        self.krow(*SMALL, "--folder", folder, "-q", "--gate-games", "0")
        self.refused(*SMALL, "--folder", folder, words="another value of 'gate_games'")
        games = self.read("a", "games-1.scored")
        with open(os.path.join(folder, "games-1.scored"), "wb") as file:
            file.write(games[:200] + b"x" + games[201:])
        self.refused(*SMALL, "--folder", folder, "--gate-games", "0", "--generations", "2",
                     words=["games-1.scored: game ", "is damaged"])
        with open(os.path.join(folder, "train.json"), "w", encoding="utf-8") as file:
            file.write("{\n")
        self.refused(*SMALL, "--folder", folder, "--gate-games", "0", words="train.json: line 2")
        self.refused("move", "gomoku", "--agent", f"engine:network={folder}/network-1.net",
                     words="a network for the family 'k=4', but this game is of the family k=5")


if __name__ == "__main__":
    main()
