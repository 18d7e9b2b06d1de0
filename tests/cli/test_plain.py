"""What makes sense only without sanitizers: speed, and krow under the memory limit of a foreign engine."""
from krowtest import KROW, KrowTest, main


class Bench(KrowTest):
    def test_json(self):
        value = self.json("bench", "--time", "0.001")
        self.assertRegex(value["signature"], r"^[0-9a-f]{16}$")
        names = {result["name"] for result in value["benchmarks"]}
        for name in ("random/gomoku", "random/connect6", "random/connect4", "perft/connect4/9", "perft/gomoku/3"):
            self.assertIn(name, names)
            self.assertIn(name + "/naive", names)
        for name in ("montecarlo/games", "montecarlo/games/naive", "search/adjacent", "search/marks"):
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


if __name__ == "__main__":
    main()
