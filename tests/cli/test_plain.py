"""Tests that need a build without sanitizers: speed, long sampling, and krow under the memory limit of external engines."""
from krowtest import FLEET, KROW, KrowTest, main


class Bench(KrowTest):
    def test_json(self):
        value = self.json("bench", "--time", "0.001")
        self.assertRegex(value["signature"], r"^[0-9a-f]{16}$")
        names = {result["name"] for result in value["benchmarks"]}
        for name in ("random/gomoku", "random/connect6", "random/connect4", "perft/connect4/9", "perft/gomoku/3"):
            self.assertIn(name, names)
            self.assertIn(name + "/naive", names)
        for name in ("montecarlo/games", "montecarlo/games/naive", "search/adjacent", "search/marks",
                     "sequences/turn", "sequences/turn/rescan", "book/build", "book/lookup",
                     "influence/turn", "influence/turn/plain", "pattern/apart", "pattern/opposed", "pattern/near",
                     "pattern/middle", "pattern/far", "pattern/kind", "pattern/too_high", "forcing/search",
                     "forcing/search/fours", "alphabeta/nodes", "alphabeta/order", "alphabeta/order/time",
                     "potential/stone", "potential/stone/plain", "solve/late",
                     "solve/late/plain", "solve/early", "field/gomoku", "field/gomoku/plain", "field/connect6",
                     "field/connect6/plain", "thinker/gomoku", "thinker/gomoku/threads", "thinker/connect6",
                     "thinker/connect6/threads"):
            self.assertIn(name, names)
        for result in value["benchmarks"]:
            self.assertGreater(result["value"], 0)

    def test_positions(self):
        """Rows that win, and two positions without anything; then files that are wrong."""
        stones = "j10,a1,a2,i10,k10,s1,s2,j11,i11,a19,s19"
        lines = ["# a remark", "a black win_in_turns=3 move=? | " + stones,
                 "b white none - | j10", "c black none - | j10,a1,a2"]
        value = self.json("bench", "--positions", self.write("positions", "\n".join(lines) + "\n"))
        self.assertEqual((value["positions"], value["wins"], value["proven"], value["same_turns"]), (3, 1, 1, 1))
        self.assertEqual((value["more"], value["none"], value["refuted"]), (0, 2, 0))
        self.assertGreater(value["nodes"], 0)
        self.assertGreater(value["checked"], 0)
        paper = value["conservative"]
        self.assertEqual([paper[key] for key in ("found", "same_turns", "more", "refuted", "open")], [1, 1, 0, 0, 0])
        self.assertGreater(paper["nodes"], 0)
        self.assertGreaterEqual(paper["longest_ms"], paper["median_ms"])
        out, _ = self.krow("bench", "--positions", self.path("positions"))
        self.assertIn("proven      1 of 1 known wins (100.0 %)", out)
        self.assertIn("found       1 of 1 known wins (100.0 %)", out)
        value = self.json("bench", "--positions", self.path("positions"), "--singles", "1", "--time", "0.2")
        self.assertEqual((value["proven"], value["singles"], value["none"], value["refuted"]), (1, 0, 0, 0))
        self.refused("bench", "--positions", self.path("positions"), "--singles", "5", words="singles")
        self.write("empty", "# nothing\n")
        self.refused("bench", "--positions", self.path("empty"), words="has no positions")
        for line, words in (("a black none -", "expected ID SIDE"), ("a red none - | j10", "neither black nor white"),
                            ("a black none - | j10", "the other side"), ("a white win_in_turns=x - | j10", "'x'"),
                            ("a white none - | z99", "z99")):
            self.refused("bench", "--positions", self.write("wrong", "# one\n" + line + "\n"), words=[words, "wrong': line 2: "])
        self.refused("bench", "--positions", self.path("nowhere"), words="nowhere", status=1)


class Fleet(KrowTest):
    program = FLEET

    def test_simulate(self):
        """Many workers simulated: the same numbers each time, and words for what is wrong."""
        asked = ["simulate", "workers=50,slots=2,minutes=2,loss=5,pause=10"]
        value = self.json(*asked)
        self.assertEqual(value, self.json(*asked))
        self.assertGreater(value["games"], 1000)
        self.assertEqual(value["aside"], 0)
        self.assertGreater(value["losses"], 0)
        self.assertGreater(value["seconds"], value["ideal"])
        for field in ("busy", "busy_last", "cpu", "cpu_peak", "disk"):
            self.assertTrue(0 <= value[field] <= 1.001, field)
        out, _ = self.krow(*asked)
        self.assertIn(f"{value['units']}, ", out)
        self.refused("simulate", "workers=0", words=["simulate", "workers"])
        self.refused("simulate", "wokers=5", words=["simulate", "wokers"])
        self.refused("simulate", "workers=100000,slots=1024", words="slots")
        self.refused("simulate", "shared=1,loss=1", words="shared")
        self.refused("load", "count=1", words="--db")
        self.refused("load", "kind=nonsense", "--db", self.path("x.db"), words=["load", "kind"])


class OneAgainstItself(KrowTest):
    def test_krow_plays_krow_in_both_protocols(self):
        for protocol, game in (("gomocup", "gomoku"), ("ugi", "connect6"), ("ugi", "connect4")):
            value = self.json("match", f"exec:{KROW} engine --protocol {protocol} --agent adjacent", "random", "--game", game,
                              "--games", "4", "-q", "--no-sandbox")
            self.assertEqual(value["games"], 4)
            self.assertEqual(sum(sum(faults.values()) for faults in value["faults"].values()), 0)


class Reproduce(KrowTest):
    def test_a_round_robin_of_all_agents(self):
        """Here for its random games, which take minutes under sanitizers."""
        rows = self.json("reproduce", "000/roundrobin", "--scale", "1e-9", "--jobs", "2", "--db", "none",
                         "-q")["tables"][0]["rows"]
        self.assertEqual([row["n"] for row in rows], [14] * 8 + [2] * 28)
        self.assertAlmostEqual(sum(row["measured"] for row in rows[:8]), 4)


if __name__ == "__main__":
    main()
