"""k-in-a-row games: rules, games, players, exact values, and environments for learning.

>>> import krow
>>> game = krow.Game("connect6")
>>> engine = krow.Engine(game.rules)
>>> decision = engine.play(game, nodes=1000)
>>> game.moves == decision.stones
True
"""
from ._binding import VERSION as __version__
from ._library import BadInput, Interrupted, KrowError, OutOfMemory
from .agents import Agent, Decision, Engine, Line
from .env import VectorEnv
from .exact import Oracle, Regret, Solver, Value, solve
from .game import Game
from .program import EngineProgram, Limits
from .rules import FIRST, SECOND, Rules
from .tactics import Threats, immediate_wins, threats

__all__ = ["FIRST", "SECOND", "Agent", "BadInput", "Decision", "Engine", "EngineProgram", "Game", "Interrupted",
           "KrowError", "Limits", "Line", "Oracle", "OutOfMemory", "Regret", "Rules", "Solver", "Threats", "Value",
           "VectorEnv", "__version__", "immediate_wins", "solve", "threats"]
