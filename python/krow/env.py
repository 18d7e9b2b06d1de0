"""Thousands of games at once, for learning."""
from __future__ import annotations

import threading
from typing import Any, Optional, Tuple

import numpy as np

from ._library import BadInput, check, ffi, lib, new_error, owned
from .game import PLANES, Game, position_of
from .rules import Rules, RulesLike, rules_of


class VectorEnv:
    """Games of the same rules that are played in parallel: every step places one stone in every game.

    All arrays show the library's memory: they have one element per game, are read-only, are never copied and change
    with every step. They stay valid after the environment is gone.

    With `auto_reset`, a game that ends starts anew at once; `ended`, `winner` and `reward` tell how it ended. Without
    it, such a game waits for `reset`, and its actions are ignored.

    >>> env = VectorEnv("connect4", 1000, seed=7)
    >>> for _ in range(50):
    ...     reward, ended = env.step(env.random_actions())
    >>> env.legal_mask.shape, env.observation().shape
    ((1000, 7), (1000, 3, 6, 7))
    """

    legal_mask: np.ndarray  #: [games, actions] bool
    side: np.ndarray  #: uint8: the side to move, 0 or 1
    stones_left: np.ndarray  #: uint16: stones it still places in this turn; 0 if the game is over
    played: np.ndarray  #: uint16: stones played
    over: np.ndarray  #: bool: the game is over and waits for `reset`
    ended: np.ndarray  #: bool: the last step ended the game
    winner: np.ndarray  #: uint8: the winner of a game with `over` or `ended`; 2 for a draw and for other games
    reward: np.ndarray  #: float32, of the side that placed the last step's stone: 1 for a win, else 0

    def __init__(self, rules: RulesLike, games: int = 1024, *, auto_reset: bool = True, seed: int = 1) -> None:
        self.rules: Rules = rules_of(rules)
        self.games, self.auto_reset = int(games), bool(auto_reset)
        error = new_error()
        if not 1 <= self.games <= lib.KROW_BATCH_MAX:
            raise BadInput(f"an environment has 1 to {lib.KROW_BATCH_MAX} games, not {games}")
        handle = owned(lib.krow_batch_open(self.rules._raw, self.games, error), lib.krow_batch_close, error)
        self._handle = handle
        self._lock = threading.Lock()
        view = ffi.new("KrowBatchView *")
        lib.krow_batch_view(handle, view)
        actions = (self.games, self.rules.actions)
        self.legal_mask = _array(handle, view.legal, np.bool_, actions)
        self.side = _array(handle, view.side, np.uint8, self.games)
        self.stones_left = _array(handle, view.left, np.uint16, self.games)
        self.played = _array(handle, view.played, np.uint16, self.games)
        self.over = _array(handle, view.over, np.bool_, self.games)
        self.ended = _array(handle, view.ended, np.bool_, self.games)
        self.winner = _array(handle, view.winner, np.uint8, self.games)
        self.reward = _array(handle, view.reward, np.float32, self.games)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Sets the seed of `random_actions`."""
        with self._lock:
            lib.krow_batch_seed(self._handle, seed & 0xFFFFFFFFFFFFFFFF)

    def reset(self, which: Optional[np.ndarray] = None) -> None:
        """Starts all games anew, or those for which the array `which` is true."""
        chosen = ffi.NULL
        if which is not None:
            which = np.ascontiguousarray(which, dtype=np.bool_)
            if which.shape != (self.games,):
                raise BadInput(f"`which` must have the shape ({self.games},), not {which.shape}")
            chosen = ffi.from_buffer("uint8_t[]", which)
        with self._lock:
            lib.krow_batch_reset(self._handle, chosen)

    def step(self, actions: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """Places a stone in every game; returns the arrays `reward` and `ended`. If an action is illegal, BadInput
        names the game, and no game changes."""
        actions = np.asarray(actions)
        if actions.dtype != np.int32 or not actions.flags.c_contiguous:
            actions = self._int32(actions)
        if actions.shape != (self.games,):
            raise BadInput(f"the actions must have the shape ({self.games},), not {actions.shape}")
        with self._lock:
            error = new_error()
            status = lib.krow_batch_step(self._handle, ffi.from_buffer("int32_t[]", actions), self.auto_reset, error)
        if status:
            check(status, error)
        return self.reward, self.ended

    @staticmethod
    def _int32(actions: np.ndarray) -> np.ndarray:
        if actions.dtype.kind not in "iu":
            raise TypeError(f"the actions must be integers, not {actions.dtype}")
        limits = np.iinfo(np.int32)
        if actions.size > 0 and (actions.min() < limits.min or actions.max() > limits.max):
            raise BadInput("an action is out of range")
        return np.ascontiguousarray(actions, dtype=np.int32)

    def random_actions(self) -> np.ndarray:
        """A random legal action for every game; -1 for games that are over."""
        actions = np.empty(self.games, np.int32)
        with self._lock:
            lib.krow_batch_random(self._handle, ffi.from_buffer("int32_t[]", actions))
        return actions

    def observation(self, out: Optional[np.ndarray] = None, dtype: Any = np.uint8) -> np.ndarray:
        """The planes [games, 3, height, width], row 0 at the bottom, as the side to move sees them: its stones, those
        of the other side, and a plane filled with the stones left in the turn. The library writes into `out`, an array
        of bytes or float32, or into a new one."""
        shape = (self.games, PLANES, self.rules.height, self.rules.width)
        if out is None:
            out = np.empty(shape, dtype)
        if not isinstance(out, np.ndarray) or out.shape != shape or not (out.flags.carray and out.flags.writeable):
            raise BadInput(f"`out` must be a writable, contiguous array of the shape {shape}")
        with self._lock:
            if out.dtype == np.uint8:
                lib.krow_batch_observe(self._handle, ffi.from_buffer("uint8_t[]", out))
            elif out.dtype == np.float32:
                lib.krow_batch_observe_float(self._handle, ffi.from_buffer("float[]", out))
            else:
                raise BadInput(f"observations are uint8 or float32, not {out.dtype}")
        return out

    def game(self, index: int) -> Game:
        """A copy of one game, with its stones."""
        error = new_error()
        with self._lock:
            return Game._wrap(lib.krow_batch_game(self._handle, self._index(index), error), error)

    def set_game(self, index: int, game: Game) -> None:
        """Replaces one game by a copy of another game."""
        error, position = new_error(), position_of(game)
        with self._lock:
            check(lib.krow_batch_set_game(self._handle, self._index(index), position._handle, error), error)

    def _index(self, index: int) -> int:
        if not 0 <= index < self.games:
            raise BadInput(f"there is no game {index}; games are 0 to {self.games - 1}")
        return index

    def __len__(self) -> int:
        return self.games

    def __repr__(self) -> str:
        return f"VectorEnv({str(self.rules)!r}, {self.games})"


def _array(handle: Any, pointer: Any, dtype: Any, shape: Any) -> np.ndarray:
    """A read-only view of memory of the library, which keeps the handle alive."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    keeper = ffi.gc(pointer, lambda _, handle=handle: None)
    return np.frombuffer(memoryview(ffi.buffer(keeper, size)).toreadonly(), dtype).reshape(shape)
