"""kill -9 of commands that write, at random instants: after each kill the database is sound and files are old or
complete, nothing that was stored is lost, and the same command continues to the result of an undisturbed run, with every
row once. A short test kills few commands once; $KROW_TEST_COMMAND_KILLS is the number of kills of all commands."""
import collections
import contextlib
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from krowtest import KROW, main
from test_injection import SGF, TOURNAMENT, Outcome

KILLS = int(os.environ.get("KROW_TEST_COMMAND_KILLS", "0"))
SHORT = ["match", "import", "export", "book build", "db copy"]  # of a short test

# Name, arguments, and what is added to continue.
COMMANDS = [
    ("match", "match random adjacent --game tictactoe --games 400 --jobs 1 --seed 9 -q", " --resume"),
    ("two jobs", "match random mesh --game 7x7:k=4 --games 300 --jobs 2 --seed 9 --sgf new.sgf -q", " --resume"),
    ("tournament", "tournament long.txt --jobs 2 -q", " --resume"),
    ("import", "import many.sgf", ""),
    ("export", "export --format sgf -o new.sgf", ""),
    ("openings", "openings --game gomoku --count 300 --filter none --seed 1 -o new.txt", ""),
    ("book build", "book build fresh --game tictactoe --turns 9 -q", ""),
    ("book replace", "book build old --game tictactoe --turns 9 -q", ""),
    ("book export", "book export old -o new.book", ""),
    ("book import", "book import old.book --name other", ""),
    ("patterns import", "patterns import p.txt --game gomoku --set s -q", ""),
    ("patterns learn", "patterns learn --against constant --game 7x7:k=4 --games 6 --time 600 --nodes 50 -q", " --resume"),
    ("learn", "learn tictactoe --games 3000 --seed 1 -o new.weights -q", ""),
    ("solve", "solve 4x4:k=4 --proof new.proof -q", ""),
    ("db copy", "db copy krow.db new.db -q", ""),
    ("tune", "tune 7x7:k=4 --games 40 --nodes 30 --openings 20 --seed 5 -q -o new.weights", " --resume"),
    ("evolve", "evolve sequences --options width=7..8 --game tictactoe --algorithm spsa --generations 4 --games 8 --check 8"
     " --final 8 --openings 4,random -q", " --resume"),
    ("reproduce", "reproduce 000/agents --scale 0.0001 -q", ""),
    ("puzzles", "puzzles make connect4 --count 2 --seed 3 -o new.puzzles -q", ""),
    ("train", "train 5x5:k=3 --games 40 --nodes 5 --epochs 1 --gate-games 0 --folder net -q", ""),
]
# Rows that tell what was stored, without ids and times.
CONTENT = ["SELECT match_id, number, game, stones, result FROM games",
           "SELECT b.name, n.depth, n.code, n.wins, n.ties, n.losses FROM book_nodes n JOIN books b ON b.id = n.book_id",
           "SELECT game, set_name, tier, code FROM patterns", "SELECT kind, game, spec FROM matches"]


def content(path):
    """What a database holds, each row with its number."""
    if not os.path.exists(path) or os.path.getsize(path) == 0:
        return collections.Counter()
    with contextlib.closing(sqlite3.connect(path)) as database:
        return collections.Counter(row for query in CONTENT for row in database.execute(query))


def plain(text):
    """A file without the times of turns."""
    return re.sub(r"KT\[\d+\]", "", text)


class Killed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.template = os.path.join(cls.folder.name, "template")
        os.mkdir(cls.template)
        many = "\n".join(SGF.replace("B[hh]", f"B[{chr(97 + i % 6)}{chr(97 + i // 6)}]") for i in range(30))
        patterns = "game gomoku\n" + "".join(f"1 {'.' * i}xxxx.\n" for i in range(4))
        for name, text in (("many.sgf", many), ("p.txt", patterns), ("long.txt", TOURNAMENT.replace("games 2", "games 100"))):
            with open(os.path.join(cls.template, name), "w", encoding="utf-8") as file:
                file.write(text)
        for line in ("match random mesh --game tictactoe --games 300 --seed 2 -q", "book build old --game tictactoe --turns 3 -q",
                     "book export old -o old.book", "patterns import p.txt --game gomoku --set old -q"):
            process = cls.start(cls.template, line)
            _, err = process.communicate()
            if process.returncode != 0:
                raise AssertionError(f"{line}: {err}")

    @classmethod
    def start(cls, folder, line):
        environment = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder + "/state", "XDG_DATA_HOME": folder,
                       "XDG_CACHE_HOME": folder + "/cache", "KROW_DB": folder + "/krow.db", "TERM": "dumb"}
        return subprocess.Popen([KROW, *line.split()], cwd=folder, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    @contextlib.contextmanager
    def home(self):
        with tempfile.TemporaryDirectory(dir=self.folder.name) as place:
            folder = os.path.join(place, "home")
            shutil.copytree(self.template, folder)
            yield folder

    def finish(self, folder, line):
        process = self.start(folder, line)
        out, err = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 0, f"{line}: {err}")
        return Outcome(subprocess.CompletedProcess([], 0, out, err), folder)

    def check_whole(self, folder, before, good):
        """After a kill. Temporary files with names of their own may be left. A file with a state is only of the command."""
        got = Outcome(subprocess.CompletedProcess([], 0, "", ""), folder)  # checks pages and references
        for path in good.files:
            if path in got.files and not path.startswith(("net/", "state/", "cache/")):
                self.assertIn(plain(got.files[path]), (plain(before.files.get(path, "-")), plain(good.files[path])),
                              f"{path} is a part")
        stored = content(folder + "/krow.db")
        self.assertFalse(self.had - stored, "rows are lost")
        self.had = stored

    def kill(self, folder, command, chance):
        """Returns whether the command was killed before its end. The shortest run so far gives the range of instants."""
        process = self.start(folder, command)
        began = time.monotonic()
        try:
            process.communicate(timeout=chance.random() * self.seconds)
            self.seconds = min(self.seconds, time.monotonic() - began)
            return False
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            return process.returncode == -signal.SIGKILL

    def try_command(self, name, line, more, kills):
        chance = random.Random(name)
        before = Outcome(subprocess.CompletedProcess([], 0, "", ""), self.template)
        replaces = name == "book replace"
        with self.home() as folder:
            began = time.monotonic()
            good = self.finish(folder, line)
            self.seconds = time.monotonic() - began
            expected, copied = content(folder + "/krow.db"), content(folder + "/new.db")
        killed = 0
        for number in range(20 * kills):
            if killed >= kills:
                break
            with self.home() as folder:
                self.had = collections.Counter() if replaces else content(folder + "/krow.db")
                for turn in range(1 + chance.randrange(2)):
                    killed += self.kill(folder, line + (more if turn else ""), chance)
                    self.check_whole(folder, before, good)
                    self.had = collections.Counter() if replaces else self.had
                # A command that was killed before it stored its match has nothing to continue.
                got = self.finish(folder, line + more)
                self.assertEqual(content(folder + "/krow.db"), expected)
                self.assertEqual(content(folder + "/new.db"), copied)
                for path, text in good.files.items():
                    if path.startswith("new."):
                        self.assertEqual(plain(got.files.get(path, "")), plain(text), path)
        return killed

    def test_commands(self):
        chosen = [command for command in COMMANDS if KILLS > 0 or command[0] in SHORT]
        each = -(-KILLS // len(chosen)) if KILLS > 0 else 1
        total = 0
        for name, line, more in chosen:
            with self.subTest(command=name):
                killed = self.try_command(name, line, more, each)
                total += killed
                if KILLS > 0:
                    print(f"{name}: {killed} kills, {total} in all", file=sys.stderr, flush=True)
        self.assertGreaterEqual(total, each)


if __name__ == "__main__":
    main()
