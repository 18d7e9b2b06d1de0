"""krow db, and databases on a PostgreSQL server: copies, roles, hidden passwords."""
import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from krowtest import KROW, KrowTest, SANITIZED, main, psql
from postgres import Cluster

SECRET = "geheim-geheim"
cluster = None


def setUpModule():
    # People with a password beside those without.
    global cluster
    cluster = Cluster(access=["local all careful scram-sha-256"])
    unittest.addModuleCleanup(cluster.remove)
    cluster.start()
    cluster.sql(f"CREATE ROLE careful LOGIN PASSWORD '{SECRET}'")


class Db(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = self.path("lab.db")
        for name in ["PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "PGSERVICE"]:
            self.environment.pop(name, None)

    def server(self, name=None, owner="krow"):
        """A new database of the server."""
        name = name or f"db{random.SystemRandom().randrange(10 ** 12)}"
        cluster.sql(f"CREATE DATABASE {name} OWNER {owner}")
        return cluster.where(name)

    def play(self, *options):
        return self.json("match", "adjacent", "random", "--game", "7x7:k=4", "--games", "40", "--openings", "4", "--seed", "3",
                         "--quiet", *options)

    def tables(self, where):
        return self.json("db", "info", "--check", "--db", where)["tables"]


class Info(Db):
    def test_fields(self):
        self.play()
        for where, engine in [(self.path("lab.db"), "SQLite"), (self.server(), "PostgreSQL")]:
            if engine == "PostgreSQL":
                self.krow("db", "copy", self.path("lab.db"), where, "--quiet")
            value = self.json("db", "info", "--db", where)
            self.assertEqual(set(value), {"database", "engine", "engine_version", "version", "bytes", "tables"})
            self.assertEqual(value["engine"], engine)
            self.assertGreater(value["bytes"], 10000)
            self.assertGreaterEqual(value["version"], 5)
            rows = {table["name"]: table["rows"] for table in value["tables"]}
            self.assertEqual((rows["games"], rows["matches"], rows["agents"], rows["openings"]), (40, 1, 2, 4))
            self.assertIn("games", self.krow("db", "info", "--db", where)[0])
            self.assertTrue(self.json("db", "check", "--db", where)["whole"])
        self.assertEqual(self.krow("db", "check", "--quiet"), ("", ""))

    def test_nothing_is_made(self):
        for command in ["info", "check"]:
            self.refused("db", command, words="no database yet", status=1)
            self.refused("db", command, "--db", "none", words="need a database")
        self.assertFalse(os.path.exists(self.path("lab.db")))

    def test_a_newer_database(self):
        where = self.server()
        self.play("--db", where)
        psql(where, "UPDATE krow_schema SET version = 1000")
        self.refused("db", "info", "--db", where, words=["newer krow", "1000"], status=1)
        self.refused("match", "adjacent", "random", "--db", where, words="newer krow", status=1)


class Server(Db):
    """The same commands on both engines print the same."""

    def test_the_same_answers(self):
        where = self.server()
        self.write("games.krow", "# krow game\ngame tictactoe\nfirst Ann\nsecond Bob\nstones b2 a1 c3\nevent \u00c9t\u00e9\n")
        commands = [
            ["match", "adjacent", "random", "--game", "7x7:k=4", "--games", "40", "--openings", "4", "--seed", "3", "--json", "-q"],
            ["match", "adjacent", "random", "--game", "7x7:k=4", "--games", "40", "--openings", "4", "--seed", "3", "--resume",
             "--json", "-q"],
            ["import", self.path("games.krow"), "--json"],
            ["import", self.path("games.krow"), "--json"],
            ["export", "--format", "krow", "--no-times"],
            ["book", "build", "b", "--game", "7x7:k=4", "--turns", "4", "-q", "--json"],
            ["book", "show", "7x7:k=4", "--json"],
            ["book", "list", "--json"],
            ["move", "7x7:k=4", "--agent", "book", "--seed", "1", "--json"],
            ["book", "export", "b"],
            ["book", "remove", "b"],
            ["ratings", "--game", "7x7:k=4", "--json"],
            ["patterns", "list", "--json"],
        ]
        for command in commands:
            with self.subTest(command=command):
                outputs = []
                for place in [self.path("lab.db"), where]:
                    out, _ = self.krow(*command, "--db", place)
                    value = json.loads(out) if "--json" in command else out
                    if isinstance(value, dict):
                        for key in ["ms_per_move", "ms", "seconds", "books"]:
                            value.pop(key, None)
                    outputs.append(value)
                self.assertEqual(outputs[0], outputs[1])

    def test_by_environment_and_address(self):
        where = self.server("by_address")
        self.environment["KROW_DB"] = where
        self.play()
        folder = cluster.folder.replace("/", "%2F")
        address = f"postgresql://krow@{folder}/by_address"
        self.assertEqual(self.tables(address), self.tables(where))
        self.environment.update(KROW_DB="postgres://", PGHOST=cluster.folder, PGDATABASE="by_address", PGUSER="krow")
        self.assertEqual(self.json("db", "info", "--check")["tables"], self.tables(where))

    def test_the_server_stops(self):
        """A match whose server is gone ends with a clear message and continues when it is back."""
        with Cluster() as own:
            where = own.where()
            command = ["match", "adjacent", "random", "--game", "9x9:k=5", "--games", "600", "--seed", "1", "-q"]
            # The server stops while it stores the tenth game: however fast the match is, it cannot be over by then.
            self.krow("db", "info", "--db", where)
            own.sql("""CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                       $$ BEGIN PERFORM pg_sleep(3600); RETURN NEW; END $$;
                       CREATE TRIGGER tenth BEFORE INSERT ON games FOR EACH ROW WHEN (NEW.number = 10)
                       EXECUTE FUNCTION wait()""")
            process = subprocess.Popen([KROW, *command, "--db", where], env=self.environment, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
            while process.poll() is None and int(own.sql(waiting)) == 0:
                time.sleep(0.01)
            own.stop(signal.SIGQUIT)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, err)
            self.assertRegex(err, "is lost|cannot open the database")
            own.start()
            own.sql("DROP TRIGGER tenth ON games")
            self.krow(*command, "--resume", "--db", where)
            self.assertEqual(own.sql("SELECT count(*), count(DISTINCT number) FROM games"), "600|600")
            self.krow("db", "check", "--db", where)


class Copy(Db):
    def test_both_ways(self):
        self.play()
        where = self.server()
        value = self.json("db", "copy", self.path("lab.db"), where)
        self.assertEqual(value["tables"], self.tables(self.path("lab.db")))
        self.assertEqual(value["rows"], sum(table["rows"] for table in value["tables"]))
        out, _ = self.krow("db", "copy", where, self.path("back.db"))
        self.assertIn("counts and checksums agree", out)
        self.assertEqual(self.tables(self.path("back.db")), self.tables(where))
        self.assertEqual(self.krow("export", "--db", self.path("back.db")), self.krow("export"))

    def test_refused(self):
        self.play()
        self.play("--db", self.path("other.db"), "--seed", "4")
        before = self.tables(self.path("other.db"))
        self.refused("db", "copy", self.path("lab.db"), self.path("other.db"), words="other content", status=1)
        self.assertEqual(self.tables(self.path("other.db")), before)
        self.refused("db", "copy", self.path("none.db"), self.path("new.db"), words="no database")
        self.refused("db", "copy", self.path("lab.db"), words="FROM TO")
        self.refused("db", "copy", self.path("lab.db"), "host=/nowhere dbname=x", words="cannot open the database", status=1)

    def test_stopped_and_killed(self):
        """Ctrl-C and kill -9 at random instants: the same command continues, and in the end everything is there."""
        games = 3000 if SANITIZED else 12000
        self.krow("match", "random", "adjacent", "--game", "tictactoe", "--games", str(games), "--jobs", "2", "-q")
        whole = self.tables(self.path("lab.db"))
        where = self.server()
        chance = random.Random(4)
        ends = set()
        for number in range(8):
            process = subprocess.Popen([KROW, "db", "copy", self.path("lab.db"), where], env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(chance.random() * (0.5 if SANITIZED else 0.12))
            process.send_signal([signal.SIGINT, signal.SIGKILL][number % 2])
            _, err = process.communicate(timeout=60)
            ends.add(process.returncode)
            if process.returncode == 1:
                self.assertIn("run the same command again to continue", err)
        self.assertTrue(ends <= {0, 1, -signal.SIGINT, -signal.SIGKILL}, ends)
        self.krow("db", "copy", self.path("lab.db"), where)
        self.assertEqual(self.tables(where), whole)

    def test_unfinished(self):
        self.play()
        where = self.server()
        self.krow("db", "copy", self.path("lab.db"), where)
        version = int(psql(where, "SELECT version FROM krow_schema"))
        psql(where, f"UPDATE krow_schema SET version = {-version}; DELETE FROM game_counts;"
                    "DELETE FROM games WHERE id > 20; UPDATE games SET date = 'x' WHERE id = 3")
        self.refused("ratings", "--db", where, words="unfinished copy", status=1)
        self.refused("db", "info", "--db", where, words="unfinished copy", status=1)
        self.refused("db", "copy", self.path("lab.db"), where, words=["games differs", "--fresh"], status=1)
        self.krow("db", "copy", self.path("lab.db"), where, "--fresh")
        self.assertEqual(self.tables(where), self.tables(self.path("lab.db")))


class Grants(Db):
    def test_a_role(self):
        where = self.server("granted")
        match = ["match", "adjacent", "random", "--game", "7x7:k=4", "--games", "2", "-q"]
        self.krow(*match, "--db", where)
        sql = self.krow("db", "grants", "--name", "helper")[0]
        self.assertEqual(self.json("db", "grants", "--name", "helper")["sql"], sql)
        self.assertIn("krow_worker", self.krow("db", "grants")[0])
        psql(where, sql)
        helper = cluster.where("granted", "helper")
        self.assertIn("7x7", self.krow("export", "--db", helper)[0])
        self.refused(*match, "--again", "--db", helper, words="permission denied", status=1)
        for name in ["", "x" * 64]:
            self.refused("db", "grants", "--name", name, words="invalid role name")


class Secrets(Db):
    def setUp(self):
        super().setUp()
        cluster.sql("DROP DATABASE IF EXISTS careful")
        cluster.sql("CREATE DATABASE careful OWNER careful")
        self.where = cluster.where("careful", "careful")

    def assert_unseen(self, *texts):
        for text in texts:
            self.assertNotIn(SECRET, text)
            self.assertNotIn("geheim", text)

    def test_ways_to_give_one(self):
        self.refused("db", "info", "--db", self.where, words="password", status=1)
        self.environment["PGPASSWORD"] = "wrong"
        self.refused("db", "info", "--db", self.where, words="authentication failed", status=1)
        del self.environment["PGPASSWORD"]
        passfile = self.write(".pgpass", f"*:*:careful:careful:{SECRET}\n")
        os.chmod(passfile, 0o600)
        service = self.write("services", f"[lab]\nhost={cluster.folder}\ndbname=careful\nuser=careful\npassword={SECRET}\n")
        for where, variables in [(self.where, {"PGPASSWORD": SECRET}), (self.where, {"PGPASSFILE": passfile}),
                                 (f"{self.where} passfile={passfile}", {}), ("service=lab", {"PGSERVICEFILE": service})]:
            with self.subTest(where=where, variables=variables):
                self.environment.update(variables)
                out, err = self.krow("db", "info", "--db", where)
                self.assert_unseen(out, err)
                for name in variables:
                    del self.environment[name]

    def test_a_password_in_the_text(self):
        """It works, is said to be unwise, and is neither shown nor kept."""
        folder = cluster.folder.replace("/", "%2F")
        address = f"postgresql://careful:{SECRET}@{folder}/careful"
        words = f"{self.where} password={SECRET}"
        for where in [address, words]:
            out, err = self.krow("match", "adjacent", "random", "--game", "7x7:k=4", "--games", "2", "--again", "--db", where)
            self.assertIn("PGPASSWORD", err)
            self.assert_unseen(out, err)
        out, err = self.krow("db", "info", "--db", address)
        self.assert_unseen(out, err)
        out, err = self.krow("db", "copy", address, self.path("copy.db"))
        self.assert_unseen(out, err)
        self.environment["KROW_DB"] = address
        out, err = self.krow("db", "info", "--json")
        self.assertEqual(err, "")
        self.assert_unseen(out)
        dump = subprocess.run([os.path.join(cluster.bin, "pg_dump"), cluster.where("careful")], capture_output=True, text=True,
                              check=True).stdout
        self.assertIn("krow_schema", dump)
        self.assert_unseen(dump)

    def test_errors(self):
        folder = cluster.folder.replace("/", "%2F")
        for where in [f"postgresql://careful:{SECRET}@{folder}/nothing", f"postgresql://careful:x{SECRET}@{folder}/careful",
                      f"postgresql://careful:{SECRET}@127.0.0.1:1/careful", f"postgresql://careful:{SECRET}%ZZ@{folder}/careful",
                      f"postgresql://careful:x@{SECRET}@{folder}/careful", f"{self.where} password={SECRET} port=1",
                      f"{self.where} password {SECRET}", f"{self.where} password='{SECRET}"]:
            with self.subTest(where=where):
                for command in [["ratings", "--db", where], ["db", "copy", where, self.path("copy.db")],
                                ["db", "copy", self.path("lab.db"), where]]:
                    result = subprocess.run([KROW, *command], capture_output=True, text=True, env=self.environment, check=False)
                    self.assertIn(result.returncode, [1, 2])
                    self.assertNotEqual(result.stderr, "")
                    self.assert_unseen(result.stdout, result.stderr)

    def test_the_list_of_processes(self):
        """The password is not visible in krow's command line while it runs, nor in any name on the server."""
        where = f"{self.where} password={SECRET}"
        for option in [["--db", where], [f"--db={where}"]]:
            process = subprocess.Popen([KROW, "match", "random", "random", "--game", "gomoku20", "--games", "100000", "-q", *option],
                                       env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                self.assertIn("PGPASSWORD", process.stderr.readline())
                with open(f"/proc/{process.pid}/cmdline", encoding="utf-8") as file:
                    line = file.read()
                self.assertIn("gomoku20", line)
                self.assertIn("***", line)
                self.assert_unseen(line)
                self.assert_unseen(cluster.sql("SELECT string_agg(a::text, ' ') FROM pg_stat_activity a WHERE pid <> pg_backend_pid()"))
            finally:
                process.kill()
                process.communicate()


if __name__ == "__main__":
    main()
