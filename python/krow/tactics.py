"""Threats, immediate wins and defences."""
from __future__ import annotations

from dataclasses import dataclass
from typing import List, Tuple

from ._library import check, ffi, lib, new_error
from .game import Game, position_of
from .rules import cell_names

_ANSWER_CELLS = 4096  # room for the cells of all answers


@dataclass(frozen=True)
class Threats:
    """The threats of one side."""

    windows: List[List[str]]  #: windows of k cells that the side can complete in its next turn
    stones_needed: int  #: fewest stones that stop all threats, counted up to p + 1: no turn stops them
    is_uncertain: bool  #: at least `stones_needed`; the count was too large to complete
    answers: List[List[str]]  #: smallest sets of cells that stop all threats
    is_truncated: bool  #: more answers exist


def threats(game: Game) -> Tuple[Threats, Threats]:
    """The threats of both sides, the first side's first.

    >>> first, second = threats(Game("gomoku", "h8 a1 i8 a3 j8 a5 k8"))
    >>> first.stones_needed, len(first.windows), second.windows
    (2, 2, [])
    """
    position = position_of(game)
    return _threats_of(position, 0), _threats_of(position, 1)


def _threats_of(game: Game, side: int) -> Threats:
    error, defence = new_error(), ffi.new("KrowDefence *")
    count = lib.krow_threat_windows(game._handle, side, ffi.NULL, 0)
    windows = ffi.new("KrowWindow[]", max(count, 1))
    count = min(lib.krow_threat_windows(game._handle, side, windows, count), count)
    cells = ffi.new("KrowCell[]", _ANSWER_CELLS)
    check(lib.krow_threat_defence(game._handle, side, defence, cells, _ANSWER_CELLS, error), error)
    size = defence.stones_needed
    whole = min(defence.answer_count, _ANSWER_CELLS // size) if size > 0 else 0
    names = cell_names(cells, whole * size)
    return Threats(windows=[cell_names(windows[i].cells, windows[i].count) for i in range(count)], stones_needed=size,
                   is_uncertain=defence.is_uncertain, answers=[names[i * size:(i + 1) * size] for i in range(whole)],
                   is_truncated=defence.is_truncated or whole < defence.answer_count)


def immediate_wins(game: Game) -> List[str]:
    """The cells on which a stone of the side to move starts to complete a row within this turn.

    >>> immediate_wins(Game("connect4", "414141"))
    ['d4']
    """
    position, size = position_of(game), game.rules.cells
    cells = ffi.new("KrowCell[]", size)
    return cell_names(cells, min(lib.krow_immediate_wins(position._handle, cells, size, ffi.NULL), size))
