"""krow patterns learn and krow reproduce 003: curves, stored data, interrupted and resumed runs."""
import json
import os
import signal
import sqlite3
import subprocess
import xml.etree.ElementTree as xml

from krowtest import KROW, KrowTest, Terminal, main

SVG = "{http://www.w3.org/2000/svg}"
# Small games: some are won by either side, and there are patterns to be learned.
GAMES = ("patterns", "learn", "--against", "constant", "--game", "7x7:k=4")
# The clock plays no part, however busy the machine is.
RUN = (*GAMES, "--time", "600", "--clock", "600")


class Learning(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = self.path("lab.db")

    def query(self, sql, *values):
        database = sqlite3.connect(self.path("lab.db"))
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def sets(self, game="7x7:k=4"):
        """How many patterns each set of a game has."""
        return {listed["set"]: listed["count"] for listed in self.json("patterns", "list", "--game", game)["sets"]}

    def check_curve(self, curve, before=0):
        """Scores are those of the results, and sums only grow."""
        points, last = 0, None
        for i, point in enumerate(curve):
            points += {"win": 1, "draw": 0.5, "loss": 0}[point["result"]]
            self.assertEqual(point["game"], i + 1)
            self.assertAlmostEqual(point["score"], points / (i + 1))
            self.assertTrue(0 <= point["low"] <= point["score"] <= point["high"] <= 1)
            if i < 100:
                self.assertAlmostEqual(point["recent"], point["score"])
            self.assertEqual(point["patterns"], before + point["learned"] - point["unsaved"])
            self.assertTrue(point["patterns"] <= point["versions"] <= 8 * point["patterns"])
            for field in ("learned", "refuted", "undecided", "unsaved"):
                self.assertGreaterEqual(point[field], last[field] if last else 0)
            last = point

    def check_svg(self, path, curves, words=()):
        """A picture that can be read, with a line for each curve in each panel, and its words as text."""
        root = xml.parse(path).getroot()
        self.assertEqual(root.tag, SVG + "svg")
        lines = root.findall(f".//{SVG}polyline")
        self.assertEqual(len(lines), 3 * curves)
        texts = [text.text for text in root.findall(f".//{SVG}text")]
        for word in words:
            self.assertIn(word, texts)
        return [[tuple(map(float, point.split(","))) for point in line.get("points").split()] for line in lines]


class Learn(Learning):
    def test_fields_and_curve(self):
        value = self.json(*RUN, "--games", "12", "--seed", "3", "--svg", self.path("curve.svg"), "-q")
        self.assertEqual((value["game"], value["against"], value["set"], value["seed"]), ("7x7:k=4", "constant", "default", 3))
        self.assertEqual((value["games"], value["wanted"], len(value["curve"])), (12, 12, 12))
        self.assertEqual(value["wins"] + value["draws"] + value["losses"], 12)
        self.check_curve(value["curve"])
        last = value["curve"][-1]
        self.assertEqual([value[field] for field in ("score", "low", "high", "recent", "learned", "refuted", "undecided", "unsaved")],
                         [last[field] for field in ("score", "low", "high", "recent", "learned", "refuted", "undecided", "unsaved")])
        self.assertEqual((value["patterns_before"], value["patterns"]), (0, last["patterns"]))
        self.assertGreater(value["patterns"], 0)
        self.assertGreaterEqual(value["versions"], value["patterns"])
        self.assertEqual(self.sets(), {"default": value["patterns"]})
        self.assertEqual(value["faults"], [{"illegal": 0, "timeout": 0, "crash": 0}] * 2)
        self.assertEqual(len(value["ms_per_turn"]), 2)
        points = self.check_svg(self.path("curve.svg"), 1, ["Learning against constant", "Patterns known, each once"])
        self.assertEqual([len(line) for line in points], [12, 12, 12])

    def test_a_limited_number_of_patterns(self):
        free = self.json(*RUN, "--games", "20", "-q", "--set", "free")
        value = self.json(*RUN, "--games", "20", "-q", "--agent", "patterns:most=10")
        self.assertGreater(free["versions"], 10)
        self.assertTrue(0 < value["versions"] <= 10)
        self.assertEqual(value["patterns"], value["learned"])

    def test_the_other_side_plays_first_in_every_second_game(self):
        self.krow(*RUN, "--games", "5", "-q")
        first = self.query("select a.name from games g join agents a on a.id = g.first_id order by g.number")
        self.assertEqual([name.split(":")[0] for name, in first], ["patterns", "constant"] * 2 + ["patterns"])

    def test_limits(self):
        """Those of the paper unless given."""
        self.krow(*GAMES, "--games", "2", "-q")
        self.krow(*GAMES, "--games", "2", "--time", "1", "--clock", "30+1", "-q")
        specs = [spec for spec, in self.query("select spec from matches order by id")]
        self.assertIn("\ntime 5\nclock 120+0\n", specs[0])
        self.assertIn("\ntime 1\nclock 30+1\n", specs[1])

    def test_text(self):
        out, err = self.krow(*RUN, "--games", "4")
        for words in ("patterns:learn=1,set=default against constant, 7x7:k=4, 4 games\n", "wins ", " refuted", "95 % from",
                      "last 100"):
            self.assertIn(words, out)
        self.assertEqual([line.split(",")[0] for line in err.splitlines()], [f"game {i} of 4" for i in (1, 2, 3, 4)])
        self.assertEqual(self.krow(*RUN, "--games", "4", "-q")[1], "")

    def test_a_second_run_begins_with_what_is_known(self):
        first = self.json(*RUN, "--games", "6", "-q")
        second = self.json(*RUN, "--games", "6", "--seed", "2", "-q")
        self.assertEqual(second["patterns_before"], first["patterns"])
        self.check_curve(second["curve"], first["patterns"])
        other = self.json(*RUN, "--games", "6", "--set", "other", "-q")
        self.assertEqual(other["curve"], first["curve"])
        self.assertEqual(self.sets(), {"default": second["patterns"], "other": first["patterns"]})

    def refuse_patterns(self):
        """From now on the database takes no pattern, as on a full disk."""
        self.krow(*RUN, "--games", "1", "--set", "before", "-q")
        self.query("create trigger nope before insert on patterns begin select raise(abort, 'no room'); end")

    def test_patterns_that_cannot_be_saved(self):
        self.refuse_patterns()
        out, err = self.krow(*RUN, "--games", "6", "--set", "lost", "-q", status=1)
        self.assertRegex(err, r"\d+ patterns? could not be saved in the set 'lost'")
        self.assertRegex(out, r"\n0 patterns, .*\n.*\n\d+ could not be saved\n")
        value = json.loads(self.krow(*RUN, "--games", "6", "--set", "lost", "--resume", "--json", "-q", status=1)[0])
        self.assertGreater(value["unsaved"], 0)
        self.assertEqual((value["patterns_before"], value["patterns"], value["learned"]), (0, 0, value["unsaved"]))
        self.check_curve(value["curve"])
        self.assertNotIn("lost", self.sets())

    def test_a_paper_whose_patterns_cannot_be_saved(self):
        self.refuse_patterns()
        arguments = ("reproduce", "003/constant", "--scale", "0.001", "-q")
        self.assertRegex(self.krow(*arguments)[0], r"\n\d+ learned patterns? could not be saved\n")
        table = self.json(*arguments)["tables"][0]
        self.assertGreater(table["unsaved"], 0)
        self.assertEqual(sum(curve["points"][-1]["unsaved"] for curve in table["curves"]), table["unsaved"])

    def test_nothing_is_kept_without_a_database(self):
        kept = self.json(*RUN, "--games", "8", "-q")
        value = self.json(*RUN, "--games", "8", "--db", "none", "-q")
        self.assertEqual((value["curve"], value["patterns"], value["versions"]),
                         (kept["curve"], kept["patterns"], kept["versions"]))
        os.remove(self.path("lab.db"))
        self.krow(*RUN, "--games", "2", "--db", "none", "-q")
        self.assertFalse(os.path.exists(self.path("lab.db")))

    def test_what_is_refused(self):
        self.refused("patterns", "learn", words="--against")
        self.refused("patterns", "learn", "--against", "missing", words="no agent 'missing'")
        for agent in ("random", "constant", "exec:cat", ""):
            self.refused(*RUN, "--agent", agent, words="use patterns with options")
        for name in ("a,m=3", "a b", "", "x" * 100):
            self.refused(*RUN, "--set", name, words="invalid name of a pattern set")
        self.refused(*RUN, "--agent", "patterns:set=mine", words="'set' is given twice")
        self.refused("patterns", "learn", "--against", "constant", "--game", "connect6", words="patterns")
        self.refused(*RUN, "--db", "none", "--resume", words="--resume needs a database")
        self.assertFalse(os.path.exists(self.path("lab.db")))

    def test_a_picture_that_cannot_be_written(self):
        """Found out before the first game, not after the last one."""
        for name in ("no/curve.svg", "."):
            self.refused(*RUN, "--games", "2", "--svg", self.path(name), words="cannot write", status=1)
        self.assertFalse(os.path.exists(self.path("lab.db")))

    def test_a_terminal_gets_a_curve(self):
        terminal = Terminal(self, *RUN, "--games", "3", columns=80)
        terminal.expect("game 0 of 3, 0 patterns")  # before the first game has ended
        terminal.expect("game 3 of 3, score ")
        seen = terminal.expect("losses ")
        self.assertEqual(terminal.wait(), 0)
        rows = [line for line in seen.splitlines() if "\u2800" in line]
        self.assertGreaterEqual(len(rows), 3)
        self.assertIn("100 %", rows[0])
        self.assertIn("  0 %", rows[2])

    def begin(self, *arguments, until):
        """Starts a run, waits for a line with these words, and returns the process."""
        process = subprocess.Popen([KROW, *RUN, *arguments], env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        line = ""
        while until not in line:
            line = process.stderr.readline()
            self.assertNotEqual(line, "", f"krow ended before {until!r}")
        return process

    def check_resumed(self, value, games):
        self.assertEqual((value["games"], len(value["curve"])), (games, games))
        # Patterns of games that were cut off count as known before.
        self.check_curve(value["curve"], value["patterns_before"])
        self.assertEqual(self.sets(), {"default": value["patterns"]})
        self.assertEqual(self.query("select count(*), count(distinct number) from games"), [(games, games)])
        self.assertEqual(self.query("select count(*) from matches"), [(1,)])

    def test_interrupted_and_gone_on_with(self):
        process = self.begin("--games", "400", "--json", until="game 3 of 400")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("interrupted; finished games and learned patterns are stored; --resume continues", err)
        value = json.loads(out)
        self.assertTrue(3 <= value["games"] < 400 and value["games"] == len(value["curve"]))
        self.check_curve(value["curve"])
        process = self.begin("--games", "400", "--json", "--resume", until=f"{value['games']} games were played before.")
        process.send_signal(signal.SIGINT)
        again = json.loads(process.communicate(timeout=60)[0])
        known = again["patterns_before"]
        self.assertEqual([{**point, "patterns": point["patterns"] - known} for point in again["curve"][:value["games"]]],
                         value["curve"])
        self.check_resumed(again, again["games"])
        _, err = self.krow(*RUN, "--games", "4", "--resume")
        self.assertIn("A run of 400 games exists; --games 400 continues it.\n", err)

    def test_a_run_of_another_length_is_not_gone_on_with(self):
        _, err = self.krow(*RUN, "--games", "4", "--resume")
        self.assertIn("No run of 4 games with these options exists; starting a new one.\n"
                      "The set 'default' has 0 patterns.\n", err)
        known = self.sets()["default"]
        _, err = self.krow(*RUN, "--games", "6", "--resume")
        self.assertIn("No run of 6 games with these options exists; starting a new one.\n"
                      "A run of 4 games exists and is finished.\n"
                      f"The set 'default' has {known} pattern", err)
        # Other options make it another one altogether.
        self.assertNotIn("A run of", self.krow(*RUN, "--games", "8", "--seed", "9", "--resume")[1])
        # Processes that are running, and those that do not ask, are not affected.
        for arguments in (("--games", "4", "--resume"), ("--games", "10")):
            self.assertNotIn("No run", self.krow(*RUN, *arguments)[1])
        self.assertEqual(self.krow(*RUN, "--games", "12", "--resume", "-q")[1], "")

    def test_killed_and_gone_on_with(self):
        """kill -9 in the middle of games, each time resumed: every game once, no pattern lost."""
        killed = 0
        for lines in (1, 2, 4):  # how far it comes until it is killed depends on the machine; it may even be done
            process = subprocess.Popen([KROW, *RUN, "--games", "60", "--resume"], env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for _ in range(lines):
                process.stderr.readline()
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
        self.assertGreater(killed, 0)
        value = self.json(*RUN, "--games", "60", "--resume", "-q")
        self.check_resumed(value, 60)


class Reproduce(Learning):
    SCALE = ("--scale", "0.001", "-q")  # of ten runs: two games of the first
    UNITS = ["score", "recent", "patterns", "versions", "refuted", "undecided", "turns", "ms", "slowest"]

    def table(self, *arguments):
        return self.json("reproduce", *arguments, *self.SCALE)["tables"][0]

    def plain(self, table):
        """A table without times."""
        return [row for row in table["rows"] if row["unit"] not in ("ms", "slowest")], table["curves"]

    def test_list(self):
        out, _ = self.krow("reproduce")
        for words in ("003/constant: Fig. 5: learning against constant; ", "score 84.0 %, versions 516 (Fig. 5",
                      "score 79.0 %, versions 696 (Fig. 6", "wins 63.0 %, draws 8.0 %, losses 29.0 % (section 5.2)",
                      "score 3.6 %, wins 3.6 %, draws 0.0 % (Fig. 7", "against Carbon (--opponent)"):
            self.assertIn(words, out)

    def test_curves(self):
        table = self.table("003/constant", "--svg", self.path("curves"))
        rows = table["rows"]
        curves = len(table["curves"])
        self.assertGreaterEqual(curves, 2)
        self.assertEqual([row["unit"] for row in rows], self.UNITS * curves)
        self.assertEqual([row["published"] for row in rows[:4]], [0.84, None, None, 516])
        for i, curve in enumerate(table["curves"]):
            own = {row["unit"]: row for row in rows[9 * i:9 * i + 9]}
            self.assertEqual((len(curve["points"]), curve["wanted"], own["score"]["n"]), (2, 2, 2))
            self.check_curve(curve["points"])
            last = curve["points"][-1]
            self.assertEqual(curve["label"], own["score"]["label"])
            self.assertEqual([own[unit]["measured"] for unit in ("score", "recent", "patterns", "refuted", "undecided")],
                             [last[unit] for unit in ("score", "recent", "patterns", "refuted", "undecided")])
            self.assertEqual((own["score"]["low"], own["score"]["high"]), (last["low"], last["high"]))
            self.assertEqual(self.sets("gomoku").get(curve["set"], 0), own["patterns"]["measured"])
            self.assertEqual(own["versions"]["measured"], last["versions"])
            self.assertGreaterEqual(last["versions"], last["patterns"])
            self.assertGreaterEqual(own["slowest"]["measured"], own["ms"]["measured"])
        self.assertEqual(os.listdir(self.path("curves")), ["003-constant.svg"])
        self.check_svg(self.path("curves/003-constant.svg"), curves, ["published 84 %", "published 516"])

    def test_a_fresh_run_begins_with_nothing(self):
        first = self.table("003/constant")
        self.assertEqual(self.plain(self.table("003/constant")), self.plain(first))
        fresh = self.table("003/constant", "--fresh")
        for one, other in zip(first["curves"], fresh["curves"]):
            self.assertEqual(one["points"], other["points"])
            self.assertNotEqual(one["set"], other["set"])
        self.assertEqual([curve["points"] for curve in self.table("003/constant", "--db", "none", "--jobs", "2")["curves"]],
                         [curve["points"] for curve in first["curves"]])

    def test_a_larger_scale_goes_on(self):
        small = self.table("003/constant")
        self.SCALE = ("--scale", "0.002", "-q")
        large = self.table("003/constant")
        for one, other in zip(small["curves"], large["curves"]):
            self.assertEqual(one["set"], other["set"])
            self.assertEqual(other["points"][:2], one["points"])
            self.assertEqual(len(other["points"]), 4)
        # The smaller one again: what was learned later is not counted.
        self.SCALE = ("--scale", "0.001", "-q")
        again = self.table("003/constant")
        self.assertEqual(again["curves"], small["curves"])
        for one, other in zip(small["rows"], again["rows"]):
            if one["unit"] not in ("ms", "slowest"):
                self.assertEqual(other, one)

    def test_carbon_is_not_to_be_had(self):
        rows = self.table("003/carbon")["rows"]
        self.assertTrue(all(row["n"] == 0 and "--opponent" in row["note"] for row in rows))
        table = self.json("reproduce", "003/carbon", "--scale", "0.002", "--opponent", "constant", "-q")["tables"][0]
        self.assertEqual([curve["label"] for curve in table["curves"]],
                         [f"patterns {how}, against Carbon (stand-in: constant)" for how in
                          ("without the proof, as in the paper", "with the proof that the paper planned")])
        self.assertEqual([row["published"] for row in table["rows"][:3]], [0.036, 0.036, 0])

    def test_what_is_refused(self):
        # Before anything is played.
        self.write("curves", "")
        self.refused("reproduce", "003/constant", "--svg", self.path("curves"), words="curves", status=1)
        self.assertFalse(os.path.exists(self.path("lab.db")))


if __name__ == "__main__":
    main()
