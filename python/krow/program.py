"""A base class for engines: programs that speak UGI and the Gomocup protocol on standard input and output.

Ten lines are an engine that `krow match`, Gomocup managers and krow's web board can start:

    import random
    import krow

    class Mine(krow.EngineProgram):
        name = "mine"

        def choose(self, game, limits):
            wins = krow.immediate_wins(game)
            return random.choice(wins or game.legal_cells())

    if __name__ == "__main__":
        Mine().run()
"""
from __future__ import annotations

import collections
import sys
import threading
import time
import traceback
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Optional, TextIO, Tuple, Union

from ._library import KrowError
from .game import Game, Move
from .rules import Rules

Choice = Union[Move, Iterable[Move]]
_RESERVED = 0.03  # seconds of every limit, for communication
_TURNS_LEFT = 20  # a turn gets this part of the clock
_NO_LIMIT_MS = 2147483647
_STOPS = ("stop", "yxstop", "quit", "end")


@dataclass(frozen=True)
class Limits:
    """The limits of one turn; None is no limit."""

    seconds: Optional[float] = None
    nodes: Optional[int] = None
    depth: Optional[int] = None


class _Refusal(Exception):
    """An error that is reported to the manager."""


class EngineProgram:
    """An engine. A subclass defines `choose`; the rest is optional.

    The first command decides the protocol. UGI supports all rules, Gomocup five in a row. Text that the subclass prints
    goes to standard error, so that it cannot disturb the protocol.
    """

    name = "engine"
    author = "unknown"
    version = "1"
    #: Options that a UGI manager may set, with their defaults: bool, int or str. Read them in `self.options`.
    defaults: Dict[str, Union[bool, int, str]] = {}

    def __init__(self, stdin: Optional[TextIO] = None, stdout: Optional[TextIO] = None) -> None:
        self.options: Dict[str, Any] = dict(self.defaults)
        self.game: Game = Game("gomoku")
        self._in, self._out = stdin or sys.stdin, stdout or sys.stdout
        self._lines: collections.deque = collections.deque()  # not executed yet; None is the end of the input
        self._arrived = threading.Condition()
        self._output_lock = threading.Lock()
        self._stop = threading.Event()
        self._is_ugi = False
        self._searches = False  # the command being executed is a search
        self._ready = False  # a position is set
        self._info: Dict[str, int] = {}  # of Gomocup
        self._board: Optional[List[Tuple[int, int, int]]] = None  # stones of an unfinished BOARD
        self._began = 0.0

    # --- For subclasses ---

    def choose(self, game: Game, limits: Limits) -> Choice:
        """The next stone of the side to move, or the stones of a whole turn. `game` is a copy. If the turn needs more
        stones, `choose` is called again."""
        raise NotImplementedError

    def supports(self, rules: Rules) -> bool:
        """Whether the engine plays these rules."""
        return True

    def new_game(self) -> None:
        """Called before each game."""

    @property
    def should_stop(self) -> bool:
        """Whether the manager wants an answer now. Long searches should ask."""
        return self._stop.is_set()

    def report(self, *, score: Optional[float] = None, depth: int = 0, nodes: int = 0,
               line: Iterable[str] = ()) -> None:
        """Tells the manager about the search: the score for the side to move, and the principal variation."""
        words = [f"depth {depth}", f"nodes {nodes}", f"time {int(1000 * (time.monotonic() - self._began))}"]
        if score is not None:
            words.insert(1, f"score cp {round(100 * score)}")
        stones = list(line)
        if stones:
            words.append("pv " + " ".join(stones))
        self._say(("info " if self._is_ugi else "MESSAGE ") + " ".join(words))

    def run(self) -> None:
        """Answers commands until the manager ends the engine or closes its output."""
        commands, self._out = self._in, self._out
        shown, sys.stdout = sys.stdout, sys.stderr
        reader = threading.Thread(target=self._read, args=(commands,), daemon=True)
        reader.start()
        try:
            while self._step():
                pass
        finally:
            sys.stdout = shown

    # --- Reading and writing ---

    def _read(self, commands: TextIO) -> None:
        """Queues all lines. Commands that concern a running search take effect at once."""
        try:
            for line in commands:
                words = line.split()
                word = words[0].lower() if words else ""
                with self._arrived:
                    is_asked = word == "isready" and self._searches and not self._lines
                    if not is_asked:
                        self._lines.append(line.strip())
                        self._arrived.notify()
                if is_asked:
                    self._say("readyok")
                if word in _STOPS:  # after the line itself, which a search that begins now looks for
                    self._stop.set()
                    with self._arrived:
                        self._arrived.notify()
        except (OSError, UnicodeDecodeError, ValueError):
            pass
        with self._arrived:
            self._lines.append(None)
            self._arrived.notify()

    def _take(self) -> Optional[str]:
        """The next line."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._lines)
            line = self._lines.popleft()
            self._searches = line is not None and line.split()[:1] == ["go"]
            asked = 0
            # The answer to a line that arrived before the search began cannot wait for its end if only `stop` ends it.
            while self._searches and "infinite" in line.split() and self._lines and self._lines[0] == "isready":
                self._lines.popleft()
                asked += 1
        for _ in range(asked):
            self._say("readyok")
        return line

    def _say(self, text: str) -> None:
        with self._output_lock:
            self._out.write(text + "\n")
            self._out.flush()

    def _step(self) -> bool:
        """Executes one command; False at the end."""
        line = self._take()
        if line is None:
            return False
        if line == "":
            return True
        if self._board is not None and self._board_line(line):
            return True
        word, _, rest = line.partition(" ")
        if word.lower() in ("quit", "end"):
            return False
        command = self._commands().get(word.lower())
        try:
            if command is None:
                text = f"unknown command {line!r}"
                self._say(f"info string error: {text}" if self._is_ugi else text.replace("unknown", "UNKNOWN", 1))
            else:
                command(rest.strip())
        except BrokenPipeError:
            return False
        except (_Refusal, KrowError) as error:
            self._complain(str(error))
        except Exception as error:  # pylint: disable=broad-except # a fault of the subclass must not end the protocol
            traceback.print_exc()
            self._complain(f"{type(error).__name__}: {error}")
        return True

    def _complain(self, text: str) -> None:
        text = " ".join(text.split())
        self._say(f"info string error: {text}" if self._is_ugi else f"ERROR {text}")

    def _commands(self) -> Dict[str, Callable[[str], None]]:
        ugi = {"ugi": self._ugi, "isready": lambda _: self._say("readyok"), "setoption": self._set_option,
               "uginewgame": lambda _: self._begin(self.game.rules), "position": self._position, "go": self._go,
               "query": self._query}
        gomocup = {"start": self._start, "rectstart": self._start, "restart": self._restart,
                   "begin": self._begin_gomocup, "turn": self._turn, "play": self._play, "takeback": self._take_back, "board": self._open_board,
                   "info": self._set_info, "about": self._about}
        stops = {"stop": lambda _: None, "yxstop": lambda _: None}
        return {**ugi, **gomocup, **stops}

    # --- Thinking ---

    def _begin(self, rules: Rules) -> None:
        self._ready = False
        if not self.supports(rules):
            raise _Refusal(f"{self.name} does not play {rules}")
        self.game = Game(rules)
        self._ready = True
        self.new_game()

    def _think(self, limits: Limits) -> List[str]:
        """Chooses a whole turn and plays it."""
        self._began = time.monotonic()
        self._stop.clear()
        with self._arrived:
            pending = [line.lower().split() for line in self._lines if line]
        if any(words[:1] and words[0] in _STOPS for words in pending):
            self._stop.set()  # it arrived before the search began
        first, side = len(self.game), self.game.side
        try:
            while not self.game.is_over and self.game.side == side:
                chosen = self.choose(self.game.copy(), limits)
                stones = [chosen] if isinstance(chosen, str) or not hasattr(chosen, "__iter__") else list(chosen)
                if not stones:
                    raise _Refusal("the engine has chosen no stone")
                for stone in stones[:self.game.stones_left]:
                    self.game.play(stone)
        except BaseException:
            self.game.undo(len(self.game) - first)
            raise
        return self.game.moves[first:]

    # --- UGI ---

    def _ugi(self, _: str) -> None:
        self._is_ugi = True
        self._say(f"id name {self.name} {self.version}\nid author {self.author}")
        self._say("option name Game type string default gomoku")
        for name, value in self.defaults.items():
            kind = "check" if isinstance(value, bool) else "spin" if isinstance(value, int) else "string"
            self._say(f"option name {name} type {kind} default {str(value).lower() if kind == 'check' else value}")
        self._say("ugiok")

    def _set_option(self, rest: str) -> None:
        name, _, value = rest.removeprefix("name ").partition(" value ")
        name, value = name.strip(), value.strip()
        if name == "Game":
            self._begin(Rules(value))
            return
        if name not in self.defaults:
            raise _Refusal(f"there is no option {name!r}")
        default = self.defaults[name]
        try:
            self.options[name] = (value.lower() == "true" if isinstance(default, bool)
                                  else int(value) if isinstance(default, int) else value)
        except ValueError:
            raise _Refusal(f"option {name} takes a number, not {value!r}") from None

    def _position(self, rest: str) -> None:
        rules, self._ready = self.game.rules, False
        place, _, moves = rest.partition("moves")
        words = place.split()
        if words[:1] == ["startpos"]:
            game = Game(rules)
        elif words[:1] == ["fen"]:
            game = Game.from_fen(" ".join(words[1:]), rules)
        else:
            raise _Refusal("position takes 'startpos' or 'fen'")
        if moves.strip():
            game.play_moves(moves.strip())
        self.game, self._ready = game, True

    def _go(self, rest: str) -> None:
        try:
            if not self._ready:
                raise _Refusal("there is no position")
            if self.game.is_over:
                raise _Refusal("the game is over")
            position = self.game.copy()
            words = rest.split()
            stones = self._think(self._ugi_limits(words))
            if "infinite" in words:
                self._wait_for_stop()
            self.game = position  # the manager sends the position of the next turn
        except BaseException:
            self._say("bestmove none")
            raise
        self._say("bestmove " + ",".join(stones))

    def _wait_for_stop(self) -> None:
        """Until the manager stops the search or closes its output."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._stop.is_set() or None in self._lines)

    def _ugi_limits(self, words: List[str]) -> Limits:
        values = {word: int(value) for word, value in zip(words, words[1:]) if value.lstrip("-").isdigit()}
        if "infinite" in words:
            return Limits()
        side = self.game.side + 1
        ways = []
        if "movetime" in values:
            ways.append(values["movetime"] / 1000)
        if f"p{side}time" in values:
            clock = values[f"p{side}time"] / 1000
            ways.append(min(clock, clock / _TURNS_LEFT + 0.8 * values.get(f"p{side}inc", 0) / 1000))
        seconds = _part(min(ways)) if ways else None
        return Limits(seconds, _positive(values.get("nodes")), _positive(values.get("depth")))

    def _query(self, rest: str) -> None:
        answers = {"gameover": self.game.is_over, "p1turn": self.game.side == 0}
        if rest in answers:
            self._say(f"response {str(answers[rest]).lower()}")
        elif rest == "result":
            result = self.game.result
            self._say("response " + {"first": "p1win", "second": "p2win", "draw": "draw", None: "none"}[result])
        else:
            raise _Refusal(f"query does not know {rest!r}")

    # --- Gomocup ---

    def _start(self, rest: str) -> None:
        self._ready = False
        width, height = _numbers(rest, (1, 2)) * 2 if "," not in rest else _numbers(rest, (2,))
        if not 5 <= min(width, height) <= max(width, height) <= 64:
            raise _Refusal("the size must be 5 to 64")
        self._begin(Rules(width=width, height=height, k=5, exact=self._info.get("rule", 0) == 1))
        self._say("OK")

    def _restart(self, _: str) -> None:
        self._begin(self.game.rules)
        self._say("OK")

    def _set_info(self, rest: str) -> None:
        key, _, value = rest.partition(" ")
        if not value.strip().lstrip("-").isdigit():
            return  # folders and texts
        self._info[key.lower()] = int(value)
        if key.lower() == "rule":
            if int(value) not in (0, 1):
                self._ready = False
                raise _Refusal(f"rule {value.strip()} is not supported")
            rules, moves = self.game.rules, self.game.text
            self._begin(Rules(width=rules.width, height=rules.height, k=5, exact=int(value) == 1))
            if moves:
                self.game.play_moves(moves)

    def _answer(self) -> None:
        if not self._ready:
            raise _Refusal("there is no game; send START")
        if self.game.is_over:
            raise _Refusal("the game is over")
        self._say(self._to_gomocup(self._think(self._gomocup_limits())[0]))

    def _begin_gomocup(self, _: str) -> None:
        if len(self.game) > 0:
            raise _Refusal("the board is not empty; send RESTART")
        self._answer()

    def _turn(self, rest: str) -> None:
        self.game.play(self._from_gomocup(*_numbers(rest, (2,))))
        self._answer()

    def _play(self, rest: str) -> None:
        cell = self._from_gomocup(*_numbers(rest, (2,)))
        self.game.play(cell)
        self._say(self._to_gomocup(cell))

    def _take_back(self, rest: str) -> None:
        cell = self._from_gomocup(*_numbers(rest, (2,)))
        if self.game.moves[-1:] != [cell]:
            raise _Refusal(f"{rest} is not the last stone")
        self.game.undo()
        self._say("OK")

    def _open_board(self, _: str) -> None:
        if not self._ready:
            raise _Refusal("there is no game; send START")
        self._board = []

    def _board_line(self, line: str) -> bool:
        """Takes a line of BOARD; False if another command interrupts the list."""
        stones = self._board
        assert stones is not None
        parts = line.split(",")
        if len(parts) == 3 and all(part.strip().lstrip("-").isdigit() for part in parts):
            stones.append((int(parts[0]), int(parts[1]), int(parts[2])))
            return True
        word = line.split()[0].lower()
        if word == "info":
            return False
        self._board = None
        if word != "done":
            self._complain("the list of BOARD was interrupted")
            return False
        try:
            self._set_board(stones)
            self._answer()
        except (_Refusal, KrowError) as error:
            self._complain(str(error))
        return True

    def _set_board(self, stones: List[Tuple[int, int, int]]) -> None:
        """Stones that alternate are the history of the game; others are a position."""
        rules = self.game.rules
        self.game = Game(rules)
        cells = [(self._from_gomocup(x, y), who) for x, y, who in stones]
        if any(who not in (1, 2) for _, who in cells) or len({cell for cell, _ in cells}) != len(cells):
            raise _Refusal("a line of BOARD has a wrong or occupied cell, or a side that is not 1 or 2")
        own, others = ([cell for cell, who in cells if who == side] for side in (1, 2))
        first = 1 if len(own) == len(others) else 2
        if [who for _, who in cells] == [1 + (n + first - 1) % 2 for n in range(len(cells))]:
            for cell, _ in cells:
                self.game.play(cell)
            return
        grid = [["." for _ in range(rules.width)] for _ in range(rules.height)]
        for cell, who in cells:
            row, column = divmod(rules.action(cell), rules.width)
            grid[rules.height - 1 - row][column] = "X" if who == first else "O"
        self.game = Game.from_fen(f"{'/'.join(map(_fen_row, grid))} {'X' if first == 1 else 'O'} 1", rules)

    def _gomocup_limits(self) -> Limits:
        ways = []
        if "timeout_turn" in self._info:
            ways.append(self._info["timeout_turn"] / 1000)
        if self._info.get("timeout_match", 0) > 0:
            left = self._info.get("time_left", self._info["timeout_match"])
            if left < _NO_LIMIT_MS:
                ways.append(max(left, 0) / 1000 / _TURNS_LEFT)
        return Limits(_part(min(ways)) if ways else None, _positive(self._info.get("max_node")),
                      _positive(self._info.get("max_depth")))

    def _about(self, _: str) -> None:
        self._say(f'name="{self.name}", version="{self.version}", author="{self.author}", country="none"')

    def _to_gomocup(self, cell: str) -> str:
        rules = self.game.rules
        row, column = divmod(rules.action(cell), rules.width)
        return f"{column},{rules.height - 1 - row}"

    def _from_gomocup(self, x: int, y: int) -> str:
        rules = self.game.rules
        if not (self._ready and 0 <= x < rules.width and 0 <= y < rules.height):
            raise _Refusal(f"{x},{y} is not on the board" if self._ready else "there is no game; send START")
        return rules.cell((rules.height - 1 - y) * rules.width + x)


def _part(seconds: float) -> float:
    """A limit without the time for communication; never less than 10 ms."""
    return max(0.01, seconds - min(_RESERVED, seconds / 2))


def _positive(number: Optional[int]) -> Optional[int]:
    return number if number is not None and number > 0 else None


def _numbers(text: str, counts: Tuple[int, ...]) -> List[int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in counts or not all(part.isdecimal() for part in parts):
        raise _Refusal(f"{text!r} must be {' or '.join(str(count) for count in counts)} numbers, with commas")
    return [int(part) for part in parts]


def _fen_row(row: List[str]) -> str:
    text, empty = "", 0
    for cell in [*row, "/"]:
        if cell == ".":
            empty += 1
            continue
        text += (str(empty) if empty else "") + cell
        empty = 0
    return text[:-1]
