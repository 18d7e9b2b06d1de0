"""krow reproduce: lists, refused arguments, tables and their JSON, interrupted and resumed runs."""
import json
import os
import signal
import sqlite3
import subprocess
import time

from krowtest import KROW, SANITIZED, KrowTest, main

# The table that any build can play in a moment: eleven rows between agents that do not think.
TABLE = "000/fairness-adjacent"


class Reproduce(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = self.path("lab.db")

    def kept(self):
        """Matches and games in the database, and games that are there twice."""
        database = sqlite3.connect(self.path("lab.db"))
        try:
            games, distinct = database.execute("select count(*), count(distinct match_id * 1000000 + number) "
                                               "from games").fetchone()
            return database.execute("select count(*) from matches").fetchone()[0], games, games - distinct
        finally:
            database.close()

    def text(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def rows(self, *arguments):
        value = self.json("reproduce", *arguments, "-q")
        self.assertEqual(value["paper"], arguments[0].split("/")[0])
        return value["tables"][0]["rows"]


class List(Reproduce):
    def test_text(self):
        out, err = self.krow("reproduce")
        self.assertEqual(err, "")
        for words in ("000  Levin", "000/agents:", "000/roundrobin:", "000/search:", "000/nctu6:", "000/fairness:",
                      "sequences against threats: wins 77.0 %",
                      "sequences against montecarlo:candidates=4,playouts=400: wins 70.0 %",
                      "against sequences: wins 52.0 %", "threats against NCTU6 (--opponent): wins 0.0 %",
                      "sequences against NCTU6 (--opponent): wins 10.0 %", "6 400 games at scale 1"):
            self.assertIn(words, out)

    def test_json(self):
        papers = self.json("reproduce")["papers"]
        self.assertEqual([paper["name"] for paper in papers], ["000", "001", "002", "003", "004", "levels"])
        tables = {table["name"]: table for table in papers[0]["tables"]}
        self.assertEqual([row["published"] for row in tables["agents"]["rows"]], [0.77, 0.7, 0.52])
        self.assertEqual([row["games"] for row in tables["agents"]["rows"]], [2000, 2000, 2400])
        self.assertEqual([row["published"] for row in tables["nctu6"]["rows"]], [0, 0.1])
        self.assertTrue(all(row["needs_opponent"] for row in tables["nctu6"]["rows"]))
        self.assertEqual([row["published"] for row in tables["roundrobin"]["rows"]], [None])
        self.assertEqual([table["name"] for table in papers[4]["tables"]],
                         ["calls", "hybrid", "detected", "chain", "weight", "sarhan", "detection", "times", "depth", "perfect"])
        perfect = papers[4]["tables"][9]
        self.assertEqual([row["unit"] for row in perfect["rows"]],
                         ["kept/turns", "kept/critical", "kept_score/turns", "critical/turns"])
        self.assertEqual((perfect["games"], perfect["searches"]), (40, 0))
        self.assertTrue(all(row["unit"] == "score" and row["published"] is None for row in tables["fairness"]["rows"]))

    def test_rows_of_the_same_games(self):
        out, _ = self.krow("reproduce")
        self.assertIn("defence against X6 (stand-in: sequences): draws 60.0 %, losses 40.0 %, turns 87.1 (Table II)\n", out)
        tables = {table["name"]: table for table in self.json("reproduce")["papers"][1]["tables"]}
        published = {(row["label"], row["unit"]): row["published"] for row in tables["defence-x6"]["rows"]}
        self.assertEqual(len(published), len(tables["defence-x6"]["rows"]))
        self.assertEqual([published[("defence against X6", unit)] for unit in ("draws", "losses", "turns")], [0.6, 0.4, 87.1])
        beyond = "defence:guard=1 (beyond the paper) against X6 (stand-in: sequences)"
        self.assertEqual([published[(beyond, unit)] for unit in ("draws", "losses", "turns")], [None] * 3)
        # Games are counted once, however many rows are made of them.
        self.assertEqual(tables["defence-x6"]["games"], 4 * 200 + 2 * 40)


    def test_contradictions_are_shown_as_printed(self):
        out, _ = self.krow("reproduce")
        for words in ("002/plain: Fig. 4: alpha-beta without evaluation and ordering; 300 searches at scale 1\n",
                      "depth 5; Fig. 4 calls it unfinished, Fig. 6 has 5508303 nodes\n",
                      "no ordering, Simple: nodes 5508303, ms 6702 (Fig. 6); Fig. 4 calls it unfinished\n",
                      "Random against Nei: wins 71.0 %, losses 31.0 %, draws 8.0 % (Fig. 5); printed as 71-31-8, 110 games\n",
                      "TS100 against TS150: wins 39.0 %, losses 50.0 %, draws 11.0 % (Fig. 10)\n",
                      "connect5 against Stahlfaust, 8 s (--opponent): wins 75.0 %"):
            self.assertIn(words, out)
        tables = {table["name"]: table for table in self.json("reproduce")["papers"][2]["tables"]}
        self.assertEqual((tables["evaluations"]["games"], tables["evaluations"]["searches"]), (1500, 0))
        self.assertEqual((tables["orderings"]["games"], tables["orderings"]["searches"]), (0, 700))
        remarks = {row["label"]: row["remark"] for row in tables["evaluations"]["rows"]}
        self.assertEqual(sum(remark is not None for remark in remarks.values()), 3)


class Refused(Reproduce):
    def test_names(self):
        self.refused("reproduce", "999", words="no paper '999'; there is 000")
        self.refused("reproduce", "level", words="no paper 'level'")
        self.refused("reproduce", "000/agent", words="paper 000 has no table 'agent'; it has agents, ")
        self.refused("reproduce", "000/", words="no table ''")
        self.refused("reproduce", "", words="no paper ''")
        self.refused("reproduce", "000", "001", words="'001'")

    def test_scales(self):
        for scale in ("0", "-1", "x", "", "nan", "inf", "100.1", "1e999"):
            self.refused("reproduce", TABLE, "--scale", scale, words=f"--scale: '{scale}'")

    def test_opponents(self):
        self.refused("reproduce", TABLE, "--opponent", "random", words="--opponent: no trial of ")
        for row in self.rows("000/nctu6", "--opponent", "adjacent", "--scale", "1e-9", "--db", "none"):
            self.assertEqual(row["n"], 2)
        self.refused("reproduce", TABLE, "--db", self.path("no/lab.db"), "--scale", "0.001", "-q", words="lab.db", status=1)


class Run(Reproduce):
    def test_fields(self):
        rows = self.rows(TABLE, "--scale", "0.005")
        self.assertEqual(len(rows), 11)
        for row in rows:
            self.assertLessEqual({"label", "unit", "published", "measured", "low", "high", "n", "wins", "draws", "losses"},
                                 set(row))
            self.assertEqual((row["unit"], row["published"], row["inside"], row["note"]), ("score", None, None, None))
            self.assertEqual((row["n"], row["wanted"], row["wins"] + row["draws"] + row["losses"]), (10, 10, 10))
            self.assertAlmostEqual(row["measured"], (row["wins"] + row["draws"] / 2) / 10)
            self.assertTrue(0 <= row["low"] <= row["measured"] <= row["high"] <= 1)

    def test_a_page(self):
        self.krow("reproduce", "003/agents", "--html", self.path("agents.html"), "-q", "--scale", "1e-9")
        page = self.text("agents.html")
        for words in ("<title>Szóts and Harmati", "<svg", "<dt>wins<dd>share of games won", "too few to compare", "63.0 %",
                      "prefers-color-scheme:dark", "6 published figures: 0 inside the limits"):
            self.assertIn(words, page)
        # Nothing is loaded from elsewhere.
        for words in ("<script", "src=", "<link", "url(", "@import"):
            self.assertNotIn(words, page)
        self.assertEqual(page.count("http"), page.count("http://www.w3.org/2000/svg"))
        self.refused("reproduce", "002/stahlfaust", "--html", self.path("no/x.html"), words="no/x.html", status=1)
        self.refused("reproduce", "--html", self.path("x.html"), words="--html: name a paper, or 'all'")
        self.refused("reproduce", "all", words="reproduce all: name a folder for the pages with --html")

    def test_two_games_have_a_chart_but_no_verdict(self):
        arguments = ("reproduce", "003/agents", "--scale", "1e-9", "--svg", self.path("charts"), "-q")
        table = self.json(*arguments)["tables"][0]
        judged = [row for row in table["rows"] if row["published"] is not None]
        self.assertEqual({(row["inside"], row["verdict"]) for row in judged}, {(None, "too few")})
        self.assertEqual(set(table["legend"]), {"wins", "draws", "losses", "turns"})
        out, _ = self.krow(*arguments)
        self.assertIn("units:\n  wins: share of games won by the first-named agent\n", out)
        self.assertIn("too few to compare", out)
        self.assertNotIn("inside the limits", out)
        picture = self.text("charts/003-agents.svg")
        # Four panels of three rows, each with a measured dot; wins, draws and losses are published for two of them.
        self.assertEqual((picture.count('class="panel"'), picture.count("<circle")), (4, 13))
        self.assertEqual(picture.count('class="mark"'), 7)
        # Rows that are not run have a chart, too.
        self.krow("reproduce", "002/stahlfaust", "--svg", self.path("charts"), "-q")
        self.assertIn("not run", self.text("charts/002-stahlfaust.svg"))

    def test_the_smallest_scale_is_a_pair_a_row(self):
        self.assertEqual([row["n"] for row in self.rows(TABLE, "--scale", "1e-9", "--db", "none")], [2] * 11)

    def test_text(self):
        out, err = self.krow("reproduce", TABLE, "--scale", "0.002")
        self.assertIn("scale 0.002", out)
        for words in ("published", "measured", "95 % from", "published is", "k=6 p=2 q=1 (p = 2q)"):
            self.assertIn(words, out)
        self.assertIn("row 2 of 11, 4 of 44 games done; fairness-adjacent: first player, k=6 p=1 q=1\n", err)
        self.assertIn("4/4 games", err)
        self.assertEqual(self.krow("reproduce", TABLE, "--scale", "0.002", "-q")[1], "")

    def test_rows_without_a_book_are_not_run(self):
        row = self.rows("000/book", "--scale", "0.01")[0]
        self.assertEqual((row["n"], row["measured"]), (0, None))
        self.assertIn("no opening book", row["note"])
        self.krow("match", "adjacent", "random", "--game", "connect6", "--games", "4", "-q")
        self.krow("book", "build", "some", "--game", "connect6", "-q")
        row = self.rows("000/book", "--scale", "0.01")[0]
        self.assertEqual((row["n"], row["note"]), (2, None))

    def test_rows_without_a_stand_in_are_not_run(self):
        rows = self.rows("000/nctu6")
        self.assertEqual([row["published"] for row in rows], [0, 0.1])
        for row in rows:
            self.assertEqual((row["measured"], row["low"], row["high"], row["n"]), (None, None, None, 0))
            self.assertIn("--opponent", row["note"])
            self.assertNotIn("wins", row)
        out, _ = self.krow("reproduce", "000/nctu6", "-q")
        self.assertEqual(out.count("not run: name a stand-in with --opponent"), 2)

    def test_searches_that_are_stopped(self):
        process = subprocess.Popen([KROW, "reproduce", "002/orderings", "--json"], env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("rows 1 to 2 of 14; orderings: no ordering, Simple", process.stderr.readline())
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted; run the same command again to continue; its searches of positions are repeated", err)
        rows = json.loads(out)["tables"][0]["rows"]
        self.assertEqual([row["wanted"] for row in rows], [100] * 14)
        # The first position takes seconds, and a search that was cut short does not count.
        self.assertEqual((rows[0]["n"], rows[0]["measured"]), (0, None))
        self.assertEqual([(row["n"], row["note"]) for row in rows[2:]], [(0, "not run: interrupted")] * 12)

    def test_stahlfaust_is_not_to_be_had(self):
        rows = self.rows("002/stahlfaust")
        self.assertEqual([row["published"] for row in rows], [1, 0, 0, None, 0.75, 0.25, 0, None])
        self.assertTrue(all(row["n"] == 0 and "--opponent" in row["note"] for row in rows))

    def test_shares_of_turns(self):
        """Paper 004: turns decided without a search, as the database has them."""
        rows = self.rows("004/detected", "--scale", "0.001", "--jobs", "2")
        units = ["detected/turns", "detected/turns@first", "detected/turns@second", "threes/turns", "blocks/turns", "score",
                 "turns"]
        self.assertEqual([row["unit"] for row in rows], units * 14)
        self.assertEqual([row["published"] for row in rows[:7]], [0.13] * 3 + [None] * 4)
        first = {row["unit"]: row for row in rows[:7]}
        database = sqlite3.connect(self.path("lab.db"))
        counted = dict(database.execute("select c.name, sum(c.value) from game_counts c join games g on g.id = c.game_id "
                                        "where g.match_id = 1 group by c.name").fetchall())
        database.close()
        for name in ("detected", "threes", "blocks"):
            row = first[name + "/turns"]
            self.assertAlmostEqual(row["measured"], counted[name] / counted["turns"])
            self.assertTrue(0 <= row["low"] < row["measured"] < row["high"] <= 1)
            self.assertEqual((row["n"], row["wanted"]), (10, 10))
        # Threes only: each detected turn completes or blocks one.
        self.assertEqual(counted["detected"], counted["threes"])
        self.assertTrue(0 < counted["blocks"] < counted["threes"])
        self.assertGreater(rows[63]["measured"], 0.4)  # with twos
        out, _ = self.krow("reproduce", "004/detected", "--scale", "0.001", "-q")
        self.assertRegex(out, r"  detected/turns +13\.0 %")

    def test_scores_by_colour(self):
        rows = self.rows("004/hybrid", "--scale", "0.002", "--jobs", "2")
        self.assertEqual([row["unit"] for row in rows], ["score", "wins", "draws", "losses", "as_first", "as_second", "turns"] * 2)
        first = {row["unit"]: row for row in rows[:7]}
        database = sqlite3.connect(self.path("lab.db"))
        begun = database.execute("select g.result from games g join agents a on a.id = g.first_id "
                                 "where g.match_id = 1 and a.name = 'hybrid'").fetchall()
        database.close()
        row = first["as_first"]
        self.assertEqual((row["n"], row["wanted"], len(begun)), (10, 10, 10))
        self.assertEqual((row["wins"], row["draws"]),
                         (sum(result == "first" for result, in begun), sum(result == "draw" for result, in begun)))
        self.assertEqual(first["as_second"]["wins"] + row["wins"], first["wins"]["wins"])
        self.assertAlmostEqual(first["score"]["measured"], (row["measured"] + first["as_second"]["measured"]) / 2)
        self.assertEqual(self.rows("004/hybrid", "--scale", "0.002"), rows)

    def test_what_was_played_is_not_played_again(self):
        small = self.rows(TABLE, "--scale", "0.002")
        self.assertEqual(self.kept(), (11, 44, 0))
        large = self.rows(TABLE, "--scale", "0.004", "--jobs", "2")
        self.assertEqual(self.kept(), (11, 88, 0))
        self.assertEqual(self.rows(TABLE, "--scale", "0.004"), large)
        self.assertEqual(self.rows(TABLE, "--scale", "0.002"), small)
        self.assertEqual(self.rows(TABLE, "--scale", "0.004", "--db", "none"), large)
        self.assertEqual(self.kept(), (11, 88, 0))
        self.assertEqual(self.rows(TABLE, "--scale", "0.002", "--fresh"), small)
        self.assertEqual(self.kept(), (22, 132, 0))
        self.assertNotEqual(self.rows(TABLE, "--scale", "0.002", "--seed", "2"), small)

    def interrupt(self, *arguments):
        """Ctrl-C in the middle of the rows, when the second one begins; returns stdout and the last words."""
        process = subprocess.Popen([KROW, "reproduce", TABLE, *arguments], env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        messages = ""
        while "row 2 of 11" not in messages:
            line = process.stderr.readline()
            self.assertNotEqual(line, "", messages)
            messages += line
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        return out, err

    def test_interrupted_and_gone_on_with(self):
        out, err = self.interrupt("--json")
        self.assertIn("interrupted; run the same command again to continue", err)
        rows = json.loads(out)["tables"][0]["rows"]
        self.assertEqual(len(rows), 11)
        self.assertEqual(rows[0]["n"], 2000)
        self.assertEqual((rows[10]["n"], rows[10]["measured"], rows[10]["note"]), (0, None, "not run: interrupted"))
        before = [row["n"] for row in rows]
        self.assertEqual(self.kept()[1:], (sum(before), 0))
        # A smaller scale is the beginning of the same games, so this goes on too.
        done = self.rows(TABLE, "--scale", "0.1")
        self.assertEqual(self.kept(), (11, sum(max(n, 200) for n in before), 0))
        self.assertEqual(done, self.rows(TABLE, "--scale", "0.1", "--db", "none"))

    def test_interrupted_without_a_database(self):
        out, err = self.interrupt("--db", "none")
        self.assertIn("interrupted; nothing is stored", err)
        self.assertIn("not run: interrupted", out)


class LongRuns(Reproduce):
    """Runs of agents that think. What they call is tested by unit tests too, which the sanitizers look at."""

    def test_lengths_and_shares(self):
        """Table I of paper 001: what its rows say is what the games in the database say."""
        rows = self.rows("001/defence-nctu6", "--scale", "0.01", "--opponent", "adjacent")
        self.assertEqual([row["unit"] for row in rows], ["draws", "losses", "turns"] * 6)
        self.assertEqual(rows[6]["label"], "defence against NCTU6 (stand-in: adjacent)")
        database = sqlite3.connect(self.path("lab.db"))
        for i in range(6):
            draws, losses, turns = rows[3 * i:3 * i + 3]
            self.assertEqual([row["n"] for row in (draws, losses, turns)], [2] * 3)
            self.assertEqual(draws["measured"], draws["draws"] / draws["n"])
            self.assertEqual(losses["measured"], draws["losses"] / draws["n"])
            games = database.execute("select stones, result, first_id, second_id from games where match_id = ?",
                                     (i + 1,)).fetchall()
            lengths = [1 + len(stones.split()) // 2 for stones, *_ in games]
            self.assertAlmostEqual(turns["measured"], sum(lengths) / len(lengths))
            self.assertLessEqual(max(lengths), 122)
            if len(set(lengths)) > 1:
                self.assertTrue(turns["low"] <= turns["measured"] <= turns["high"])
            else:
                self.assertEqual((turns["low"], turns["high"], turns["inside"]), (None, None, None))
            self.assertEqual(draws["draws"], sum(result == "draw" for _, result, *_ in games))
            self.assertTrue(all(len(stones.split()) > 1 for stones, *_ in games))
        given = [length for length, in database.execute("select distinct length from openings")]
        database.close()
        self.assertLessEqual(set(given), {1, 3})
        # Table II has the same games under other published figures, and does not play them again.
        kept = self.kept()
        again = self.rows("001/defence-x6", "--scale", "0.01", "--opponent", "adjacent")
        self.assertEqual(self.kept(), kept)
        self.assertEqual([row["measured"] for row in again], [row["measured"] for row in rows])
        self.assertEqual([row["published"] for row in again[:3]], [0.6, 0.4, 87.1])
        out, err = self.krow("reproduce", "001/defence-x6", "--scale", "0.01")
        self.assertIn("rows 4 to 6 of 18, 2 of 8 games done; defence-x6: defence against X6 (stand-in: threats", err)
        self.assertEqual(out.count("not run: name a stand-in with --opponent"), 6)

    def test_what_an_agent_counts(self):
        """Tables III and IV of paper 001: re-searches as the database has them, also from games played before."""
        rows = self.rows("001/kagami-x6", "--scale", "0.01", "--jobs", "2")
        units = ["draws", "losses", "turns", "researches", "alternatives"]
        self.assertEqual([row["unit"] for row in rows], units * 9)
        self.assertEqual([row["published"] for row in rows[:5]], [1, 0, 122, 0.4, None])
        database = sqlite3.connect(self.path("lab.db"))
        for i, match in ((0, 1), (1, 2), (3, 3), (4, 4), (6, 5), (7, 6)):
            for row in rows[5 * i + 3:5 * i + 5]:
                counted = database.execute(
                    "select c.value from game_counts c join games g on g.id = c.game_id join agents a on "
                    "a.id = case c.side when 'first' then g.first_id else g.second_id end "
                    "where g.match_id = ? and c.name = ? and a.name like 'kagami%'", (match, row["unit"])).fetchall()
                self.assertEqual((row["n"], len(counted)), (2, 2))
                self.assertAlmostEqual(row["measured"], sum(value for value, in counted) / 2)
        database.close()
        self.assertGreater(sum(row["measured"] for row in rows if row["unit"] == "alternatives" and row["n"] > 0), 0)
        kept = self.kept()
        self.assertEqual(self.rows("001/kagami-x6", "--scale", "0.01"), rows)
        again = self.rows("001/kagami-meinstein", "--scale", "0.01")
        self.assertEqual(self.kept(), kept)
        self.assertEqual([row["published"] for row in again[:5]], [0.6, 0.4, 45.9, 2.3, None])
        self.assertEqual([row["measured"] for row in again if row["unit"] == "researches"],
                         [row["measured"] for row in rows if row["unit"] == "researches"])

    def test_settings_of_an_opponent(self):
        """Table IV of paper 001: a row for each setting, from the empty board."""
        rows = self.rows("001/kagami-settings", "--opponent", "adjacent:reach={depth}{quiescence}")
        units = ["wins", "losses", "turns", "researches", "alternatives"]
        self.assertEqual([row["unit"] for row in rows], units * 5)
        self.assertEqual([row["label"].split("(stand-in: ")[1] for row in rows[::5]],
                         [f"adjacent:reach={setting})" for setting in (51, 40, 61, 50, 51)])
        self.assertEqual([row["n"] for row in rows[::5]], [2] * 5)
        self.assertEqual(sum(row["n"] * row["published"] for row in rows[::5]), 6)
        lengths = sum(row["n"] * row["published"] for row in rows[2::5])
        self.assertAlmostEqual(lengths, 52 + 14 + 51 + 58 + 16 + 63 + 81 + 54 + 16 + 54)
        database = sqlite3.connect(self.path("lab.db"))
        self.assertEqual(database.execute("select count(*) from openings").fetchone(), (0,))
        database.close()

    def test_searches(self):
        """Paper 002: means over positions, the same however many are searched at once; a part is the first of them."""
        rows = self.rows("002/generators-19", "--scale", "0.04", "--db", "none")
        self.assertEqual([row["unit"] for row in rows], ["nodes", "ms"] * 3)
        for row in rows:
            self.assertEqual((row["n"], row["wanted"], row["cut"]), (2, 2, 0))
            self.assertEqual((row["published"], row["inside"], row["note"]), (None, None, None))
            self.assertTrue(0 <= row["low"] < row["measured"] < row["high"])
            self.assertNotIn("wins", row)
        again = self.rows("002/generators-19", "--scale", "0.04", "--jobs", "2")
        self.assertEqual([row["measured"] for row in again if row["unit"] == "nodes"],
                         [row["measured"] for row in rows if row["unit"] == "nodes"])
        out, err = self.krow("reproduce", "002/generators-19", "--scale", "1e-9")
        self.assertIn("rows 3 to 4 of 6; generators-19: Radius2, depth 4\n", err)
        self.assertIn("1/1 positions", err)
        self.assertIn("Line2, depth 4", out)

    def test_how_far_wins_are_seen(self):
        rows = self.rows("002/beyond-depth", "--scale", "0.03")
        self.assertEqual([(row["label"], row["unit"], row["published"]) for row in rows],
                         [(f"depth {depth}", unit, published) for depth in (2, 3, 4)
                          for unit, published in (("furthest", 7), ("beyond", None))])
        for furthest, beyond in zip(rows[::2], rows[1::2]):
            self.assertEqual((furthest["n"], furthest["wanted"], furthest["inside"]), (beyond["n"], 30, None))
            if furthest["n"] > 0:
                self.assertTrue(1 <= beyond["measured"] <= furthest["measured"])

    def test_all_papers_can_be_interrupted(self):
        """Ctrl-C at the first row leaves its page, and an index that states what is left."""
        command = [KROW, "reproduce", "all", "--html", self.path("pages"), "--scale", "1e-9"]
        process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("paper 000, 1 of 5", process.stderr.readline())
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=110)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted; run the same command again to continue", err)
        self.assertIn("not begun", out)
        self.assertEqual(sorted(os.listdir(self.path("pages"))), ["000.html", "index.html", "searches"])
        index = self.text("pages/index.html")
        self.assertEqual((index.count("interrupted"), index.count("not begun")), (1, 4))

    def test_calls_of_turns(self):
        """Fig. 1 of paper 004: without pruning both searches visit the same positions, with it fewer; and a picture."""
        value = self.json("reproduce", "004/calls", "--scale", "0.01", "-q", "--jobs", "2", "--svg", self.path("curves"))
        table = value["tables"][0]
        rows = table["rows"]
        self.assertEqual([row["unit"] for row in rows], ["nodes", "ms", "slowest"] * 4)
        self.assertTrue(all(row["published"] is None and row["n"] == row["wanted"] == 2 for row in rows))
        plain, pruned, other_plain, other_pruned = [row["measured"] for row in rows[::3]]
        self.assertEqual(plain, other_plain)
        self.assertLess(pruned, other_pruned)
        self.assertLess(other_pruned, plain / 2)
        self.assertEqual([series["label"] for series in table["series"]], [row["label"] for row in rows[::3]])
        for series, row in zip(table["series"], rows[::3]):
            turns = sum(point["n"] for point in series["points"])
            self.assertAlmostEqual(sum(point["n"] * point["mean"] for point in series["points"]) / turns, row["measured"])
            self.assertEqual([point["turn"] for point in series["points"]], list(range(1, len(series["points"]) + 1)))
        # One call for each of 1 + 7 + ... + 7^5 positions; no column is full after five stones.
        self.assertEqual(table["series"][0]["points"][0]["mean"], 19608)
        self.assertEqual(os.listdir(self.path("curves")), ["004-calls.svg"])
        with open(self.path("curves/004-calls.svg"), encoding="utf-8") as file:
            picture = file.read()
        self.assertEqual((picture.count('class="panel"'), picture.count("<polyline")), (2, 4))
        # No words were too long for their place.
        self.assertNotIn("…", picture)
        again = self.json("reproduce", "004/calls", "--scale", "0.01", "-q")["tables"][0]
        self.assertEqual(again["series"], table["series"])
        self.assertFalse(os.path.exists(self.path("lab.db")))


if SANITIZED:
    del LongRuns


if __name__ == "__main__":
    main()
