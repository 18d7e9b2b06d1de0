"""Workers that submit false results are found by --verify and put in quarantine; the results are those of one process.
tests/support/lying_worker.c is the liar. On files and on a server; $KROW_TEST_LONG adds more lies and kills."""
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

from krowtest import SANITIZED, KrowTest, main
from workertest import Workers

LIAR = os.environ["LYING_WORKER"]
LONG = os.environ.get("KROW_TEST_LONG", "") != ""
GAMES = 12 if SANITIZED else 40
MATCH = ["match", "adjacent", "random", "--game", "tictactoe", "--games", str(GAMES), "--openings", "3", "--seed", "3"]
FIELDS = ("games", "wins", "draws", "losses", "pairs")
POSITIONS = ["b2", "a1 b2", "c1 b2 a3", "a2", "b1 b3", "c3"]


def only_long(test):
    """Leaves out a test, without counting it, where there is no time for it."""
    return test if LONG else None


class Verification(Workers):
    """What holds for both engines."""
    expected = None

    @classmethod
    def setUpClass(cls):
        pass  # a server only if it is wanted

    def setUp(self):
        KrowTest.setUp(self)
        self.running = []
        self.addCleanup(self.end_all)
        self.sign("0123456789abcdef", "state")
        self.open_database()

    def open_database(self, name="krow.db"):
        self.db = self.environment["KROW_DB"] = self.path(name)

    def sql(self, text):
        connection = sqlite3.connect(self.db, timeout=60)
        with connection:
            rows = connection.execute(text).fetchall()
        connection.close()
        return "\n".join("|".join(map(str, row)) for row in rows)

    def alone(self):
        if Verification.expected is None:
            value = self.json(*MATCH, "-q", "--db", self.path("alone.db"))
            Verification.expected = {field: value[field] for field in FIELDS}
        return Verification.expected

    def honest(self, *names, **how):
        return [self.worker("-q", "--name", name, **how) for name in names]

    def liar(self, lie, name="liar"):
        process = subprocess.Popen([LIAR, lie, name, self.db], env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.running.append(process)
        return process

    def ask(self, *more):
        return self.start(*MATCH, "--workers", "--unit", "1", "--lease", "2", "--verify", "1", "--json", *more)

    def wait_until(self, sql, what):
        """Polls until a statement gives a number above 0."""
        self.wait_for(lambda: int(self.sql(sql)) > 0, what)

    def wait_for_results(self):
        """Until the liar has submitted something, which may be found at once."""
        self.wait_until("SELECT (SELECT count(*) FROM units WHERE state = 'done') + (SELECT count(*) FROM quarantine)",
                        "the liar submits nothing")

    def wait_for_tables(self):
        def are_there():
            try:
                return int(self.sql("SELECT count(*) FROM jobs")) > 0
            except sqlite3.Error:
                return False
        self.wait_for(are_there, "no job")

    def check(self, process, quarantined=()):
        """The table of one process, every game once, and nobody else in quarantine."""
        out, err = self.end(process)
        value = json.loads(out)
        self.assertEqual({field: value[field] for field in FIELDS}, self.alone(), err)
        self.assertEqual(self.sql("SELECT count(*), count(DISTINCT number) FROM games"), f"{GAMES}|{GAMES}")
        self.assertEqual(sorted(self.sql("SELECT label FROM quarantine").split()), sorted(quarantined), err)
        done = self.sql("SELECT sum(games), count(*) FROM units WHERE state = 'done' AND verifies IS NULL")
        self.assertEqual(done.split("|")[0], str(GAMES))
        self.assertEqual(self.sql("SELECT count(*) FROM units WHERE state IN ('open', 'held')"), "0")
        # Nothing of a worker in quarantine is left without a confirmation.
        self.assertEqual(self.sql(
            "SELECT count(*) FROM units u JOIN workers w ON w.id = u.worker_id JOIN quarantine q ON q.label = w.label WHERE"
            " u.state = 'done' AND u.verdict <> 'agreed'"), "0")
        self.assertIn("is whole", self.krow("db", "check")[0])
        return value, err


class Files(Verification):
    def test_honest_workers(self):
        process = self.ask()
        self.honest("a", "b")
        value, err = self.check(process)
        self.assertEqual(value["verification"], {"share": 1.0, "repeatable": True, "checked": GAMES, "discarded": 0,
                                                 "quarantined": []})
        self.assertIn(f"{GAMES} games were computed again with the same result", err)
        self.assertEqual(self.sql("SELECT count(*) FROM units WHERE verdict = 'agreed'"),
                         self.sql("SELECT count(*) FROM units WHERE verifies IS NOT NULL"))
        # Nobody has verified itself.
        self.assertEqual(self.sql("SELECT count(*) FROM units c JOIN units u ON u.id = c.verifies JOIN workers a ON a.id ="
                                  " c.worker_id JOIN workers b ON b.id = u.worker_id WHERE a.label = b.label"), "0")
        job = self.json("jobs", "list")["jobs"][0]
        self.assertEqual([job["verify"], job["verified"], job["unverified"]], [1, GAMES, 0])

    def test_liars(self):
        """One exchanges games, the other plays on occupied cells."""
        process = self.ask()
        self.wait_for_tables()
        liars = [self.liar("swap"), self.liar("illegal", "cheat")]
        # Alone they are found, too: the submitting program verifies what no other worker can.
        self.wait_for(lambda: self.sql("SELECT count(*) FROM quarantine") == "2", "the liars are not found")
        self.honest("a", "b")
        value, err = self.check(process, ["liar", "cheat"])
        found = value["verification"]
        self.assertEqual({worker["worker"] for worker in found["quarantined"]}, {"liar", "cheat"})
        self.assertGreaterEqual(found["discarded"], 2)
        self.assertRegex(err, r"The worker 'liar' is in quarantine: game \d+ of job \d was submitted as '.*', but is '")
        self.assertRegex(err, r"The worker 'cheat' is in quarantine: game \d+ of match 1 is false")
        for liar in liars:
            liar.terminate()  # or it has exited already
            _, said = liar.communicate(timeout=60)
            self.assertTrue(liar.returncode == 0 or "is in quarantine and gets no work: game" in said, said)
        self.krow("jobs", "release", "cheat")
        self.commands()

    def commands(self):
        listed = self.json("jobs", "quarantined")["quarantined"]
        self.assertEqual([worker["worker"] for worker in listed], ["liar"])
        self.assertRegex(self.krow("jobs", "quarantined")[0], r"^worker liar, since \d{4}-\d\d-\d\d: game \d+ of job 1")
        workers = {worker["name"].split(":")[0]: worker["quarantine"] for worker in self.json("jobs", "list")["workers"]}
        self.assertIsNone(workers["a"])
        self.refused("worker", "--name", "liar", words="is in quarantine", status=1)
        self.refused("jobs", "quarantine", "liar", words="is in quarantine already", status=1)
        self.assertEqual(self.json("jobs", "release", "liar"), {"worker": "liar", "state": "released"})
        self.refused("jobs", "release", "liar", words="is not in quarantine", status=1)
        self.krow("worker", "-q", "--name", "liar", "--idle", "0.1")
        self.assertEqual(self.krow("jobs", "quarantine", "a b")[0], "worker a b is in quarantine\n")

    @only_long
    def test_units_of_others(self):
        process = self.ask()
        self.wait_for_tables()
        liar = self.liar("foreign")
        self.honest("a", "b")
        self.check(process)
        liar.terminate()
        _, said = liar.communicate(timeout=60)
        self.assertNotIn("accepted", said)

    def test_answers(self):
        """The liar says that the first player loses; nothing is printed before it is verified."""
        lines = "".join(line + "\n" for line in POSITIONS)
        alone, _ = self.krow("solve", "tictactoe", "--stdin", stdin=lines)
        process = subprocess.Popen(
            [self.program, "solve", "tictactoe", "--stdin", "--workers", "--unit", "1", "--memory", "1", "--verify", "1"],
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.running.append(process)
        process.stdin.write(lines)
        process.stdin.close()
        process.stdin = None
        self.wait_for_tables()
        self.liar("swap")
        self.wait_for_results()
        self.honest("a", "b")
        out, err = self.end(process)
        self.assertEqual(out, alone)
        self.assertIn("'liar' is in quarantine: position", err)
        self.assertEqual(self.sql("SELECT label FROM quarantine"), "liar")

    def test_killed(self):
        """The submitting program and a worker are killed while games are verified; --resume has everything once."""
        hits = sum(self.kill_both(random.Random(seed), f"killed{seed}.db") for seed in range(25 if LONG else 1))
        if LONG:
            print(f"{hits} programs killed before their end", file=sys.stderr)
            self.assertGreater(hits, 50)

    def kill_both(self, chance, name):
        """How many programs had not ended."""
        self.open_database(name)
        hits = 0
        process = self.ask()
        self.wait_for_tables()
        self.liar("crash")
        self.wait_for_results()
        workers = self.honest("a", "b")
        for _ in range(3):
            time.sleep(chance.random() * 0.2)
            for victim in (process, workers[0]):
                victim.kill()
                victim.communicate()
                hits += victim.returncode == -signal.SIGKILL
            workers = [*self.honest("a"), workers[1]]
            process = self.ask("--resume")
        self.check(process, ["liar"])
        # And once more: nothing is left to do.
        self.check(self.ask("--resume"), ["liar"])
        self.end_all()
        return hits

    @only_long
    def test_alone(self):
        """With one worker, the submitting program itself verifies."""
        process = self.ask()
        self.honest("a")
        self.check(process)
        self.assertEqual(self.sql("SELECT count(*) FROM units WHERE verifies IS NOT NULL AND state = 'done'"), "0")

    def test_times(self):
        """Games with time limits cannot be repeated: they are compared with the schedule, and krow says so."""
        process = self.start("match", "adjacent", "random", "--game", "tictactoe", "--games", "4", "--time", "5", "--workers",
                             "--verify", "1", "--json")
        self.honest("a", "b")
        out, err = self.end(process)
        self.assertFalse(json.loads(out)["verification"]["repeatable"])
        self.assertIn("these games were not computed again, since they depend on more than the job", err)
        self.assertEqual(self.sql("SELECT count(*) FROM units WHERE verdict <> 'unchecked'"), "0")

    def test_refused(self):
        self.refused(*MATCH, "--verify", "0.1", words="--verify needs --workers")
        self.refused(*MATCH, "--verify", "2", "--workers", words="--verify")
        self.refused("worker", "--name", "", words="--name: '' is empty")


class Server(Files if LONG else Verification):
    setUpClass = Workers.__dict__["setUpClass"]

    def open_database(self, name=""):
        Workers.databases += 1
        self.name = f"verified{Workers.databases}"
        self.cluster.sql(f"CREATE DATABASE {self.name}")
        self.db = self.environment["KROW_DB"] = self.cluster.where(self.name)
        self.krow("db", "info")

    def sql(self, text):
        return self.cluster.sql(text, self.name)

    def test_a_false_check(self):
        """A worker that only lies about others is found, and nobody else. While the submitting program stands still, an
        honest one with few rights plays all games, and the liar alone can verify them."""
        self.cluster.sql(self.krow("db", "grants", "--name", "lab_worker")[0], self.name)
        role = self.cluster.where(self.name, "lab_worker")
        process = self.ask()
        self.wait_for_tables()
        process.send_signal(signal.SIGSTOP)
        self.worker("-q", "--name", "a", "--db", role)
        self.wait_for(lambda: self.sql("SELECT count(*) FROM games") == str(GAMES), "the games are not played")
        self.liar("accuse")
        self.wait_until("SELECT count(*) FROM workers WHERE label = 'liar'", "the liar does not start")
        process.send_signal(signal.SIGCONT)
        self.check(process, ["liar"])
        # A worker's role can change neither units that are done nor verdicts, and add results only of units that it holds.
        for statement in ("UPDATE units SET worker_id = 1", "UPDATE units SET verdict = 'agreed'",
                          "UPDATE units SET state = 'open'", "INSERT INTO quarantine (label, since, reason) VALUES ('a', 1, '')",
                          "INSERT INTO checks VALUES (1, 1, 'first')", "INSERT INTO answers VALUES (1, 1, '1 1')",
                          "SELECT answer FROM checks"):
            result = subprocess.run(["psql", "-X", "-q", "-d", role, "-c", statement], capture_output=True, text=True, check=False)
            self.assertIn("permission denied", result.stderr, statement)


if SANITIZED:
    del Server  # the same code as with files, and the driver, which other tests cover

if __name__ == "__main__":
    main()
