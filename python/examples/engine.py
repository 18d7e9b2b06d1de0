#!/usr/bin/env python3
"""An engine in ten lines, for every game of krow: it completes a row, stops one of the opponent, or plays at random.

    krow match 'exec:python3 python/examples/engine.py' random --game connect4 --games 20"""
import random

import krow


class Careful(krow.EngineProgram):
    name = "careful"

    def choose(self, game, limits):
        own = krow.immediate_wins(game)
        answers = krow.threats(game)[1 - game.side].answers
        stops = [cell for cell in answers[0] if game.is_legal(cell)] if answers else []
        return (own or stops or [random.choice(game.legal_cells())])[0]


if __name__ == "__main__":
    Careful().run()
