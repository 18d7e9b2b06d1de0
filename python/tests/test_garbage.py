#!/usr/bin/env python3
"""Random arguments of every kind: the package raises exceptions and never crashes."""
import os
import random
import unittest
import warnings

import numpy as np

import krow
from krow import openspiel, pettingzoo

STEPS = int(os.environ.get("KROW_TEST_STEPS", "6000"))
WORDS = ["h8", "a1", "d", "4", "zz99", "", "\0", "a\0b", "\ud800", "é", "x" * 5000, "gomoku", "connect4", "7x6:k=4,gravity",
         "0x0:k=0", "64x64:k=64", "99999999999999999999x1:k=1", "engine:threads=-1", "random", "3/1X1/3 O 1",
         "(;FF[4]GM[4]SZ[3];B[aa])", "(;" * 50, "h8 i9 j10", "1 2 3", "-1", "%s%n", "\n", " "]
EXPECTED = (krow.KrowError, TypeError, ValueError, OverflowError, IndexError)


def garbage(rng):
    """A value that hardly any function expects."""
    return rng.choice([
        lambda: rng.choice(WORDS), lambda: rng.randrange(-5, 300), lambda: rng.choice([2 ** 31, -2 ** 31 - 1, 2 ** 64, 1e300]),
        lambda: rng.choice([None, True, False, float("nan"), float("inf"), -0.5, b"h8", (), [], {}, object()]),
        lambda: np.zeros(rng.randrange(6), rng.choice([np.int32, np.int64, np.float32, np.bool_, np.uint8])),
        lambda: np.zeros((4, 3, 6, 7), rng.choice([np.uint8, np.float32, np.float64])),
        lambda: np.int64(rng.randrange(-3, 60)), lambda: krow.Rules(rng.choice(["tictactoe", "connect4"])),
        lambda: krow.Game(rng.choice(["tictactoe", "connect4", "gomoku"])),
    ])()


def functions(rng):
    """Objects in some state, and their methods with the number of arguments."""
    game = krow.Game("connect4" if rng.random() < 0.5 else "7x7:k=4,p=2,q=1")
    for _ in range(rng.randrange(20)):
        if not game.is_over:
            game.play(rng.choice(game.legal_actions()))
    env = krow.VectorEnv("connect4", 4, auto_reset=rng.random() < 0.5)
    oracle, aec, state = krow.Oracle("tictactoe", memory=1), pettingzoo.env("tictactoe"), openspiel.load_game(
        "tictactoe").new_initial_state()
    return [
        (krow.Rules, 1), (krow.Game, 2), (krow.Game.from_fen, 2), (krow.Game.from_sgf, 2), (krow.VectorEnv, 2),
        (game.play, 1), (game.play_moves, 1), (game.undo, 1), (game.at, 1), (game.is_legal, 1), (game.sgf, 2),
        (game.rules.cell, 1), (game.rules.action, 1), (game.rules._parse, 1), (krow.threats, 1),
        (krow.immediate_wins, 1), (env.step, 1), (env.reset, 1), (env.observation, 2), (env.game, 1), (env.set_game, 2),
        (env.seed, 1), (oracle.regret, 2), (oracle.scores, 1), (oracle.review, 1), (aec.reset, 1), (aec.step, 1),
        (aec.observe, 1), (state.apply_action, 1), (state.undo_action, 2), (state.action_to_string, 2),
        (state.observation_tensor, 1), (state.string_to_action, 1), (state.get_game().deserialize_state, 1),
    ]


class GarbageTest(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")  # numpy's, about arrays in the place of numbers

    def test_functions(self):
        rng, calls, failures = random.Random(1), 0, 0
        while calls < STEPS:
            for function, most in functions(rng):
                arguments = [garbage(rng) for _ in range(rng.randrange(most + 1))]
                calls += 1
                try:
                    function(*arguments)
                except EXPECTED:
                    failures += 1
        self.assertGreater(failures, STEPS // 4)

    def test_numbers_of_rules(self):
        rng = random.Random(2)
        for _ in range(STEPS // 4):
            numbers = {name: rng.choice([garbage(rng), rng.randrange(-1, 70)])
                       for name in ("width", "height", "k", "p", "q", "gravity", "exact")}
            try:
                rules = krow.Rules(**numbers)
            except EXPECTED:
                continue
            self.assertEqual(krow.Rules(str(rules)), rules)
            krow.Game(rules).play(0)

    def test_players(self):
        """Limits and options that make no sense."""
        rng = random.Random(3)
        engine, agent = krow.Engine("tictactoe", memory=1), krow.Agent("tictactoe", "random")
        solver = krow.Solver("tictactoe", memory=1)
        for _ in range(STEPS // 20):
            game = garbage(rng) if rng.random() < 0.3 else krow.Game("tictactoe", "b2")
            wrong = {rng.choice(["seconds", "nodes", "depth"]): garbage(rng)}
            for call in (lambda: engine.lines(game, rng.choice([2, garbage(rng)]), nodes=50),
                         lambda: agent.decide(game, **wrong), lambda: solver.value(game, nodes=garbage(rng)),
                         lambda: krow.Agent(garbage(rng), rng.choice(["random", garbage(rng)])),
                         lambda: krow.Engine("tictactoe", threads=garbage(rng), memory=rng.choice([1, garbage(rng)]))):
                try:
                    call()
                except EXPECTED:
                    pass


if __name__ == "__main__":
    unittest.main()
