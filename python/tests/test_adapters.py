#!/usr/bin/env python3
"""Tests of the adapters: they follow the conventions of PettingZoo's AEC interface and of OpenSpiel."""
import importlib
import sys
import types
import unittest

import numpy as np

import krow
from krow import openspiel, pettingzoo

RULES = ("tictactoe", "connect4", "5x5:k=4,p=2,q=1")


class PettingZooTest(unittest.TestCase):
    def play(self, environment, seed):
        """A random game by the interface alone; returns the sums of the rewards."""
        environment.reset(seed=seed)
        total, acted, twin = dict.fromkeys(environment.possible_agents, 0.0), [], krow.Game(environment.rules)
        for agent in environment.agent_iter():
            observation, reward, termination, truncation, info = environment.last()
            self.assertTrue(environment.observation_space(agent)["observation"].contains(observation["observation"]))
            self.assertTrue(environment.observation_space(agent)["action_mask"].contains(observation["action_mask"]))
            self.assertEqual((truncation, info), (False, {}))
            self.assertEqual(termination, twin.is_over)
            total[agent] += reward
            action = None
            if not termination:
                self.assertEqual(agent, f"player_{twin.side}")
                self.assertEqual(np.flatnonzero(observation["action_mask"]).tolist(), twin.legal_actions())
                self.assertTrue((observation["observation"] == twin.observation()).all())
                other = environment.observe(f"player_{1 - twin.side}")
                self.assertTrue((other["observation"][[1, 0]] == observation["observation"][:2]).all())
                self.assertFalse(other["action_mask"].any())
                action = environment.action_space(agent).sample(observation["action_mask"])
                self.assertTrue(environment.action_space(agent).contains(action))
                twin.play(action)
                acted.append(action)
            environment.step(action)
        self.assertEqual((environment.agents, environment.num_agents, twin.is_over), ([], 0, True))
        expected = [0.0, 0.0] if twin.winner is None else [1.0, -1.0] if twin.winner == 0 else [-1.0, 1.0]
        self.assertEqual([total["player_0"], total["player_1"]], expected)
        return acted

    def test_games(self):
        for rules in RULES:
            environment = pettingzoo.env(rules)
            games = [self.play(environment, seed) for seed in range(8)]
            self.assertEqual(games[3], self.play(environment, 3))
            self.assertGreater(len({tuple(game) for game in games}), 4)

    def test_refusals(self):
        environment = pettingzoo.env("tictactoe", render_mode="ansi")
        self.assertRaises(krow.BadInput, environment.step, 0)
        environment.reset()
        self.assertRaises(krow.BadInput, environment.step, None)
        self.assertRaises(krow.BadInput, environment.step, 9)
        self.assertEqual(environment.render(), ". . .\n. . .\n. . .")
        self.assertRaises(krow.BadInput, pettingzoo.env, "tictactoe", "human")
        for action in (0, 3, 1, 4, 2):
            environment.step(action)
        self.assertEqual(environment.rewards, {"player_0": 1.0, "player_1": -1.0})
        self.assertRaises(krow.BadInput, environment.step, 5)

    def test_installed_packages_are_used(self):
        """With PettingZoo installed, environments are instances of its class."""
        class Base:
            """Stands for pettingzoo.AECEnv."""

        sys.modules["pettingzoo"] = types.SimpleNamespace(AECEnv=Base)
        try:
            importlib.reload(pettingzoo)
            environment = pettingzoo.env("connect4")
            self.assertIsInstance(environment, Base)
            self.play(environment, 1)
        finally:
            del sys.modules["pettingzoo"]
            importlib.reload(pettingzoo)


class OpenSpielTest(unittest.TestCase):
    def test_games(self):
        rng = np.random.default_rng(1)
        for rules in RULES:
            game = openspiel.load_game(rules)
            for _ in range(5):
                state, twin = game.new_initial_state(), krow.Game(rules)
                while not state.is_terminal():
                    self.check_state(game, state, twin)
                    action = int(rng.choice(state.legal_actions()))
                    child = state.child(action)
                    state.apply_action(action)
                    twin.play(action)
                    self.assertEqual(child.history(), state.history())
                self.assertEqual((state.current_player(), state.legal_actions()), (-4, []))
                expected = [0.0, 0.0] if twin.winner is None else [1.0, -1.0] if twin.winner == 0 else [-1.0, 1.0]
                self.assertEqual((state.returns(), state.rewards()), (expected, expected))
                self.assertEqual(state.player_return(0), expected[0])
                self.assertEqual(game.deserialize_state(state.serialize()).history(), state.history())

    def check_state(self, game, state, twin):
        player = state.current_player()
        self.assertEqual(player, twin.side)
        self.assertEqual(state.legal_actions(), twin.legal_actions())
        self.assertEqual(np.flatnonzero(state.legal_actions_mask()).tolist(), state.legal_actions())
        self.assertEqual(state.legal_actions(1 - player), [])
        tensor = np.reshape(state.observation_tensor(player), game.observation_tensor_shape())
        self.assertTrue((tensor == twin.observation()).all())
        other = np.reshape(state.observation_tensor(1 - player), game.observation_tensor_shape())
        self.assertTrue((other[[1, 0]] == tensor[:2]).all())
        for action in state.legal_actions():
            self.assertEqual(state.string_to_action(state.action_to_string(player, action)), action)
        self.assertEqual(state.returns(), [0.0, 0.0])
        clone = state.clone()
        clone.apply_action(clone.legal_actions()[0])
        self.assertEqual(clone.move_number(), state.move_number() + 1)
        clone.undo_action(player, clone.history()[-1])
        self.assertEqual(clone.information_state_string(), state.information_state_string())

    def test_facts(self):
        game = openspiel.load_game("connect4")
        self.assertEqual((game.num_players(), game.num_distinct_actions(), game.max_game_length()), (2, 7, 42))
        self.assertEqual((game.min_utility(), game.max_utility(), game.utility_sum()), (-1, 1, 0))
        self.assertEqual(game.observation_tensor_size(), np.prod(game.observation_tensor_shape()))
        self.assertEqual(game, openspiel.load_game("7x6:k=4,gravity"))
        state = game.new_initial_state()
        state.apply_action(3)
        self.assertRaises(krow.BadInput, state.undo_action, 1, 3)
        self.assertRaises(krow.BadInput, state.undo_action, 0, 2)
        self.assertEqual(state.history_str(), "3")
        self.assertRaises(krow.BadInput, state.apply_action, 7)
        self.assertRaises(krow.BadInput, game.deserialize_state, "1 x")


if __name__ == "__main__":
    unittest.main()
