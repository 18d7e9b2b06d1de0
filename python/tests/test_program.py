#!/usr/bin/env python3
"""Tests of EngineProgram: conversations in UGI and Gomocup, and matches under `krow match`."""
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

import krow
from krow import program

KROW, SOURCE = os.environ["KROW"], os.environ["KROW_SOURCE"]
EXAMPLE = os.path.join(SOURCE, "python/examples/engine.py")


class Corner(krow.EngineProgram):
    """Plays the first legal cell and remembers its limits."""

    name = "corner"
    defaults = {"Depth": 4, "Style": "calm", "Loud": False}
    limits = None

    def supports(self, rules):
        return rules.width < 60

    def choose(self, game, limits):
        self.limits = limits
        self.report(score=0.5, depth=1, line=game.legal_cells()[:2])
        print("this must not disturb the protocol")
        return game.legal_cells()[0]


class Bad(krow.EngineProgram):
    """Answers what its class says, or fails."""

    answer = "a1"

    def choose(self, game, limits):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def talk(engine, *lines):
    """What an engine answers, line by line, without remarks."""
    output = io.StringIO()
    engine._in, engine._out = io.StringIO("\n".join(lines) + "\n"), output
    errors, sys.stderr = sys.stderr, io.StringIO()
    try:
        engine.run()
    finally:
        sys.stderr = errors
    return [line for line in output.getvalue().splitlines() if not line.startswith(("info depth", "MESSAGE"))]


class ConversationTest(unittest.TestCase):
    def test_ugi(self):
        engine = Corner()
        answers = talk(engine, "ugi", "setoption name Game value connect6", "isready", "uginewgame", "position startpos",
                       "go movetime 1000", "position startpos moves k10 a1", "query p1turn", "go nodes 50 depth 3",
                       "position startpos moves k10", "go p1time 1000 p2time 21000 p2inc 100", "query result",
                       "query gameover", "setoption name Depth value 7", "setoption name Loud value true", "quit", "isready")
        self.assertEqual(answers[0], "id name corner 1")
        self.assertIn("option name Depth type spin default 4", answers)
        self.assertIn("option name Loud type check default false", answers)
        begin = answers.index("ugiok") + 1
        self.assertEqual(answers[begin:], ["readyok", "bestmove a1", "response false", "bestmove b1", "bestmove a1,b1",
                                           "response none", "response false"])
        self.assertAlmostEqual(engine.limits.seconds, 21 / 20 + 0.08 - 0.03)
        self.assertEqual(engine.options, {"Depth": 7, "Style": "calm", "Loud": True})

    def test_ugi_refusals(self):
        answers = talk(Corner(), "ugi", "setoption name Game value 64x64:k=5", "go nodes 1", "setoption name Game value what",
                       "setoption name Game value tictactoe", "position startpos moves a1 a1", "go nodes 1", "position",
                       "dance", "setoption name Depth value x", "setoption name Nothing value 1",
                       "position fen 3/1X1/3 O 1 moves a1", "go infinite", "position fen 3/3 O 1", "query x",
                       "position startpos moves a1 a2 b1 b2 c1", "go")
        answers = answers[answers.index("ugiok") + 1:]
        self.assertEqual([line if line.startswith("bestmove") else "error" for line in answers],
                         ["error", "bestmove none", "error", "error", "error", "bestmove none", "error", "error", "error",
                          "error", "error", "bestmove b1", "error", "error", "bestmove none", "error"])
        self.assertTrue(all(line.startswith(("info string error: ", "bestmove")) for line in answers), answers)
        self.assertIn("taken", answers[4])

    def test_gomocup(self):
        engine = Corner()
        answers = talk(engine, "START 15", "INFO timeout_turn 2000", "INFO rule 1", "INFO folder /tmp", "BEGIN", "TURN 7,7",
                       "TAKEBACK 1,14", "TURN 0,0", "RESTART", "TURN 3,3", "BOARD", "7,7,1", "8,8,2", "DONE",
                       "BOARD", "0,14,2", "1,14,1", "2,14,2", "DONE", "BOARD", "0,14,2", "1,14,2", "2,14,1", "DONE",
                       "RECTSTART 20,10", "BEGIN", "ABOUT", "INFO time_left 100", "END", "BEGIN")
        self.assertEqual(answers[:10], ["OK", "0,14", "1,14", "OK", "1,14", "OK", "0,14", "0,14", "3,14", "3,14"])
        self.assertEqual(answers[10:12], ["OK", "0,9"])
        self.assertTrue(answers[12].startswith('name="corner", version="1"'))
        self.assertEqual(len(answers), 13)
        self.assertTrue(engine.game.rules.exact)
        self.assertAlmostEqual(engine.limits.seconds, 1.97)

    def test_gomocup_refusals(self):
        answers = talk(Corner(), "BEGIN", "TURN 1,1", "START 3", "START 100", "START x", "START 15", "TURN 15,0", "TURN 1",
                       "TURN 1,1", "TURN 1,1", "BOARD", "1,1,1", "1,1,2", "DONE", "BOARD", "1,1,7", "DONE", "BOARD",
                       "TURN 5,5", "dance", "INFO rule 4", "BEGIN", "BOARD")
        self.assertEqual([line.split()[0] for line in answers],
                         ["ERROR"] * 5 + ["OK"] + ["ERROR"] * 2 + ["0,14"] + ["ERROR"] * 4 + ["0,14", "UNKNOWN"] +
                         ["ERROR"] * 3)

    def test_faults_of_a_subclass(self):
        for answer, words in (("z9", "z9"), ([], "no stone"), (None, "int"), (ValueError("what?"), "what?"), (99, "99")):
            engine = Bad()
            engine.answer = answer
            answers = talk(engine, "ugi", "setoption name Game value tictactoe", "go", "isready")
            self.assertEqual(answers[-3], "bestmove none")
            self.assertTrue(answers[-2].startswith("info string error:") and words in answers[-2], answers)
            self.assertEqual(answers[-1], "readyok")
            engine = Bad()
            engine.answer = answer
            self.assertRegex(talk(engine, "START 5", "BEGIN")[-1], "^ERROR")

    def test_whole_turns(self):
        engine = Bad()
        engine.answer = ["a1", "b1", "c1"]
        answers = talk(engine, "ugi", "setoption name Game value connect6", "position startpos moves k10", "go")
        self.assertEqual(answers[-1], "bestmove a1,b1")

    def test_garbage(self):
        """Nothing that a manager says ends the conversation."""
        import random  # pylint: disable=import-outside-toplevel
        rng = random.Random(1)
        words = ["ugi", "go", "position", "startpos", "fen", "moves", "h8", "a1,b2", "setoption", "name", "Game", "value",
                 "gomoku", "START", "15", "BOARD", "DONE", "1,1,1", "TURN", "3,3", "INFO", "rule", "7", "é", "-", ",", ",,",
                 "BEGIN", "TAKEBACK", "RESTART", "PLAY", "query", "option", "stop", "isready", "99999999999999999999"]
        lines = [" ".join(rng.choice(words) for _ in range(rng.randrange(5))) for _ in range(3000)]
        answers = talk(Corner(), *lines, "xyzzy")
        self.assertIn("xyzzy", answers[-1])


class MatchTest(unittest.TestCase):
    def test_matches(self):
        """The example of the documents plays whole matches under krow, without a fault."""
        for game, protocol in (("connect4", "ugi"), ("gomoku", "gomocup"), ("7x7:k=4,p=2,q=1", "ugi")):
            engine = EXAMPLE
            if protocol == "gomocup":  # the same engine without UGI
                folder = tempfile.TemporaryDirectory()
                self.addCleanup(folder.cleanup)
                engine = os.path.join(folder.name, "gomocup.py")
                with open(EXAMPLE, encoding="utf-8") as source, open(engine, "w", encoding="utf-8") as file:
                    file.write(source.read().replace(
                        "    Careful().run()", "    every = Careful._commands\n    Careful._commands = lambda self: "
                        "{name: do for name, do in every(self).items() if name != 'ugi'}\n    Careful().run()"))
            done = subprocess.run([KROW, "match", f"exec:{sys.executable} {engine}", "random", "--game", game, "--games",
                                   "4", "--time", "30", "--db", "none", "--no-sandbox", "--json", "--quiet"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            self.assertEqual(found["games"], 4)
            self.assertEqual([sum(faults.values()) for faults in found["faults"].values()], [0, 0], found["faults"])
            self.assertGreater(found["score"], 0.5)

    @unittest.skipUnless(sys.executable.startswith("/usr/"), "the sandbox shows the interpreter of the system only")
    def test_the_sandbox(self):
        """An engine whose package lies in its own folder; numpy needs libraries that the system chooses in /etc."""
        package = os.path.dirname(krow.__file__)
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            shutil.copytree(package, os.path.join(folder, "python/krow"))
            os.mkdir(os.path.join(folder, "src"))
            shutil.copy(os.path.join(package, "../../src/libkrow.so.0"), os.path.join(folder, "src"))
            engine = os.path.join(folder, "engine.py")
            with open(EXAMPLE, encoding="utf-8") as source, open(engine, "w", encoding="utf-8") as file:
                file.write("import os, sys\nsys.path.insert(0, os.path.dirname(__file__) + '/python')\n" + source.read())
            done = subprocess.run([KROW, "match", f"exec:{sys.executable} {engine}", "random", "--game", "connect4", "--games",
                                   "2", "--time", "30", "--db", "none", "--json", "--quiet"],
                                  capture_output=True, text=True, check=False)
        if "bubblewrap" in done.stderr or "the sandbox could not" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([sum(faults.values()) for faults in json.loads(done.stdout)["faults"].values()], [0, 0])

    def test_stop_ends_a_search(self):
        code = textwrap.dedent("""
            import time, krow
            class Slow(krow.EngineProgram):
                def choose(self, game, limits):
                    self.report(depth=1)
                    while not self.should_stop:
                        time.sleep(0.01)
                    return game.legal_cells()[0]
            Slow().run()""")
        with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
            def say(text):
                engine.stdin.write(text + "\n")
                engine.stdin.flush()

            def read(word):
                for line in engine.stdout:
                    if line.startswith(word):
                        return line.strip()
                self.fail(f"no {word}")

            say("ugi\nsetoption name Game value tictactoe\ngo infinite")
            read("info depth")
            say("isready")
            read("readyok")
            say("stop")
            self.assertEqual(read("bestmove"), "bestmove a1")
            say("go infinite")
            read("info depth")
            say("quit")
            self.assertEqual(engine.wait(60), 0)

    def test_infinite_waits_for_stop(self):
        """An engine that decides at once still answers only after stop, as UGI demands, or at the end of the input."""
        script = textwrap.dedent("""
            import krow
            class Quick(krow.EngineProgram):
                def choose(self, game, limits):
                    return game.legal_cells()[0]
            Quick().run()""")
        with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
            engine.stdin.write("setoption name Game value tictactoe\ngo infinite\nisready\n")
            engine.stdin.flush()
            self.assertEqual(engine.stdout.readline(), "readyok\n")
            engine.stdin.write("stop\ngo infinite\n")
            engine.stdin.flush()
            self.assertEqual(engine.stdout.readline(), "bestmove a1\n")
            engine.stdin.close()
            self.assertEqual(engine.stdout.readline(), "bestmove a1\n")

    def test_the_docstring_is_an_engine(self):
        code = textwrap.dedent(program.__doc__.split("start:\n", 1)[1])
        self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 10)
        done = subprocess.run([sys.executable, "-c", code], input="ugi\nsetoption name Game value connect4\n"
                              "position startpos moves 414141\ngo\nquit\n", capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.splitlines()[-1], "bestmove d4")


if __name__ == "__main__":
    unittest.main()
