"""Learned patterns: list, show, export, import, check, forget."""
import os
import subprocess

from krowtest import KROW, KrowTest, about_files, main

# In the pictures that krow keeps, and in the order of their numbers.
PATTERNS = ["1 .xxxx.", "1 x.xxx", "2 --.--/--x--/--x--/.xxx.", "0 xxxxx"]


def pattern_file(patterns, game="15x15:k=5", name="default"):
    return f"# krow patterns\ngame {game}\nset {name}\npatterns {len(patterns)}\n" + "".join(p + "\n" for p in patterns)


class Patterns(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = self.database("lab.db")

    def take(self, *arguments, patterns=None, **header):
        return self.json("patterns", "import", "-", *arguments, stdin=pattern_file(patterns or PATTERNS, **header))

    def text(self, *arguments):
        return self.krow("patterns", "export", *arguments)[0]


class Files(Patterns):
    def test_round_trip(self):
        self.assertEqual(self.take(), {"game": "15x15:k=5", "set": "default", "added": 4, "known": 0, "file": "-"})
        self.assertEqual(self.text(), pattern_file(PATTERNS))
        path = self.path("p.txt")
        _, err = self.krow("patterns", "export", path)
        self.assertEqual(err, f"4 patterns in {path}\n")
        self.assertEqual(self.json("patterns", "export", path),
                         {"game": "15x15:k=5", "set": "default", "count": 4, "file": path})
        out, _ = self.krow("patterns", "import", path, "--db", self.database("other.db"))
        self.assertEqual(out, "set 'default' for 15x15:k=5: 4 patterns added, 0 known already\n")
        self.assertEqual(self.text("--db", self.database("other.db")), self.text())
        self.refused("patterns", "export", "--json", words="--json needs FILE")
        self.refused("patterns", "export", "-", "--json", words="--json needs FILE")
        self.refused("patterns", "export", self.path("no/such/folder"), words="no/such/folder", status=1)
        self.assertEqual(self.krow("patterns", "export", path, "-q"), ("", ""))
        self.assertEqual(self.krow("patterns", "import", path, "-q"), ("", ""))

    def test_known_ones(self):
        self.take()
        # Turned; moved within a box; with a known part; and new.
        value = self.take(patterns=["1 .xxxx.", "1 xxx.x", "3 --/-xxxxx", "3 .xxxx./x", "1 xx.xx"])
        self.assertEqual((value["added"], value["known"]), (1, 4))
        self.assertEqual(self.text(), pattern_file(PATTERNS + ["1 xx.xx"]))

    def test_tiers(self):
        self.take()
        self.assertEqual(self.text("--tier", "1"), pattern_file(PATTERNS[:2]))
        self.refused("patterns", "export", "--tier", "9", words="there are no patterns of tier 9 in the set 'default'")

    def test_sets_and_games(self):
        self.take()
        self.take("--set", "mine", patterns=PATTERNS[:1])
        self.take(patterns=PATTERNS[1:2], game="19x19:k=5", name="file")
        self.take("--game", "13x13:k=5", patterns=PATTERNS[2:3])
        self.assertEqual(self.text("--set", "mine"), pattern_file(PATTERNS[:1], name="mine"))
        self.assertEqual(self.text("--set", "file", "--game", "19x19:k=5"),
                         pattern_file(PATTERNS[1:2], game="19x19:k=5", name="file"))
        self.assertEqual(self.text("--game", "13x13:k=5"), pattern_file(PATTERNS[2:3], game="13x13:k=5"))
        self.assertEqual(self.text(), pattern_file(PATTERNS))
        self.refused("patterns", "import", "-", "--game", "15x15:k=6", stdin=pattern_file(PATTERNS),
                     words="the patterns are for 15x15:k=5; rows of 15x15:k=6 have another length")
        self.refused("patterns", "import", "-", "--game", "15x15:k=5,exact", stdin=pattern_file(PATTERNS),
                     words="the patterns are for 15x15:k=5; rows of 15x15:k=5,exact have another length")
        self.refused("patterns", "import", "-", "--set", "a b", stdin=pattern_file(PATTERNS), words="invalid name of a pattern set 'a b'")

    def test_games_that_do_not_suit(self):
        for game, name in [("connect4", "7x6:k=4,gravity"), ("connect6", "19x19:k=6,p=2,q=1")]:
            with self.subTest(game=game):
                words = [f"patterns are not supported for {name}", "one stone per turn and no gravity"]
                self.refused("patterns", "import", "-", stdin=pattern_file(PATTERNS, game=game), words=words + ["line 2"])
                self.refused("patterns", "import", "-", "--game", game, stdin=pattern_file(PATTERNS), words=words)
        self.assertFalse(os.path.exists(self.database("lab.db")))

    def test_errors_name_the_line(self):
        self.take()
        lines = pattern_file(PATTERNS).split("\n")
        for number, line in [(2, "game"), (3, "set a b"), (4, "patterns x"), (5, "x"), (6, "21 xx"), (8, "1 xxy")]:
            with self.subTest(line=line):
                wrong = "\n".join(["1 xx.xx" if i > 4 else text for i, text in enumerate(lines[:number - 1])] + [line]
                                  + lines[number:])
                self.refused("patterns", "import", "-", stdin=wrong, words=f"'standard input': line {number}: ")
        self.refused("patterns", "import", "-", stdin=pattern_file(PATTERNS)[:-14], words="it has 3 of 4 patterns")
        self.refused("patterns", "import", self.path("none"), words="none", status=1)
        path = self.write("bad.txt", "game gomoku\n1 xx.xx\n1\n")
        self.refused("patterns", "import", path, words=f"'{path}': line 3: ")
        self.assertEqual(self.text(), pattern_file(PATTERNS))


class Shown(Patterns):
    def test_list(self):
        self.assertIn("There are no such patterns", self.krow("patterns", "list")[0])
        self.assertEqual(self.json("patterns", "list"), {"sets": []})
        self.assertFalse(os.path.exists(self.database("lab.db")))
        self.take()
        self.take(patterns=PATTERNS[:1], game="19x19:k=5", name="mine")
        sets = self.json("patterns", "list")["sets"]
        self.assertEqual([(s["set"], s["game"], s["count"], s["tiers"]) for s in sets],
                         [("default", "15x15:k=5", 4, [1, 2, 1]), ("mine", "19x19:k=5", 1, [0, 1])])
        self.assertGreater(sets[0]["learned"], 1700000000000)
        out, _ = self.krow("patterns", "list")
        self.assertRegex(out, r"\ndefault +15x15:k=5 +4  20\d\d-\d\d-\d\d  0: 1, 1: 2, 2: 1\n")
        self.assertRegex(out, r"\nmine +19x19:k=5 +1 .* 1: 1\n$")
        for words in (["gomoku"], ["--game", "gomoku"], ["--set", "default"]):
            with self.subTest(words=words):
                self.assertEqual([s["set"] for s in self.json("patterns", "list", *words)["sets"]], ["default"])
        self.assertEqual(self.json("patterns", "list", "gomoku", "--set", "mine"), {"sets": []})
        self.refused("patterns", "list", "gomoku", "--game", "gomoku", words="the game is given twice")

    def test_list_of_patterns(self):
        self.take()
        self.take(patterns=PATTERNS[3:], name="b")
        out, _ = self.krow("patterns", "list", "--set", "default")
        self.assertRegex(out, r"\n +1  tier 1 +\.xxxx\.\n +2  tier 1 +x\.xxx\n +3  tier 2 +--.*\n +4  tier 0 +xxxxx\n$")
        value = self.json("patterns", "list", "--set", "b")["sets"][0]["patterns"]
        self.assertEqual([(p["number"], p["tier"], p["pattern"], p["cells"], p["own"]) for p in value],
                         [(5, 0, "xxxxx", 5, 5)])

    def test_drawings(self):
        self.take()
        out, _ = self.krow("patterns", "show")
        self.assertEqual(out, """4 patterns of the set 'default' for 15x15:k=5

1, tier 1     2, tier 1   3, tier 2   4, tier 0
. X X X X .   X . X X X       .       X X X X X
                              X
                              X
                          . X X X .
""")
        self.assertIn("\n3, tier 2\n    .\n    X\n    X\n. X X X .\n", self.krow("patterns", "show", "--tier", "2")[0])
        self.assertIn("1 pattern of the set", self.krow("patterns", "show", "gomoku", "--number", "4")[0])
        self.assertEqual(self.json("patterns", "show", "--number", "2")["patterns"][0]["pattern"], "x.xxx")
        self.assertEqual(len(self.json("patterns", "show")["patterns"]), 4)

    def test_drawings_fit_the_screen(self):
        patterns = [f"2 x{'.' * gap}x" for gap in range(1, 22)]
        self.take(patterns=patterns + ["1 " + "/".join("x" * 8 for _ in range(8))])
        lines = self.krow("patterns", "show")[0].split("\n")
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(sum(line.count("tier") for line in lines), 22)
        self.assertGreater(max(line.count("tier") for line in lines), 3)
        self.assertEqual("".join(lines).count("X"), 2 * 21 + 64)
        self.assertFalse([line for line in lines if line != line.rstrip()])

    def test_nothing_to_show(self):
        self.refused("patterns", "show", words="there are no patterns in the set 'default' for 15x15:k=5")
        self.refused("patterns", "export", "--set", "x", words="there are no patterns in the set 'x' for 15x15:k=5")
        self.assertFalse(os.path.exists(self.database("lab.db")))
        self.take()
        self.refused("patterns", "show", "--number", "9", words="there is no pattern 9 in the set")
        self.refused("patterns", "show", "--number", "1", "--tier", "2", words="there is no pattern 1 of tier 2")
        self.refused("patterns", "show", "x", words="'x'")
        self.refused("patterns", "show", "--tier", "21", words="from 0 to 20")
        self.refused("patterns", "show", "--number", "0", words="from 1 on")
        self.refused("patterns", "show", "--set", "", words="invalid name of a pattern set ''")


class Forget(Patterns):
    def test_one(self):
        self.take()
        out, _ = self.krow("patterns", "forget", "--number", "2")
        self.assertRegex(out, r"^ +2  tier 1 +x\.xxx\n1 pattern of the set 'default' for 15x15:k=5 is forgotten\n$")
        self.refused("patterns", "forget", "--number", "2", words="there is no pattern 2 in the set 'default'")
        self.assertEqual(self.text(), pattern_file([PATTERNS[0], *PATTERNS[2:]]))

    def test_a_tier(self):
        self.take()
        value = self.json("patterns", "forget", "gomoku", "--tier", "1")
        self.assertEqual((value["game"], value["set"], value["forgotten"]), ("15x15:k=5", "default", 2))
        self.assertEqual([p["pattern"] for p in value["patterns"]], [".xxxx.", "x.xxx"])
        self.assertEqual(self.text(), pattern_file(PATTERNS[2:]))
        self.assertIn("1 pattern of tier 0 of the set 'default'", self.krow("patterns", "forget", "--tier", "0")[0])

    def test_a_set(self):
        self.take()
        self.take(name="other")
        self.refused("patterns", "forget", "--all", words="--all needs --set NAME")
        out, _ = self.krow("patterns", "forget", "--all", "--set", "other")
        self.assertEqual(out, "4 patterns of the set 'other' for 15x15:k=5 are forgotten\n")
        self.refused("patterns", "forget", "--all", "--set", "other", words="there are no patterns in the set 'other'")
        self.assertEqual([s["set"] for s in self.json("patterns", "list")["sets"]], ["default"])
        self.assertEqual(self.krow("patterns", "forget", "--all", "--set", "default", "-q"), ("", ""))

    def test_refusals(self):
        self.refused("patterns", "forget", words="exactly one of --number N, --tier T and --all")
        self.refused("patterns", "forget", "--tier", "1", "--number", "1", words="exactly one of")
        self.refused("patterns", "forget", "--tier", "1", words="there are no patterns of tier 1")
        self.assertFalse(os.path.exists(self.database("lab.db")))


class Check(Patterns):
    GOOD = ["0 xxxxx", "1 .xxxx.", "1 x.xxx.x", "2 ----.-/----.-/----x-/----x-/..xxx./----.-"]
    BAD = ["1 x.x.x", "1 .xxxx"]  # a three, and a four with one end: it is met

    def test_good_ones(self):
        self.take(patterns=self.GOOD)
        out, err = self.krow("patterns", "check")
        self.assertEqual(out, "4 patterns of the set 'default' for 15x15:k=5: 4 proved, 0 refuted, 0 undecided\n")
        self.assertEqual(err, "")
        value = self.json("patterns", "check", "gomoku")
        self.assertEqual((value["proved"], value["refuted"], value["undecided"], value["forgotten"]), (4, 0, 0, 0))
        self.assertEqual([(p["verdict"], p["moves"]) for p in value["patterns"]],
                         [("proved", 0), ("proved", 1), ("proved", 1), ("proved", 2)])

    def test_refuted_ones(self):
        self.take(patterns=self.GOOD + self.BAD[:1])
        before = self.text()
        out, err = self.krow("patterns", "check", status=1)
        self.assertRegex(out, r"^ +5  tier 1 +refuted +x\.x\.x\n5 patterns .*: 4 proved, 1 refuted, 0 undecided\n$")
        self.assertIn("1 pattern does not hold; --forget-refuted removes it", err)
        self.assertEqual(self.krow("patterns", "check", "-q", status=1)[0].count("\n"), 1)
        self.assertEqual(self.text(), before)
        self.assertIn("1 pattern of the set", self.krow("patterns", "check", "--tier", "2")[0])
        self.assertIn("0 proved, 1 refuted", self.krow("patterns", "check", "--number", "5", status=1)[0])
        out, _ = self.krow("patterns", "check", "--forget-refuted")
        self.assertIn("4 proved, 1 refuted, 0 undecided; 1 forgotten\n", out)
        self.assertEqual(self.text(), pattern_file(self.GOOD))
        self.assertEqual(self.json("patterns", "check", "--forget-refuted")["forgotten"], 0)

    def test_wrong_tiers(self):
        self.take(patterns=["0 .xxxx.", "2 x.xxx.x"])
        self.assertIn(": 0 proved, 2 refuted, 0 undecided", self.krow("patterns", "check", status=1)[0])

    def test_limits(self):
        self.take(patterns=self.GOOD[3:])
        value = self.json("patterns", "check", "--nodes", "1")
        self.assertEqual((value["undecided"], value["patterns"][0]["moves"]), (1, None))
        self.assertIn("1 undecided", self.krow("patterns", "check", "--nodes", "1")[0])

    def test_verified_imports(self):
        text = pattern_file(self.BAD[:1] + self.GOOD + self.BAD[1:])
        out, _ = self.krow("patterns", "import", "-", "--verify", stdin=text)
        self.assertEqual(out, "set 'default' for 15x15:k=5: 4 patterns added, 0 known already, 2 refuted and 0 undecided "
                         "left out\n")
        self.assertEqual(self.text(), pattern_file(self.GOOD))
        value = self.json("patterns", "import", "-", "--verify", "--nodes", "1", "--set", "b", stdin=pattern_file(self.GOOD[3:]))
        self.assertEqual((value["added"], value["known"], value["refuted"], value["undecided"]), (0, 0, 0, 1))

    def test_refusals(self):
        self.refused("patterns", "check", words="there are no patterns in the set 'default'")
        self.refused("patterns", "check", "connect6", words="patterns are not supported for 19x19:k=6,p=2,q=1")
        self.assertFalse(os.path.exists(self.database("lab.db")))


class Databases(Patterns):
    def test_none(self):
        for words in (["list"], ["show"], ["export"], ["forget", "--tier", "1"]):
            with self.subTest(words=words):
                self.refused("patterns", *words, "--db", "none", words="--db none: patterns need a database")
        self.refused("patterns", "import", "-", "--db", "none", stdin=pattern_file(PATTERNS), words="--db")

    @about_files
    def test_a_database_that_cannot_be_written(self):
        self.take()
        shown, listed = self.json("patterns", "show"), self.json("patterns", "list", "--set", "default")
        os.chmod(self.path("lab.db"), 0o444)
        os.chmod(self.home, 0o555)
        self.addCleanup(os.chmod, self.home, 0o755)
        self.user = 65534 if os.geteuid() == 0 else None  # no mode stops root
        self.assertEqual(self.json("patterns", "show"), shown)
        self.assertEqual(self.json("patterns", "list", "--set", "default"), listed)
        self.assertEqual(self.text(), pattern_file(PATTERNS))
        self.refused("patterns", "forget", "--tier", "1", words="cannot open the database", status=1)
        self.refused("patterns", "import", "-", stdin=pattern_file(PATTERNS), words="cannot open the database", status=1)

    def test_two_programs_at_once(self):
        """Both add some of their own, and the same ones: in the end all are there, once."""
        paths = []
        for program in range(2):
            for part in range(8):
                own = [f"3 x{'.' * (2 * part + program + 2)}x"]
                path = self.write(f"{program}-{part}.txt", pattern_file(own + [PATTERNS[part % 4]]))
                paths.append((program, path))
        processes = [subprocess.Popen(["sh", "-c", "for file; do \"$0\" patterns import -q \"$file\" || exit 1; done", KROW]
                                      + [path for number, path in paths if number == program], env=self.environment)
                     for program in range(2)]
        for process in processes:
            self.assertEqual(process.wait(timeout=120), 0)
        patterns = self.text().split("\n")[4:-1]
        self.assertEqual(len(patterns), 20)
        self.assertEqual(len(set(patterns)), 20)
        self.assertLessEqual(set(PATTERNS), set(patterns))

    def test_a_killed_import_leaves_all_or_nothing(self):
        patterns = [f"3 x{bits:011b}x".replace("0", ".").replace("1", "x") for bits in range(2048)]
        path = self.write("many.txt", pattern_file(patterns))
        self.take()
        before = self.text()
        for delay in (1, 2, 4, 8, 16, 32, 64):
            process = subprocess.Popen([KROW, "patterns", "import", path, "-q"], env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=delay / 100)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            now = self.text()
            if now != before:
                self.assertGreater(len(now.split("\n")), 100)
                self.assertEqual(self.json("patterns", "import", path)["added"], 0)
                break


class Learn(Patterns):
    def test_the_same_run_with_and_without_a_database(self):
        """The seed is one with which a pattern's orientation decides the play. The clock plays no part."""
        run = ("patterns", "learn", "--against", "constant", "--agent", "patterns:prove=none,ties=first", "--game",
               "8x8:k=4", "--games", "40", "--time", "600", "--clock", "600", "-q")
        stored, unstored = self.json(*run), self.json(*run, "--db", "none")
        self.assertEqual(stored["curve"], unstored["curve"])
        self.assertEqual((stored["patterns"], stored["versions"]), (unstored["patterns"], unstored["versions"]))
        self.assertGreater(stored["patterns"], 5)


    def test_games_in_which_a_stone_can_harm(self):
        """A longer row does not win: all that is learned is proved, and has empty cells beside its rows."""
        game = "9x9:k=4,exact"
        value = self.json("patterns", "learn", "--against", "constant", "--game", game, "--games", "30", "--time", "600",
                          "--clock", "600", "-q")
        self.assertGreater(value["patterns"], 0)
        self.assertEqual(self.json("patterns", "check", game)["proved"], value["patterns"])


class Words(Patterns):
    def test_help(self):
        out, _ = self.krow("patterns", "--help")
        for part in ("list", "show", "export", "import", "check", "forget"):
            self.assertRegex(out, rf"\n  {part} +\S")
            self.assertIn(f"Usage: krow patterns {part}", self.krow("patterns", part, "--help")[0])
        self.assertEqual(self.krow("help", "patterns")[0], out)
        self.refused("patterns", "lst", words="did you mean 'list'?")
        self.refused("patterns", "import", words="missing arguments: FILE")


if __name__ == "__main__":
    main()
