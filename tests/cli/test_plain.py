"""What makes sense only without sanitizers: speed, long sampling, and krow under the memory limit of a foreign engine."""
from krowtest import KROW, KrowTest, main


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
                     "influence/turn", "influence/turn/plain"):
            self.assertIn(name, names)
        for result in value["benchmarks"]:
            self.assertGreater(result["value"], 0)


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
