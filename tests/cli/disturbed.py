"""What tests of disturbed tournaments share: the undisturbed run for comparison, and a report on all units."""
import json
import os
import sys
import time

from krowtest import SANITIZED
from workertest import Workers

TOURNAMENT = f"""game 9x9:k=5
agents engine threats
agent adjacent:reach=2
games {24 if SANITIZED else 120}
openings 10
nodes 300
seed 3
"""
# Seconds; under sanitizers a turn may take long.
LEASE = 3 if SANITIZED else 1

# All that a game has but ids and times.
GAMES = """SELECT g.number, g.game, a.name, a.is_foreign, b.name, b.is_foreign, o.setup, o.stones, g.seed, g.result, g.fault,
    g.faulty, g.reason, g.event, g.copy, g.setup, g.stones, g.kept,
    (SELECT string_agg(concat_ws(' ', c.side, c.name, c.value), ',' ORDER BY c.side, c.name) FROM game_counts c
     WHERE c.game_id = g.id)
    FROM games g JOIN agents a ON a.id = g.first_id JOIN agents b ON b.id = g.second_id
    LEFT JOIN openings o ON o.id = g.opening_id ORDER BY g.number, g.id"""

# Whatever becomes of a unit is written down beside it, by the server itself.
ACCOUNT = """CREATE TABLE account (unit BIGINT, first_game BIGINT, games BIGINT, was TEXT, became TEXT, worker BIGINT);
    CREATE FUNCTION keep_account() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO account VALUES (NEW.id, NEW.first_game, NEW.games, OLD.state, NEW.state, NEW.worker_id);
        RETURN NULL; END $$;
    CREATE TRIGGER accounted AFTER UPDATE ON units FOR EACH ROW WHEN (OLD.state <> NEW.state)
        EXECUTE FUNCTION keep_account();"""
NUMBER = "SELECT id FROM workers WHERE name LIKE '%:{}'"  # of the worker with this process
LOST = "SELECT count(*) FROM account WHERE was = 'held' AND became IN ('open', 'aside')"


def runs(variable):
    """How many: few in a short test, and as many as the variable says in a long one."""
    return int(os.environ.get(variable, "1"))


class Disturbed(Workers):
    expected = None  # table and games of one process

    def setUp(self):
        super().setUp()
        self.write("t.txt", TOURNAMENT)
        if Disturbed.expected is None:
            Disturbed.expected = self.undisturbed()
        self.krow("db", "info")
        self.sql(ACCOUNT)
        self.began = time.monotonic()

    def undisturbed(self):
        self.cluster.sql("CREATE DATABASE undisturbed")
        db = self.cluster.where("undisturbed")
        table = self.json("tournament", self.path("t.txt"), "-q", "--db", db)["table"]
        games = self.cluster.sql(GAMES, "undisturbed").splitlines()
        self.assertGreater(len(games), 50)
        return table, games

    def ask(self, *more, **how):
        return self.start("tournament", self.path("t.txt"), "--workers", "--json", "-q", "--lease", str(LEASE), "--unit", "1",
                          *more, **how)

    def played(self):
        return int(self.sql("SELECT count(*) FROM games"))

    def holds(self, worker):
        """Whether a worker has a unit, as the server sees it."""
        held = f"SELECT EXISTS (SELECT FROM units WHERE state = 'held' AND worker_id IN ({NUMBER.format(worker.pid)}))"
        return self.sql(held) == "t"

    def wait_for_share(self, share):
        """Until so much of the tournament is played."""
        wanted = share * len(self.expected[1])
        self.wait_for(lambda: self.played() >= wanted, f"no worker plays: {self.played()} games")

    def check_all(self, process):
        """Every unit and every game once, and the games and the table of the undisturbed run."""
        out, _ = self.end(process)
        table, games = self.expected
        self.assertEqual(json.loads(out)["table"], table)
        self.assertEqual(self.sql(GAMES).splitlines(), games)
        self.assertEqual(self.sql("SELECT count(*) FROM units WHERE state <> 'done'"), "0")
        # Units follow each other without a gap and without a game that two of them have.
        next_game = 0
        for row in self.sql("SELECT first_game, games FROM units ORDER BY first_game").splitlines():
            first, count = map(int, row.split("|"))
            self.assertEqual(first, next_game)
            next_game = first + count
        self.assertEqual(next_game, len(games))
        # Each was finished once, and never touched again.
        twice = "SELECT unit FROM account WHERE became = 'done' GROUP BY unit HAVING count(*) > 1"
        self.assertEqual(self.sql(twice), "")
        self.assertEqual(self.sql("SELECT count(*) FROM account WHERE was = 'done'"), "0")
        self.assertEqual(self.sql("SELECT sum(games) FROM account WHERE became = 'done'"), str(len(games)))

    def report(self, what, said):
        """For the log of the test: what has happened in this run."""
        refused = said.count("were reassigned to another worker")
        print(f"{what}: {self.sql(LOST)} leases lost, {refused} late results refused, {said.count('trying again')} times"
              f" a worker lost its connection; {time.monotonic() - self.began:.1f} s", file=sys.stderr, flush=True)

    def dismiss(self, workers):
        """Ends workers; what all of them said, those that are gone too."""
        for worker in workers:
            if worker.poll() is None:
                worker.terminate()
        return "".join(worker.communicate(timeout=200)[1] for worker in workers)
