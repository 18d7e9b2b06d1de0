"""Matches between engines: settings, faults, logs, and everything else that a match manager does."""
import os
import shutil
import sys
import time

from krowtest import KrowTest, main, repeats

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from engine_kinds import IN_A_GAME  # noqa: E402

FAKE = os.path.abspath(os.environ.get("FAKE_ENGINE", "build/release/tests/fake_engine"))


def programs_of(path):
    """The processes whose command line contains a path."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if path.encode() in file.read():
                    found.append(pid)
        except OSError:
            pass  # it has ended
    return found


class Engines(KrowTest):
    def setUp(self):
        super().setUp()
        self.environment["KROW_DB"] = "none"


class Faults(Engines):
    @repeats
    def test_no_engine_hangs_or_outlives_a_match(self):
        """Each engine plays one game; every fault has its reason, and at the end no process is left."""
        engine = shutil.copy(FAKE, self.path("engine"))
        agents = "".join(f"agent exec:{kind.command(engine)}\n" for kind in IN_A_GAME)
        event = self.write("event", f"game gomoku\nagent random\n{agents}format gauntlet\ngames 1\ntime 1\nturns 20\n")
        self.assertEqual(programs_of(engine), [])
        value = self.json("tournament", event, "--jobs", "4", "-q")
        end = time.monotonic() + 10  # a killed process disappears when its parent has noticed it
        while programs_of(engine) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(programs_of(engine), [])
        self.assertEqual(value["games"], len(IN_A_GAME))
        reasons = {fault["agent"]: fault["reason"] for fault in value["fault_list"]}
        counts = {agent["name"]: agent["faults"] for agent in value["agents"]}
        for kind in IN_A_GAME:
            name = "exec:" + kind.command(engine)
            with self.subTest(kind.mode):
                self.assertEqual(counts[name], {fault: int(fault == kind.fault) for fault in counts[name]})
                self.assertIn(kind.words, reasons.get(name, ""))


if __name__ == "__main__":
    main()
