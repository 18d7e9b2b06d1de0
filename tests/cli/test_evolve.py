"""krow evolve: the same seed gives the same result, also with several jobs and after a kill."""
import signal
import subprocess
import time

from krowtest import KROW, KrowTest, main, repeats

AGENT = ("evolve", "sequences:c=0", "--options", "c=0..3,width=1..8", "--game", "6x6:k=4")
SMALL = (*AGENT, "--generations", "3", "--population", "4", "--games", "2", "--check", "4", "--final", "6", "--openings",
         "10,random", "-q")


class Evolve(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = self.database("evolve.db")

    def result(self, *options):
        """Without what depends on the clock."""
        value = self.json(*options)
        for name in ("against_defaults", "against_start"):
            if value[name]:
                for field in ("ms_per_move", "late"):
                    value[name].pop(field, None)
        return value

    def test_fields(self):
        value = self.result(*SMALL, "--svg", self.path("curve.svg"))
        self.assertEqual((value["agent"], value["game"], value["algorithm"], value["seed"]),
                         ("sequences:c=0", "6x6:k=4", "genetic", 1))
        # 3 generations of 6 pairs with 2 games each.
        self.assertEqual((value["generations"], value["population"], value["games"]), (3, 4, 36))
        self.assertEqual(value["options"], [
            {"name": "c", "low": 0, "high": 3, "default": 1, "start": 0},
            {"name": "width", "low": 1, "high": 8, "default": 8, "start": 8}])
        self.assertEqual(len(value["estimates"]), 4)
        self.assertEqual(value["estimates"][0], {"c": 0, "width": 8})
        self.assertEqual([point["generation"] for point in value["curve"]], [1, 2, 3])
        self.assertEqual(value["curve"][-1]["games"], 4)
        last = value["estimates"][-1]
        self.assertEqual(value["curve"][-1]["values"], last)
        self.assertEqual(value["winner"], f"sequences:c={last['c']:.12g},width={last['width']}")
        self.assertEqual(value["against_defaults"]["agents"], [value["winner"], "sequences"])
        self.assertEqual(value["against_start"]["agents"], [value["winner"], "sequences:c=0"])
        self.assertEqual(value["against_defaults"]["games"], 6)
        self.assertIn("elo_error", value["against_defaults"])
        with open(self.path("curve.svg"), encoding="utf-8") as file:
            curve = file.read()
        for words in ("Evolution of sequences:c=0", "Score against the start", "width, from 1 to 8"):
            self.assertIn(words, curve)

    @repeats
    def test_spsa(self):
        options = (*AGENT, "--algorithm", "spsa", "--generations", "25", "--games", "2", "--check", "2", "--final", "2",
                   "--openings", "10,random", "-q", "--db", "none")
        value = self.result(*options)
        self.assertEqual((value["algorithm"], value["population"], value["games"]), ("spsa", 2, 50))
        # At most twenty points.
        self.assertEqual([point["generation"] for point in value["curve"]], [*range(2, 25, 2), 25])
        self.assertEqual(value, self.result(*options))
        self.assertNotEqual(value["estimates"], self.result(*options, "--seed", "2")["estimates"])

    def test_text(self):
        out, err = self.krow(*[word for word in SMALL if word != "-q"])
        self.assertIn("sequences:c=0, 6x6:k=4: genetic, 3 of 3 generations, 36 games of candidates, seed 1\n", out)
        self.assertRegex(out, r"\n    3  +[\d.]+ % \([\d.]+ to [\d.]+\)  c=[\d.]+,width=\d\n")
        self.assertRegex(out, r"\nwinner: sequences:c=[\d.]+,width=\d\nsequences:c=[\d.]+,width=\d against sequences, ")
        self.assertIn("Generation 3: c=", err)

    def test_a_run_is_not_stored_twice(self):
        value = self.result(*SMALL, "--jobs", "2")
        games = self.query("evolve.db", "SELECT count(*) FROM games")
        self.refused(*SMALL, words=["has the same settings", "--resume", "--again"], status=1)
        self.assertEqual(self.result(*SMALL, "--resume"), value)
        self.assertEqual(self.query("evolve.db", "SELECT count(*) FROM games"), games)
        self.assertNotEqual(self.result(*SMALL, "--again")["seed"], 1)

    def test_a_killed_run_continues(self):
        """Killed when it has stored some games, interrupted when it has more, and continued to the end."""
        longer = (*AGENT, "--generations", "4", "--population", "4", "--games", "4", "--openings", "10,random",
                  "--check", "4", "--final", "10", "-q")
        whole = self.result(*longer, "--db", self.database("whole.db"))
        for stop, least in ((signal.SIGKILL, 15), (signal.SIGINT, 60)):
            with subprocess.Popen([KROW, *longer, "--resume"], env=self.environment, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True) as process:
                while process.poll() is None and self.stored() < least:
                    time.sleep(0.01)
                process.send_signal(stop)
                process.communicate()
        self.settle()
        value = self.result(*longer, "--resume")
        self.assertEqual(value, whole)
        self.assertEqual(self.query("evolve.db", "SELECT count(*) FROM games"),
                         self.query("whole.db", "SELECT count(*) FROM games"))

    def stored(self):
        try:
            return int(self.query("evolve.db", "SELECT count(*) FROM games")[0])
        except Exception:  # the tables do not exist yet, or are locked
            return 0

    @repeats
    def test_workers(self):
        """Workers play the same games."""
        self.sign()
        value = self.result(*SMALL, "--db", self.database("alone.db"))
        with subprocess.Popen([KROW, "worker", "-q"], env=self.environment, stderr=subprocess.DEVNULL) as worker:
            try:
                self.assertEqual(self.result(*SMALL, "--workers"), value)
            finally:
                worker.terminate()

    def test_the_winner_may_be_the_defaults(self):
        value = self.json("evolve", "sequences", "--options", "width=7..8", "--game", "tictactoe", "--algorithm", "spsa",
                          "--generations", "1", "--games", "2", "--check", "2", "--final", "2", "--openings",
                          "2,random", "-q")
        self.assertEqual(value["winner"], "sequences:width=8")
        self.assertIsNone(value["against_defaults"])
        self.assertEqual(value["curve"][0]["games"], 0)

    def test_errors(self):
        for ranges, words in (
                ("", "no range is given; options of 'sequences' that are numbers: c (0 to 100), depth (0 to 64)"),
                ("x=0..1", "there is no option 'x'; numbers are: c (0 to 100)"),
                ("update=0..1", "option 'update' is not a number"),
                ("c=0..101", "option 'c': '101' is not a number from 0 to 100"),
                ("width=0.5..2", "option 'width': '0.5' is not a whole number from 0 to 4096"),
                ("c=3", "option 'c': '3' is not a range; write c=0..100"),
                ("c=2..2", "option 'c': the range 2..2 is empty"),
                ("c=0..1,c=0..2", "option 'c' has two ranges"),
                ("c=0..1,", "nothing follows the last comma")):
            self.refused("evolve", "sequences", "--options", ranges, words=words)
        some = ("--options", "c=0..3")
        self.refused("evolve", "exec:true", *some, words="the agent 'exec' has no options that are numbers")
        self.refused("evolve", "nobody", *some, words="no agent 'nobody'")
        self.refused("evolve", "sequences:name=S", *some, words="named by their options")
        self.refused("evolve", "sequences", *some, "--games", "3", words="--games: 3 is odd")
        self.refused("evolve", "sequences", *some, "--algorithm", "x", words="neither genetic nor spsa")
        self.refused("evolve", "sequences", *some, "--algorithm", "spsa", "--population", "8", words="two candidates")
        self.refused("evolve", "sequences", *some, "--db", "none", "--resume", words="--resume needs a database")
        self.refused("evolve", "sequences", *some, "--svg", self.path("no/x.svg"), words="cannot write", status=1)


if __name__ == "__main__":
    main()
