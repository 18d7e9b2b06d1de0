"""Work for workers other than matches: self-play for tuning, trials of papers, positions to solve. The results equal
those of a single process, even if workers fail."""
import random
import signal
import subprocess

from krowtest import KROW, SANITIZED, main, repeats
from workertest import PATIENCE, Workers

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
        self.refused("tune", "7x7:k=4", "--workers", words="--workers needs --games N")
        self.refused(*TUNE, "--workers", "--agent", "engine:weights=" + self.write("w.txt", ""), words="names a file")
        self.refused(*TUNE, "--workers", "--db", "none", words="must be stored")

    @repeats
    def test_interrupted_and_gone_on_with(self):
        process = self.start(*TUNE, "--workers")
        self.wait_for_job()
        process.send_signal(signal.SIGINT)
        _, err = self.end(process, 1)
        self.assertIn("the workers continue, and --resume waits for them again", err)
        self.worker("-q")
        self.assertEqual(self.json(*TUNE, "--workers", "--resume")["games"], 40)
        self.assertEqual(self.sql("SELECT count(*) FROM matches"), "1")


class Reproduce(Workers):
    def rows(self, *arguments):
        """Rows without durations."""
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
        # Only the trials that a larger scale adds are submitted.
        self.assertEqual(self.rows(*table, "0.01", "--workers"), large)
        self.assertEqual(self.sql("SELECT sum(games) FROM units"), "220")
        self.assertEqual(self.sql("SELECT count(*) FROM matches WHERE finished IS NOT NULL"), "0")
        self.assertEqual(self.rows(*table, "0.005", "--workers"), small)
        self.assertEqual(self.sql("SELECT count(*), sum(games) FROM jobs, units WHERE job_id = jobs.id"), "110|220")
        self.assertIn("000/fairness-adjacent, trial 1", self.krow("jobs", "list")[0])

    @repeats
    def test_a_job_for_a_smaller_part(self):
        """krow waits for another process's job with fewer games, then submits the remaining games."""
        table = ("000/fairness-adjacent", "--scale")
        process = self.start("reproduce", *table, "0.005", "--workers", "-q")
        self.wait_for_job()
        process.send_signal(signal.SIGINT)
        _, err = self.end(process, 1)
        self.assertIn("the workers continue; run the same command again to continue", err)
        self.worker("-q")
        self.assertEqual(self.rows(*table, "0.01", "--workers"), self.alone(*table, "0.01"))
        self.assertEqual(self.sql("SELECT count(*) > 11, count(DISTINCT match_id) FROM jobs"), "t|11")
        self.assertEqual(self.sql("SELECT sum(games) FROM units WHERE state = 'done'"), "220")

    def test_refused(self):
        self.refused("reproduce", "000/agents", "--workers", "--db", "none", words="--workers needs a database")
        self.refused("reproduce", "000/nctu6", "--workers", "--opponent", "exec:/bin/true", words="workers do not accept commands")

    def test_positions(self):
        """Searches of single positions, and searches in the turns of games."""
        tables = (("002/generators-19", "0.001" if SANITIZED else "0.04"), ("004/calls", "0.001" if SANITIZED else "0.005"))
        for table, scale in tables:
            with self.subTest(table=table):
                alone = self.alone(table, "--scale", scale, "--seed", "3")
                self.worker("-q")
                self.worker("-q")
                asked = (table, "--scale", scale, "--seed", "3", "--workers")
                self.assertEqual(self.rows(*asked), alone)
                self.assertTrue(any(row["unit"] == "nodes" and row["measured"] > 0 for row in alone))
                jobs = self.sql("SELECT count(*), count(DISTINCT spec), min(kind), max(kind) FROM jobs")
                # The same command goes on with what is there, and --fresh does it again.
                self.assertEqual(self.rows(*asked), alone)
                self.assertEqual(self.sql("SELECT count(*), count(DISTINCT spec), min(kind), max(kind) FROM jobs"), jobs)
        self.assertEqual(jobs.split("|")[2:], ["paper", "paper"])
        before = int(jobs.split("|")[0])
        self.assertEqual(self.rows(*asked, "--fresh"), alone)
        self.assertGreater(int(self.sql("SELECT count(*) FROM jobs")), before)
        self.assertEqual(self.sql("SELECT count(*) FROM units WHERE state <> 'done'"), "0")
        self.assertEqual(self.sql("SELECT count(*) = (SELECT sum(games) FROM units) FROM answers"), "t")
        jobs = self.json("jobs", "list")["jobs"]
        self.assertEqual({(job["kind"], job["work"], job["match"]) for job in jobs}, {("paper", "paper", None)})
        self.assertEqual(jobs[0]["title"], "002/generators-19, trial 1")
        self.assertIn("pieces", self.krow("jobs", "list")[0])

    def test_another_build(self):
        process = self.start("reproduce", "002/beyond-depth", "--scale", "0.001", "--workers", "-q")
        self.wait_for_job()
        self.sign("fedcba9876543210", "other")
        _, err = self.end(self.worker("--idle", "0.2", XDG_STATE_HOME=self.path("other")))
        self.assertIn("job 1 refused: the job is for another build", err)
        process.send_signal(signal.SIGINT)
        out, err = self.end(process, 1)
        self.assertIn("the workers continue", err)


def falls(columns):
    """Stones of both sides by column and row; None if a column is full or a side has four in a row."""
    board, heights = {}, [0] * 7
    for i, column in enumerate(columns):
        if heights[column] == 6:
            return None
        cell = (column, heights[column])
        heights[column] += 1
        board[cell] = i % 2
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            run = 1
            for sign in (1, -1):
                x, y = cell[0] + sign * dx, cell[1] + sign * dy
                while board.get((x, y)) == i % 2:
                    run, x, y = run + 1, x + sign * dx, y + sign * dy
            if run >= 4:
                return None
    return board


def positions(count, stones, seed):
    """Games of Connect Four that are not over, as digits of columns."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        columns = []
        for _ in range(20 * stones):
            column = chance.randrange(7)
            if len(columns) < stones and falls(columns + [column]) is not None:
                columns.append(column)
        if len(columns) == stones:
            found.append("".join(str(column + 1) for column in columns))
    return found


class Solve(Workers):
    def setUp(self):
        super().setUp()
        self.lines = "".join(line + "\n" for line in positions(40, 22, 1))

    def ask(self, lines, *more, game="connect4"):
        """krow solve that waits for workers."""
        name = self.write("lines", lines)
        with open(name, encoding="utf-8") as file:
            process = subprocess.Popen([KROW, "solve", game, "--stdin", "--workers", "-q", *more], env=self.environment,
                                       stdin=file, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.running.append(process)
        return process

    def alone(self, lines, *more, status=0):
        return self.krow("solve", "connect4", "--stdin", *more, stdin=lines, status=status)

    def once(self, count):
        """Every question was answered once."""
        self.assertEqual(self.sql("SELECT count(*), count(DISTINCT number), (SELECT sum(games) FROM units WHERE state = 'done')"
                                  " FROM answers"), f"{count}|{count}|{count}")

    def test_the_same_lines(self):
        self.worker("-q", "--jobs", "2")
        self.worker("-q")
        out, _ = self.end(self.ask(self.lines))
        self.assertEqual(out, self.alone(self.lines)[0])
        self.assertEqual(out.count("\n"), 40)
        self.once(40)
        job = self.json("jobs", "list")["jobs"][0]
        self.assertEqual((job["kind"], job["work"], job["title"], job["match"]), ("solve", "solve", "solve connect4", None))
        self.assertEqual((job["games"], job["done"], job["state"]), (40, 40, "done"))
        self.assertIn("40 of       40 positions", self.krow("jobs", "list")[0])

    @repeats
    def test_empty_lines_and_weak(self):
        self.worker("-q")
        asked = ("solve", "tictactoe", "--stdin")
        for lines in ("\na1 b1\n\na1", "\n", "", "a1 b2"):
            with self.subTest(lines=lines):
                self.assertEqual(self.krow(*asked, "--workers", "-q", stdin=lines)[0], self.krow(*asked, stdin=lines)[0])
        few = "".join(self.lines.splitlines(True)[:5])
        self.assertEqual(self.end(self.ask(few, "--weak"))[0], self.alone(few, "--weak")[0])

    @repeats
    def test_nodes_do_not_depend_on_the_order(self):
        """What is found within that many nodes is the same whatever was solved before."""
        lines = "".join(3 * (line + "\n") for line in positions(4, 12, 2))
        limits = ("--nodes", "20000", "--memory", "8")
        out = self.alone(lines, *limits)[0]
        self.assertIn("unknown", out)
        answers = out.splitlines()
        self.assertEqual(answers, [answer for answer in answers[::3] for _ in range(3)])
        self.worker("-q")
        self.worker("-q")
        self.assertEqual(self.end(self.ask(lines, *limits))[0], out)

    def test_check(self):
        lines = [f"{line}\n" for line in self.alone("".join(self.lines.splitlines(True)[:6]))[0].splitlines()]
        self.worker("-q")
        self.end(self.ask("".join(lines), "--check"))
        lines[2] = lines[2].split()[0] + " 17\n"
        alone = self.alone("".join(lines), "--check", "-q", status=1)
        self.assertEqual(self.end(self.ask("".join(lines), "--check"), 1), alone)
        self.assertIn("line 3: ", alone[1])

    @repeats
    def test_killed_and_gone_on_with(self):
        """kill -9 of workers with positions in hand; Ctrl-C of who waits; the same command with --resume has it all."""
        lines = "".join(line + "\n" for line in positions(24, 9, 3))
        asked = ("--unit", "2", "--lease", "0.5")
        process = self.ask(lines, *asked)
        for _ in range(3):
            worker = self.worker("-q")
            held = f"SELECT count(*) FROM units u JOIN workers w ON w.id = worker_id WHERE state = 'held' AND w.name LIKE '%:{worker.pid}'"
            self.wait_for_job()
            self.wait_for(lambda: self.sql(held) != "0" or process.poll() is not None, "no worker works")
            worker.kill()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertIn("the workers continue, and --resume waits for them again", err)
        self.worker("-q")
        self.worker("-q")
        whole, _ = self.end(self.ask(lines, *asked, "--resume"))
        self.assertTrue(whole.startswith(out))
        self.assertEqual(whole, self.alone(lines)[0])
        self.once(24)
        self.assertEqual(self.sql("SELECT count(*) FROM jobs"), "1")
        # A second run uses the stored results; without --resume, it starts from scratch.
        self.assertEqual(self.end(self.ask(lines, *asked, "--resume"))[0], whole)
        self.assertEqual(self.sql("SELECT count(*) FROM jobs"), "1")

    def test_bad_lines(self):
        self.refused("solve", "connect4", "--stdin", "--workers", stdin="12\n18\n", words="line 2: ")
        self.refused("solve", "connect4", "--stdin", "--workers", "--check", stdin="12 x\n", words="line 1: 'x' is not a score")
        self.assertEqual(self.sql("SELECT to_regclass('jobs') IS NULL"), "t")
        self.refused("solve", "connect4", "--workers", words="--workers needs --stdin")
        self.refused("solve", "connect4", "--stdin", "--resume", words="--resume needs --workers")
        self.refused("solve", "connect4", "--stdin", "--workers", "--threads", "2", words="cannot be combined with --threads")
        self.refused("solve", "connect4", "--stdin", "--workers", "--db", "none", words="--workers needs a database")

    def test_set_aside(self):
        """A position that cannot be solved, here one that was spoilt behind krow's back, does not stop the others."""
        process = self.ask("112233\n445566\n1122\n")
        self.wait_for_job()
        self.sql("UPDATE jobs SET openings = replace(openings, '445566', '4455x6')")
        worker = self.worker("-q")
        out, err = self.end(process, 1)
        worker.send_signal(signal.SIGTERM)
        self.end(worker)
        self.assertEqual(out, self.alone("112233\n1122\n")[0])
        self.assertIn("line 2: 445566 was set aside\n", err)
        self.assertIn("1 positions were set aside: ", err)
        self.assertIn("krow jobs retry 1", err)
        self.sql("UPDATE jobs SET openings = replace(openings, '4455x6', '445566')")
        self.worker("-q")
        out, _ = self.end(self.ask("112233\n445566\n1122\n", "--resume"))
        self.assertEqual(out, self.alone("112233\n445566\n1122\n")[0])

    def test_signs_of_life_and_giving_up(self):
        """A long search shows that it lives; a cancelled one is given up; SIGTERM returns what is in hand."""
        process = self.ask("112233\n44\n45\n", "--unit", "2", "--lease", "4", game="9x8:k=4,gravity")
        worker = self.worker("-q")
        self.wait_for_job()
        progress = "SELECT coalesce(max(progress), 0) FROM units WHERE state = 'held'"
        self.wait_for(lambda: int(self.sql(progress)) > 0, "no sign of life")
        seen = int(self.sql(progress))
        self.wait_for(lambda: int(self.sql(progress)) > seen, "no other sign of life")
        worker.send_signal(signal.SIGTERM)
        self.end(worker)
        # What was finished is handed in, and the rest is open again.
        self.assertEqual(self.sql("SELECT count(*) FROM units WHERE state = 'held' OR failures > 0"), "0")
        self.assertEqual(self.sql("SELECT number, answer FROM answers"), "0|33 33")
        worker = self.worker("-q", "--idle", "0.1")
        self.wait_for(lambda: self.sql("SELECT count(*) FROM units WHERE state = 'held'") != "0", "no worker works")
        self.krow("jobs", "cancel", "1")
        self.end(worker)
        out, err = self.end(process, 1)
        self.assertIn("job 1 was cancelled; run 'krow jobs retry 1' to continue it", err)
        self.assertEqual(out, "112233 33\n")


if __name__ == "__main__":
    main()
