"""Matches between engines: settings, faults, logs, and everything else that a match manager does."""
import os
import re
import shutil
import sys
import time

from krowtest import KrowTest, main, repeats

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from engine_kinds import IN_A_GAME  # noqa: E402

FAKE = os.path.abspath(os.environ.get("FAKE_ENGINE", "build/release/tests/fake_engine"))


def programs_of(path):
    """The processes whose command line contains a path."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if path.encode() in file.read():
                    found.append(pid)
        except OSError:
            pass  # it has ended
    return found


class Engines(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = "none"


class Faults(Engines):
    @repeats
    def test_no_engine_hangs_or_outlives_a_match(self):
        """Each engine plays one game; every fault has its reason, and at the end no process is left."""
        engine = shutil.copy(FAKE, self.path("engine"))
        # A short time only for engines that exceed it: the others must not, however busy the machine is.
        agents = "".join(f"agent exec:{kind.command(engine)},name={kind.mode},time={0.3 if kind.fault == 'timeout' else 60}\n"
                         for kind in IN_A_GAME)
        event = self.write("event", f"game gomoku\nagent random\n{agents}format gauntlet\ngames 1\nturns 20\n")
        self.assertEqual(programs_of(engine), [])
        value = self.json("tournament", event, "--jobs", "4", "-q")
        end = time.monotonic() + 10  # a killed process disappears when its parent has noticed it
        while programs_of(engine) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(programs_of(engine), [])
        self.assertEqual(value["games"], len(IN_A_GAME))
        reasons = {fault["agent"]: fault["reason"] for fault in value["fault_list"]}
        counts = {agent["name"]: agent["faults"] for agent in value["agents"]}
        for kind in IN_A_GAME:
            with self.subTest(kind.mode):
                self.assertEqual(counts[kind.mode], {fault: int(fault == kind.fault) for fault in counts[kind.mode]})
                self.assertIn(kind.words, reasons.get(kind.mode, ""))


class Players(Engines):
    def engine(self, settings="", arguments="gomocup"):
        return f"exec:'{FAKE}'{settings} {arguments}"

    def test_names_and_limits(self):
        """A name stands in tables, files and the database; limits of a player replace those of the match."""
        self.environment["KROW_DB"] = self.path("names.db")
        log = self.path("log")
        match = ("match", self.engine(",name='The Fake',time=9,nodes=77,threads=2,memory=100,option.Hash=64"),
                 "random:name=R,depth=2", "--games", "2", "--turns", "6", "--time", "5", "--nodes", "5")
        self.krow(*match, "-q", "--log", log, "--sgf", self.path("g.sgf"), "--pgn", self.path("g.pgn"), "--no-sandbox")
        with open(log, encoding="utf-8") as file:
            said = file.read()
        for line in ("> INFO timeout_turn 9000", "> INFO max_node 77", "> INFO thread_num 2",
                     "> INFO max_memory 104857600", "> INFO Hash 64", "< OK"):
            self.assertRegex(said, r"(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} The Fake\[\d+\] " + line + "$")
        self.assertNotIn("R[", said)
        for name, words in (("g.sgf", ["PB[The Fake]", "PW[R]", "DT[20", ";B["]),
                            ("g.pgn", ['[White "The Fake"]', '[Date "20'])):
            with open(self.path(name), encoding="utf-8") as file:
                text = file.read()
            for word in words:
                self.assertIn(word, text)
        value = self.json("ratings", "--game", "gomoku")
        self.assertEqual({agent["name"] for agent in value["agents"]}, {"The Fake", "R"})
        self.assertIn("DT[20", self.krow("export", "--match", "1", "--format", "sgf")[0])
        self.assertNotIn("DT[", self.krow("export", "--match", "1", "--format", "sgf", "--no-times")[0])

    def test_wrong_settings(self):
        self.refused("match", "exec:./e,nmae=E", "random", words=["'nmae' is not a setting", "quote a comma"])
        self.refused("match", "random:time=x", "random", words="time: 'x' is not a number of seconds")
        self.refused("match", self.engine(",protocol=gomocup"), "random", "--game", "connect6",
                     words="its protocol is set to gomocup")


class Files(Engines):
    def test_a_match_file(self):
        """Options replace what the file says."""
        path = self.write("match", "\ufeffgame 7x7:k=4\nagent random:name=A\nagents adjacent\ngames 4\nsprt 0 10\n")
        value = self.json("match", path, "--games", "2", "-q")
        self.assertEqual((value["agents"], value["game"], value["games"]), (["A", "adjacent"], "7x7:k=4", 2))
        self.assertEqual((value["sprt"], value["sprt_model"]), ("running", "normalised"))
        self.refused("match", "random", words="two agents are needed: krow match A B")
        self.refused("match", self.path("none"), words="No such file", status=1)
        self.refused("match", self.write("three", "agents random random random\n"), words="a match has two agents, not 3")
        self.refused("match", self.write("bad", "games 2\norder up\n"), words=["line 2", "'up' is neither"])

    def test_sprt(self):
        def llr(sprt):
            return self.json("match", "adjacent", "random", "--game", "7x7:k=4", "--games", "60", "-q", "--sprt", sprt)
        strict, loose = llr("0,400,alpha=0.000001,beta=0.000001,model=logistic"), llr("0,400,alpha=0.2,beta=0.2,model=logistic")
        self.assertEqual((strict["sprt_model"], strict["games"]), ("logistic", 60))
        self.assertLess(loose["games"], 60)
        self.assertIn("logistic Elo: LLR", self.krow("match", "random", "adjacent", "--game", "tictactoe", "--games", "4", "-q",
                                                    "--sprt", "0,5,model=logistic")[0])
        for wrong in ("5,1", "0,5,alpha=2", "0,5,model=x", "0"):
            self.refused("match", "adjacent", "random", "--sprt", wrong, words=f"--sprt: '{wrong}' is not E0,E1")

    def test_openbench(self):
        out, _ = self.krow("match", "adjacent:name=A", "random:name=B", "--game", "tictactoe", "--games", "8", "--sprt", "0,50",
                           "--openbench", "-q", "--nodes", "10")
        self.assertRegex(out, r"(?s)^Test  \| A vs B \(3x3:k=3\)\nElo   \| .*\nSPRT  \| 10 nodes\nLLR   \| .* \[0.00, 50.00\]"
                              r" normalised\nGames \| N: \d+ W: \d+ L: \d+ D: \d+\nPenta \| \[\d, \d, \d, \d, \d\]\n$")

    def openings_of(self, *options):
        """The first stones of each game, in order."""
        log = self.path("games.sgf")
        self.krow("match", "random", "random", "--games", "6", "--sgf", log, "-q", *options)
        with open(log, encoding="utf-8") as file:
            games = file.read().split("(;FF")[1:]
        return [re.findall(r";[BW]\[(..)\]", game)[0] for game in games]

    def test_order_and_start_of_openings(self):
        """Openings of plain cells, one per line."""
        path = self.write("o.txt", "a1 b2\nb1 c3\nc1, d4\n")
        first = ["ao", "ao", "bo", "bo", "co", "co"]
        self.assertEqual(self.openings_of("--openings", path), first)
        self.assertEqual(self.openings_of("--openings", path, "--start", "3"), first[4:] + first[:4])
        orders = {tuple(self.openings_of("--openings", path, "--order", "random", "--seed", str(seed))) for seed in range(8)}
        self.assertGreater(len(orders), 1)
        self.assertEqual({frozenset(order) for order in orders}, {frozenset(first)})
        self.refused("match", "random", "random", "--openings", path, "--start", "4", words="there is no opening 4; there are 3")
        self.refused("match", "random", "random", "--order", "random", words="needs openings")

    def test_balanced_openings(self):
        """They are kept; a game without enough of them has random ones."""
        match = ("match", "random", "adjacent", "--game", "7x7:k=4,exact", "--games", "4", "--openings", "2")
        folder = self.home + "/.cache/krow"
        self.environment.pop("XDG_CACHE_HOME", None)
        self.krow(*match)
        kept, = os.listdir(folder)
        with open(folder + "/" + kept, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(len(text.splitlines()), 2)
        # What is kept is used, unless it is damaged.
        with open(folder + "/" + kept, "w", encoding="utf-8") as file:
            file.write("d4 d5 d6\nd4 e5 f6\n")
        self.krow(*match, "-q", "--sgf", self.path("g.sgf"))
        with open(self.path("g.sgf"), encoding="utf-8") as file:
            self.assertEqual(file.read().count(";B[dd];W[dc];B[db]"), 2)
        with open(folder + "/" + kept, "w", encoding="utf-8") as file:
            file.write("d4 d5 d6\nd4 d4\n")
        self.krow(*match, "-q")
        with open(folder + "/" + kept, encoding="utf-8") as file:
            self.assertEqual(file.read(), text)
        _, err = self.krow("match", "random", "adjacent", "--game", "tictactoe", "--games", "2", "--openings", "8")
        self.assertIn("The openings are random: only", err)


class Adjudication(Engines):
    """Games of the engine, whose scores both sides agree about, against itself."""
    LOST = "h8 a1 i8 c1 h9 e1\n"  # the second player has wasted three stones

    def play(self, *options, opening=LOST):
        opening = self.write("o.txt", opening)
        return self.json("match", "engine:book=0,exact=0,name=A", "engine:book=0,exact=0,name=B", "--openings", opening, "--games", "2",
                         "--nodes", "300", "-q", *options)

    def test_resignation(self):
        value = self.play("--resign", "1,1")
        self.assertEqual(value["adjudicated"], {"won": 2, "drawn": 0})
        self.assertEqual((value["as_first"]["wins"], value["as_second"]["losses"]), (1, 1))
        self.assertEqual(self.play("--turns", "12")["adjudicated"], {"won": 0, "drawn": 0})

    def test_draws_and_players_without_a_score(self):
        """A score of any size is level if the limit is large; ratings of cells are no scores."""
        self.assertEqual(self.play("--draw", "1,100000,4", "--game", "connect4", opening="d1 d2\n")["adjudicated"], {"won": 0, "drawn": 2})
        value = self.json("match", "random", "adjacent", "--games", "2", "--turns", "20", "--draw", "1,100000", "--resign", "1,0",
                          "-q")
        self.assertEqual(value["adjudicated"], {"won": 0, "drawn": 0})

    def test_wrong_rules(self):
        self.refused("match", "random", "random", "--resign", "4", words="--resign: '4' is not TURNS,SCORE")
        self.refused("match", "random", "random", "--draw", "0,1", words="--draw: '0,1' is not TURNS,SCORE")


if __name__ == "__main__":
    main()
