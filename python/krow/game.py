"""A game: rules, a board and the stones in the order in which they were played."""
from __future__ import annotations

import operator
import threading
from typing import Any, List, Optional, Union

import numpy as np

from ._library import NULL, BadInput, check, ffi, lib, new_error, owned, text_bytes, written
from .rules import Rules, RulesLike, cell_name, cell_names, rules_of

PLANES = 3  # of an observation
Move = Union[str, int]
_SGF_NAMES = ("first", "second")


class Game:
    """A game that can be played, taken back, copied, pickled and written.

    A move is a cell (`"h8"`; with gravity also a column, `"d"` or `"4"`) or an action, the number of a cell counted row
    by row from a1, or with gravity the number of a column from 0. Every move places one stone.

    >>> game = Game("connect4", "4453")
    >>> game.play("d")
    >>> game.moves
    ['d1', 'd2', 'e1', 'c1', 'd3']
    """

    __slots__ = ("rules", "_handle", "_error", "_lock", "__weakref__")
    rules: Rules

    def __init__(self, rules: RulesLike, moves: str = "") -> None:
        rules = rules_of(rules)
        error = new_error()
        self._adopt(rules, owned(lib.krow_game_new(rules._raw, error), lib.krow_game_free, error))
        if moves:
            self.play_moves(moves)

    def _adopt(self, rules: Rules, handle: Any) -> None:
        self.rules = rules
        self._handle = handle
        self._error = new_error()
        self._lock = threading.Lock()  # the library runs without the interpreter's lock

    @classmethod
    def _wrap(cls, pointer: Any, error: Any = NULL) -> Game:
        game = cls.__new__(cls)
        handle = owned(pointer, lib.krow_game_free, error)
        raw = ffi.new("KrowRules *")
        lib.krow_game_rules(handle, raw)
        rules = Rules.__new__(Rules)
        rules._set(raw)
        game._adopt(rules, handle)
        return game

    @classmethod
    def from_fen(cls, text: str, rules: RulesLike) -> Game:
        """A game that starts from a position in one line, as `fen` writes it: `3/1X1/3 O 1`."""
        error = new_error()
        return cls._wrap(lib.krow_game_from_fen(text_bytes(text, "a FEN"), rules_of(rules)._raw, error), error)

    @classmethod
    def from_sgf(cls, text: str, rules: Optional[RulesLike] = None) -> Game:
        """The main line of the first game of an SGF file; `rules` are for files that do not state them."""
        error = new_error()
        raw = NULL if rules is None else rules_of(rules)._raw
        return cls._wrap(lib.krow_game_from_sgf(text_bytes(text, "an SGF file"), raw, error), error)

    def copy(self) -> Game:
        """An independent copy."""
        with self._lock:
            pointer = lib.krow_game_copy(self._handle)
        game = Game.__new__(Game)
        game._adopt(self.rules, ffi.gc(pointer, lib.krow_game_free))
        return game

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> Game:
        return self.copy()

    def __reduce__(self) -> Any:
        start, moves = self.copy(), self.text
        while start.undo():
            pass
        return _restore, (str(self.rules), start.fen, moves)

    # --- Playing ---

    def play(self, move: Move) -> None:
        """Places the next stone of the side to move. An illegal move raises BadInput and changes nothing."""
        with self._lock:
            if type(move) is int:  # the fast path
                try:
                    status = lib.krow_game_play_action(self._handle, move, self._error)
                except OverflowError as error:
                    raise BadInput(f"there is no action {move}") from error
            elif isinstance(move, str):
                status = self._play_text(move)
            else:
                if isinstance(move, (bool, np.bool_)):
                    raise TypeError("a move is a str or an int, not a bool")
                try:
                    status = lib.krow_game_play_action(self._handle, operator.index(move), self._error)
                except OverflowError as error:
                    raise BadInput(f"there is no action {move}") from error
            if status:
                check(status, self._error)

    def _play_text(self, move: str) -> int:
        word = text_bytes(move, "a move")
        if self.rules.gravity and (word.isalpha() or (word.isdigit() and len(word) == 1)):
            return lib.krow_game_read(self._handle, word, self._error)
        return lib.krow_game_play(self._handle, self.rules._parse(move), self._error)

    def play_moves(self, moves: str) -> None:
        """Plays a move list: `"h8 i9, j10"`; with gravity also columns, `"4453"`. After an error, the stones before the
        wrong word have been played."""
        text = text_bytes(moves, "moves")
        with self._lock:
            check(lib.krow_game_read(self._handle, text, self._error), self._error)

    def undo(self, stones: int = 1) -> bool:
        """Takes stones back; if there are fewer, all of them, and returns False."""
        with self._lock:
            return all(lib.krow_game_undo(self._handle) for _ in range(stones))

    # --- State ---

    @property
    def side(self) -> int:
        """The side to move: 0 (FIRST) or 1 (SECOND)."""
        return lib.krow_game_side(self._handle)

    @property
    def stones_left(self) -> int:
        """Stones that the side to move still places in this turn; 0 if the game is over."""
        return lib.krow_game_stones_left(self._handle)

    @property
    def is_over(self) -> bool:
        """Whether the game is won or the board is full."""
        return lib.krow_game_is_over(self._handle)

    @property
    def winner(self) -> Optional[int]:
        """0 (FIRST) or 1 (SECOND); None if the game is not decided, or drawn."""
        side = lib.krow_game_winner(self._handle)
        return None if side == lib.KROW_NONE else side

    @property
    def result(self) -> Optional[str]:
        """`"first"`, `"second"` or `"draw"`; None if the game is not over."""
        if not self.is_over:
            return None
        winner = self.winner
        return "draw" if winner is None else ("first", "second")[winner]

    @property
    def key(self) -> int:
        """A hash of the position: equal positions of the same rules have equal keys."""
        return lib.krow_game_key(self._handle)

    @property
    def moves(self) -> List[str]:
        """The cells of the stones played, in order."""
        return [cell_name(lib.krow_game_stone(self._handle, n)) for n in range(len(self))]

    @property
    def actions(self) -> List[int]:
        """The actions of the stones played, in order."""
        stones = [lib.krow_game_stone(self._handle, n) for n in range(len(self))]
        width = 0 if self.rules.gravity else self.rules.width
        return [(stone >> 6) * width + (stone & 63) for stone in stones]

    def __len__(self) -> int:
        return lib.krow_game_played(self._handle)

    def __bool__(self) -> bool:
        return True

    def at(self, cell: str) -> Optional[int]:
        """The side that has a stone on a cell; None if it is empty."""
        side = lib.krow_game_at(self._handle, self.rules._parse(cell))
        return None if side == lib.KROW_NONE else side

    # --- Legal moves and wins ---

    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal now."""
        if isinstance(move, str):
            if self.rules.gravity and move.isascii() and move.isalpha():
                return bool(self.legal_mask()[self.rules.action(move)])
            return lib.krow_game_is_legal(self._handle, self.rules._parse(move))
        action = operator.index(move)
        return 0 <= action < self.rules.actions and bool(self.legal_mask()[action])

    def legal_mask(self) -> np.ndarray:
        """A bool for every action."""
        mask = np.empty(self.rules.actions, np.bool_)
        lib.krow_game_legal_actions(self._handle, ffi.from_buffer("uint8_t[]", mask))
        return mask

    def legal_actions(self) -> List[int]:
        """The legal actions, in ascending order."""
        return np.flatnonzero(self.legal_mask()).tolist()

    def legal_cells(self) -> List[str]:
        """The legal cells, row by row from a1."""
        return self._cells(lib.krow_game_legal)

    def winning_cells(self) -> List[str]:
        """The cells of all winning rows; none if there is no winner."""
        return self._cells(lib.krow_game_winning_cells)

    def _cells(self, find: Any) -> List[str]:
        cells = ffi.new("KrowCell[]", self.rules.cells)
        return cell_names(cells, min(find(self._handle, cells, self.rules.cells), self.rules.cells))

    def observation(self) -> np.ndarray:
        """The planes [3, height, width] of bytes, row 0 at the bottom, as the side to move sees them: its stones, those
        of the other side, and a plane filled with the stones left in the turn."""
        planes = np.empty((PLANES, self.rules.height, self.rules.width), np.uint8)
        lib.krow_game_observe(self._handle, ffi.from_buffer("uint8_t[]", planes))
        return planes

    # --- Text ---

    @property
    def text(self) -> str:
        """The stones played, separated by blanks."""
        return written(lambda buffer, size: lib.krow_game_write(self._handle, buffer, size))

    @property
    def fen(self) -> str:
        """The position in one line."""
        return written(lambda buffer, size: lib.krow_game_to_fen(self._handle, buffer, size))

    def sgf(self, first: str = "", second: str = "") -> str:
        """The game as an SGF file; `first` and `second` are the names of the players."""
        names = [text_bytes(name, f"the name of the {side} player") for name, side in zip((first, second), _SGF_NAMES)]
        return written(lambda buffer, size: lib.krow_game_to_sgf(self._handle, *names, buffer, size))

    def __str__(self) -> str:
        """The board as a diagram, X for the first side and O for the second."""
        first, second = self.observation()[[self.side, 1 - self.side]]
        rows = np.where(first, "X", np.where(second, "O", "."))[::-1]
        return "\n".join(" ".join(row) for row in rows)

    def __repr__(self) -> str:
        return f"Game({str(self.rules)!r}, {self.text!r})"


def position_of(game: Game) -> Game:
    """A copy of a game for the library: other threads may play on."""
    if not isinstance(game, Game):
        raise TypeError(f"a position must be a Game, not {type(game).__name__}")
    return game.copy()


def _restore(rules: str, fen: str, moves: str) -> Game:
    """A game from its pickle."""
    game = Game.from_fen(fen, rules) if fen != Game(rules).fen else Game(rules)
    if moves:
        game.play_moves(moves)
    return game
