"""krow check-engine: names the one thing that each misbehaving engine does wrong, and finds nothing else.

The engine is support/trap_engine.c. Limits of time are generous, except for engines that are meant to exceed them.
"""
import concurrent.futures
import json
import os
import signal
import subprocess
import time

from krowtest import KROW, KrowTest, main_at_once, repeats

TRAP = os.path.abspath(os.environ.get("TRAP_ENGINE", "build/release/tests/trap_engine"))

# What else is checked besides the trap, and must pass. The checks before `several-lines` always run.
OTHERS = "several-lines,full-board,end"

# The traps of trap_engine.c with the checks that must fail.
GOMOCUP = {
    "hang_at_start": "start", "exit_at_start": "start", "banner": "start",
    "hang": "one-answer", "crash": "one-answer", "exit": "one-answer", "flood": "one-answer", "garbage": "one-answer",
    "off_board": "one-answer", "two_answers": "one-answer", "occupied": "moves",
    "loses_line": "line-after-move", "one_line_per_read": "several-lines", "no_partial_lines": "split-line",
    "no_crlf": "crlf", "keeps_board": "board-again", "rectangle": "rectangle", "about": "about",
    "silent_unknown": "unknown-command", "dies_of_unknown": "unknown-command", "dies_of_wrong_input": "wrong-input",
    "needs_start": "info-first", "answers_info": "info-unknown", "folder": "folder", "restart": "restart",
    "takeback": "takeback", "play": "play", "swap2": "swap2", "slow": "turn-time", "slow_when_fast": "fast-moves",
    "ignores_match_time": "match-time", "ignores_time_left": "time-over", "memory": "memory", "ponders": "idle",
    "hangs_with_threads": "threads", "input_ends_search": "input", "no_restart_in_search": "restart-in-search",
    "deaf_in_search": "end-in-search", "ignores_end": "end",
}
UGI = {
    "hang_at_start": "start", "banner": "start", "crash": "one-answer", "off_board": "one-answer",
    "two_answers": "one-answer", "occupied": "moves", "loses_line": "line-after-move", "one_stone": "connect6",
    "no_crlf": "crlf", "answers_unknown": "unknown-command", "dies_of_unknown": "unknown-option",
    "dies_of_wrong_input": "wrong-input", "ignores_match_time": "match-time", "memory": "memory", "ponders": "idle",
    "hangs_with_threads": "threads", "input_ends_search": "input", "infinite": "stop", "ignores_stop": "stop",
    "not_ready_in_search": "ready-in-search", "moves_at_stop": "stop-alone", "bad_info": "info",
    "ignores_quit_in_search": "end-in-search", "ignores_end": "end",
}
WORDS = {  # of what came instead
    "exit_at_start": "exit status 7", "crash": "signal 11", "exit": "exit status 3", "flood": "flood",
    "garbage": "I play here", "off_board": "15,14", "occupied": "which is occupied", "memory": "MiB of memory",
    "ponders": "processor time", "ignores_end": "it still runs", "hang": "nothing in",
}


class CheckEngine(KrowTest):
    def check(self, command, *arguments, status=0):
        out, err = self.krow("check-engine", f"exec:{command}", "--json", *arguments, status=status)
        return json.loads(out), err

    def trap(self, protocol, trap, *arguments, status=1):
        """The report about an engine with a trap; time counts only where it is exceeded by far."""
        tolerance = "0.8" if trap in ("slow", "slow_when_fast", "ignores_time_left") else "5"
        patience = "1.5" if trap.startswith("hang") else "8"
        return self.check(f"'{TRAP}' {protocol} {trap}", "--no-sandbox", "--protocol", protocol, "--time", "0.3",
                          "--tolerance", tolerance, "--patience", patience, *arguments, status=status)[0]

    def find(self, protocol, trap, expected):
        report = self.trap(protocol, trap, "--only", f"{expected},{OTHERS}")
        failed = {check["name"]: check for check in report["checks"] if check["outcome"] == "fail"}
        with self.subTest(protocol=protocol, trap=trap):
            self.assertEqual(sorted(failed), [expected])
            check = failed[expected]
            self.assertFalse(report["ready"])
            self.assertNotEqual((check["expected"], check["came"], check["lines"]), ("", "", []))
            if protocol == "gomocup":
                self.assertIn(WORDS.get(trap, ""), check["came"])

    @repeats
    def test_traps(self):
        """All at once: the engines hardly compute, and most of the time is patience with those that are silent."""
        traps = [("gomocup", *trap) for trap in GOMOCUP.items()] + [("ugi", *trap) for trap in UGI.items()]
        with concurrent.futures.ThreadPoolExecutor(len(traps)) as pool:
            for done in [pool.submit(self.find, *trap) for trap in traps]:
                done.result()

    def test_engines_without_traps(self):
        protocols = [("gomocup", ["stop"]), ("ugi", ["multipv"])]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            reports = list(pool.map(lambda each: self.trap(each[0], "", status=0), protocols))
        for report, (protocol, unsupported) in zip(reports, protocols):
            bad = [(check["name"], check["outcome"]) for check in report["checks"] if check["outcome"] != "pass"]
            self.assertEqual(bad, [(name, "not supported") for name in unsupported])
            self.assertTrue(report["ready"])
            self.assertEqual(report["protocol"], protocol)
            self.assertEqual(report["passed"] + 1, len(report["checks"]))

    @repeats
    def test_krow_is_ready(self):
        """In the sandbox, in both protocols, which the first answer decides."""
        krow = f"'{KROW}' engine --agent engine:memory=16"
        limits = ["--time", "0.1", "--tolerance", "10", "--patience", "30"]
        runs = [[krow, "--protocol", "gomocup"], [krow]]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            reports = list(pool.map(lambda run: self.check(*run, *limits)[0], runs))
        self.assertEqual([report["protocol"] for report in reports], ["gomocup", "ugi"])
        for report in reports:
            self.assertEqual([check for check in report["checks"] if check["outcome"] == "fail"], [])
            states = {each["name"]: each["state"] for each in report["protections"]}
            self.assertEqual((states["files"], states["network"]), ("in force", "in force"))
            self.assertIn(states["memory"], ("in force", "watched"))

    def test_text(self):
        command = ["check-engine", f"exec:'{TRAP}' gomocup no_crlf", "--no-sandbox", "--time", "0.3", "--patience", "8"]
        out, err = self.krow(*command, "--only", "crlf,play", "--protocol", "gomocup", "--tolerance", "5", status=1)
        lines = out.splitlines()
        self.assertIn("off            network           not without the sandbox", lines)
        self.assertIn("pass           play              places the stone that PLAY names", lines)
        at = lines.index("fail           crlf              reads lines that end with CR LF")
        self.assertEqual([line.split()[0] for line in lines[at + 1:at + 4]], ["sent", "expected", "came"])
        self.assertIn("\\r", lines[at + 1])
        self.assertEqual(lines[-1], "6 passed, 1 failed, 0 not supported: not ready")
        self.assertIn("1 of 7 checks failed", err)
        out, _ = self.krow(*command, "--only", "play", "--verbose", "-q", "--tolerance", "5")
        self.assertEqual(out, "6 passed, 0 failed, 0 not supported: ready\n")

    def test_skipped_checks(self):
        report = self.trap("gomocup", "exit")
        self.assertEqual([check["outcome"] for check in report["checks"][:3]], ["pass", "fail", "skipped"])
        self.assertEqual(report["skipped"], len(report["checks"]) - 2)

    def test_wrong_calls(self):
        for arguments, words in [
            (["krow"], "'krow' is not exec:COMMAND"),
            (["exec:"], "exec: needs a command"),
            (["exec:/no/such/engine"], "/no/such/engine"),
            ([f"exec:{TRAP}", "--protocol", "uci"], "'uci' is neither gomocup nor ugi"),
            ([f"exec:{TRAP}", "--protocol", "gomocup", "--only", "crlf,nothing"], "there is no check 'nothing'"),
            ([f"exec:{TRAP}", "--protocol", "gomocup", "--game", "connect6"], "supports only five in a row"),
            ([], "takes"),
        ]:
            with self.subTest(arguments=arguments):
                out, err = self.krow("check-engine", *arguments, status=2)
                self.assertIn(words if arguments else "exec:COMMAND", err)

    def test_interrupt(self):
        process = subprocess.Popen([KROW, "check-engine", f"exec:'{TRAP}' gomocup hang_at_start", "--no-sandbox",
                                    "--protocol", "gomocup", "--patience", "100"], env=self.environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn(b"interrupted", err)


if __name__ == "__main__":
    main_at_once()
