#!/usr/bin/env python3
"""Measures the speed of the Python package.

Usage: PYTHONPATH=build/release/python python/bench/speed.py

Each figure is the best of several rounds, since other programs only slow a round down; the load of the machine is
printed for comparison. Random actions are chosen by the library (`env.random_actions`)."""
import os
import time

import numpy as np

import krow

ROUNDS, STEPS, GAMES = 15, 200, 1024


def best(work):
    """The shortest time of several rounds, in seconds."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def stones_per_second(rules):
    """Random games in a batch."""
    env = krow.VectorEnv(rules, GAMES)

    def work():
        for _ in range(STEPS):
            env.step(env.random_actions())

    return GAMES * STEPS / best(work)


def observation_ms(rules, dtype):
    """Observations of a batch in the middle of a game."""
    env = krow.VectorEnv(rules, GAMES, auto_reset=False)
    for _ in range(60):
        env.step(env.random_actions())
    out = env.observation(dtype=dtype)
    return 1000 * best(lambda: env.observation(out))


def call_us(work, count=2000):
    """One call of a function, in microseconds."""
    return 1e6 * best(lambda: [work() for _ in range(count)]) / count


def play_us(move):
    """Game.play and undo, less the time of a loop."""
    game = krow.Game("gomoku")

    def work():
        game.play(move)
        game.undo()

    return call_us(work)


def main():
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, numpy {np.__version__}")
    for rules in ("connect4", "gomoku", "connect6"):
        print(f"{rules}: {stones_per_second(rules) / 1e6:.1f} M stones/s in a batch of {GAMES} random games")
    for dtype in (np.uint8, np.float32):
        print(f"observations of {GAMES} games on 15x15, {dtype.__name__}: {observation_ms('gomoku', dtype):.2f} ms")
    print(f"Game.play(action) + undo: {play_us(112):.2f} us; Game.play('h8') + undo: {play_us('h8'):.2f} us")
    game = krow.Game("gomoku")
    print(f"Game.undo alone: {call_us(game.undo):.2f} us; Game.is_over: {call_us(lambda: game.is_over):.2f} us")
    print(f"Game(rules): {call_us(lambda rules=game.rules: krow.Game(rules)):.2f} us; copy: {call_us(game.copy):.2f} us")
    print(f"legal_mask: {call_us(game.legal_mask):.2f} us; observation: {call_us(game.observation):.2f} us")


main()
