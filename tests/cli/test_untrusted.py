"""Text of strangers: files, databases and names may contain escape sequences, which must not reach the terminal."""
import contextlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess

from krowtest import KrowTest, Terminal, main

# An escape sequence, C1 as UTF-8 and as a byte, a direction mark, and an innocent letter.
UNSAFE = b"\x1b]0;own\x07\x1b[2J\xc2\x9b31m\x9b31m\xe2\x80\xae\x7f\xc3\xbc"
NAME = "\x1b]0;own\x07\x9b31m\u202e\x7fü"
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Untrusted(KrowTest):
    def clean(self, *arguments):
        """Runs krow, whatever its status, and checks everything it prints; returns both streams."""
        result = subprocess.run([self.program, *arguments], capture_output=True, timeout=60, env=self.environment,
                                check=False, stdin=subprocess.DEVNULL)
        self.assertGreaterEqual(result.returncode, 0, arguments)
        for stream in (result.stdout, result.stderr):
            text = stream.decode()  # strictly: invalid bytes are unsafe
            self.assertIsNone(FORBIDDEN.search(text), (arguments, text))
        return result.stdout.decode(), result.stderr.decode()

    def raw(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def test_files(self):
        """Damaged files of every format: the message quotes them."""
        line = b"krow " + UNSAFE + b"\n"
        db = ["--db", self.path("a.db")]
        for name, data, *arguments in [
                ("p.txt", UNSAFE, "show", "5x5:k=4", "--board"),
                ("t.txt", b"game " + UNSAFE, "tournament"),
                ("t.txt", b"game 5x5:k=4\nagents random " + UNSAFE, "tournament"),
                ("t.txt", b"game 5x5:k=4\nagents random\nagent random:name=" + UNSAFE + b"\ngames 2", "tournament"),
                ("t.txt", UNSAFE + b" 5", "tournament"),
                ("g.sgf", b"(;GM[4]SZ[15];B[" + UNSAFE + b"])", "import", *db),
                ("g.sgf", b"(;GM[4]SZ[15]PB[" + UNSAFE + b"];B[hh];W[" + UNSAFE + b"])", "import", *db),
                ("g.game", line, "import", *db),
                ("g.csv", b"moves,winner\n" + UNSAFE + b",1\n", "import", "--game", "connect4", *db),
                ("g.rif", b'<database><game id="1"><move>' + UNSAFE + b"</move></game></database>", "import", *db),
                ("b.proof", line, "verify"),
                ("o.txt", UNSAFE, "match", "random", "random", "--games", "2", "--openings"),
                ("q.txt", UNSAFE, "puzzles", "verify"),
        ]:
            path = self.raw(name, data)
            with self.subTest(file=name, data=data):
                _, err = self.clean(*arguments, path)
                self.assertNotEqual(err, "")

    def test_file_names(self):
        os.mkdir(self.path("d"))
        self.raw(b"d/x\x1b[2J\x9b.sgf".decode("utf-8", "surrogateescape"), b"nothing")
        out, err = self.clean("import", self.path("d"), "--json", "--db", self.path("a.db"))
        self.assertEqual(json.loads(out)["errors"][0]["file"], self.path("d/x [2J?.sgf"))
        self.assertIn("x [2J?.sgf: ", err)

    def fill(self):
        """A database whose names somebody changed behind krow's back."""
        path = self.path("m.db")
        self.krow("match", "random", "adjacent", "--game", "tictactoe", "--games", "4", "--db", path, "-q")
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE agents SET name = ? || name", (NAME,))
            database.execute("UPDATE games SET reason = ?, event = ?, date = ?", (NAME, NAME, NAME))
            database.commit()
        return ["--db", path]

    def test_database(self):
        db = self.fill()
        out, _ = self.clean("ratings", *db)
        self.assertIn("ü", out)
        for arguments in (["ratings", "--json"], ["explore", "tictactoe"], ["explore", "tictactoe", "--json"],
                          ["db", "info"], ["db", "check"]):
            self.clean(*arguments, *db)

    def test_imported_names(self):
        path = self.path("g.sgf")
        escaped = NAME.replace("]", "\\]")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"(;GM[4]SZ[9]PB[{escaped}]PW[other]RE[B+R];B[ee];W[aa]C[{escaped}])")
        self.krow("import", path, "--game", "9x9:k=5", "--db", self.path("i.db"))
        exported, _ = self.krow("export", "--format", "sgf", "--db", self.path("i.db"))
        self.assertRegex(exported, r"PB\[\\\]0;own  31m  ü\]")
        self.assertIn(escaped, exported)  # the comment in a file is kept as it was
        terminal = Terminal(self, "export", "--format", "sgf", "--db", self.path("i.db"))
        terminal.wait()
        self.assertIsNone(FORBIDDEN.search(terminal.seen.replace("\r\n", "\n")))


class Damaged(KrowTest):
    """Files that end too early, or contain no game at all, are errors."""

    def damaged(self, name, data, words, games=0):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(data)
        out, err = self.krow("import", path, "--db", self.path("a.db"), status=1)
        self.assertRegex(out, f"^{games} games? imported .*, 1 error")
        self.assertIn(words, err)

    def test_nothing_inside(self):
        self.damaged("zero.sgf", bytes(1 << 20), "no game was found")
        self.damaged("zero.rif", bytes(1 << 20), "no game was found")
        self.damaged("open.xml", b"<database><games>", "not closed by </database>")

    def test_cut_off(self):
        game = b'<game id="%d" bresult="1"><move>h8 a1 i8 a2 j8 a3 k8 a4 l8</move></game>'
        head = b"<database><games>" + game % 1
        self.damaged("a.rif", head + b"<!-- " + game % 2, "does not end", 1)
        self.damaged("b.rif", b"<database><games>" + game.replace(b"a1", b"a9") % 3, "not closed by </database>", 1)
        self.damaged("c.rif", b"<database><games>" + game.replace(b"a1", b"b9") % 4 + b'<game id="5"><move>h8', "cut off", 1)


class Rows(KrowTest):
    """Rows of the database that somebody, or a fault of the disk, has changed."""

    def setUp(self):
        super().setUp()
        self.db = ["--db", self.path("a.db")]
        self.match = ["match", "random", "adjacent", "--game", "tictactoe", "--games", "8", "--seed", "5", "-q", *self.db]
        self.krow(*self.match)
        self.whole, _ = self.krow("export", *self.db)

    def sql(self, statement, *values):
        with contextlib.closing(sqlite3.connect(self.path("a.db"))) as database:
            rows = database.execute(statement, values).fetchall()
            database.commit()
        return rows

    def damage(self):
        ids = [row[0] for row in self.sql("SELECT id FROM games ORDER BY number")]
        self.sql("UPDATE games SET stones = 'zz99' WHERE id = ?", ids[1])
        self.sql("UPDATE games SET times = '1 x' WHERE id = ?", ids[2])
        self.sql("UPDATE games SET result = CASE result WHEN 'first' THEN 'second' ELSE 'first' END WHERE id = ?", ids[4])
        self.sql("UPDATE games SET stones = 'a1 ' || stones || ' a1' WHERE id = ?", ids[5])
        return [ids[n] for n in (1, 2, 4, 5)]

    def test_readers_pass_over(self):
        ids = self.damage()
        out, err = self.krow("export", *self.db, status=1)
        self.assertEqual(out.count("# krow game"), 4)
        for number in ids:
            self.assertIn(f"game {number} of the database is damaged", err)
        self.assertIn("4 damaged games were left out", err)
        self.krow("book", "build", "b", "--game", "tictactoe", "-q", *self.db)
        value = json.loads(self.krow("db", "check", "--json", *self.db, status=1)[0])
        self.assertFalse(value["whole"])
        self.assertEqual([(row["what"], row["id"]) for row in value["damaged"]], [("game", number) for number in ids])
        self.assertEqual(value["games"], 4)

    def test_resume(self):
        """Damaged games are played again, with the same seeds."""
        self.damage()
        self.krow(*self.match, "--resume")
        self.krow("db", "check", *self.db)
        self.assertEqual(self.games(self.krow("export", "--no-times", *self.db)[0]), self.games(self.without_times()))

    def without_times(self):
        self.krow(*self.match[:-2], "--db", self.path("b.db"))
        return self.krow("export", "--no-times", "--db", self.path("b.db"))[0]

    def games(self, text):
        return sorted(re.findall(r"^stones.*$", text, re.M))

    def test_remove(self):
        ids = self.damage()
        out, _ = self.krow("db", "remove", *map(str, ids), *self.db)
        self.assertEqual(out, "4 games removed\n")
        self.krow("db", "check", *self.db)
        self.assertEqual(self.sql("SELECT count(*) FROM games"), [(4,)])
        self.assertEqual(self.sql("SELECT count(*) FROM game_counts WHERE game_id NOT IN (SELECT id FROM games)"), [(0,)])
        _, err = self.krow("db", "remove", str(ids[0]), *self.db, status=1)
        self.assertIn("1 of these games are not in the database", err)
        self.refused("db", "remove", "x", *self.db, words="not the number of a game")

    def test_books_and_patterns(self):
        self.krow("book", "build", "b", "--game", "tictactoe", "-q", *self.db)
        pattern = self.write("p.txt", "game gomoku\n1 xxxx.\n")
        self.krow("patterns", "import", pattern, "--game", "gomoku", "--set", "s", "-q", *self.db)
        self.krow("db", "check", *self.db)
        self.sql("UPDATE book_nodes SET wins = wins + 64 WHERE depth = 0")
        self.sql("UPDATE patterns SET code = 'nonsense'")
        value = json.loads(self.krow("db", "check", "--json", *self.db, status=1)[0])
        self.assertEqual(sorted(row["what"] for row in value["damaged"]), ["book 'b'", "pattern set 's'"])


class Changes(KrowTest):
    """Random bits of a database flip. Each one that changes a game, a book or a pattern is found."""
    FLIPS = int(os.environ.get("KROW_TEST_FLIPS", "40"))
    CONTENT = ["SELECT g.id, g.match_id, g.number, s.name, g.game, a.name, b.name, o.length, g.seed, g.result, g.fault, g.faulty,"
               " g.started, g.ended, g.reason, g.event, g.date, g.setup, g.stones, g.times, g.kept FROM games g"
               " LEFT JOIN agents a ON a.id = g.first_id LEFT JOIN agents b ON b.id = g.second_id"
               " LEFT JOIN openings o ON o.id = g.opening_id LEFT JOIN sources s ON s.id = g.source_id ORDER BY g.id",
               "SELECT * FROM game_counts ORDER BY 1, 2, 3", "SELECT * FROM books ORDER BY id",
               "SELECT * FROM book_nodes ORDER BY id", "SELECT * FROM book_links ORDER BY 1, 2, 3",
               "SELECT * FROM patterns ORDER BY id"]

    def content(self, path):
        try:
            with contextlib.closing(sqlite3.connect(path)) as database:
                database.text_factory = bytes
                return [database.execute(statement).fetchall() for statement in self.CONTENT]
        except (sqlite3.Error, OverflowError, UnicodeDecodeError):
            return None

    def fill(self):
        path = self.path("a.db")
        db = ["-q", "--db", path]
        self.krow("match", "random", "adjacent:depth=1", "--game", "tictactoe", "--games", "30", "--openings", "5", *db)
        self.krow("import", self.write("g.sgf", "(;GM[4]SZ[9]PB[a]PW[b]EV[c]DT[2020]RE[B+R];B[ee]C[d];W[aa])"), "--game",
                  "9x9:k=5", *db)
        self.krow("book", "build", "b", "--game", "tictactoe", *db)
        self.krow("book", "build", "b", "--game", "tictactoe", "--extend", *db)
        self.krow("patterns", "import", self.write("p.txt", "game gomoku\n1 xxxx.\n"), "--game", "gomoku", *db)
        return path

    def test_flips(self):
        path = self.fill()
        self.krow("db", "check", "--db", path)
        with open(path, "rb") as file:
            whole = file.read()
        before = self.content(path)
        chance = random.Random(7)
        changed = missed = 0
        for _ in range(self.FLIPS):
            at, bit = chance.randrange(len(whole)), chance.randrange(8)
            with open(path, "wb") as file:
                file.write(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1:])
            is_changed = self.content(path) != before
            result = subprocess.run([self.program, "db", "check", "-q", "--db", path], env=self.environment,
                                    capture_output=True, check=False)
            self.assertIn(result.returncode, (0, 1, 2), at)
            changed += is_changed
            if is_changed and result.returncode == 0:
                missed += 1
                print(f"byte {at}, bit {bit}: not found")
            for ending in ("-wal", "-shm"):
                if os.path.exists(path + ending):
                    os.unlink(path + ending)
        self.assertEqual(missed, 0)
        self.assertGreater(changed, self.FLIPS // 40)

    def test_changes(self):
        """Changes that leave a valid row."""
        path = self.fill()
        for statement in ("UPDATE games SET times = NULL WHERE number = 3", "UPDATE games SET seed = seed + 1 WHERE number = 4",
                          "UPDATE games SET first_id = second_id WHERE number = 5", "UPDATE games SET event = 'x' WHERE number IS NULL",
                          "UPDATE games SET kept = NULL WHERE number IS NULL", "UPDATE book_nodes SET losses = losses + 0, wins = wins + 1"
                          " WHERE id = (SELECT max(id) FROM book_nodes)", "UPDATE books SET games = games + 1",
                          "UPDATE patterns SET learned = 1"):
            copy = self.path("copy.db")
            shutil.copy(path, copy)
            with contextlib.closing(sqlite3.connect(copy)) as database:
                database.execute(statement)
                database.commit()
            out, _ = self.krow("db", "check", "--db", copy, status=1)
            self.assertRegex(out, "changed|damaged|book 'b'", statement)


class Private(KrowTest):
    """What krow keeps for its user is readable by this user alone."""

    def modes(self, *folders):
        found = {}
        for folder in folders:
            for place, _, files in os.walk(self.path(folder)):
                for path in [place] + [os.path.join(place, name) for name in files]:
                    found[path] = os.stat(path).st_mode & 0o777
        return found

    def test_modes(self):
        old = os.umask(0o022)
        self.addCleanup(os.umask, old)
        self.krow("match", "random", "random", "--game", "tictactoe", "--games", "2", "-q")
        self.krow("play", "tictactoe", stdin="b2\nquit\n")
        self.krow("match", "random", "random", "--game", "tictactoe", "--games", "2", "--db", self.path("own/x.db"), "-q",
                  status=1)
        found = self.modes("data", "state")
        names = {os.path.basename(path) for path in found}
        self.assertLessEqual({"krow", "krow.db", "play.game"}, names)
        for path, mode in found.items():
            self.assertEqual(mode & 0o077, 0, path)
        # The log of a database that is open.
        with contextlib.closing(sqlite3.connect(self.path("data/krow/krow.db"))) as database:
            database.execute("CREATE TABLE more (id)")
            self.assertEqual(os.stat(self.path("data/krow/krow.db-wal")).st_mode & 0o777, 0o600)


class Sandbox(KrowTest):
    def test_no_user_namespaces(self):
        """An engine cannot create user namespaces, which open much of the kernel to it."""
        os.chmod(self.home, 0o777)
        os.chmod(self.program, 0o755)
        self.user = 65534 if os.geteuid() == 0 else None
        folder = os.path.dirname(self.program)
        while os.stat(folder).st_mode & 0o001 and folder != "/":
            folder = os.path.dirname(folder)
        if self.user is not None and folder != "/":
            self.skipTest(f"other users cannot read {folder}")
        command = "exec:sh -c 'unshare -U echo made 2>/dev/null >&2 && echo made-one >&2 || echo refused >&2'"
        _, err = self.krow("move", "gomoku", "--agent", command, status=1)
        if "the sandbox could not start it" in err:
            self.skipTest("no sandbox here")
        self.assertIn("it said: refused", err)


class Help(KrowTest):
    def test_help_names_the_addresses(self):
        out, _ = self.krow("serve", "--help")
        self.assertIn("that other machines can reach", " ".join(out.split()))


if __name__ == "__main__":
    main()
