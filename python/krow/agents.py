"""Players: every agent of krow, and the engine with several best turns."""
from __future__ import annotations

import operator
import threading
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from ._library import (NULL, BadInput, check, ffi, interruptible, lib, limits_of, new_error, owned, text_bytes)
from .game import Game, position_of
from .rules import Rules, RulesLike, cell_names, rules_of

_PROVEN = {0: None, 1: "win", 2: "loss", 3: "draw"}


@dataclass(frozen=True)
class Decision:
    """A decided turn and what the agent knows about it, seen from the side to move."""

    stones: List[str]  #: cells in order; fewer than the rules allow if they win
    score: float  #: in the unit of the agent
    depth: int  #: stones
    nodes: int  #: positions
    line: List[str]  #: the principal variation, own stones first
    proven: Optional[str]  #: "win", "loss", "draw" or None
    distance: Optional[int]  #: stones until the proven end of the game


@dataclass(frozen=True)
class Line:
    """One of the best turns, seen from the side to move."""

    stones: List[str]  #: cells without order
    score: float  #: above 0: the side to move is better
    chance: float  #: of winning, by the score; a draw counts half
    depth: int  #: turns
    line: List[str]  #: the principal variation, own stones first
    proven: Optional[str]  #: "win", "loss" or None
    distance: Optional[int]  #: stones until the proven end of the game


class Agent:
    """A player by its name and options, as on the command line; without a name the strongest one for the rules.

    >>> agent = Agent("tictactoe", "perfect")
    >>> agent.decide(Game("tictactoe", "a1 b2 a2")).stones
    ['a3']

    A limit that is None does not apply; without any limit an agent uses its own. Nodes and depth give reproducible
    play, seconds do not. Searches release the interpreter's lock, and Ctrl-C stops them. An agent answers one call at a
    time; calls from other threads wait.
    """

    def __init__(self, rules: RulesLike, name: Optional[str] = None, *, seed: int = 1) -> None:
        self.rules: Rules = rules_of(rules)
        error = new_error()
        text = NULL if name is None else text_bytes(name, "the name of an agent")
        self._handle = owned(lib.krow_agent_open(text, self.rules._raw, error), lib.krow_agent_close, error)
        self._lock = threading.Lock()
        if name is None:
            name = ffi.string(lib.krow_agent_default(self.rules._raw, error)).decode()
        self.name: str = name
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Sets the seed of the random numbers."""
        with self._lock:
            lib.krow_agent_seed(self._handle, seed & 0xFFFFFFFFFFFFFFFF)

    def new_game(self) -> None:
        """Announces a new game. Optional."""
        with self._lock:
            lib.krow_agent_new_game(self._handle)

    def decide(self, game: Game, *, seconds: Optional[float] = None, nodes: Optional[int] = None,
               depth: Optional[int] = None) -> Decision:
        """Decides a turn for the side to move; the game stays as it is."""
        limits, error, found = limits_of(seconds, nodes, depth), new_error(), ffi.new("KrowDecision *")
        position = position_of(game)
        with self._lock:
            check(interruptible(lambda: lib.krow_agent_decide(self._handle, position._handle, limits, found, error),
                                self.stop, limits), error)
        return Decision(stones=cell_names(found.stones, found.count), score=found.score, depth=found.depth,
                        nodes=found.nodes, line=cell_names(found.line, found.line_count),
                        proven=_PROVEN[found.proven], distance=found.distance if found.distance >= 0 else None)

    def play(self, game: Game, *, seconds: Optional[float] = None, nodes: Optional[int] = None,
             depth: Optional[int] = None) -> Decision:
        """Decides a turn and plays it."""
        decision = self.decide(game, seconds=seconds, nodes=nodes, depth=depth)
        for stone in decision.stones:
            game.play(stone)
        return decision

    def stop(self, stop: bool = True) -> None:
        """Makes a decision in another thread, and all later ones, return as soon as possible; False ends this."""
        lib.krow_agent_stop(self._handle, bool(stop))

    def __repr__(self) -> str:
        return f"Agent({str(self.rules)!r}, {self.name!r})"

    @staticmethod
    def names() -> Dict[str, str]:
        """All agents and what they are."""
        name, about = ffi.new("const char **"), ffi.new("const char **")
        found = {}
        for index in range(lib.krow_agent_count()):
            lib.krow_agent_at(index, name, about)
            found[ffi.string(name[0]).decode()] = ffi.string(about[0]).decode()
        return found


class Engine:
    """krow's engine: the best move, or several best turns.

    >>> engine = Engine("gomoku")
    >>> game = Game("gomoku", "h8 a1 i8 a3 j8 a5")
    >>> best = engine.lines(game, 2, nodes=5000)[0]
    >>> best.proven, best.distance
    ('win', 3)
    """

    def __init__(self, rules: RulesLike, *, threads: int = 1, memory: int = 64, seed: int = 1) -> None:
        self.rules: Rules = rules_of(rules)
        self._agent = Agent(self.rules, f"engine:threads={int(threads)},memory={int(memory)}", seed=seed)
        self._threads, self._memory = int(threads), int(memory)
        self._search: Any = None
        self._lock = threading.Lock()

    def move(self, game: Game, *, seconds: Optional[float] = None, nodes: Optional[int] = None,
             depth: Optional[int] = None) -> Decision:
        """The turn that the engine plays, with its opening book and exact solver."""
        return self._agent.decide(game, seconds=seconds, nodes=nodes, depth=depth)

    def play(self, game: Game, *, seconds: Optional[float] = None, nodes: Optional[int] = None,
             depth: Optional[int] = None) -> Decision:
        """Plays that turn."""
        return self._agent.play(game, seconds=seconds, nodes=nodes, depth=depth)

    def lines(self, game: Game, count: int = 3, *, seconds: Optional[float] = None, nodes: Optional[int] = None,
              depth: Optional[int] = None) -> List[Line]:
        """The best turns, at most 16, the best first, by the search alone. The depth counts turns. Without limits the
        search ends after 20 000 nodes."""
        count = operator.index(count)
        if not 1 <= count <= lib.KROW_LINES_MAX:
            raise BadInput(f"the engine finds 1 to {lib.KROW_LINES_MAX} lines, not {count}")
        limits, error, position = limits_of(seconds, nodes, depth), new_error(), position_of(game)
        if not (limits.seconds or limits.nodes or limits.depth):
            limits.nodes = 20_000
        found, number = ffi.new("KrowLine[]", count), ffi.new("size_t *")
        with self._lock:
            if self._search is None:
                options = ffi.new("KrowSearchOptions *", {"threads": self._threads, "megabytes": self._memory})
                pointer = lib.krow_search_open(self.rules._raw, options, error)
                self._search = owned(pointer, lib.krow_search_close, error)
            search = self._search
            check(interruptible(
                lambda: lib.krow_search_lines(search, position._handle, limits, found, count, number, error),
                lambda stop: lib.krow_search_stop(search, stop), limits), error)
        return [_line(found[i]) for i in range(number[0])]

    def new_game(self) -> None:
        """Announces a new game. Optional."""
        self._agent.new_game()

    def __repr__(self) -> str:
        return f"Engine({str(self.rules)!r}, threads={self._threads}, memory={self._memory})"


def _line(found: Any) -> Line:
    return Line(stones=cell_names(found.stones, found.count), score=found.score, chance=found.chance,
                depth=found.depth, line=cell_names(found.line, found.line_count), proven=_PROVEN[found.proven],
                distance=found.distance if found.distance >= 0 else None)
