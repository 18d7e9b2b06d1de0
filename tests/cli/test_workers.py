"""Matches and tournaments played by workers: the same games as in one process. test_faults.py adds failures."""
import json
import os
import re
import signal
import subprocess
import time

from krowtest import FLEET, main
from workertest import Workers

TOURNAMENT = """game 9x9:k=5
agents random adjacent
agent adjacent:reach=2
games 40
openings 10
nodes 100
seed 3
"""


class Tournaments(Workers):
    def setUp(self):
        super().setUp()
        self.write("t.txt", TOURNAMENT)

    def alone(self):
        """The table and the games of one process."""
        db = self.path("alone.db")
        table = self.json("tournament", self.path("t.txt"), "-q", "--db", db)["table"]
        return table, self.games(db)

    def check_table(self, process, expected):
        out, _ = self.end(process)
        table, games = expected
        self.assertEqual(json.loads(out)["table"], table)
        self.assertEqual(self.by_number(games), self.by_number(self.games(self.db)))
        counts = self.sql("SELECT count(*), count(DISTINCT number), (SELECT sum(games) FROM units WHERE state = 'done'), "
                          "(SELECT count(*) FROM units WHERE state <> 'done') FROM games")
        number = len(self.by_number(games))
        self.assertEqual(counts, f"{number}|{number}|{number}|0")

    def by_number(self, games):
        return sorted(games.split("# krow game\n")[1:])


class SameAnswers(Tournaments):
    def test_four_workers(self):
        expected = self.alone()
        workers = [self.worker("--jobs", str(1 + i % 2)) for i in range(4)]
        self.check_table(self.start("tournament", self.path("t.txt"), "--workers", "--json", "-q"), expected)
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
        said = "".join(self.end(worker)[1] for worker in workers)
        played = sum(int(n) for n in re.findall(r"ended after (\d+) games", said))
        self.assertEqual(played, 120)
        self.assertEqual(self.sql("SELECT count(*) FROM workers WHERE ended IS NULL"), "0")

    def test_sprt_ends_what_is_outstanding(self):
        asked = ["match", "adjacent", "random", "--game", "tictactoe", "--games", "20000", "--sprt", "0,50", "--json", "-q"]
        alone = self.json(*asked[:-2], "-q", "--db", self.path("alone.db"))
        self.worker("-q")
        self.worker("-q")
        value = json.loads(self.end(self.start(*asked, "--workers"))[0])
        for field in ("games", "wins", "draws", "losses", "pairs", "llr", "sprt"):
            self.assertEqual(value[field], alone[field])
        self.assertLess(value["games"], 20000)
        jobs = self.json("jobs", "list")["jobs"]
        self.assertEqual(jobs[0]["state"], "cancelled")
        self.assertEqual(jobs[0]["held"], 0)


class Load(Workers):
    program = FLEET

    def test_load(self):
        """krow-fleet load stores what it says, and nothing where others have jobs."""
        value = self.json("load", "connections=4,count=25,games=4,spare=1000", "--db", self.db)
        self.assertEqual([value["operations"], value["games"]], [100, 400])
        self.assertEqual(self.sql("SELECT count(*), count(DISTINCT number) FROM games"), "400|400")
        self.assertEqual(self.sql("SELECT sum(games) FROM units WHERE state = 'done'"), "400")
        self.assertEqual(self.sql("SELECT count(*) FROM units WHERE state = 'held'"), "0")
        again = self.json("load", f"job={value['job']},count=10,games=4", "--db", self.db)
        self.assertEqual([again["operations"], again["job"]], [10, value["job"]])
        self.assertEqual(self.sql("SELECT count(*) FROM games"), "440")
        for kind in ("beats", "polls", "looks"):
            other = self.json("load", f"kind={kind},connections=2,count=5,slots=3", "--db", self.db)
            self.assertEqual(other["operations"], 10, kind)
        self.assertEqual(self.sql("SELECT count(*) FROM games"), "440")
        self.sql("UPDATE jobs SET build = 'that of somebody'")
        self.refused("load", "count=1", "--db", self.db, words="jobs of workers")
        self.assertEqual(self.sql("SELECT count(*) FROM games"), "440")


class Refused(Workers):
    def test_another_build(self):
        process = self.start("match", "adjacent", "random", "--game", "tictactoe", "--games", "4", "--workers", "--json", "-q")
        self.wait_for_job()
        self.sign("fedcba9876543210", "other")
        out, err = self.end(self.worker("--idle", "0.2", XDG_STATE_HOME=self.path("other")))
        self.assertIn("job 1 refused: the job is for another build, which plays differently", err)
        self.assertIn("signature 0123456789abcdef", err)
        self.assertIn("this is krow", err)
        self.assertIn("refused", self.sql("SELECT words FROM workers") + err)
        self.assertEqual(self.sql("SELECT count(*) FROM games"), "0")
        self.worker("-q")
        self.assertEqual(json.loads(self.end(process)[0])["games"], 4)

    def test_engines_are_those_of_the_list(self):
        engine = os.environ["FAKE_ENGINE"]
        match = ["match", "exec:@fake", "random", "--game", "gomoku", "--games", "2", "--turns", "4", "--time", "5", "--workers",
                 "--json", "-q"]
        process = self.start(*match)
        self.wait_for_job()
        _, err = self.end(self.worker("--idle", "0.5"))
        self.assertIn("the engine 'fake' is not in this worker's list", err)
        listed = self.write("engines", f"# engines of this machine\nother /bin/false\nfake {engine}\n")
        self.worker("-q", "--engines", listed)
        self.assertEqual(json.loads(self.end(process)[0])["games"], 2)
        self.assertEqual(self.sql("SELECT count(*) FROM agents WHERE name = 'exec:@fake'"), "1")
        self.assertEqual(self.sql(f"SELECT count(*) FROM jobs WHERE spec LIKE '%{engine}%'"), "0")

    def test_no_command_comes_from_the_database(self):
        self.refused("match", "exec:/bin/true", "random", "--workers", words="workers do not accept commands")
        self.refused("match", "book:fallback=exec:true", "random", "--workers", words="workers do not accept commands")
        self.refused("match", "patterns:learn=1", "random", "--workers", words="with learn")
        self.refused("match", "random", "random", "--workers", "--db", "none", words="--workers needs a database")
        # Behind krow's back.
        mark = self.path("started")
        process = self.start("match", "adjacent", "random", "--game", "tictactoe", "--games", "4", "--workers", "-q")
        self.wait_for_job()
        self.sql(f"UPDATE jobs SET spec = replace(spec, 'agent random', 'agent exec:touch {mark}')")
        _, err = self.end(self.worker("--idle", "0.5"))
        self.assertIn("workers do not accept commands", err)
        self.assertFalse(os.path.exists(mark))
        process.send_signal(signal.SIGINT)
        _, err = self.end(process, 1)
        self.assertIn("the workers continue", err)

    def test_a_bad_list(self):
        self.refused("worker", "--engines", self.write("e", "fake\n"), words=["line 1", "'fake' has no command"])
        self.refused("worker", "--engines", self.path("none"), words="No such file", status=1)


class Steered(Workers):
    def test_pause_cancel_retry(self):
        process = self.start("match", "adjacent", "random", "--game", "tictactoe", "--games", "40", "--workers", "--json", "-q")
        self.wait_for_job()
        self.assertEqual(self.krow("jobs", "pause", "1")[0], "job 1 is paused\n")
        self.end(self.worker("-q", "--idle", "0.3"))
        self.assertEqual(self.sql("SELECT count(*) FROM games"), "0")
        self.assertEqual(self.json("jobs", "continue", "1")["state"], "open")
        self.refused("jobs", "continue", "1", words="job 1 cannot be continued: it is open", status=1)
        self.refused("jobs", "cancel", "99", words="there is no job 99", status=1)
        self.refused("jobs", "cancel", "1", "--db", "none", words="jobs need a database")
        self.refused("worker", "--db", "none", words="workers need a database")
        self.krow("jobs", "cancel", "1")
        _, err = self.end(process, 1)
        self.assertIn("job 1 was cancelled; run 'krow jobs retry 1' to continue it", err)
        self.krow("jobs", "retry", "1")
        self.worker("-q")
        out, _ = self.krow("jobs", "watch")
        self.assertIn("match", out)
        self.assertEqual(self.json("jobs", "list")["jobs"][0]["done"], 40)
        self.assertIn("done", self.krow("jobs", "list")[0])
        value = self.json("match", "adjacent", "random", "--game", "tictactoe", "--games", "40", "--workers", "--resume", "-q")
        self.assertEqual(value["games"], 40)
        self.refused("jobs", "pause", "x", words="'x' is not the number of a job")

    def test_terminated_worker_returns_its_games(self):
        process = self.start("match", "adjacent", "random", "--game", "gomoku", "--games", "200000", "--unit", "500", "--workers",
                             "--json", "-q")
        self.wait_for_job()
        # The second one comes when a connection by ssh is closed.
        for number in [signal.SIGTERM, signal.SIGHUP]:
            worker = self.worker("--jobs", "2")
            self.wait_for(lambda: self.sql("SELECT count(*) FROM units WHERE state = 'held'") > "0", "no worker plays")
            worker.send_signal(number)
            _, err = self.end(worker)
            self.assertRegex(err, "ended after [0-9]+ games")
            self.assertEqual(self.sql("SELECT count(*) FROM units WHERE state = 'held'"), "0")
        self.assertEqual(self.sql("SELECT coalesce(sum(failures), 0) FROM units"), "0")
        self.assertEqual(self.sql("SELECT sum(games) FROM units"), "200000")
        self.krow("jobs", "cancel", "1")
        self.end(process, 1)

    def test_a_worker_needs_few_rights(self):
        process = self.start("match", "adjacent", "random", "--game", "tictactoe", "--games", "8", "--openings", "4", "--workers",
                             "--json", "-q")
        self.wait_for_job()
        grants, _ = self.krow("db", "grants", "--name", "hand")
        self.sql(grants)
        self.worker("-q", "--db", self.cluster.where(self.name, "hand"))
        self.assertEqual(json.loads(self.end(process)[0])["games"], 8)
        # Neither outside of a match nor in a unit that is done can it add a game.
        row = ("INSERT INTO games (match_id, number, game, first_id, second_id, seed, reason, event, date, copy, stones)"
               " VALUES (1, {}, '3x3:k=3', 1, 2, 1, '', '', '', 0, 'a1')")
        for number in ("8", "0"):
            result = subprocess.run(["psql", "-X", "-d", self.cluster.where(self.name, "hand"), "-c", row.format(number)],
                                    capture_output=True, text=True, check=False)
            self.assertIn("permission denied: the game belongs to no unit", result.stderr)
        self.assertEqual(self.sql("SELECT count(*) FROM games"), "8")


if __name__ == "__main__":
    main()
