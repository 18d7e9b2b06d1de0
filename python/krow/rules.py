"""The rules of a game of the family Connect(m,n,k,p,q), with or without gravity."""
from __future__ import annotations

import operator
from typing import Any, Dict, Iterator, List, Optional, Union

from ._library import BadInput, check, ffi, lib, new_error, text_bytes

FIRST, SECOND = 0, 1  # the players


class Rules:
    """The rules of a game: a preset, a text as on the command line, or single numbers. Rules cannot be changed.

    >>> Rules("connect6")
    Rules('19x19:k=6,p=2,q=1')
    >>> Rules(width=7, height=6, k=4, gravity=True) == Rules("connect4")
    True
    """

    __slots__ = ("_raw", "_text", "width", "height", "k", "p", "q", "gravity", "exact", "actions", "cells")
    width: int  #: columns
    height: int  #: rows
    k: int  #: stones in a row that win
    p: int  #: stones per turn
    q: int  #: stones of the first turn
    gravity: bool  #: stones fall to the lowest empty cell of their column
    exact: bool  #: a row of more than k stones does not win
    actions: int  #: actions of a turn: cells, row by row from a1; with gravity the columns
    cells: int  #: cells of the board

    def __init__(self, text: Optional[str] = None, *, width: int = 0, height: int = 0, k: int = 0, p: int = 1,
                 q: int = 1, gravity: bool = False, exact: bool = False) -> None:
        raw, error = ffi.new("KrowRules *"), new_error()
        if text is not None:
            if (width, height, k, p, q, gravity, exact) != (0, 0, 0, 1, 1, False, False):
                raise BadInput("rules are either a text or numbers")
            check(lib.krow_rules_parse(text_bytes(text, "the rules"), raw, error), error)
        else:
            try:
                raw.width, raw.height, raw.k, raw.p, raw.q = width, height, k, p, q
            except OverflowError as failure:
                raise BadInput(f"a number of the rules is out of range: {failure}") from failure
            raw.gravity, raw.exact = bool(gravity), bool(exact)
            check(lib.krow_rules_check(raw, error), error)
        self._set(raw)

    def _set(self, raw: Any) -> None:
        buffer = ffi.new("char[]", lib.KROW_RULES_TEXT_SIZE)
        error = new_error()
        check(lib.krow_rules_format(raw, buffer, error), error)
        values = {"_raw": raw, "_text": ffi.string(buffer).decode(), "width": raw.width, "height": raw.height,
                  "k": raw.k, "p": raw.p, "q": raw.q, "gravity": raw.gravity, "exact": raw.exact,
                  "cells": raw.width * raw.height,
                  "actions": raw.width if raw.gravity else raw.width * raw.height}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("rules cannot be changed")

    def cell(self, action: int) -> str:
        """The name of the cell of an action; with gravity the letter of the column."""
        action = operator.index(action)
        if not 0 <= action < self.actions:
            raise BadInput(f"there is no action {action}; actions are 0 to {self.actions - 1}")
        column = column_name(action % self.width)
        return column if self.gravity else f"{column}{action // self.width + 1}"

    def action(self, cell: str) -> int:
        """The action of a cell, `h8`; with gravity also of a column, `d`."""
        if self.gravity and isinstance(cell, str) and cell.isascii() and cell.isalpha():
            cell += "1"
        row, column = divmod(self._parse(cell), lib.KROW_SIDE_MAX)
        return column if self.gravity else row * self.width + column

    def _parse(self, cell: str) -> int:
        found, error = ffi.new("KrowCell *"), new_error()
        check(lib.krow_cell_parse(text_bytes(cell, "a cell"), self._raw, found, error), error)
        return found[0]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Rules({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> Any:
        return Rules, (self._text,)

    @staticmethod
    def presets() -> Dict[str, str]:
        """The named rules and their texts."""
        return dict(_presets())


RulesLike = Union[Rules, str]


def rules_of(rules: RulesLike) -> Rules:
    """Rules, or the rules of a text."""
    return rules if isinstance(rules, Rules) else Rules(rules)


def _presets() -> Iterator[tuple]:
    preset = ffi.new("KrowPreset *")
    for index in range(lib.krow_preset_count()):
        lib.krow_preset_at(index, preset)
        yield ffi.string(preset.name).decode(), ffi.string(preset.text).decode()


def column_name(column: int) -> str:
    """a to z, aa, ab and so on."""
    letters = ""
    column += 1
    while column > 0:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def cell_name(cell: int) -> str:
    """The name of a cell of the library."""
    return f"{column_name(cell & 63)}{(cell >> 6) + 1}"


def cell_names(cells: Any, count: int) -> List[str]:
    return [cell_name(cells[i]) for i in range(count)]



__all__ = ["FIRST", "SECOND", "Rules", "RulesLike"]
