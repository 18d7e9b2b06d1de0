#!/usr/bin/env python3
"""A tutorial: two small agents learn tic-tac-toe and Connect Four from nothing but the rules, in about a minute.

Usage: learn.py [--quick] [--seed N]

Part 1 keeps a table with the value of every position of tic-tac-toe and improves it in games against itself. The oracle,
which knows perfect play, measures how much its moves give away.

Part 2 learns a linear value function for Connect Four from a thousand games at once. A position has 69 windows of four cells.
The features of a window are its numbers of own and of foreign stones, as long as only one side has stones in it.

--quick trains for a few seconds. The exit status is 1 if an agent has not learned."""
import argparse
import sys
import time

import numpy as np

import krow

# --- Part 1: a table for tic-tac-toe ---


class TableAgent:
    """Plays the move that leads to the position with the best value for the player who moves. The value of a position
    is the expected result for the player who has just moved: 1 for a win, 0.5 for a draw, 0 for a loss."""

    def __init__(self, rng):
        self.rng = rng
        self.values = {}  # by the key of the position; 0.5 if it is not known

    def worth(self, game):
        """The legal actions and the values of the positions that they lead to."""
        actions, worth = game.legal_actions(), []
        for action in actions:
            game.play(action)
            known = self.values.get(game.key, 0.5)
            worth.append(known if not game.is_over else 0.5 if game.winner is None else 1.0)
            game.undo()
        return actions, worth

    def choose(self, game):
        actions, worth = self.worth(game)
        return actions[int(np.argmax(worth))]

    def learn_from_game(self, explore):
        """One game against itself. The value of each position becomes what the best answer leaves."""
        game, key = krow.Game("tictactoe"), None
        while not game.is_over:
            actions, worth = self.worth(game)
            if key is not None:
                self.values[key] = 1 - max(worth)
            random = self.rng.random() < explore
            game.play(int(self.rng.choice(actions)) if random else actions[int(np.argmax(worth))])
            key = game.key


def table_regret(agent, oracle, games):
    """The mean outcome that a stone gives away in games against a random player."""
    return oracle.mean_regret(agent.choose, lambda game: int(agent.rng.choice(game.legal_actions())), games)


def learn_tictactoe(games, seed):
    oracle = krow.Oracle("tictactoe")
    agent = TableAgent(np.random.default_rng(seed))
    before = table_regret(agent, oracle, 200)
    print(f"tic-tac-toe: regret {before:.3f} per stone before learning")
    for number in range(games):
        agent.learn_from_game(explore=0.5)
        if (number + 1) % (games // 4) == 0:
            print(f"  after {number + 1} games: {table_regret(agent, oracle, 200):.3f}")
    return before, table_regret(agent, oracle, 400)


# --- Part 2: a linear value function for Connect Four ---

WIDTH, HEIGHT = 7, 6
CELLS = WIDTH * HEIGHT


def windows():
    """A matrix [42, 69]: which cells belong to which window of four cells."""
    found = []
    for row in range(HEIGHT):
        for column in range(WIDTH):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(row + up * i, column + right * i) for i in range(4)]
                if all(0 <= r < HEIGHT and 0 <= c < WIDTH for r, c in cells):
                    found.append([r * WIDTH + c for r, c in cells])
    matrix = np.zeros((CELLS, len(found)), np.float32)
    for number, cells in enumerate(found):
        matrix[cells, number] = 1
    return matrix


WINDOWS = windows()
FEATURES = 6 * WINDOWS.shape[1]  # 1, 2 and 3 stones of either side


def features(own, other):
    """The features of positions [n, 42], seen by the side that has just moved, and whether that side has won."""
    mine, theirs = own @ WINDOWS, other @ WINDOWS
    counts = np.where(theirs == 0, mine, 0) - np.where(mine == 0, theirs, 0)
    active = [counts == number for number in (1, 2, 3, -1, -2, -3)]
    return np.concatenate(active, axis=1).astype(np.float32), (mine == 4).any(axis=1)


def after_states(observation):
    """Own and foreign stones after each of the seven actions, [n, 7, 42]."""
    games = len(observation)
    own, other = (observation[:, plane].reshape(games, CELLS).astype(np.float32) for plane in (0, 1))
    heights = (own + other).reshape(games, HEIGHT, WIDTH).sum(axis=1).astype(int)
    cells = np.minimum(heights, HEIGHT - 1) * WIDTH + np.arange(WIDTH)
    own = np.repeat(own[:, None], WIDTH, axis=1)
    np.put_along_axis(own, cells[:, :, None], 1, axis=2)
    return own, np.repeat(other[:, None], WIDTH, axis=1)


class LinearAgent:
    """Values a position after its own stone by the logistic function of a weighted sum of features."""

    def __init__(self, rng):
        self.rng = rng
        self.weights = np.zeros(FEATURES, np.float32)
        self.scale = np.full(FEATURES, 1e-3, np.float32)  # sums of squared gradients (Adagrad)

    def worth(self, env):
        """The value of every action of every game, and the features of the positions that they lead to."""
        own, other = after_states(env.observation())
        phi, won = features(own.reshape(-1, CELLS), other.reshape(-1, CELLS))
        value = np.where(won, 10.0, 1 / (1 + np.exp(-(phi @ self.weights))))
        return value.reshape(-1, WIDTH), phi.reshape(-1, WIDTH, FEATURES)

    def choose(self, env, explore=0.0):
        """An action for every game, and the features of the chosen ones."""
        value, phi = self.worth(env)
        value = np.where(env.legal_mask, value, -1.0)
        best = (value + 1e-6 * self.rng.random(value.shape)).argmax(axis=1)
        at_random = env.random_actions()
        actions = np.where((self.rng.random(len(env)) < explore) & ~env.over, at_random, best).astype(np.int32)
        return actions, phi[np.arange(len(env)), actions]

    def learn(self, phi, result, rate=0.1, batch=512):
        """Stochastic gradient descent on the logistic loss."""
        order = self.rng.permutation(len(phi))
        for begin in range(0, len(order), batch):
            part = order[begin:begin + batch]
            guess = 1 / (1 + np.exp(-(phi[part] @ self.weights)))
            gradient = phi[part].T @ (guess - result[part]) / len(part)
            self.scale += gradient ** 2
            self.weights -= rate * gradient / np.sqrt(self.scale)


def play_and_record(agent, env, explore):
    """Plays all games to the end against itself; returns the features after every stone with the game's result for the
    side that placed it."""
    env.reset()
    phis, sides, games = [], [], []
    while not env.over.all():
        alive = np.flatnonzero(~env.over)
        sides.append(env.side[alive].copy())
        games.append(alive)
        actions, phi = agent.choose(env, explore)
        phis.append(phi[alive])
        env.step(actions)
    side, game = np.concatenate(sides), np.concatenate(games)
    winner = env.winner[game]
    result = np.where(winner == 2, 0.5, winner == side).astype(np.float32)
    return np.concatenate(phis), result


def score_against_random(agent, games=512):
    """The mean result against a random player; the agent begins every other game."""
    env = krow.VectorEnv("connect4", games, auto_reset=False, seed=5)
    begins = np.arange(games) % 2 == 0
    while not env.over.all():
        mine = (env.side == 0) == begins
        actions = np.where(mine, agent.choose(env)[0], env.random_actions()).astype(np.int32)
        env.step(actions)
    return np.where(env.winner == 2, 0.5, (env.winner == 0) == begins).mean()


def outcome_kept(agent, positions):
    """The part of the positions, with 20 stones each, in which the agent keeps the exact value."""
    env = krow.VectorEnv("connect4", 4 * positions, auto_reset=False, seed=11)
    for _ in range(20):
        env.step(env.random_actions())
    actions = agent.choose(env)[0]
    oracle = krow.Oracle("connect4")
    tried = [i for i in range(len(env)) if not env.over[i]][:positions]
    return np.mean([oracle.regret(env.game(i), int(actions[i])) == 0 for i in tried])


def learn_connect4(rounds, games, positions, seed):
    agent = LinearAgent(np.random.default_rng(seed))
    env = krow.VectorEnv("connect4", games, auto_reset=False, seed=seed)
    before = score_against_random(agent)
    print(f"Connect Four: {100 * before:.0f} % against a random player before learning; in "
          f"{100 * outcome_kept(agent, positions):.0f} % of {positions} positions the move keeps the value")
    for number in range(rounds):
        phi, result = play_and_record(agent, env, explore=0.3)
        agent.learn(phi, result)
        if (number + 1) % max(1, rounds // 4) == 0:
            print(f"  after {games * (number + 1)} games: {100 * score_against_random(agent):.0f} %")
    after, kept = score_against_random(agent), outcome_kept(agent, positions)
    print(f"  finally {100 * after:.1f} %; the move keeps the value in {100 * kept:.0f} %")
    return before, after


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--quick", action="store_true", help="train for a few seconds")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default 1)")
    arguments = parser.parse_args()
    began = time.monotonic()
    first, last = learn_tictactoe(10000 if arguments.quick else 40000, arguments.seed)
    learned = last < 0.25 * first
    before, after = learn_connect4(*((4, 512, 40) if arguments.quick else (30, 1024, 200)), arguments.seed)
    learned = learned and after > 0.88 > before + 0.05
    print(f"{'both agents have learned' if learned else 'an agent has not learned'}, {time.monotonic() - began:.0f} s")
    sys.exit(0 if learned else 1)


if __name__ == "__main__":
    main()
