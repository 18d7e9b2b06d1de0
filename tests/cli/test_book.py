"""Opening books: build, show, list, export, import, remove, and the agent that plays from a book."""
import os
import subprocess

from krowtest import KROW, KrowTest, about_files, main

# Connect6: after j10 the turn i9 k11 won 3 of 4 games for the second player, j11 j12 lost its only one.
GAMES = [("j10 k11 i9 a1 a2", "second"), ("j10 i9 k11 a1 a2", "second"), ("c4 b3 d5 a1 a2", "second"),
         ("j10 k11 i9 b1 b2", "first"), ("j10 j11 j12 s1 s2", "first")]


def game_file(games, rules="connect6"):
    return "".join(f"# krow game\ngame {rules}\nfirst a\nsecond b\nstones {stones}\n"
                   + (f"result {result}\nreason resigned\n" if result else "") for stones, result in games)


class Books(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = self.database("lab.db")

    def build(self, *arguments, games=None, name="six"):
        path = self.write("games.krow", game_file(games or GAMES))
        return self.json("book", "build", name, path, *arguments)


class Build(Books):
    def test_from_files(self):
        value = self.build()
        self.assertEqual((value["name"], value["game"], value["encoding"], value["symmetric"], value["turns"]),
                         ("six", "19x19:k=6,p=2,q=1", "relative", False, 10))
        # The empty board, the first stone; two turns; and after the first of them a1 a2 from j10, a1 a2 from c4, b1 b2.
        self.assertEqual((value["games"], value["nodes"], value["links"]), (5, 8, 7))

    def test_from_the_database(self):
        self.krow("match", "random", "adjacent", "--game", "tictactoe", "--games", "30", "-q")
        self.krow("match", "random", "random", "--game", "tictactoe", "--games", "20", "-q")
        self.assertEqual(self.json("book", "build", "a")["games"], 50)
        self.assertEqual(self.json("book", "build", "a", "--match", "last")["games"], 20)
        self.assertEqual(self.json("book", "build", "a", "--match", "1")["games"], 30)
        self.assertEqual(self.json("book", "build", "a", "--agent", "adjacent")["games"], 30)
        value = self.json("book", "build", "a", "--symmetric", "--turns", "1")
        self.assertEqual(value["encoding"], "absolute")
        self.assertEqual((value["nodes"], value["links"]), (4, 3))  # corner, edge, middle

    def test_import_and_build_are_the_same(self):
        path = self.write("games.krow", game_file(GAMES))
        self.krow("import", path)
        self.krow("book", "build", "x")
        from_database = self.krow("book", "export", "x")[0]
        self.krow("book", "build", "x", path)
        self.assertEqual(self.krow("book", "export", "x")[0], from_database)

    def test_what_is_left_out(self):
        games = GAMES + [("j10 k11", None)]
        path = self.write("g.krow", game_file(games) + game_file([("h8 i9", "first")], "gomoku")
                          + "# krow game\ngame connect6\nrow" + "\nrow".join([" ." * 19] * 18)
                          + "\nrow X" + " ." * 18 + "\nturn O 2\nstones b2 c3\nresult first\nreason resigned\n")
        value = self.json("book", "build", "a", path, "--game", "connect6")
        self.assertEqual(value["games"], 5)
        self.assertEqual(value["left_out"], {"unfinished": 1, "set_up": 1, "faulty": 0, "other_rules": 1, "damaged": 0})
        out, _ = self.krow("book", "build", "a", path, "--game", "connect6")
        self.assertIn("left out: 1 without a result, 1 set up,", out)

    def test_games_that_ended_with_a_fault(self):
        """The engine can be started once, to see whether it plays at all."""
        path = self.write("once", f"#!/bin/sh\n[ ! -e {self.path('started')} ] || exit 3\n: > {self.path('started')}\n"
                          f"exec {os.environ['FAKE_ENGINE']} gomocup\n")
        os.chmod(path, 0o755)
        self.krow("match", "exec:" + path, "random", "--games", "2", "-q", "--no-sandbox")
        self.krow("match", "random", "random", "--games", "3", "-q")
        value = self.json("book", "build", "a")
        self.assertEqual((value["games"], value["left_out"]["faulty"]), (3, 2))

    def test_extend(self):
        self.build("--extend", games=GAMES[:2])
        self.build("--extend", games=GAMES[2:])
        extended = self.krow("book", "export", "six")[0]
        self.build()
        self.assertEqual(self.krow("book", "export", "six")[0], extended)
        self.refused("book", "build", "six", self.path("games.krow"), "--extend", "--turns", "3", words="cannot extend the book 'six'")
        self.assertEqual(self.krow("book", "export", "six")[0], extended)

    def test_damaged_games(self):
        path = self.write("g.krow", game_file(GAMES[:2]) + game_file([("j10 j10", "first")]) + game_file(GAMES[2:]))
        out, err = self.krow("book", "build", "a", path, status=1)
        self.assertIn("5 games", out)
        self.assertRegex(err, r"g\.krow:\d+: ")
        self.assertIn("1 game could not be read; the book is without it", err)

    def test_mostly_damaged_games(self):
        self.build(name="a")
        before = self.krow("book", "export", "a")[0]
        wrong = game_file([("j10 j10", "first")])
        for good, bad, lines in [(GAMES[:2], 3, 3), ([], 1, 1), (GAMES, 30, 20)]:
            with self.subTest(bad=bad):
                path = self.write("g.krow", game_file(good) + bad * wrong)
                for extend in [], ["--extend"]:
                    _, err = self.krow("book", "build", "a", path, "--game", "connect6", *extend, status=1)
                    self.assertIn(f"{bad} of {bad + len(good)} games could not be read", err)
                    self.assertIn("so nothing was changed", err)
                    self.assertEqual(err.count("g.krow:"), lines)
                    self.assertEqual("and 10 more\n" in err, bad == 30)
        self.assertEqual(self.krow("book", "export", "a")[0], before)
        path = self.write("g.krow", game_file(GAMES[:3]) + 3 * wrong)  # just half is good
        self.assertIn("3 games,", self.krow("book", "build", "a", path, "--game", "connect6", status=1)[0])

    def test_formats(self):
        """A name that says nothing, and a format in which anything can be a game."""
        path = self.write("games", game_file(GAMES))
        self.assertEqual(self.json("book", "build", "a", path, "--format", "krow")["games"], 5)
        self.assertEqual(self.json("book", "build", "a", "krow:" + path)["games"], 5)
        path = self.write("nothing", "x\n")
        self.refused("book", "build", "a", path, words=["see --format", "write FORMAT:FILE with one of: krow, sgf"])
        self.refused("book", "build", "a", path, "--format", "x", words="--format: there is no format 'x'")
        self.refused("book", "build", "a", "--format", "csv", words="--format needs FILE")

    def test_words(self):
        out, err = self.krow("book", "build", "six", self.write("games.krow", game_file(GAMES)))
        self.assertRegex(out, r"^book 'six' for 19x19:k=6,p=2,q=1, relative, 10 turns: 5 games, 8 nodes, 7 links in ")
        self.assertEqual(err, "")

    def test_refusals(self):
        path = self.write("g.krow", game_file(GAMES) + game_file([("h8 i9", "first")], "gomoku"))
        self.refused("book", "build", "a", path, words="games of 19x19:k=6,p=2,q=1 and of 15x15:k=5; choose with --game")
        self.refused("book", "build", "a b", path, words="'a b' is not a book name")
        self.refused("book", "build", "a", path, "--encoding", "x", words="'x' is neither relative nor absolute")
        self.refused("book", "build", "a", path, "--match", "1", words="cannot be combined with FILE")
        self.refused("book", "build", "a", path, "--game", "x", words="'x'")
        self.refused("book", "build", "a", "--match", "x", words="--match: 'x'")
        self.refused("book", "build", "a", self.path("none"), words="none", status=1)
        self.refused("book", "build", "a", words="no finished games", status=1)
        self.refused("book", "build", "a", "--db", "none", words="--db")
        self.refused("book", "build", words="missing arguments: NAME")
        self.assertEqual(self.json("book", "list"), {"books": []})


class Show(Books):
    def test_json(self):
        self.build()
        value = self.json("book", "show", "connect6", "j10")
        self.assertEqual((value["name"], value["turn"], value["known"]), ("six", "second", True))
        self.assertEqual((value["wins"], value["ties"], value["losses"]), (2, 0, 3))
        self.assertEqual(value["moves"], [
            {"stones": ["i9", "k11"], "games": 4, "wins": 1, "ties": 0, "losses": 3, "ratio": 0.75},
            {"stones": ["j11", "j12"], "games": 1, "wins": 1, "ties": 0, "losses": 0, "ratio": 0.0}])
        self.assertEqual((value["recommended"], value["why"]), (["i9", "k11"], "ratio"))

    def test_rare_moves(self):
        self.build()
        value = self.json("book", "show", "connect6", "j10 k11 i9")
        self.assertEqual((value["recommended"], value["why"]), (["b1", "b2"], "wins"))

    def test_no_recommendation(self):
        self.build()
        value = self.json("book", "show", "connect6")
        self.assertEqual((value["recommended"], value["why"], value["known"]), (None, "nothing", True))
        value = self.json("book", "show", "connect6", "j10 a1 a2")
        self.assertEqual((value["recommended"], value["moves"], value["known"]), (None, [], False))
        self.assertFalse(self.json("book", "show", "connect6", "j10 a1")["known"])

    def test_moves_that_fall_off_the_board(self):
        self.build()
        value = self.json("book", "show", "connect6", "a5")
        self.assertEqual(value["dropped"], 1)
        self.assertEqual([move["stones"] for move in value["moves"]], [["a6", "a7"]])

    def test_text(self):
        self.build()
        out, _ = self.krow("book", "show", "connect6", "e5")
        self.assertIn("this position: 5 games, the first player won 2, tied 0, lost 3", out)
        self.assertRegex(out, r"\n\* d4 f6 +4 +1 +0 +3 +75\.0 %\n")
        self.assertRegex(out, r"\n  e6 e7 +1 +1 +0 +0 +0\.0 %\n")
        self.assertIn("* is recommended: the best share of wins", out)
        out, _ = self.krow("book", "show", "connect6", "j10 i9 k11")
        self.assertIn("of the rarer ones it won most", out)
        out, _ = self.krow("book", "show", "connect6", "e5 a1")
        self.assertIn("The book does not contain this position: it is in the middle of a turn", out)
        self.assertIn("No turn is recommended.", self.krow("book", "show", "connect6")[0])

    def test_why_it_knows_nothing(self):
        self.build("--turns", "1", games=GAMES[:1])
        board = self.write("board", "\n".join([" ." * 19] * 18 + [" X" + " ." * 18]) + "\n")
        other = self.write("other", "\n".join([" ." * 19] * 18 + [" X" + " ." * 18]) + "\nturn X 2\n")
        row = "a1 s1 s3 b1 c1 s5 s7 d1 e1 s9 s11 f1"
        for words, word, sentence in [(["j10 a1"], "middle", "in the middle of a turn"),
                                      (["--board", board], "set_up", "a relative book needs the first stone"),
                                      (["--board", other], "set_up", "no game from the empty board"),
                                      (["j10 a1 a2"], "beyond", "after the last turn of the book"),
                                      ([row], "over", "the game is over")]:
            with self.subTest(words=words):
                value = self.json("book", "show", "connect6", *words)
                self.assertEqual((value["known"], value["unknown"]), (False, word))
                self.assertIn(sentence, self.krow("book", "show", "connect6", *words)[0])
        out = self.krow("book", "show", "connect6", "j10")[0]
        self.assertIn("book 'six', relative, 1 turn, 1 game\nthis position: 1 game, ", out)
        self.assertIn("The book ends here.", out)
        self.assertIsNone(self.json("book", "show", "connect6", "j10")["unknown"])
        self.build()
        self.assertEqual(self.json("book", "show", "connect6", "j10 a1 a2")["unknown"], "unseen")
        self.assertIn("no game had it", self.krow("book", "show", "connect6", "j10 a1 a2")[0])
        self.assertIn("1 turn does not fit", self.krow("book", "show", "connect6", "a5")[0])

    def test_set_up_positions(self):
        self.krow("match", "random", "adjacent", "--game", "tictactoe", "--games", "30", "-q")
        self.krow("book", "build", "ttt")
        board = self.write("board", "...\n.X.\n...\n")
        self.assertEqual(self.json("book", "show", "tictactoe", "--board", board)["moves"],
                         self.json("book", "show", "tictactoe", "b2")["moves"])

    def test_which_book(self):
        self.build(name="old")
        self.build(name="new", games=GAMES[:1])
        self.assertEqual(self.json("book", "show", "connect6")["name"], "new")
        self.assertEqual(self.json("book", "show", "connect6", "--name", "old")["name"], "old")
        self.refused("book", "show", "connect6", "--name", "none", words="there is no opening book 'none'")
        self.refused("book", "show", "gomoku", "--name", "old", words="is for 19x19:k=6,p=2,q=1, not for 15x15:k=5")
        self.refused("book", "show", "gomoku", words="there is no opening book for 15x15:k=5")
        self.refused("book", "show", "connect6", "z99", words="'z99'")


class Files(Books):
    def test_round_trip(self):
        for options in ([], ["--symmetric"], ["--encoding", "absolute"], ["--encoding", "absolute", "--symmetric"]):
            with self.subTest(options=options):
                built = self.build(*options)
                size = f"{built['nodes']} nodes, {built['links']} links"
                _, err = self.krow("book", "export", "six", "-o", self.path("six.txt"))
                self.assertIn(size, err)
                shown = self.json("book", "show", "connect6", "j10")
                self.krow("book", "remove", "six")
                out, _ = self.krow("book", "import", self.path("six.txt"))
                self.assertIn(f"book 'six': 5 games, {size}", out)
                self.assertEqual(self.json("book", "show", "connect6", "j10"), shown)
                with open(self.path("six.txt"), encoding="utf-8") as file:
                    self.assertEqual(self.krow("book", "export", "six")[0], file.read())

    def test_json(self):
        built = self.build()
        keys = ("name", "game", "encoding", "symmetric", "turns", "games", "nodes", "links")
        expected = {key: built[key] for key in keys}
        path = self.path("six.txt")
        self.assertEqual(self.json("book", "export", "six", "-o", path), {**expected, "file": path})
        self.refused("book", "export", "six", "--json", words="--json needs -o FILE")
        self.assertEqual(self.json("book", "import", path), {**expected, "file": path})
        listed = self.json("book", "list")["books"][0]
        self.assertEqual({key: listed[key] for key in keys}, expected)
        self.assertEqual(self.json("book", "remove", "six"), listed)
        self.krow("book", "import", path, "-q")
        self.assertEqual(self.krow("book", "remove", "six")[0],
                         "book 'six' is removed: it had 5 games, 8 nodes, 7 links\n")

    def test_import_options(self):
        self.build()
        text = self.krow("book", "export", "six")[0]
        self.krow("book", "import", "-", "--name", "other", stdin=text)
        self.krow("book", "import", "-", "--name", "other", "--extend", "-q", stdin=text)
        books = {book["name"]: book for book in self.json("book", "list")["books"]}
        self.assertEqual((books["six"]["games"], books["other"]["games"]), (5, 10))
        self.assertEqual(books["six"]["nodes"], books["other"]["nodes"])
        self.assertEqual(self.json("book", "show", "connect6", "--name", "other")["wins"], 4)

    def test_errors_name_the_line(self):
        self.build()
        text = self.krow("book", "export", "six")[0]
        lines = text.split("\n")
        for number, line in [(2, "name"), (5, "symmetric x"), (11, "node 1 2 3"), (len(lines) - 1, "link 1 99 0")]:
            with self.subTest(line=line):
                wrong = "\n".join(lines[:number - 1] + [line] + lines[number:])
                self.refused("book", "import", "-", stdin=wrong, words=f"'standard input': line {number}: ")
        self.refused("book", "import", "-", "--name", "a b", stdin=text, words="'a b' is not a book name")
        self.refused("book", "import", self.path("none"), words="none", status=1)
        self.assertEqual(self.krow("book", "export", "six")[0], text)

    def test_damaged_files_leave_the_book_alone(self):
        self.build()
        text = self.krow("book", "export", "six")[0]
        first, rest = text.split("link 2 3 -38 38\n")
        for wrong, words in [(text[:len(text) // 2], "book import"), (text[:text.index("link 2 4")], "the opening book is incomplete"),
                             (first + "link 2 3 -38 39\n" + rest, "does not lead to node 3 by the turn '-38 39'"),
                             (first + "link 2 3 -9999 9999\n" + rest, "the turn '-9999 9999' is not on free cells"),
                             (text.replace("games 5", "games 6"), "seen 5 times in 6 games"),
                             (text.replace("nodes 8\n", ""), "expected nodes, found 'links'")]:
            with self.subTest(words=words):
                self.refused("book", "import", "-", stdin=wrong, words=words)
                self.assertEqual(self.krow("book", "export", "six")[0], text)

    def test_a_file_that_cannot_be_written(self):
        self.build()
        self.refused("book", "export", "six", "-o", self.path("no/such/folder"), words="no/such/folder", status=1)
        self.refused("book", "export", "seven", words="there is no opening book 'seven'")

    def test_list_and_remove(self):
        self.assertIn("no opening books", self.krow("book", "list")[0])
        self.build("--symmetric")
        self.build(name="a")
        out, _ = self.krow("book", "list")
        self.assertRegex(out, r"\na +19x19:k=6,p=2,q=1 +relative +10 +5 +8 +7 ")
        self.assertRegex(out, r"\nsix +19x19:k=6,p=2,q=1 +relative\+s +10 +5 +8 +7 ")
        self.krow("book", "remove", "a")
        self.refused("book", "remove", "a", words="there is no opening book 'a'")
        self.assertEqual([book["name"] for book in self.json("book", "list")["books"]], ["six"])

    def test_another_database(self):
        self.build("--db", self.database("other.db"))
        self.assertEqual(self.json("book", "list"), {"books": []})
        self.assertEqual(len(self.json("book", "list", "--db", self.database("other.db"))["books"]), 1)
        self.assertTrue(self.json("book", "show", "connect6", "--db", self.database("other.db"))["known"])
        self.assertIn("name six", self.krow("book", "export", "six", "--db", self.database("other.db"))[0])


@about_files
class ReadOnly(Books):
    def lock(self):
        """No mode stops root, who is made nobody."""
        os.chmod(self.path("lab.db"), 0o444)
        os.chmod(self.home, 0o555)
        self.addCleanup(os.chmod, self.home, 0o755)
        self.user = 65534 if os.geteuid() == 0 else None

    def test_a_database_that_cannot_be_written(self):
        self.build()
        shown = self.json("book", "show", "connect6", "j10")
        listed = self.json("book", "list")
        text = self.krow("book", "export", "six")[0]
        self.lock()
        self.assertEqual(self.json("book", "show", "connect6", "j10"), shown)
        self.assertEqual(self.json("book", "list"), listed)
        self.assertEqual(self.krow("book", "export", "six")[0], text)
        self.assertEqual(self.json("move", "connect6", "j10", "--agent", "book")["stones"], ["i9", "k11"])
        self.refused("book", "remove", "six", words="cannot open the database", status=1)
        self.refused("book", "import", "-", stdin=text, words="cannot open the database", status=1)

    def test_no_database(self):
        del self.environment["KROW_DB"]
        self.assertEqual(self.json("book", "list"), {"books": []})
        self.refused("book", "show", "connect6", words="there is no opening book for 19x19:k=6,p=2,q=1")
        self.refused("book", "show", "connect6", "--name", "a", words="there is no opening book 'a'")
        self.refused("book", "export", "a", words="there is no opening book 'a'")
        self.refused("book", "remove", "a", words="there is no opening book 'a'")
        self.assertEqual(len(self.json("move", "connect6", "j10", "--agent", "book")["stones"]), 2)
        self.refused("move", "connect6", "--agent", "book:name=a", words="there is no opening book 'a'")
        self.assertEqual(os.listdir(self.home), [])


class Agent(Books):
    def test_it_plays_the_book(self):
        self.build()
        self.assertEqual(self.json("move", "connect6", "j10", "--agent", "book")["stones"], ["i9", "k11"])
        value = self.json("move", "connect6", "e5", "--agent", "book:name=six")
        self.assertEqual((value["stones"], value["score"]), (["d4", "f6"], 0.75))

    def test_the_database_is_honoured(self):
        self.build("--db", self.database("other.db"))
        value = self.json("move", "connect6", "j10", "--agent", "book", "--db", self.database("other.db"))
        self.assertEqual(value["stones"], ["i9", "k11"])
        self.refused("move", "connect6", "j10", "--agent", "book:name=six", words=["no opening book 'six'", "book build"])
        self.refused("move", "connect6", "--agent", "book:name=six", "--db", "none",
                     words=["no opening book 'six'", "with --db none"])
        self.refused("match", "random", "book:name=six", "--game", "connect6", "--db", "none", words="with --db none")
        self.assertEqual(len(self.json("move", "connect6", "j10", "--agent", "book", "--db", "none")["stones"]), 2)

    def test_in_a_match(self):
        records = []
        for jobs in ("1", "4"):
            self.environment["KROW_DB"] = self.database(f"jobs{jobs}.db")
            self.build()
            value = self.json("match", "random", "book:name=six,fallback=adjacent:reach=2", "--game", "connect6", "--games",
                              "12", "--jobs", jobs, "--seed", "4", "-q")
            self.assertEqual((value["games"], value["faults"]["random"]["crash"]), (12, 0))
            records.append(self.krow("export", "--match", "last", "--no-times")[0])
        self.assertEqual(*records)

    def test_in_a_game_that_begins_with_the_book(self):
        self.build()
        value = self.json("play", "connect6", "j10", "--first", "random", "--second", "book", "--seed", "1")
        self.assertEqual(value["stones"][:3], ["j10", "i9", "k11"])

    def test_as_an_engine(self):
        self.build()
        for agent in ("book", "book:name=six"):
            out, _ = self.krow("engine", "--protocol", "ugi", "--agent", agent, stdin="ugi\nsetoption name Game value connect6\n"
                               "position startpos moves j10\ngo nodes 1\nisready\nquit\n")
            self.assertIn("bestmove i9,k11", out)

    def test_without_a_book_no_database_is_made(self):
        self.krow("move", "connect6", "j10", "--agent", "adjacent")
        self.assertFalse(os.path.exists(self.database("lab.db")))

    def test_a_tournament(self):
        self.build()
        file = self.write("t.txt", "game connect6\nagents random book book:s=2\ngames 2\nseed 3\n")
        self.assertEqual(len(self.json("tournament", file, "-q")["agents"]), 3)


class Words(Books):
    def test_help(self):
        out, _ = self.krow("book", "--help")
        for part in ("build", "show", "list", "export", "import", "remove"):
            self.assertRegex(out, rf"\n  {part} +\S")
        self.assertEqual(self.krow("help", "book")[0], out)
        self.assertIn("Usage: krow book build", self.krow("book", "build", "--help")[0])
        self.assertEqual(self.krow("help", "book", "build")[0], self.krow("book", "build", "--help")[0])

    def test_wrong_words(self):
        self.refused("book", words=["Usage: krow book COMMAND", "build"])
        self.refused("book", "bild", words=["krow book: there is no command 'bild'; did you mean 'build'?"])
        self.refused("help", "book", "bild", words="did you mean 'build'?")
        self.refused("bok", words="did you mean 'book'?")
        self.refused("book", "list", "x", words=["krow book list: ", "unexpected argument 'x'"])
        self.refused("book", "show", words="missing arguments: GAME")


class Kills(Books):
    def test_a_killed_build_keeps_the_old_book(self):
        self.build()
        before = self.krow("book", "export", "six")[0]
        self.krow("match", "random", "random", "--game", "connect6", "--games", "100", "-q")
        for delay in range(1, 12):
            process = subprocess.Popen([KROW, "book", "build", "six", "--turns", "100", "-q"], env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=delay / 100)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            now = self.krow("book", "export", "six")[0]
            if now != before:
                self.assertIn("games 100\n", now)
                self.assertIn("turns 100\n", now)


class Explore(Books):
    def test_games_books_and_the_engine(self):
        self.build()
        self.krow("import", self.path("games.krow"))
        value = self.json("explore", "connect6", "j10")
        # c4 is no symmetric image of j10. The order within a turn does not matter.
        self.assertEqual((value["total"], value["games"], value["first"], value["draws"], value["second"]), (5, 4, 2, 0, 2))
        move = next(move for move in value["moves"] if move["games"] == 3)
        self.assertEqual((move["first"], move["second"], move["books"][0]["book"]), (1, 2, "six"))
        self.assertEqual(sum(move["engine"] is not None for move in value["moves"]), 1)
        out, _ = self.krow("explore", "connect6", "j10", "--count", "1")
        self.assertIn("4 of 5 games had this position: the first player won 2, 0 drawn, the second won 2.", out)
        self.assertRegex(out, r"\n\w+ \w+ +3 +1 +0 +2  six\* 75 %\n2 more; --count 0 shows all\.\n")
        # In the middle of a turn: the stones that complete it.
        value = self.json("explore", "connect6", "j10 i9")
        self.assertEqual([move["stones"] for move in value["moves"]], [["k11"]])

    def test_no_games(self):
        self.assertIn("None of 0 games had this position.", self.krow("explore", "4x4:k=4", "a1", "--db", "none")[0])
        self.refused("explore", "4x4:k=4", "a9", words="a9")


if __name__ == "__main__":
    main()
