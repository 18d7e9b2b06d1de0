"""Exact values, and how much a move or a player gives away against perfect play."""
from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Callable, Dict, List, Optional, Tuple

from ._library import CELL_NONE, BadInput, check, ffi, interruptible, lib, limits_of, new_error, owned
from .game import Game, Move, position_of
from .rules import Rules, RulesLike, cell_name, rules_of


@dataclass(frozen=True)
class Value:
    """Bounds of a value, seen from the side to move: above 0 is a win, 0 a draw, below 0 a loss.

    In Connect Four and other games with gravity the number says how soon: a win with the last stone of the board is 1,
    one own stone earlier 2, and so on. In other games it is 1, 0 or -1.
    """

    low: int
    high: int
    nodes: int = 0  #: positions searched
    best: Optional[str] = None  #: a stone that reaches `low`, if the solver reports one

    @property
    def is_known(self) -> bool:
        """Whether the bounds are equal."""
        return self.low == self.high

    @property
    def outcome(self) -> Optional[int]:
        """1 for a win, 0 for a draw, -1 for a loss, None if this is not known."""
        low, high = _sign(self.low), _sign(self.high)
        return low if low == high else None

    @property
    def text(self) -> str:
        """`"win"`, `"draw"`, `"loss"` or `"unknown"`."""
        return {1: "win", 0: "draw", -1: "loss", None: "unknown"}[self.outcome]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Solver:
    """An exact solver for certain rules. It keeps its results, so that related positions are solved faster.

    >>> Solver("connect4").value(Game("connect4", "444444")).text
    'win'
    """

    def __init__(self, rules: RulesLike, *, memory: int = 128) -> None:
        self.rules: Rules = rules_of(rules)
        error = new_error()
        if not 0 < memory <= 1 << 20:
            raise BadInput(f"the memory must be 1 to {1 << 20} megabytes, not {memory}")
        self._handle = owned(lib.krow_exact_open(self.rules._raw, memory, error), lib.krow_exact_close, error)
        self._lock = threading.Lock()

    @property
    def has_scores(self) -> bool:
        """Whether values say how soon a game ends."""
        return lib.krow_exact_has_scores(self.rules._raw)

    def value(self, game: Game, *, seconds: Optional[float] = None, nodes: Optional[int] = None) -> Value:
        """The value of a position, or the bounds that the limits allow."""
        found = ffi.new("KrowValue *")
        self._run(game, seconds, nodes, lambda *call: lib.krow_exact_value(*call[:3], found, call[3]))
        best = None if found.best == CELL_NONE else cell_name(found.best)
        return Value(found.low, found.high, found.nodes, best)

    def cells(self, game: Game, *, seconds: Optional[float] = None, nodes: Optional[int] = None) -> Dict[str, Value]:
        """The value of every legal cell, seen from the side that plays there. The limits apply to all together."""
        size = self.rules.cells
        found, count = ffi.new("KrowCellValue[]", size), ffi.new("size_t *")
        self._run(game, seconds, nodes, lambda *call: lib.krow_exact_cells(*call[:3], found, size, count, call[3]))
        return {cell_name(found[i].cell): Value(found[i].low, found[i].high) for i in range(min(count[0], size))}

    def _run(self, game: Game, seconds: Optional[float], nodes: Optional[int], call: Callable[..., int]) -> None:
        limits, error, position = limits_of(seconds, nodes, None), new_error(), position_of(game)
        with self._lock:
            check(interruptible(lambda: call(self._handle, position._handle, limits, error), self.stop, limits), error)

    def stop(self, stop: bool = True) -> None:
        """Makes a solution in another thread, and all later ones, return the bounds found so far; False ends this."""
        lib.krow_exact_stop(self._handle, bool(stop))

    def __repr__(self) -> str:
        return f"Solver({str(self.rules)!r})"


def solve(game: Game, *, seconds: Optional[float] = None, nodes: Optional[int] = None, memory: int = 128) -> Value:
    """The exact value of one position; a Solver is faster for many.

    >>> solve(Game("tictactoe")).text
    'draw'
    """
    return Solver(position_of(game).rules, memory=memory).value(game, seconds=seconds, nodes=nodes)


@dataclass(frozen=True)
class Regret:
    """What one stone gave away."""

    number: int  #: of the stone, from 1
    side: int  #: that placed it
    cell: str
    regret: int  #: outcome lost: 0, 1 (a draw for a win, a loss for a draw) or 2 (a loss for a win)
    slower: int  #: score lost, if the rules have scores; 0 means that no stone wins faster or resists longer


Policy = Callable[[Game], Move]


class Oracle:
    """Perfect play in solved games: what each move is worth, and what moves, games and players give away.

    The regret of a stone is the outcome it gives away: 0 keeps the value, 1 turns a win into a draw or a draw into a
    loss, 2 turns a win into a loss.

    >>> oracle = Oracle("tictactoe")
    >>> oracle.regret(Game("tictactoe", "b2"), "b1"), oracle.regret(Game("tictactoe", "b2"), "a1")
    (1, 0)
    """

    def __init__(self, rules: RulesLike, *, memory: int = 128) -> None:
        self.rules: Rules = rules_of(rules)
        self._solver = Solver(self.rules, memory=memory)
        self._known: Dict[int, Dict[int, int]] = {}

    def scores(self, game: Game) -> Dict[int, int]:
        """The exact value of every legal action, seen from the side that plays it."""
        if position_of(game).rules != self.rules:
            raise BadInput(f"the game has the rules {game.rules}, the oracle has {self.rules}")
        key = game.key
        if key not in self._known:
            values = self._solver.cells(game)
            if not all(value.is_known for value in values.values()):
                raise BadInput("the solver was stopped")
            self._known[key] = {self.rules.action(cell): value.low for cell, value in values.items()}
        return dict(self._known[key])

    def outcomes(self, game: Game) -> Dict[int, int]:
        """1, 0 or -1 for every legal action, seen from the side that plays it."""
        return {action: _sign(score) for action, score in self.scores(game).items()}

    def best(self, game: Game) -> List[int]:
        """The actions with the best outcome."""
        outcomes = self.outcomes(game)
        most = max(outcomes.values())
        return [action for action, outcome in outcomes.items() if outcome == most]

    def regret(self, game: Game, move: Move) -> int:
        """The outcome that a move gives away: 0, 1 or 2."""
        return self._losses(game, move)[0]

    def _losses(self, game: Game, move: Move) -> Tuple[int, int]:
        scores = self.scores(game)
        action = self.rules.action(move) if isinstance(move, str) else move
        if action not in scores:
            raise BadInput(f"{move!r} is not legal in this position")
        most = max(scores.values())
        return _sign(most) - _sign(scores[action]), most - scores[action]

    def review(self, game: Game) -> List[Regret]:
        """The regret of every stone of a game."""
        board = position_of(game)
        while board.undo():
            pass
        found = []
        for number, (action, cell) in enumerate(zip(game.actions, game.moves), 1):
            regret, slower = self._losses(board, action)
            found.append(Regret(number, board.side, cell, regret, slower if self._solver.has_scores else 0))
            board.play(action)
        return found

    def mean_regret(self, policy: Policy, opponent: Policy, games: int = 10) -> float:
        """The mean regret per stone of a policy, which maps games to moves, against an opponent; it begins every other
        game."""
        total = stones = 0
        for number in range(games):
            game, side = Game(self.rules), number % 2
            while not game.is_over:
                if game.side == side:
                    move = policy(game)
                    total += self.regret(game, move)
                    stones += 1
                else:
                    move = opponent(game)
                game.play(move)
        return total / stones if stones else 0.0

    def __repr__(self) -> str:
        return f"Oracle({str(self.rules)!r})"

