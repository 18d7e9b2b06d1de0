"""Faults: one allocation, write, flush or read of a command fails (tests/support/fault_shim.c).

Whatever fails, a command either does all of its work or reports the failure and exits with a non-zero status. Nothing
crashes, no database is damaged, and no part of a file is left. A short test tries some faults of every command;
$KROW_TEST_FAULTS is the number of faults per command and kind, 'all' for each of the first thousand and samples of the
rest."""
import concurrent.futures
import contextlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from krowtest import KROW, main
from workertest import Workers

SHIM = os.environ["FAULT_SHIM"]
KINDS = ["malloc", "write", "fsync", "read"]
FAULTS = os.environ.get("KROW_TEST_FAULTS", "1")
EACH, SAMPLES = 1000, 200  # with 'all'

SGF = "(;GM[4]SZ[15]KR[gomoku]PB[a]PW[b]RE[B+];B[hh];W[hi];B[ih];W[ii];B[jh];W[ji];B[kh];W[ki];B[lh])"
TOURNAMENT = "game tictactoe\nagents random adjacent mesh\ngames 2\nseed 3\n"
GOMOCUP = "START 15\nINFO timeout_turn 0\nINFO max_node 20\nBEGIN\nTURN 1,1\nEND\n"

# Name, arguments, what differs between undisturbed runs apart from times, and standard input.
COMMANDS = [
    ("show", "show gomoku h8 --json"),
    ("board", "show tictactoe --board d.txt"),
    ("move", "move 7x7:k=4 --agent engine:threads=1,memory=1 --nodes 50 --seed 1 --json"),
    ("analyze", "analyze 5x5:k=4 c3 --seed 1 --nodes 50 --threads 1 --memory 1 --json"),
    ("threats", "threats connect6 j10 k10 k11 --json"),
    ("perft", "perft connect4 3 --json"),
    ("solve", "solve tictactoe b2 --proof new.proof --json"),
    ("verify", "verify t.proof --json"),
    ("match", "match random adjacent --game tictactoe --games 4 --jobs 1 --seed 9 --report new.html --json -q"),
    ("tournament", "tournament t.txt --jobs 1 --json -q"),
    ("resume", "match random mesh --game tictactoe --games 4 --jobs 1 --seed 2 --resume --sgf new.sgf --json -q"),
    ("openings", "openings --game gomoku --count 4 --filter none --seed 1 -o new.txt"),
    ("ratings", "ratings --json"),
    ("explore", "explore tictactoe --json"),
    ("import", "import g.sgf --json"),
    ("export", "export --format sgf -o new.sgf"),
    ("review", "review tictactoe b2 a1 a2 --json -q"),
    ("book build", "book build fresh --game tictactoe --turns 4 --json -q"),
    ("book show", "book show tictactoe --json"),
    ("book export", "book export old -o new.book"),
    ("book import", "book import old.book --name other --json"),
    ("patterns import", "patterns import p.txt --game gomoku --set s --json -q"),
    ("patterns list", "patterns list --json"),
    ("learn", "learn tictactoe --games 4 --seed 1 -o new.weights -q --json"),
    ("db info", "db info --check --json"),
    ("db check", "db check --json"),
    ("db copy", "db copy krow.db new.db -q --json"),
    ("jobs", "jobs list --json"),
    ("jobs quarantine", "jobs quarantine lab --json"),
    ("agents", "agents --json"),
    ("puzzles", "puzzles list connect4 --number 5 --json"),
    ("engine", "engine --protocol gomocup --agent adjacent --seed 1", GOMOCUP),
    ("play", "play tictactoe --second random --seed 1 -q", "b2\nsave new.game\nquit\n"),
]
# An optional step of these commands may fail, with a message: play goes on without saving the game, and ratings prints
# the list that it cannot store.
OPTIONAL = {"play": "(game is not being|Not) saved", "ratings": "The list is not stored"}
# What may differ between two runs: times, and what depends on them.
TIMES = re.compile(r'"(ms|seconds|nps|speed|slowest|created|started|ended|elapsed|bytes)":[^,}\]]*|"ms_per_move":(\{[^}]*\}|[\d.e-]+)')
OTHERS = re.compile(re.escape(tempfile.gettempdir()) + r"/[^ '\"]*/home/?|\b(nps|time) \d+|<td>\d+\.\d{3}\b|\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?|\d+(\.\d+)? (m?s|games/s)\b|TM\[[^]]*\]|ms\[[^]]*\]")


def without_times(text):
    return OTHERS.sub("", TIMES.sub("", text))


def rows(path):
    """The number of rows of every table; fails when the database is damaged."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        state = database.execute("PRAGMA integrity_check").fetchone()[0]
        if state != "ok":
            raise AssertionError(f"{path} is damaged: {state}")
        if database.execute("PRAGMA foreign_key_check").fetchone():
            raise AssertionError(f"{path} has a row without its parent")
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in sorted(tables)
                if not table.startswith("sqlite_")}


class Outcome:
    def __init__(self, result, folder):
        self.status, self.out, self.err = result.returncode, result.stdout, result.stderr
        self.counts, self.files, self.tables = {}, {}, {}
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                short = os.path.relpath(path, folder)
                if short == "counts":
                    with open(path, encoding="utf-8") as file:
                        self.counts = {kind: int(count) for kind, count in (line.split() for line in file)}
                elif name.endswith(".db"):
                    self.tables[short] = rows(path) if os.path.getsize(path) > 0 else {}
                elif not name.endswith(("-wal", "-shm", "-journal")):
                    with open(path, "rb") as file:
                        self.files[short] = without_times(file.read().decode(errors="replace"))


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.template = os.path.join(cls.folder.name, "template")
        os.mkdir(cls.template)
        for name, text in (("d.txt", "X.O\n.X.\n..O\n"), ("g.sgf", SGF), ("t.txt", TOURNAMENT), ("p.txt", "game gomoku\n1 xxxx.\n")):
            with open(os.path.join(cls.template, name), "w", encoding="utf-8") as file:
                file.write(text)
        for line in ("match random mesh --game tictactoe --games 2 --seed 2 -q", "import g.sgf",
                     "match random mesh --game tictactoe --games 4 --seed 2 -q",
                     "book build old --game tictactoe -q", "book export old -o old.book",
                     "solve tictactoe b2 --proof t.proof -q", "patterns import p.txt --game gomoku --set old -q"):
            result = cls.run_in(cls.template, line.split(), {}, "")
            if result.returncode != 0:
                raise AssertionError(f"{line}: {result.stderr}")

    @classmethod
    def run_in(cls, folder, arguments, fault, stdin, **more):
        environment = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder + "/state", "XDG_DATA_HOME": folder,
                       "XDG_CACHE_HOME": folder + "/cache", "KROW_DB": folder + "/krow.db", "TERM": "dumb",
                       "MALLOC_PERTURB_": "0", **fault}
        return subprocess.run([KROW, *arguments], cwd=folder, env=environment, input=stdin, capture_output=True, text=True,
                              errors="replace", timeout=300, **more)

    def outcome(self, command, fault):
        _, line, *stdin = command
        with tempfile.TemporaryDirectory(dir=self.folder.name) as place:
            folder = os.path.join(place, "home")  # of the same length as others, so that every run is the same
            shutil.copytree(self.template, folder)
            variables = {"LD_PRELOAD": SHIM, "KROW_FAULT_COUNT": folder + "/counts", **fault}
            result = self.run_in(folder, line.split(), variables, stdin[0] if stdin else "")
            return Outcome(result, folder)

    def numbers(self, name, kind, count):
        """Which calls of a kind fail."""
        if FAULTS == "all":
            chance = random.Random(f"{name} {kind}")
            return [*range(1, min(count, EACH) + 1), *sorted(chance.randint(EACH + 1, count) for _ in range(SAMPLES))
                    ] if count > EACH else range(1, count + 1)
        chance = random.Random(f"{name} {kind}")
        return sorted({chance.randint(1, count) for _ in range(int(FAULTS))}) if count > 0 else []

    def check(self, command, good, before, what, got):
        name = command[0]
        with self.subTest(command=name, fault=what):
            # The constructor of a library of libpq, before main.
            if got.status == -signal.SIGABRT and got.err.startswith("GNU MP: Cannot allocate memory"):
                return
            self.assertIn(got.status, (0, 1, 2), got.err)
            if name in OPTIONAL and re.search(OPTIONAL[name], got.err):
                return
            if got.status != 0:
                self.assertNotEqual(got.err, "")
            else:
                self.assertEqual(without_times(got.out), without_times(good.out), got.err)
            # A failure leaves files as they were or writes all of them.
            for path, text in got.files.items():
                self.assertIn(path, {**before.files, **good.files}, f"{path} is left; {got.err}")
                self.assertIn(text, (before.files.get(path), good.files.get(path)), f"{path} is wrong; {got.err}")
            for path, text in good.files.items():
                if got.status == 0:
                    self.assertEqual(text, got.files.get(path), path)
            for path, tables in before.tables.items():
                for table, count in tables.items():
                    self.assertGreaterEqual(got.tables[path][table], count, f"rows of {table} are lost; {got.err}")
            if got.status == 0:
                self.assertEqual(got.tables, good.tables, got.err)

    def try_command(self, command, pool):
        good = self.outcome(command, {})
        self.assertEqual(good.status, 0, f"{command[1]}: {good.err}")
        again = self.outcome(command, {})
        self.assertEqual(without_times(again.out), without_times(good.out), command[1])
        before = Outcome(subprocess.CompletedProcess([], 0, "", ""), self.template)
        faults = [f"{kind} {n}" for kind in KINDS for n in self.numbers(command[0], kind, good.counts[kind])]
        for what, got in zip(faults, pool.map(lambda what: self.outcome(command, {"KROW_FAULT": what}), faults)):
            self.check(command, good, before, what, got)
        if FAULTS == "all":  # takes hours: what is done counts
            print(f"{command[0]}: {len(faults)} faults tried, calls {good.counts}", file=sys.stderr, flush=True)
        return len(faults)

    def test_commands(self):
        tried = 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for command in COMMANDS:
                with self.subTest(command=command[0]):
                    tried += self.try_command(command, pool)
        self.assertGreaterEqual(tried, 2 * len(COMMANDS))

    def test_options(self):
        """Without memory for the parser of options, nothing is run with default options."""
        arguments = ["import", "g.sgf", "--db", "other.db", "--json"]
        for n in range(1, 40):
            with self.subTest(n=n), tempfile.TemporaryDirectory(dir=self.folder.name) as folder:
                shutil.copy(os.path.join(self.template, "g.sgf"), folder)
                result = self.run_in(folder, arguments, {"LD_PRELOAD": SHIM, "KROW_FAULT": f"malloc {n}"}, "")
                self.assertFalse(os.path.exists(folder + "/krow.db"))
                self.assertIn(result.returncode, (0, 1))
                if result.returncode == 0:
                    self.assertEqual(json.loads(result.stdout)["games"], 1)

    def test_standard_output(self):
        """A full disk behind standard output."""
        for name, line, *stdin in COMMANDS:
            with self.subTest(command=name), open("/dev/full", "w", encoding="utf-8") as full, \
                    tempfile.TemporaryDirectory(dir=self.folder.name) as place:
                folder = os.path.join(place, "home")
                shutil.copytree(self.template, folder)
                result = subprocess.run([KROW, *line.split()], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True,
                                        input=stdin[0] if stdin else "", check=False,
                                        env={**os.environ, "HOME": folder, "KROW_DB": folder + "/krow.db",
                                             "XDG_STATE_HOME": folder + "/state", "XDG_DATA_HOME": folder})
                wants_output = "--json" in line or name in ("board", "engine", "play")
                self.assertEqual(result.returncode, 1 if wants_output else 0, result.stderr)


class Served(unittest.TestCase):
    """krow serve without memory for one allocation: each answer is whole or absent, and the end of the program is one of
    the two that it has."""
    REQUESTS = [("GET", "/about", None), ("POST", "/rules", {"game": "gomoku"}), ("POST", "/sessions", {"game": "7x7:k=4"}),
                ("POST", "/sessions/{id}/play", {"cell": "d4"}), ("GET", "/sessions/{id}", None),
                ("GET", "/sessions/{id}/threats", None), ("GET", "/puzzles", None),
                ("GET", "/sessions/{id}/export?format=sgf", None), ("GET", "/games", None), ("DELETE", "/sessions/{id}", None)]

    def converse(self, fault):
        """The statuses and shapes of all answers, the exit status, what the server said, and its allocations."""
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder + "/state", "XDG_DATA_HOME": folder,
                           "LD_PRELOAD": SHIM, "KROW_FAULT_COUNT": folder + "/counts", "MALLOC_PERTURB_": "0", **fault}
            with subprocess.Popen([KROW, "serve", "--no-open", "--port", str(free_port())], env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
                try:
                    address = re.match(r"krow is at http://[^:]+:(\d+)/", server.stdout.readline())
                    answers = self.ask_all(int(address.group(1))) if address else []
                finally:
                    server.terminate()
                    _, err = server.communicate(timeout=60)
            counts = 0
            if os.path.exists(folder + "/counts"):
                with open(folder + "/counts", encoding="utf-8") as file:
                    counts = int(file.readline().split()[1])
            return answers, server.returncode, err, counts

    def ask_all(self, port):
        answers, session = [], "none"
        for method, path, body in self.REQUESTS:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            try:
                connection.request(method, "/api/v1" + path.format(id=session), json.dumps(body) if body else None,
                                   {"Content-Type": "application/json"})
                answer = connection.getresponse()
                text = answer.read()
                value = json.loads(text) if answer.headers.get("Content-Type") == "application/json" else None
                session = value["id"] if path == "/sessions" and answer.status == 201 else session
                answers.append((answer.status, sorted(value) if value is not None else None))
            except (OSError, http.client.HTTPException):
                answers.append(None)
            finally:
                connection.close()
        return answers

    def test_conversation(self):
        good, status, err, count = self.converse({})
        self.assertEqual(status, 0, err)
        self.assertTrue(all(answer is not None and answer[0] < 300 for answer in good), good)
        chance = random.Random(3)
        runs = 300 if FAULTS == "all" else 4 * int(FAULTS)
        for n in sorted(chance.randint(1, count) for _ in range(runs)):
            with self.subTest(n=n):
                answers, status, err, _ = self.converse({"KROW_FAULT": f"malloc {n}"})
                self.assertIn(status, (0, 1), err)
                if status == 1:
                    self.assertNotEqual(err, "")
                for answer, wanted in zip(answers, good):
                    # An error has its own fields, and requests after a lost session fail.
                    if answer is not None and answer[0] < 300:
                        self.assertEqual(answer, wanted)


class Worked(Workers):
    """A worker with a fault beside one without: every game is there once, as in an undisturbed match."""
    MATCH = ["match", "adjacent", "random", "--game", "tictactoe", "--games", "40", "--openings", "4", "--seed", "3",
             "--json", "-q"]
    KINDS = ["malloc", "read", "write", "connect"]

    def play(self, fault):
        """The table, what the worker with the fault said, its status, and the calls that it made."""
        name = "faults_" + re.sub("[^a-z0-9]", "_", fault["KROW_FAULT"]) if fault else "faults_none"
        self.cluster.sql(f"CREATE DATABASE {name}")
        db = self.cluster.where(name)
        process = self.start(*self.MATCH, "--workers", "--lease", "1", "--unit", "2", "--db", db)
        counts = self.path("counts")
        first = self.worker("--db", db, **{"LD_PRELOAD": SHIM, "KROW_FAULT_COUNT": counts, **fault})
        workers = [first, self.worker("-q", "--db", db)] if fault else [first]
        out, _ = self.end(process)
        for worker in workers:
            if worker.poll() is None:
                worker.terminate()
        # The second may get SIGTERM before it can catch it.
        _, err = [worker.communicate(timeout=60) for worker in workers][0]
        numbers = self.cluster.sql("SELECT string_agg(number::text, ' ' ORDER BY number) FROM games", name)
        self.assertEqual(numbers.split(), [str(n) for n in range(40)])
        result = json.loads(out)
        calls = {}
        if os.path.exists(counts):
            with open(counts, encoding="utf-8") as file:
                calls = {kind: int(count) for kind, count in (line.split() for line in file)}
            os.unlink(counts)
        return [result[key] for key in ("wins", "draws", "losses", "pairs")], err, first.returncode, calls

    def run_workers(self):
        good, err, status, calls = self.play({})
        self.assertEqual(status, 0, err)
        chance = random.Random(5)
        for kind in self.KINDS:
            for n in sorted(chance.sample(range(1, calls[kind] + 1), min(calls[kind], 50))):
                with self.subTest(fault=f"{kind} {n}"):
                    table, err, status, _ = self.play({"KROW_FAULT": f"{kind} {n}"})
                    self.assertEqual(table, good)
                    self.assertIn(status, (0, 1, -signal.SIGTERM), err)


# Only a long test has the time.
if FAULTS == "all":
    Worked.test_workers = Worked.run_workers

if __name__ == "__main__":
    main()
