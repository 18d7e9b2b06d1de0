#!/usr/bin/env python3
"""Measures the speed of the Python package.

Usage: PYTHONPATH=build/release/python python/bench/speed.py

Each figure is the best of several rounds in time of the processor, since other programs only slow a round down; the load
of the machine is printed for comparison. Random actions are chosen by the library (`env.random_actions`). Ratios compare
batches with the targets, and with the same games played one by one with `Game.play`."""
import os
import random
import time

import numpy as np

import krow

ROUNDS, STEPS, GAMES = 15, 200, 1024


def best(work):
    """The shortest time of several rounds, in seconds."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def stones_per_second(rules):
    """Random games in a batch."""
    env = krow.VectorEnv(rules, GAMES)

    def work():
        for _ in range(STEPS):
            env.step(env.random_actions())

    return GAMES * STEPS / best(work)


def stones_one_by_one(rules, games=20):
    """Random games with Game.play: all that a program without batches does."""
    chosen = random.Random(1)
    played = []

    def work():
        stones = 0
        for _ in range(games):
            game = krow.Game(rules)
            while not game.is_over:
                game.play(chosen.choice(game.legal_actions()))
                stones += 1
        played.append(stones)

    times = best(work)
    return sum(played) / len(played) / times


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
    for rules, target in (("connect4", 5), ("gomoku", 3), ("connect6", None)):
        speed, alone = stones_per_second(rules) / 1e6, stones_one_by_one(rules) / 1e6
        aim = f", {speed / target:.1f} times the target of {target} M" if target else ""
        print(f"{rules}: {speed:.1f} M stones/s in a batch of {GAMES} random games{aim}, {speed / alone:.0f} times one by one")
    for dtype in (np.uint8, np.float32):
        spent = observation_ms("gomoku", dtype)
        print(f"observations of {GAMES} games on 15x15, {dtype.__name__}: {spent:.2f} ms, {1 / spent:.0f} times as fast as "
              "the target of 1 ms")
    print(f"Game.play(action) + undo: {play_us(112):.2f} us; Game.play('h8') + undo: {play_us('h8'):.2f} us")
    game = krow.Game("gomoku")
    print(f"Game.undo alone: {call_us(game.undo):.2f} us; Game.is_over: {call_us(lambda: game.is_over):.2f} us")
    print(f"Game(rules): {call_us(lambda rules=game.rules: krow.Game(rules)):.2f} us; copy: {call_us(game.copy):.2f} us")
    print(f"legal_mask: {call_us(game.legal_mask):.2f} us; observation: {call_us(game.observation):.2f} us")


main()
