"""Matches, tournaments, openings, ratings, import and export, compared with the manual."""
import json
import os
import random
import signal
import sqlite3
import subprocess
import time

from krowtest import KROW, KrowTest, main

TOURNAMENT = """# three agents
game 9x9:k=5
agents random adjacent
agent adjacent:reach=2
games 60
openings 10 random
nodes 100
seed 3
"""


class Lab(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = self.database("lab.db")


class Match(Lab):
    def test_fields_and_counts(self):
        value = self.json("match", "adjacent", "random", "--game", "gomoku", "--games", "40", "--openings", "20", "--quiet")
        for field in ("games", "wins", "draws", "losses", "score", "elo", "elo_error", "nelo", "los", "pairs", "llr",
                      "sprt", "as_first", "as_second", "faults", "ms_per_move"):
            self.assertIn(field, value)
        self.assertEqual(value["games"], 40)
        self.assertEqual(value["wins"] + value["draws"] + value["losses"], 40)
        self.assertEqual(value["counts"], {"adjacent": {}, "random": {}})
        counting = ("match", "kagami", "adjacent", "--game", "9x9:k=5,p=2,q=1", "--games", "4", "--quiet")
        counts = self.json(*counting)["counts"]
        self.assertEqual(set(counts["kagami"]), {"researches", "alternatives"})
        for count in counts["kagami"].values():
            self.assertEqual(count["per_game"], count["sum"] / 4)
        self.assertEqual(self.json(*counting, "--resume")["counts"], counts)
        self.assertIn("researches of kagami: ", self.krow(*counting, "--resume")[0])
        self.assertEqual(sum(value["pairs"]), 20)
        self.assertEqual(sum(value["as_first"].values()), 20)
        self.assertEqual(value["as_first"]["wins"] + value["as_second"]["wins"], value["wins"])
        self.assertEqual(value["faults"], {name: {"illegal": 0, "timeout": 0, "crash": 0} for name in ("adjacent", "random")})
        self.assertIsNone(value["sprt"])

    def test_an_agent_against_itself(self):
        value = self.json("match", "random", "random", "--game", "tictactoe", "--games", "10", "-q")
        self.assertEqual(value["agents"], ["random", "random#2"])

    def test_the_same_match_is_not_stored_twice(self):
        match = ("match", "adjacent", "random", "--game", "tictactoe", "--games", "6", "-q")
        self.krow(*match)
        self.refused(*match, words=["match 1 has the same settings, with 6 of 6 games", "--resume", "--again"], status=1)
        self.refused(*match, "--resume", "--again", words="exclude each other")
        self.krow(*match, "--resume")
        self.assertEqual(self.query("lab.db", "SELECT count(*) FROM games"), ["6"])
        _, err = self.krow(*[word for word in match if word != "-q"], "--again")
        self.assertIn("playing it with --seed", err)
        self.assertEqual(self.query("lab.db", "SELECT count(DISTINCT seed) FROM games"), ["12"])

    def test_records_are_the_same_with_more_jobs(self):
        records = []
        for jobs in ("1", "4"):
            self.environment["KROW_DB"] = self.database(f"jobs{jobs}.db")
            self.krow("match", "adjacent", "random", "--game", "connect6", "--games", "30", "--openings", "7", "--nodes",
                      "50", "--seed", "5", "--jobs", jobs, "-q")
            records.append(self.krow("export", "--match", "last", "--no-times")[0])
        self.assertEqual(records[0].count("# krow game"), 30)
        self.assertEqual(records[0], records[1])

    def test_sprt_stops(self):
        value = self.json("match", "adjacent", "random", "--game", "connect6", "--games", "4000", "--sprt", "0,40", "-q")
        self.assertEqual(value["sprt"], "H1")
        self.assertLess(value["games"], 4000)
        self.assertGreater(value["llr"], 2.9)

    def test_turn_limit_is_a_draw(self):
        value = self.json("match", "random", "random", "--game", "19x19:k=19", "--games", "2", "--turns", "5", "-q")
        self.assertEqual(value["draws"], 2)

    def test_too_small_a_sample_is_said(self):
        out, _ = self.krow("match", "random", "random", "--game", "gomoku", "--games", "4", "-q")
        self.assertIn("too small to say who is stronger", out)

    def test_progress_in_a_log_ends_with_a_line(self):
        _, err = self.krow("match", "random", "random", "--game", "tictactoe", "--games", "20")
        lines = err.splitlines(keepends=True)
        self.assertEqual(len(lines), 21)
        self.assertRegex(lines[2], r"^game 3/20: random – random#2 (1-0|0-1|1/2-1/2), [a-z ]+, \d stones\n$")
        self.assertRegex(lines[20], r"^20/20 games, score [\d.]+ %, .*a minute\n$")
        self.assertNotIn("\r", err)

    def test_reports(self):
        self.krow("match", "adjacent", "random", "--games", "10", "-q", "--report", self.path("r.html"), "--pgn",
                  self.path("r.pgn"))
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("<svg", page)
        self.assertNotIn("http", page.replace("http-equiv", ""))
        with open(self.path("r.pgn"), encoding="utf-8") as file:
            pgn = file.read()
        self.assertEqual(pgn.count("[Result "), 10)

    def test_errors(self):
        self.refused("match", "adjacent", words="A B")
        self.refused("match", "adjacent", "missing", words="no agent 'missing'")
        self.refused("match", "adjacent", "random", "--sprt", "5,1", words="--sprt: '5,1'")
        self.refused("match", "adjacent", "random", "--clock", "x", words=["--clock", "'x'"])
        self.refused("match", "adjacent", "random", "--openings", self.path("none"), words="No such file", status=1)
        self.refused("match", "adjacent", "random", "--game", "7x7:k=9", words="k is 9")
        self.refused("match", "adjacent", "human", words="krow play")
        bad = self.write("bad.txt", "game gomoku\nstones h8 h8\n")
        self.refused("match", "adjacent", "random", "--openings", bad, words=["line 2", "h8 is taken"])
        self.environment["KROW_DB"] = self.write("no.db", "this is no database, but a text of some length" * 30)
        self.refused("match", "adjacent", "random", words="no.db' is not a database")


class Foreign(Lab):
    def engine(self, name, text):
        path = self.write(name, "#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        return "exec:" + path

    def test_an_engine_that_dies_loses_and_the_match_goes_on(self):
        """It answers two turns of each game, then it is gone."""
        dying = self.engine("dying", "while read -r line; do case $line in START*|RESTART*) echo OK; n=0;; "
                            "BEGIN) echo 0,0;; TURN*) n=$((n + 1)); [ $n -lt 3 ] || exit 7; echo $n,$n;; "
                            "BOARD) while read -r line && [ \"$line\" != DONE ]; do :; done; echo 14,14;; "
                            "ABOUT) echo 'name=\"x\"';; END) exit 0;; INFO*) ;; *) echo UNKNOWN;; esac; done")
        value = self.json("match", dying, "adjacent", "--games", "6", "-q", "--no-sandbox", "--seed", "4")
        self.assertEqual(value["losses"], 6)
        self.assertGreaterEqual(value["faults"][dying]["crash"] + value["faults"][dying]["illegal"], 1)
        self.assertEqual(value["faults"]["adjacent"], {"illegal": 0, "timeout": 0, "crash": 0})
        out, _ = self.krow("export", "--match", "last")
        self.assertIn("reason crash: ", out)
        fault = value["fault_list"][0]
        self.assertEqual((fault["game"], fault["agent"]), (1, dying))
        self.assertIn(f"reason {fault['reason']}", out)
        # The reasons are shown without a database too, and in the report.
        out, _ = self.krow("match", dying, "adjacent", "--games", "2", "-q", "--no-sandbox", "--seed", "4", "--db", "none",
                           "--report", self.path("faults.html"))
        self.assertIn(f"game 1, {dying}: ", out)
        with open(self.path("faults.html"), encoding="utf-8") as file:
            page = file.read()
        for words in ("against adjacent</title>", "<h2>Faults</h2>", "normalised Elo", "LOS", "pairs of games"):
            self.assertIn(words, page)

    def test_report_files_are_checked_before_the_first_game(self):
        for option in ("--report", "--pgn"):
            self.refused("match", "random", "adjacent", option, self.path("none/file"), words="cannot write", status=1)
        self.assertFalse(os.path.exists(self.path("lab.db")))

    def test_an_engine_that_cannot_be_started_again_loses(self):
        once = self.engine("once", f"[ ! -e {self.path('started')} ] || exit 3; : > {self.path('started')}; "
                           f"exec {os.environ['FAKE_ENGINE']} gomocup")
        value = self.json("match", once, "random", "--games", "4", "-q", "--no-sandbox")
        self.assertEqual((value["losses"], value["faults"][once]["crash"]), (4, 4))

    def test_an_engine_that_never_starts_is_refused(self):
        self.refused("match", "exec:/bin/false", "random", "--no-sandbox", words=["/bin/false", "exit status 1"], status=1)
        self.refused("match", "exec:" + self.path("none"), "random", words="there is no executable program")
        # In the sandbox a program may lack files that it has outside.
        self.refused("match", "exec:/bin/false", "random", words="--no-sandbox", status=1)
        self.refused("match", "exec:", "random", words="exec")


class Tournament(Lab):
    def table(self, *arguments):
        value = self.json("tournament", self.path("t.txt"), "-q", *arguments)
        for agent in value["agents"]:
            agent.pop("ms_per_move")
        return value

    def test_fields(self):
        self.write("t.txt", TOURNAMENT)
        value = self.table()
        self.assertEqual({agent["name"] for agent in value["agents"]}, {"random", "adjacent", "adjacent:reach=2"})
        for agent in value["agents"]:
            self.assertEqual(set(agent), {"name", "rating", "error", "games", "wins", "draws", "losses", "faults", "counts"})
            self.assertEqual(agent["games"], 120)
        self.assertEqual(len(value["table"]), 3)
        out, _ = self.krow("tournament", self.path("t.txt"), "-q", "--resume")
        self.assertIn("advantage of the first player", out)

    def test_gauntlet(self):
        self.write("t.txt", TOURNAMENT.replace("games 60", "games 4\nformat gauntlet"))
        value = self.table()
        self.assertEqual(len(value["table"]), 2)

    def test_killed_and_resumed(self):
        """kill -9 at random instants, each time resumed: every game once, and the table of an undisturbed run."""
        self.write("t.txt", TOURNAMENT.replace("games 60", "games 2000"))
        undisturbed = self.table("--db", self.database("whole.db"))
        chance = random.Random(2)
        kills = 0
        wanted = int(os.environ.get("KROW_TEST_KILLS", "10"))
        while True:
            process = subprocess.Popen([KROW, "tournament", self.path("t.txt"), "--resume", "-q", "--jobs", "2"],
                                       env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if kills < wanted:
                time.sleep(chance.random() * 0.06)
                process.send_signal(signal.SIGKILL)
                kills += process.wait() == -signal.SIGKILL
                process.stderr.close()
                self.settle()
                continue
            self.assertEqual(process.wait(), 0, process.stderr.read())
            process.stderr.close()
            break
        self.assertEqual(self.table("--resume"), undisturbed)
        self.assertIn("is whole", self.krow("db", "check")[0])
        self.assertEqual(self.query("lab.db", "SELECT count(*), count(DISTINCT number) FROM games"), ["6000", "6000"])

    def test_two_at_once(self):
        """An identical game that another process has stored meanwhile is not a fault."""
        self.write("t.txt", TOURNAMENT.replace("games 60", "games 600"))
        undisturbed = self.table("--db", self.database("whole.db"))
        first = subprocess.Popen([KROW, "tournament", self.path("t.txt"), "-q"], env=self.environment,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while first.poll() is None and not self.has_games():
            time.sleep(0.005)
        self.assertEqual(self.table("--resume"), undisturbed)
        _, err = first.communicate(timeout=60)
        self.assertEqual(first.returncode, 0, err)
        self.assertEqual(self.query("lab.db", "SELECT count(*), count(DISTINCT number) FROM games"), ["1800", "1800"])

    def has_games(self):
        try:
            return self.query("lab.db", "SELECT count(*) FROM games") != ["0"]
        except (sqlite3.Error, subprocess.CalledProcessError):
            return False  # there are no tables yet

    def test_interrupted_says_how_to_go_on(self):
        self.write("t.txt", TOURNAMENT.replace("games 60", "games 100000").replace("9x9:k=5", "gomoku"))
        process = subprocess.Popen([KROW, "tournament", self.path("t.txt")], env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("--resume continues", err)
        self.assertIn("rating", out)

    def test_errors(self):
        self.refused("tournament", self.path("none"), words="No such file", status=1)
        self.write("t.txt", "game gomoku\nagents random adjacent\ngmes 3\n")
        self.refused("tournament", self.path("t.txt"), words=["t.txt", "line 3", "'gmes'"])


class Openings(Lab):
    def test_reproducible_and_convertible(self):
        made, _ = self.krow("openings", "--game", "gomoku", "--count", "12", "--seed", "7")
        self.assertEqual(made, self.krow("openings", "--game", "gomoku", "--count", "12", "--seed", "7")[0])
        self.assertNotEqual(made, self.krow("openings", "--game", "gomoku", "--count", "12", "--seed", "8")[0])
        self.assertEqual(made.count("# krow game"), 12)
        self.write("o.txt", made)
        for name in ("offset", "pos-top", "pos-bottom", "sgf"):
            self.krow("openings", self.path("o.txt"), "--format", name, "-o", self.path("o." + name))
            back, _ = self.krow("openings", name + ":" + self.path("o." + name))
            self.assertEqual(back, made)
            self.krow("match", "random", "adjacent", "--openings", name + ":" + self.path("o." + name), "--games", "4", "-q",
                      "--resume")

    def test_any_game(self):
        for game in ("connect4", "connect6", "5x5:k=4,p=2,q=1", "standard"):
            value = self.json("openings", "--game", game, "--count", "5")
            self.assertEqual(len(value["openings"]), 5)

    def test_errors(self):
        self.refused("openings", "--game", "tictactoe", "--count", "9999", words="only", status=1)
        self.refused("openings", "--filter", "x", words="--filter: 'x'")
        self.refused("openings", "--format", "csv", words="no format 'csv' to write")


class Files(Lab):
    def test_round_trip_through_the_database(self):
        self.krow("match", "adjacent", "random", "--games", "6", "-q")
        for name in ("krow", "sgf", "psq"):
            text, _ = self.krow("export", "--format", name)
            self.write("games." + name, text)
            other = self.database(name + ".db")
            value = self.json("import", self.path("games." + name), "--db", other)
            self.assertEqual((value["games"], value["files"], value["errors"]), (6, 1, []))
            self.assertEqual(self.json("import", self.path("games." + name), "--db", other)["games"], 0)
            stones = [line for line in self.krow("export", "--db", other)[0].splitlines() if line.startswith("stones")]
            self.assertEqual(stones, [line for line in self.krow("export")[0].splitlines() if line.startswith("stones")])

    def test_a_damaged_file_does_not_stop_the_others(self):
        os.mkdir(self.path("games"))
        for i in range(20):
            stones = "a1 a1" if i == 7 else f"a1 b{i + 1}"
            self.write(f"games/{i:03}.txt", f"# krow game\ngame 20x20:k=5\nstones {stones}\n")
        out, err = self.krow("import", self.path("games"), "--json", status=1)
        value = json.loads(out)
        self.assertEqual((value["games"], value["files"]), (19, 20))
        self.assertEqual(len(value["errors"]), 1)
        self.assertTrue(value["errors"][0]["file"].endswith("007.txt"))
        self.assertEqual(value["errors"][0]["line"], 3)
        self.assertIn("a1 is taken", value["errors"][0]["message"])
        self.assertIn("007.txt:3", err)

    def test_ratings(self):
        self.krow("ratings", status=1)
        self.krow("match", "adjacent", "random", "--games", "40", "-q")
        value = self.json("ratings", "--game", "gomoku", "--anchor", "random=1000")
        self.assertEqual([agent["name"] for agent in value["agents"]], ["adjacent", "random"])
        self.assertEqual(value["agents"][1]["rating"], 1000)
        for field in ("name", "rating", "error", "games", "wins", "draws", "losses", "faults"):
            self.assertIn(field, value["agents"][0])
        self.assertIn("table", value)
        self.refused("ratings", "--anchor", "missing", words="missing")
        self.refused("ratings", "--anchor", "random=abc", words="'abc' is not a rating")
        # Games of other rules have a list of their own.
        self.krow("match", "adjacent", "random", "--games", "4", "--game", "connect4", "-q")
        self.krow("match", "chain", "hybrid", "--games", "4", "--game", "connect4", "-q")
        value = self.json("ratings")
        self.assertEqual([(one["game"], len(one["agents"])) for one in value["lists"]],
                         [("15x15:k=5", 2), ("7x6:k=4,gravity", 4)])
        self.assertEqual(value["agents"], value["lists"][0]["agents"])
        self.assertIn("group 2: ", self.krow("ratings", "--game", "connect4")[0])

    def test_reading_creates_no_database(self):
        for command in ("ratings", "export"):
            self.refused(command, "--db", self.database("none.db"), words="no ", status=1)
            self.refused(command, "--db", self.path("none.db"), words="no database '", status=1)
        self.assertFalse(os.path.exists(self.path("none.db")))
        self.krow("match", "adjacent", "random", "--games", "2", "-q")
        for option in (("--match", "99"), ("--agent", "nobody")):
            self.refused("export", *option, words="no such games", status=1)

    def test_errors(self):
        self.krow("import", self.path("none"), status=1)
        os.mkdir(self.path("empty"))
        self.assertIn("no files to import", self.krow("import", self.path("empty"), status=1)[1])
        self.refused("import", self.path("none"), "--format", "x", words="no format 'x'")
        self.refused("export", "--format", "rif", words="no format 'rif' to write")


if __name__ == "__main__":
    main()
