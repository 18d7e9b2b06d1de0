"""What tests of the command line share: running krow with pipes or in a terminal."""
import concurrent.futures
import contextlib
import fcntl
import json
import os
import pty
import select
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import uuid
import zlib

# Under sanitizers a start of krow takes ten times as long; a test that goes through many cases, all of which the plain
# build tries, then takes some of them.
SANITIZED = os.environ.get("KROW_SANITIZED") == "1"
KROW = os.path.abspath(os.environ.get("KROW", "build/release/krow"))
FLEET = os.path.abspath(os.environ.get("KROW_FLEET", "build/release/tools/fleet/krow-fleet"))

# A case that is left out under sanitizers, because it takes long and runs code there that other tests run, too. The plain
# build has it.
repeats = unittest.skipIf(SANITIZED, "runs the same code as others")

# Tests of what is in a database run on files and, with a server of tests/support/postgres.py, a second time there.
POSTGRES = os.environ.get("KROW_TEST_POSTGRES")
about_files = unittest.skipIf(POSTGRES, "about files")


def psql(where, sql):
    """Runs SQL on a server; returns what it prints, without decoration."""
    return subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", where, "-c", sql],
                          capture_output=True, text=True, check=True).stdout.strip()


class KrowTest(unittest.TestCase):
    """A test with a folder of its own as the user's home."""
    program = KROW
    user = None  # who runs krow; None: who runs the test

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = folder.name
        self.schemas = {}
        self.environment = {**os.environ, "HOME": self.home, "XDG_STATE_HOME": self.home + "/state",
                            "XDG_DATA_HOME": self.home + "/data", "TERM": "xterm"}
        self.environment.pop("NO_COLOR", None)

    def path(self, name):
        return os.path.join(self.home, name)

    def database(self, name):
        """The place of a database of this name: a file of the home or, on a server, a schema of its own."""
        if not POSTGRES:
            return self.path(name)
        if name not in self.schemas:
            self.schemas[name] = "cli_" + uuid.uuid4().hex
            psql(POSTGRES, f"CREATE SCHEMA {self.schemas[name]}")
        return f"{POSTGRES} options=-csearch_path={self.schemas[name]}"

    def query(self, name, sql):
        """The first row that a statement gives, on the database behind krow's back."""
        if POSTGRES:
            return psql(self.database(name), sql).splitlines()[0].split("|")
        with contextlib.closing(sqlite3.connect(self.path(name))) as database:
            return [str(value) for value in database.execute(sql).fetchone()]

    def settle(self):
        """Waits until a server has ended the sessions of programs that were killed."""
        busy = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'krow'"
        while POSTGRES and psql(POSTGRES, busy) != "0":
            time.sleep(0.01)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def sign(self, signature="0123456789abcdef", folder="state"):
        """Keeps a signature of the build: computing it, for jobs of workers, takes seconds."""
        with open(KROW, "rb") as file:
            program = file.read()
        os.makedirs(self.path(folder + "/krow"), exist_ok=True)
        self.write(folder + "/krow/signature", f"{len(program)} {zlib.crc32(program):08x} {signature}\n")

    def krow(self, *arguments, stdin="", status=0):
        """Runs krow and checks its exit status; returns stdout and stderr."""
        result = subprocess.run([self.program, *arguments], input=stdin, capture_output=True, text=True, timeout=120,
                                env=self.environment, check=False, user=self.user)
        self.assertEqual(result.returncode, status,
                         f"{self.program} {' '.join(arguments)}\nstdout: {result.stdout}\nstderr: {result.stderr}")
        return result.stdout, result.stderr

    def json(self, *arguments, stdin=""):
        out, err = self.krow(*arguments, "--json", stdin=stdin)
        value = json.loads(out)
        self.assertIsInstance(value, dict)
        return value

    def refused(self, *arguments, words, stdin="", status=2):
        """krow says no: nothing on stdout, and a message with these words on stderr."""
        out, err = self.krow(*arguments, stdin=stdin, status=status)
        self.assertEqual(out, "")
        for word in [words] if isinstance(words, str) else words:
            self.assertIn(word, err)
        return err


class Terminal:
    """krow in a pseudo-terminal."""

    def __init__(self, test, *arguments, rows=40, columns=100):
        self.test = test
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(KROW, [KROW, *arguments], test.environment)
        self.resize(rows, columns)
        self.seen = ""
        self.status = None
        test.addCleanup(self.kill)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.seen += data.decode(errors="replace")
        return bool(data)

    def expect(self, words, seconds=60):
        """Waits until these words appear, and forgets everything up to them."""
        end = time.monotonic() + seconds
        while words not in self.seen:
            if time.monotonic() > end or (not self.read(0.2) and self.has_ended()):
                if words in self.seen:
                    break
                self.test.fail(f"expected {words!r}, but the terminal shows:\n{self.seen}")
        before, _, self.seen = self.seen.partition(words)
        return before + words

    def type(self, text):
        """Types at the prompt. libedit prints it a moment before it reads keys one by one; a control key in between would
        still be eaten by the terminal."""
        end = time.monotonic() + 60
        while termios.tcgetattr(self.fd)[3] & termios.ICANON and time.monotonic() < end:
            time.sleep(0.005)
        os.write(self.fd, text.encode())

    def has_ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def wait(self, seconds=60):
        end = time.monotonic() + seconds
        while not self.has_ended():
            self.read(0.05)
            if time.monotonic() > end:
                self.test.fail(f"krow does not end; the terminal shows:\n{self.seen}")
        while self.read(0.05):
            pass
        return self.status

    def kill(self):
        if not self.has_ended():
            os.kill(self.pid, 9)
            self.wait()
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None

    def hang_up(self):
        """The terminal closes, as when its window is closed."""
        os.close(self.fd)
        self.fd = None


def main():
    unittest.main(verbosity=1, argv=[sys.argv[0]])


def tests_of(suite):
    for test in suite:
        yield from tests_of(test) if isinstance(test, unittest.TestSuite) else [test]


def main_at_once():
    """As main, with all tests at the same time: for tests that wait most of the time."""
    tests = list(tests_of(unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])))
    with concurrent.futures.ThreadPoolExecutor(len(tests)) as pool:
        results = list(pool.map(lambda test: test.run(), tests))
    problems = [problem for result in results for problem in result.errors + result.failures]
    for test, words in problems:
        print(f"FAIL: {test}\n{words}", file=sys.stderr)
    print(f"{len(tests)} tests, {len(problems)} problems", file=sys.stderr)
    sys.exit(1 if problems or not tests else 0)
