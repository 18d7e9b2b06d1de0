#!/usr/bin/env python3
"""Tests of the Python package: rules, games, players, exact values, threats and environments."""
import copy
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import unittest

import numpy as np

import krow

KROW = os.environ["KROW"]


def random_game(rules, seed, stones=None):
    rng, game = np.random.default_rng(seed), krow.Game(rules)
    while not game.is_over and (stones is None or len(game) < stones):
        game.play(int(rng.choice(game.legal_actions())))
    return game


class RulesTest(unittest.TestCase):
    def test_texts_and_numbers(self):
        rules = krow.Rules("connect6")
        self.assertEqual((rules.width, rules.height, rules.k, rules.p, rules.q), (19, 19, 6, 2, 1))
        self.assertEqual((rules.gravity, rules.exact, rules.actions, rules.cells), (False, False, 361, 361))
        self.assertEqual(rules, krow.Rules(width=19, height=19, k=6, p=2, q=1))
        self.assertEqual(hash(rules), hash(krow.Rules("19x19:k=6,p=2,q=1")))
        self.assertNotEqual(rules, krow.Rules("gomoku"))
        self.assertEqual(pickle.loads(pickle.dumps(rules)), rules)
        self.assertIn("connect4", rules.presets())
        for name, text in rules.presets().items():
            self.assertEqual(str(krow.Rules(name)), text)
        with self.assertRaisesRegex(krow.BadInput, "19x"):
            krow.Rules("19x")
        with self.assertRaises(AttributeError):
            rules.k = 5

    def test_actions_and_cells(self):
        rules = krow.Rules("30x5:k=4")
        for action in range(rules.actions):
            self.assertEqual(rules.action(rules.cell(action)), action)
        self.assertEqual(rules.cell(29), "ad1")
        self.assertEqual(rules.action("a2"), 30)
        gravity = krow.Rules("connect4")
        self.assertEqual([gravity.action(cell) for cell in ("a", "g", "d1", "d6")], [0, 6, 3, 3])
        self.assertEqual(gravity.cell(3), "d")
        for wrong in ("h1", "a7", "", "1a", "aa"):
            self.assertRaises(krow.BadInput, gravity.action, wrong)
        self.assertRaises(krow.BadInput, gravity.cell, 7)


class GameTest(unittest.TestCase):
    def test_playing(self):
        game = krow.Game("connect6")
        game.play("k10")
        self.assertEqual((game.side, game.stones_left, len(game)), (krow.SECOND, 2, 1))
        game.play_moves("j9 j10")
        self.assertEqual(game.moves, ["k10", "j9", "j10"])
        self.assertEqual(game.text, "k10 j9 j10")
        self.assertEqual(game.at("k10"), krow.FIRST)
        self.assertIsNone(game.at("a1"))
        with self.assertRaisesRegex(krow.BadInput, "taken"):
            game.play("j9")
        self.assertTrue(game.undo(2))
        self.assertFalse(game.undo(2))
        self.assertEqual(len(game), 0)

    def test_gravity(self):
        game = krow.Game("connect4")
        for move in ("d", "4", 3, "d4", np.int64(3)):
            game.play(move)
        self.assertEqual(game.moves, ["d1", "d2", "d3", "d4", "d5"])
        self.assertEqual(game.actions, [3] * 5)
        game.play("D")
        self.assertFalse(game.is_legal("d"))
        self.assertFalse(game.is_legal(3))
        self.assertTrue(game.is_legal("a1"))
        self.assertFalse(game.is_legal("a2"))
        with self.assertRaisesRegex(krow.BadInput, "full"):
            game.play(3)

    def test_results(self):
        game = krow.Game("tictactoe", "a1 a2 b1 b2")
        self.assertIsNone(game.result)
        game.play("c1")
        self.assertEqual((game.is_over, game.winner, game.result, game.stones_left), (True, krow.FIRST, "first", 0))
        self.assertEqual(game.winning_cells(), ["a1", "b1", "c1"])
        self.assertEqual(game.legal_actions(), [])
        drawn = krow.Game("tictactoe", "a1 b2 c3 a2 c2 c1 a3 b3 b1")
        self.assertEqual((drawn.result, drawn.winner), ("draw", None))

    def test_views_agree(self):
        for seed, rules in enumerate(("connect4", "7x5:k=4,p=2,q=1", "gomoku", "4x9:k=9,p=3,gravity")):
            game = random_game(rules, seed, stones=11)
            planes = game.observation()
            self.assertEqual(planes.shape, (3, game.rules.height, game.rules.width))
            legal = [game.rules.action(cell) for cell in game.legal_cells()]
            self.assertEqual(sorted(legal), game.legal_actions())
            for number, cell in enumerate(game.moves):
                row, column = int(cell[1:]) - 1, ord(cell[0]) - ord("a")
                self.assertEqual(planes[0 if game.at(cell) == game.side else 1, row, column], 1, number)
            self.assertEqual(planes[:2].sum(), 11)
            self.assertTrue((planes[2] == game.stones_left).all())
            self.assertEqual(str(game).count("X") + str(game).count("O"), 11)

    def test_copies(self):
        setup = krow.Game.from_fen("3/1X1/3 O 1", "tictactoe")
        setup.play("a1")
        for game in (random_game("connect4", 3, stones=9), setup, krow.Game("gomoku")):
            for twin in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
                self.assertEqual((twin.key, twin.text, twin.fen, twin.rules), (game.key, game.text, game.fen, game.rules))
                twin.play(twin.legal_actions()[0])
                self.assertNotEqual(twin.key, game.key)
                self.assertEqual(len(twin), len(game) + 1)

    def test_sgf(self):
        game = random_game("connect6", 4, stones=12)
        text = game.sgf("Ann", "Bob")
        self.assertIn("PB[Ann]", text)
        self.assertEqual(krow.Game.from_sgf(text).text, game.text)
        with self.assertRaisesRegex(krow.BadInput, "no game"):
            krow.Game.from_sgf("nothing")

    def test_the_program_agrees(self):
        for seed, rules in enumerate(("connect4", "9x9:k=4,p=2,exact", "6x5:k=3")):
            game = random_game(rules, seed)
            shown = json.loads(subprocess.run([KROW, "show", rules, game.text, "--json"], capture_output=True, text=True,
                                              check=True).stdout)
            self.assertEqual(shown["stones"], game.moves)
            self.assertEqual(shown["winner"], game.result)
            self.assertEqual(sorted(shown["line"]), sorted(game.winning_cells()))


class PlayerTest(unittest.TestCase):
    def test_agents(self):
        self.assertIn("engine", krow.Agent.names())
        game = krow.Game("connect6")
        agents = [krow.Agent("connect6", name, seed=5) for name in ("sequences", "random")]
        while not game.is_over:
            decision = agents[game.side].play(game, nodes=100)
            self.assertLessEqual(len(decision.stones), 2)
        self.assertEqual(game.winner, krow.FIRST)
        with self.assertRaisesRegex(krow.BadInput, "over"):
            agents[0].decide(game)
        with self.assertRaisesRegex(krow.BadInput, "nobody"):
            krow.Agent("gomoku", "nobody")
        with self.assertRaisesRegex(krow.BadInput, "rules"):
            agents[0].decide(krow.Game("gomoku"))
        self.assertEqual(krow.Agent("tictactoe").name, "engine")

    def test_seeds(self):
        game = krow.Game("gomoku")
        first, second = krow.Agent("gomoku", "random", seed=3), krow.Agent("gomoku", "random", seed=3)
        turns = [first.decide(game).stones for _ in range(5)]
        self.assertEqual(turns, [second.decide(game).stones for _ in range(5)])
        first.seed(3)
        self.assertEqual(turns[0], first.decide(game).stones)

    def test_engine(self):
        engine = krow.Engine("gomoku", memory=8)
        game = krow.Game("gomoku", "h8 a1 i8 a3 j8 a5")
        lines = engine.lines(game, 4, nodes=3000)
        self.assertEqual(len({line.stones[0] for line in lines}), 4)
        self.assertEqual((lines[0].proven, lines[0].chance), ("win", 1))
        self.assertEqual(sorted([line.score for line in lines], reverse=True), [line.score for line in lines])
        self.assertEqual(lines[0].line[0], lines[0].stones[0])
        self.assertIn(engine.move(game, nodes=1000).stones[0], ("g8", "k8"))
        for count in (0, 17):
            self.assertRaises(krow.BadInput, engine.lines, game, count)

    def test_limits(self):
        engine = krow.Engine("gomoku", memory=1)
        game = krow.Game("gomoku", "h8")
        for wrong in ({"seconds": -1}, {"nodes": 0}, {"depth": 2 ** 40}, {"seconds": float("nan")}):
            self.assertRaises(krow.BadInput, engine.move, game, **wrong)

    def test_stop_from_another_thread(self):
        """The search runs without the interpreter's lock, so that this thread can stop it."""
        agent = krow.Agent("gomoku", "engine:memory=1")
        game = krow.Game("gomoku", "h8 i9")
        found = []
        thread = threading.Thread(target=lambda: found.append(agent.decide(game, seconds=3000)))
        thread.start()
        agent.stop()
        thread.join(60)
        self.assertEqual(len(found), 1)
        agent.stop(False)
        self.assertEqual(len(agent.decide(game, nodes=100).stones), 1)

    def test_interrupt(self):
        """Ctrl-C ends a long search with KeyboardInterrupt."""
        code = ("import krow\nengine = krow.Engine('gomoku', memory=1)\n"
                "try:\n    print('go', flush=True)\n    engine.move(krow.Game('gomoku', 'h8 i9'), seconds=3000)\n"
                "except KeyboardInterrupt:\n    print('interrupted', len(engine.lines(krow.Game('gomoku'), 2, nodes=50)))\n")
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "go\n")
            process.send_signal(signal.SIGINT)
            output = process.communicate(timeout=60)[0]
        self.assertIn(output, ("interrupted 2\n", "interrupted 1\n"))


class ExactTest(unittest.TestCase):
    def test_values(self):
        self.assertEqual(krow.solve(krow.Game("tictactoe")).text, "draw")
        solver = krow.Solver("connect4", memory=8)
        self.assertTrue(solver.has_scores)
        game = krow.Game("connect4", "2252576253462244111563")
        value = solver.value(game)
        self.assertTrue(value.is_known)
        cells = solver.cells(game)
        self.assertEqual(sorted(cells), sorted(game.legal_cells()))
        self.assertEqual(max(cell.low for cell in cells.values()), value.low)
        unknown = krow.Solver("6x6:k=5", memory=1).value(krow.Game("6x6:k=5"), nodes=10)
        self.assertEqual((unknown.is_known, unknown.text), (False, "unknown"))
        with self.assertRaises(krow.KrowError):
            krow.Solver("connect6")

    def test_regret(self):
        oracle = krow.Oracle("tictactoe", memory=1)
        game = krow.Game("tictactoe", "b2 b1 a1 c1")  # c3 wins for X at once, a2, c2 and a3 win later
        best = [game.rules.action(cell) for cell in ("a2", "c2", "a3", "c3")]
        self.assertEqual(sorted(oracle.best(game)), sorted(best))
        self.assertEqual([oracle.regret(game, cell) for cell in ("c3", "a2", "b3")], [0, 0, 1])
        self.assertEqual(oracle.outcomes(game)[game.rules.action("b3")], 0)
        whole = krow.Game("tictactoe", "b2 b1 a1 c3 a3 c1 a2")
        self.assertEqual([stone.regret for stone in oracle.review(whole)], [0, 1, 0, 0, 0, 0, 0])
        self.assertEqual([stone.side for stone in oracle.review(whole)], [0, 1, 0, 1, 0, 1, 0])
        with self.assertRaises(krow.BadInput):
            oracle.regret(game, "b2")

    def test_other_rules(self):
        """Empty boards of different rules have the same key."""
        oracle = krow.Oracle("tictactoe")
        oracle.scores(krow.Game("tictactoe"))
        with self.assertRaisesRegex(krow.BadInput, "the game has the rules 3x3:k=3,gravity"):
            oracle.scores(krow.Game("3x3:k=3,gravity"))

    def test_what_is_no_game(self):
        agent, engine, oracle = krow.Agent("tictactoe", "random"), krow.Engine("tictactoe"), krow.Oracle("tictactoe")
        for call in (krow.threats, krow.immediate_wins, krow.solve, krow.Solver("tictactoe").value, agent.decide, agent.play,
                     engine.move, engine.lines, oracle.scores, oracle.review,
                     lambda game: krow.VectorEnv("tictactoe", 1).set_game(0, game)):
            for wrong in ("a1", None, 3):
                self.assertRaisesRegex(TypeError, "a position must be a Game, not", call, wrong)

    def test_perfect_play_has_no_regret(self):
        oracle = krow.Oracle("tictactoe", memory=1)
        rng = np.random.default_rng(1)
        perfect = krow.Agent("tictactoe", "perfect")
        at_random = lambda game: int(rng.choice(game.legal_actions()))
        self.assertEqual(oracle.mean_regret(lambda game: perfect.decide(game).stones[0], at_random, 10), 0)
        self.assertGreater(oracle.mean_regret(at_random, at_random, 20), 0)

    def test_scores_say_how_soon(self):
        oracle = krow.Oracle("connect4", memory=8)
        game = krow.Game("connect4", "112233" + "77665")
        review = oracle.review(krow.Game("connect4", game.text + " a"))
        self.assertEqual(review[-1].cell, "a3")
        self.assertTrue(any(stone.slower > 0 for stone in review))


class ThreatsTest(unittest.TestCase):
    def test_threats(self):
        game = krow.Game("gomoku", "h8 a1 i8 a3 j8 a5 k8")
        first, second = krow.threats(game)
        self.assertEqual(first.windows, [["g8", "h8", "i8", "j8", "k8"], ["h8", "i8", "j8", "k8", "l8"]])
        self.assertEqual((first.stones_needed, first.answers, second.windows), (2, [], []))
        one = krow.threats(krow.Game("gomoku", "h8 g8 i8 a3 j8 a5 k8"))[0]
        self.assertEqual((one.stones_needed, one.answers, one.is_truncated), (1, [["l8"]], False))
        self.assertEqual(krow.immediate_wins(krow.Game("gomoku", "h8 g8 i8 a3 j8 a5 k8 a7")), ["l8"])
        self.assertEqual(krow.immediate_wins(krow.Game("gomoku")), [])


class VectorEnvTest(unittest.TestCase):
    def test_games_agree(self):
        """Every game of the environment is played beside a Game."""
        for rules in ("connect4", "5x4:k=3,p=2,q=1"):
            env = krow.VectorEnv(rules, 7, auto_reset=False, seed=3)
            games = [krow.Game(rules) for _ in range(7)]
            while not env.over.all():
                actions = env.random_actions()
                reward, ended = env.step(actions)
                for i, game in enumerate(games):
                    if actions[i] >= 0:
                        game.play(int(actions[i]))
                        self.assertEqual(bool(ended[i]), game.is_over)
                        self.assertEqual(reward[i], float(game.winner is not None))
                    self.assertEqual(env.game(i).text, game.text)
                    self.assertTrue((env.legal_mask[i] == game.legal_mask()).all())
                    self.assertEqual((env.side[i], env.stones_left[i], env.played[i]),
                                     (game.side, game.stones_left, len(game)))
                for dtype in (np.uint8, np.float32):
                    self.assertTrue((env.observation(dtype=dtype) == [game.observation() for game in games]).all())
            self.assertEqual([None if w == 2 else w for w in env.winner], [game.winner for game in games])

    def test_random_games_have_known_results(self):
        """In random games of Connect Four the first player wins 55.6 % and draws are rare."""
        env = krow.VectorEnv("connect4", 5000, auto_reset=False, seed=1)
        while not env.over.all():
            env.step(env.random_actions())
        self.assertAlmostEqual((env.winner == 0).mean(), 0.556, delta=0.03)
        self.assertLess((env.winner == 2).mean(), 0.01)

    def test_reset(self):
        env = krow.VectorEnv("connect4", 100, seed=2)
        ended = 0
        for _ in range(60):
            ended += env.step(env.random_actions())[1].sum()
        self.assertGreater(ended, 100)
        self.assertFalse(env.over.any())
        env.reset(np.arange(100) < 50)
        self.assertEqual(env.played[:50].sum(), 0)
        env.set_game(60, krow.Game("connect4", "4453"))
        self.assertEqual((env.played[60], env.game(60).text), (4, "d1 d2 e1 c1"))
        env.reset()
        self.assertEqual(env.played.sum(), 0)

    def test_arrays_are_views(self):
        env = krow.VectorEnv("gomoku", 4)
        mask, played = env.legal_mask, env.played
        env.step(np.full(4, 7))
        self.assertFalse(mask[:, 7].any())
        self.assertEqual(played.tolist(), [1] * 4)
        for array in (mask, played, env.side, env.winner, env.reward):
            self.assertRaises(ValueError, array.__setitem__, 0, 0)
            self.assertRaises(ValueError, array.setflags, write=True)
        out = np.zeros((4, 3, 15, 15), np.float32)
        self.assertIs(env.observation(out), out)
        self.assertEqual(out.sum(), 4 * 225 + 4)
        del env
        gc.collect()
        others = [krow.VectorEnv("gomoku", 4) for _ in range(20)]
        self.assertEqual((played.tolist(), mask.sum()), ([1] * 4, 4 * 224))
        self.assertEqual(len(others), 20)

    def test_refusals(self):
        env = krow.VectorEnv("connect4", 3)
        with self.assertRaisesRegex(krow.BadInput, "game 1"):
            env.step([0, 9, 0])
        self.assertEqual(env.played.sum(), 0)
        for wrong in ([0, 0], [[0, 0, 0]], [2 ** 40, 0, 0], [-1, 0, 0]):
            self.assertRaises(krow.BadInput, env.step, wrong)
        for wrong in ([0.5, 0, 0], [True, False, True], ["a", "b", "c"]):
            self.assertRaises(TypeError, env.step, wrong)
        for wrong in (np.zeros((3, 3, 6, 7)), np.zeros((3, 3, 6, 8), np.uint8), np.zeros((3, 3, 6, 14), np.uint8)[..., ::2]):
            self.assertRaises(krow.BadInput, env.observation, wrong)
        for wrong in (0, -1, 2 ** 21):
            self.assertRaises(krow.BadInput, krow.VectorEnv, "connect4", wrong)
        self.assertRaises(krow.BadInput, env.reset, [True])
        self.assertRaises(krow.BadInput, env.game, 3)
        self.assertRaises(krow.BadInput, env.set_game, 0, krow.Game("gomoku"))


if __name__ == "__main__":
    unittest.main()
