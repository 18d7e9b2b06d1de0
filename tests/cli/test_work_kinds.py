"""Work for workers that is no match: self-play of tune, trials of papers, positions to be solved. The same answers as in
one process, whatever happens to the workers."""
import json
import signal

from krowtest import main
from workertest import Workers

TUNE = ("tune", "7x7:k=4", "--games", "40", "--nodes", "30", "--openings", "20", "--seed", "5", "-q")


class Tune(Workers):
    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_the_same_weights(self):
        self.krow(*TUNE, "-o", self.path("alone.txt"), "--db", self.path("alone.db"))
        self.worker("-q")
        self.worker("-q")
        self.krow(*TUNE, "-o", self.path("together.txt"), "--workers")
        self.assertEqual(self.read("alone.txt"), self.read("together.txt"))
        self.assertEqual(self.sql("SELECT count(DISTINCT worker_id), sum(games) FROM units"), "2|40")
        job = self.json("jobs", "list")["jobs"][0]
        self.assertEqual((job["work"], job["games"], job["done"], job["state"]), ("games", 40, 40, "done"))

    def test_refused(self):
        self.refused("tune", "7x7:k=4", "--workers", words="name --games")
        self.refused(*TUNE, "--workers", "--agent", "engine:weights=" + self.write("w.txt", ""), words="names a file")
        self.refused(*TUNE, "--workers", "--db", "none", words="kept")

    def test_interrupted_and_gone_on_with(self):
        process = self.start(*TUNE, "--workers")
        self.wait_for_job()
        process.send_signal(signal.SIGINT)
        _, err = self.end(process, 1)
        self.assertIn("the workers go on, and --resume looks on", err)
        self.worker("-q")
        self.assertEqual(self.json(*TUNE, "--workers", "--resume")["games"], 40)
        self.assertEqual(self.sql("SELECT count(*) FROM matches"), "1")


class Reproduce(Workers):
    def rows(self, *arguments):
        """Rows without what takes time."""
        rows = self.json("reproduce", *arguments, "-q")["tables"][0]["rows"]
        return [row for row in rows if row["unit"] not in ("ms", "slowest")]

    def alone(self, *arguments):
        return self.rows(*arguments, "--db", self.path("alone.db"))

    def test_games(self):
        table = ("000/fairness-adjacent", "--scale")
        small, large = self.alone(*table, "0.005"), self.alone(*table, "0.01")
        self.worker("-q")
        self.worker("-q")
        self.assertEqual(self.rows(*table, "0.005", "--workers"), small)
        self.assertEqual(self.sql("SELECT count(*), sum(games), min(first_game) FROM units"), "55|110|0")
        # What a larger scale has beyond a smaller one is put up, and nothing else.
        self.assertEqual(self.rows(*table, "0.01", "--workers"), large)
        self.assertEqual(self.sql("SELECT sum(games) FROM units"), "220")
        self.assertEqual(self.sql("SELECT count(*) FROM matches WHERE finished IS NOT NULL"), "0")
        self.assertEqual(self.rows(*table, "0.005", "--workers"), small)
        self.assertEqual(self.sql("SELECT count(*), sum(games) FROM jobs, units WHERE job_id = jobs.id"), "110|220")
        self.assertIn("000/fairness-adjacent, trial 1", self.krow("jobs", "list")[0])

    def test_a_job_for_a_smaller_part(self):
        """Somebody else's job that is for fewer games is waited for, and the rest is put up then."""
        table = ("000/fairness-adjacent", "--scale")
        process = self.start("reproduce", *table, "0.005", "--workers", "-q")
        self.wait_for_job()
        process.send_signal(signal.SIGINT)
        _, err = self.end(process, 1)
        self.assertIn("the workers go on, and the same command goes on", err)
        self.worker("-q")
        self.assertEqual(self.rows(*table, "0.01", "--workers"), self.alone(*table, "0.01"))
        self.assertEqual(self.sql("SELECT count(*) > 11, count(DISTINCT match_id) FROM jobs"), "t|11")
        self.assertEqual(self.sql("SELECT sum(games) FROM units WHERE state = 'done'"), "220")

    def test_refused(self):
        self.refused("reproduce", "000/agents", "--workers", "--db", "none", words="--workers needs a database")
        self.refused("reproduce", "000/nctu6", "--workers", "--opponent", "exec:/bin/true", words="workers take no commands")


if __name__ == "__main__":
    main()
