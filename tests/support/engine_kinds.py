"""The ways in which fake_engine.c misbehaves, for tests of matches and of the engine check.

Each kind is a mode of fake_engine with the turns that it plays before (for `late`: the milliseconds that it is late).
It plays Gomocup: the command is `fake_engine gomocup MODE NUMBER`.
"""
from typing import NamedTuple


class Kind(NamedTuple):
    mode: str
    number: int
    fault: str  # in a match: "crash", "illegal", "timeout", or "" for an engine that plays on
    words: str  # in the reason of the fault

    def command(self, program):
        return f"'{program}' gomocup {self.mode} {self.number}"


# Engines that start, and misbehave in a game.
IN_A_GAME = [
    Kind("hang", 1, "timeout", "no answer"),
    Kind("exit", 0, "crash", "exit status 3"),
    Kind("complain_and_exit", 1, "crash", "it all went wrong"),
    Kind("crash", 1, "crash", "signal 11"),
    Kind("killed", 2, "crash", "signal 9"),
    Kind("flood", 1, "crash", "floods its output"),
    Kind("long_line", 0, "crash", "floods its output"),
    Kind("garbage", 1, "illegal", "not a turn"),
    Kind("off", 1, "illegal", "not a turn"),
    Kind("taken", 1, "illegal", "taken"),
    Kind("error", 1, "timeout", "I do not want to"),
    Kind("close_output", 1, "crash", "closed its output"),
    Kind("orphan", 1, "crash", "exit status 5"),
    Kind("late", 2000, "timeout", "no answer"),
    Kind("trickle", 1, "timeout", "no answer"),
    Kind("spin", 1, "timeout", "no answer"),
    Kind("partial", 1, "timeout", "no answer"),
    Kind("fork_bomb", 1, "timeout", "no answer"),
    Kind("child", 0, "", ""),
    Kind("chatter", 0, "", ""),
    Kind("errs", 0, "", ""),
    Kind("no_restart", 0, "", ""),
    Kind("ignore_end", 0, "", ""),
]

# Engines that do not become ready for a game.
AT_THE_START = [
    Kind("hang_at_start", 0, "", "it answers neither"),
    Kind("exit_at_start", 0, "", "exit status 7"),
    Kind("refuse", 0, "", "refuses this game"),
]
