"""krow engine: whole games in both protocols through pipes, and typical mistakes of engines."""
import os
import re
import select
import subprocess
import time

from krowtest import KROW, KrowTest, main, repeats

PATIENCE = 60


class Engine:
    """krow engine, and the manager's side of its pipes. Remarks (MESSAGE, info depth) are kept apart."""

    def __init__(self, test, *arguments):
        self.test = test
        self.process = subprocess.Popen([KROW, "engine", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=test.environment)
        self.seen = b""
        self.remarks = []
        test.addCleanup(self.kill)

    def kill(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass

    def processor_seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            words = file.read().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def send(self, *lines, end="\n"):
        self.send_bytes("".join(line + end for line in lines).encode())

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def raw_line(self, seconds):
        """The next line, "" when none comes in time, None at the end."""
        end = time.monotonic() + seconds
        while b"\n" not in self.seen:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            if not ready:
                return ""
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                return None
            self.seen += data
        line, _, self.seen = self.seen.partition(b"\n")
        return line.decode("ascii")

    def line(self, seconds=PATIENCE):
        while True:
            line = self.raw_line(seconds)
            if line and line.startswith(("MESSAGE ", "info depth ")):
                self.remarks.append(line)
                continue
            if line == "" and seconds == PATIENCE:
                self.test.fail("the engine says nothing")
            return line

    def ask(self, *lines):
        self.send(*lines)
        return self.line()

    def expect(self, *lines):
        for line in lines:
            self.test.assertEqual(self.line(), line)

    def wait(self, seconds=PATIENCE):
        """Ends, with nothing more to say and nothing on stderr; returns the status."""
        self.test.assertIsNone(self.line())
        status = self.process.wait(seconds)
        self.test.assertEqual(self.process.stderr.read(), b"")
        return status


class EngineTest(KrowTest):
    def engine(self, *arguments):
        return Engine(self, *arguments)

    def gomocup(self, size="15", *arguments):
        engine = Engine(self, *arguments)
        self.assertEqual(engine.ask(f"START {size}"), "OK")
        return engine

    def ugi(self, game, *arguments):
        engine = Engine(self, "--protocol", "ugi", *arguments)
        engine.send(f"setoption name Game value {game}")
        self.assertEqual(engine.ask("isready"), "readyok")
        return engine

    def is_cell(self, answer, width=15, height=15):
        x, y = map(int, answer.split(","))
        self.assertTrue(0 <= x < width and 0 <= y < height, answer)
        return x, y


class Gomocup(EngineTest):
    def test_whole_games(self):
        for arguments, size in [(["--agent", "random", "--seed", "3"], 9), (["--agent", "adjacent", "--seed", "4"], 15)]:
            first, second = self.gomocup(size, *arguments), self.gomocup(size, *arguments[:-1], "9")
            stones, answer = [], first.ask("BEGIN")
            players = [second, first]
            while answer and not answer.startswith("ERROR"):
                self.assertNotIn(self.is_cell(answer, size, size), stones)
                stones.append(self.is_cell(answer, size, size))
                answer = players[len(stones) % 2 - 1].ask(f"TURN {answer}")
            self.assertIn("the game is over", answer)
            # Our own rules agree, rows turned upside down.
            moves = [chr(ord("a") + x) + str(size - y) for x, y in stones]
            self.assertTrue(self.json("show", f"{size}x{size}:k=5", *moves)["over"])
            for player in players:
                player.send("END")
                self.assertEqual(player.wait(), 0)

    def test_the_same_seed_plays_the_same_game(self):
        answers = []
        for _ in range(2):
            engine = self.gomocup(15, "--agent", "random", "--seed", "7")
            answers.append([engine.ask("BEGIN"), engine.ask("RESTART"), engine.ask("BEGIN")])
        self.assertEqual(answers[0], answers[1])
        self.assertNotEqual(answers[0][0], answers[0][2])

    def test_orientation(self):
        # Only one cell is left free, and its row counts from the top.
        engine = self.gomocup(5, "--agent", "random")
        pattern = ["12121", "12121", "21212", "21212", "1212."]
        lines = [f"{x},{y},{pattern[y][x]}" for y in range(5) for x in range(5) if pattern[y][x] != "."]
        self.assertEqual(engine.ask("BOARD", *lines, "DONE"), "4,4")
        self.assertIn("pv e1", engine.remarks[-1])
        self.assertIn("the board is full", engine.ask("BOARD", *lines, "4,4,1", "DONE"))

    def test_rectangles(self):
        engine = self.engine("--agent", "random")
        self.assertEqual(engine.ask("RECTSTART 20,6"), "OK")
        self.is_cell(engine.ask("BEGIN"), 20, 6)
        engine.ask("RESTART")
        self.assertEqual(engine.ask("PLAY 19,5"), "19,5")
        for line in ["RECTSTART 5", "RECTSTART 4,5", "RECTSTART 5,65", "RECTSTART a,b", "RECTSTART", "RECTSTART 5,5,5"]:
            self.assertIn("ERROR RECTSTART takes WIDTH,HEIGHT, each side from 5 to 64", engine.ask(line))
        # The board that was there is still there.
        self.assertEqual(engine.ask("TAKEBACK 19,5"), "OK")

    @repeats
    def test_sizes(self):
        engine = self.engine()
        engine.send("INFO timeout_turn 100")
        for size in ["4", "65", "0", "-5", "x", "", "15.0", "99999999999999999999", "15 15"]:
            self.assertIn("ERROR START takes the size of the board, each side from 5 to 64",
                          engine.ask(f"START {size}"))
        for size in [5, 20, 32, 64]:
            self.assertEqual(engine.ask(f"START {size}"), "OK")
            self.is_cell(engine.ask("BEGIN"), size, size)

    def test_board(self):
        engine = self.gomocup(15, "--agent", "adjacent")
        self.is_cell(engine.ask("BOARD", "7,7,1", "8,8,2", "DONE"))
        # Stones of one colour after those of the other, and boards that no game leads to, are no reason to give up.
        self.is_cell(engine.ask("BOARD", "7,7,1", "7,8,1", "8,8,2", "8,9,2", "9,9,2", "DONE"))
        self.is_cell(engine.ask("BOARD", "7,7,1", "7,8,1", "DONE"))
        self.is_cell(engine.ask("BOARD", "DONE"))
        for lines, words in [
            (["7,7,3"], "'7,7,3': a stone is X,Y,1 (own) or X,Y,2"),
            (["7,7,0"], "'7,7,0'"),
            (["7,7"], "'7' is not a cell"),
            (["7,7,x"], "'7,7,x'"),
            (["7,7,1", "7,7,2"], "7,7 is taken"),
            (["15,0,1"], "'15,0' is not a cell; X,Y go from 0,0 to 14,14"),
            (["hello"], "'hello' is not a cell"),
            ([f"{x},0,1" for x in range(5)], "the game is over"),
            ([f"{x},{c},{c}" for x in range(5) for c in (1, 2)], "the game is over"),
            ([f"{x},{c},{c}" for c in (1, 2) for x in range(5)], "both sides have five in a row"),
        ]:
            with self.subTest(lines=lines):
                answer = engine.ask("BOARD", *lines, "DONE")
                self.assertTrue(answer.startswith("ERROR"), answer)
                self.assertIn(words, answer)
        # After a refused board the game can begin again.
        self.assertEqual(engine.ask("RESTART"), "OK")
        self.is_cell(engine.ask("BEGIN"))

    def test_a_board_without_done(self):
        engine = self.gomocup()
        self.assertEqual(engine.ask("BOARD", "1,1,1", "START 15"),
                         "ERROR a list of stones ends with DONE, not with START")
        engine.expect("OK")
        self.assertEqual(engine.ask("DONE"), "ERROR DONE without BOARD, YXBOARD or SWAP2BOARD before it")
        # INFO has no answer and disturbs nothing.
        self.is_cell(engine.ask("BOARD", "1,1,1", "INFO time_left 5000", "2,2,2", "DONE"))

    def test_takeback_and_play(self):
        engine = self.gomocup(15, "--agent", "adjacent")
        self.assertEqual(engine.ask("PLAY 7,7"), "7,7")
        self.assertEqual(engine.ask("PLAY 7,7"), "ERROR 7,7 is taken")
        answer = engine.ask("TURN 8,8")
        self.assertEqual(engine.ask(f"TAKEBACK {answer}"), "OK")
        self.assertEqual(engine.ask("TAKEBACK 8,8"), "OK")
        self.assertEqual(engine.ask("TAKEBACK 8,8"), "ERROR 8,8 has no stone")
        self.is_cell(engine.ask("TURN 8,8"))
        # A win taken back: the game goes on.
        self.assertEqual(engine.ask("RESTART"), "OK")
        for x in range(5):
            self.assertEqual(engine.ask(f"PLAY {x},0"), f"{x},0")
        self.assertIn("the game is over", engine.ask("TURN 9,9"))
        self.assertEqual(engine.ask("TAKEBACK 9,9"), "OK")
        self.assertEqual(engine.ask("TAKEBACK 4,0"), "OK")
        self.is_cell(engine.ask("TURN 9,9"))

    @repeats
    def test_exact_five(self):
        # Six in a row end a game unless rule 1 is set, before START or after it.
        six = [f"{x},0,1" for x in (0, 1, 2, 4, 5)] + [f"{x},4,2" for x in (0, 1, 3, 4, 6)] + ["3,0,1", "9,9,2"]
        for rule, over in [("0", True), ("1", False)]:
            engine = self.gomocup()
            engine.send("INFO timeout_turn 100", f"INFO rule {rule}")
            answer = engine.ask("BOARD", *six, "DONE")
            self.assertEqual("the game is over" in answer, over, answer)
            engine = self.engine()
            engine.send("INFO timeout_turn 100", f"INFO rule {rule}")
            self.assertEqual(engine.ask("START 15"), "OK")
            self.assertEqual("the game is over" in engine.ask("BOARD", *six, "DONE"), over)

    def test_rules_that_are_not_played(self):
        for rule, word in [("2", "continuous"), ("4", "renju"), ("8", "caro"), ("5", "renju"), ("16", "16")]:
            engine = self.gomocup()
            self.assertIn(f"ERROR the rule", engine.ask(f"INFO rule {rule}"))
            for line in ["BEGIN", "TURN 1,1", "START 15", "RESTART"]:
                answer = engine.ask(line)
                self.assertTrue(answer.startswith("ERROR the rule"), answer)
                self.assertIn(word if word != "16" else "above 8", answer)
            engine.send("INFO rule 0")
            self.is_cell(engine.ask("BEGIN"))
            engine = self.engine()
            self.assertIn("ERROR", engine.ask(f"INFO rule {rule}"))
            self.assertIn("ERROR", engine.ask("START 15"))

    def test_info_has_no_answer(self):
        engine = self.gomocup()
        engine.send("INFO timeout_turn 5000", "INFO timeout_match 0", "INFO time_left 2147483647", "INFO time_left -100",
                    "INFO max_memory 0", "INFO max_memory 83886080", "INFO game_type 1", "INFO rule 0",
                    "INFO evaluate 3,4", "INFO folder /nowhere at all", "INFO max_depth 10", "INFO max_node 100000",
                    "INFO thread_num 2", "INFO hash_size 262144", "INFO max_depth -1", "INFO nonsense 7", "INFO show_detail 0",
                    "INFO", "INFO timeout_turn 0")
        self.is_cell(engine.ask("BEGIN"))
        for line in ["INFO timeout_turn x", "INFO timeout_turn", "INFO timeout_turn -1", "INFO time_left 1e3",
                     "INFO thread_num two", "INFO max_node 99999999999999999999999999"]:
            self.assertTrue(engine.ask(line).startswith(f"ERROR {' '.join(line.split()[:2])} needs a whole number"), line)

    def test_swap2(self):
        for agent in ["random", "adjacent"]:
            for size in [5, 15, 20]:
                engine = self.gomocup(size, "--agent", agent)
                three = engine.ask("SWAP2BOARD", "DONE").split(" ")
                self.assertEqual(len({self.is_cell(cell, size, size) for cell in three}), 3)
                # The opponent stays white: we are black and go on.
                free = next(f"{x},0" for x in range(size) if f"{x},0" not in three)
                self.is_cell(engine.ask(f"TURN {free}"), size, size)
                self.assertEqual(engine.ask("SWAP2BOARD", "1,1", "2,2", "3,3", "DONE"), "SWAP")
                self.assertNotIn(engine.ask("TURN 4,4"), ["1,1", "2,2", "3,3", "4,4"])
                self.assertEqual(engine.ask("SWAP2BOARD", "1,1", "2,2", "3,3", "4,4", "0,1", "DONE"), "SWAP")
        self.assertEqual(engine.ask("SWAP2BOARD", "1,1", "DONE"), "ERROR SWAP2BOARD takes 0, 3 or 5 stones, not 1")
        self.assertEqual(engine.ask("SWAP2BOARD", "1,1", "1,1", "2,2", "DONE"), "ERROR 1,1 is taken")
        self.assertEqual(engine.ask("SWAP2BOARD", "x", "DONE")[:5], "ERROR")

    def test_suggestions(self):
        engine = self.gomocup(15, "--agent", "adjacent")
        self.assertEqual(engine.ask("SUGGEST"), "SUGGEST 7,7")
        # It was not played.
        self.assertEqual(engine.ask("BEGIN"), "7,7")
        self.assertEqual(engine.ask("SUGGEST now"), "ERROR SUGGEST: unexpected argument 'now'")
        # As the answer to a turn: the manager decides.
        engine = self.gomocup(15, "--agent", "adjacent", "--suggest")
        self.assertEqual(engine.ask("BEGIN"), "SUGGEST 7,7")
        self.assertEqual(engine.ask("PLAY 0,0"), "0,0")
        self.assertRegex(engine.ask("TURN 1,1"), r"^SUGGEST \d+,\d+$")
        self.assertRegex(engine.ask("BOARD", "7,7,1", "8,8,2", "DONE"), r"^SUGGEST \d+,\d+$")

    def test_commands_of_yixin(self):
        engine = self.engine()
        engine.send("YXSHOWINFO", "START 15")
        engine.expect("OK")
        self.assertRegex(engine.remarks[0], r"^MESSAGE krow [\d.]+$")
        self.assertEqual(engine.remarks[1:], ["MESSAGE INFO MAX_THREAD_NUM 64", "MESSAGE INFO MAX_HASH_SIZE 26"])
        engine.remarks.clear()
        # A position without a search, then the best stones; the best is played.
        board = ["YXBOARD", "7,7,2", "8,6,1", "7,6,2", "DONE"]
        engine.send("INFO max_node 4000", "INFO show_detail 3", *board, "YXNBEST 3")
        lines = []
        while not lines or not lines[-1][:1].isdigit():
            lines.append(engine.raw_line(PATIENCE))
        best = lines[-1]
        blocks = [i for i, line in enumerate(lines) if re.match(r"INFO PV \d", line)][-3:]
        for rank, begin in enumerate(blocks):
            values = dict(line.split(" ", 2)[1:] for line in lines[begin + 1:lines.index("INFO PV DONE", begin)])
            self.assertEqual(lines[begin], f"INFO PV {rank}")
            self.assertEqual(list(values), ["NUMPV", "DEPTH", "SELDEPTH", "TOTALNODES", "TOTALTIME", "SPEED", "EVAL", "WINRATE", "BESTLINE"])
            self.assertEqual(values["NUMPV"], "3")
            self.assertTrue(0 <= float(values["WINRATE"]) <= 1)
            if rank == 0:
                self.assertEqual(values["BESTLINE"].split()[0], best)
        self.assertIn(f"MESSAGE REALTIME BEST {best}", lines)
        self.assertTrue(lines[-2].startswith("MESSAGE depth "))
        self.assertIn(" multipv 3 ", lines[-2])
        self.assertEqual(engine.ask(f"TAKEBACK {best}"), "OK")
        # Without details only messages remain; more best stones than there are is no error.
        engine.send("INFO show_detail 0")
        self.is_cell(engine.ask("YXNBEST 99"))
        self.assertTrue(all(line.startswith("MESSAGE depth ") for line in engine.remarks[-16:]))
        for line in ["YXNBEST", "YXNBEST 0", "YXNBEST x"]:
            self.assertIn("ERROR YXNBEST takes the number of best turns", engine.ask(line))
        self.assertIn("8,8,3", engine.ask("YXBOARD", "8,8,3", "DONE"))
        engine.remarks.clear()
        engine.send("YXHASHCLEAR")
        self.assertEqual(engine.ask("RESTART"), "OK")
        self.assertEqual(engine.remarks, ["MESSAGE the tables are empty"])

    def test_clearing_the_tables(self):
        # The same search again is shorter with its table, and as long as before without it.
        nodes = []
        for commands in [[], [], ["YXHASHCLEAR"]]:
            if not nodes:
                engine = self.gomocup(15, "--agent", "engine:book=0,exact=0")
                engine.send("INFO max_depth 6")
            engine.send(*commands, "YXBOARD", "7,7,2", "8,6,1", "7,6,2", "DONE")
            self.is_cell(engine.ask("YXNBEST 1"))
            words = engine.remarks[-1].split()
            nodes.append(int(words[words.index("nodes") + 1]))
        self.assertLess(nodes[1], nodes[0])
        self.assertEqual(nodes[2], nodes[0])

    def test_words_that_are_wrong(self):
        engine = self.engine()
        for line in ["BEGIN", "TURN 1,1", "PLAY 1,1", "TAKEBACK 1,1", "RESTART"]:
            self.assertEqual(engine.ask(line), "ERROR there is no board; send START first")
        self.assertEqual(engine.ask("BOARD", "1,1,1", "DONE"), "ERROR there is no board; send START first")
        self.assertEqual(engine.ask("SWAP2BOARD", "DONE"), "ERROR there is no board; send START first")
        self.assertEqual(engine.ask("START 15"), "OK")
        for line in ["TURN", "TURN 1", "TURN ,", "TURN 1,", "TURN -1,5", "TURN 15,0", "TURN 0,15", "TURN 1,1,1",
                     "TURN h8", "TURN 1.5,2", "TURN 99999999999999999999,1", "TAKEBACK x", "PLAY"]:
            self.assertIn("is not a cell; X,Y go from 0,0 to 14,14", engine.ask(line))
        self.assertEqual(engine.ask("BEGIN now"), "ERROR BEGIN: unexpected argument 'now'")
        for line in ["FOO", "YXBLOCK", "isready", "7,7", "TURN1,1"]:
            self.assertEqual(engine.ask(line), f"UNKNOWN command '{line}'")
        answer = engine.ask("BEGIN")
        self.assertEqual(engine.ask("BEGIN"), "ERROR BEGIN is for an empty board; use TURN or BOARD to continue a game")
        self.assertEqual(engine.ask(f"TURN {answer}"), f"ERROR {answer} is taken")
        self.assertRegex(engine.ask("ABOUT"), r'^name="krow", version="[\d.]+", author="[^"]+", country="[^"]+"$')

    def test_small_letters(self):
        engine = self.engine()
        self.assertEqual(engine.ask("start 15"), "OK")
        self.is_cell(engine.ask("begin"))
        engine.send("end")
        self.assertEqual(engine.wait(), 0)


class Ugi(EngineTest):
    def test_whole_games(self):
        for game, agent in [("connect4", "random"), ("connect6", "adjacent"), ("standard", "adjacent"),
                            ("tictactoe", "random"), ("5x4:k=4,p=3,q=2,gravity", "random"), ("64x3:k=3", "adjacent")]:
            with self.subTest(game=game):
                engine = self.ugi(game, "--agent", agent, "--seed", "5")
                moves = []
                self.assertEqual(engine.ask("query gameover"), "response false")
                self.assertEqual(engine.ask("query result"), "response none")
                while True:
                    engine.send(f"position startpos moves {' '.join(moves)}" if moves else "position startpos", "go nodes 50")
                    answer = engine.line()
                    self.assertTrue(answer.startswith("bestmove "), answer)
                    if answer == "bestmove none":
                        break
                    self.assertRegex(engine.remarks[-1],
                                     r"^info depth \d+ score cp -?\d+ nodes \d+ nps \d+ time \d+ pv( [a-z]+\d+)+$")
                    moves += answer.split()[1].split(",")
                shown = self.json("show", game, *moves)
                self.assertTrue(shown["over"])
                self.assertEqual(engine.ask("query gameover"), "response true")
                result = {"first": "p1win", "second": "p2win", "draw": "draw"}[shown["winner"]]
                self.assertEqual(engine.ask("query result"), f"response {result}")
                engine.send("quit")
                self.assertEqual(engine.wait(), 0)

    def test_hello(self):
        engine = self.engine("--agent", "random", "--seed", "12")
        engine.send("ugi")
        self.assertRegex(engine.line(), r"^id name krow [\d.]+$")
        self.assertRegex(engine.line(), r"^id author .")
        engine.expect("option name Game type string default gomoku", "option name Agent type string default random",
                      "option name Seed type spin default 12 min 0 max 9223372036854775807",
                      "option name Overhead type spin default 30 min 0 max 10000",
                      "option name Threads type spin default 1 min 1 max 64",
                      "option name Hash type spin default 64 min 1 max 65536",
                      "option name MultiPV type spin default 1 min 1 max 16",
                      "option name Ponder type check default false", "ugiok")
        self.assertEqual(engine.ask("isready"), "readyok")
        self.assertRegex(engine.ask("go"), r"^bestmove [a-o]\d+$")

    def test_turns_of_several_stones(self):
        engine = self.ugi("connect6", "--agent", "adjacent")
        self.assertEqual(engine.ask("go nodes 1"), "bestmove j10")
        self.assertRegex(engine.ask("position startpos moves j10", "go nodes 1"), r"^bestmove \w+,\w+$")
        self.assertEqual(engine.ask("query p1turn"), "response false")
        # In the middle of a turn the rest of it is asked for.
        self.assertRegex(engine.ask("position startpos moves j10 k10", "go nodes 1"), r"^bestmove \w+$")
        self.assertRegex(engine.ask("position startpos moves j10 k10,k11", "go nodes 1"), r"^bestmove \w+,\w+$")
        self.assertEqual(engine.ask("query p1turn"), "response true")

    def test_gravity_and_columns(self):
        engine = self.ugi("connect4", "--agent", "random")
        self.assertEqual(engine.ask("position startpos moves d1 d2 4 4", "query p1turn"), "response true")
        self.assertIn("d6 would float", engine.ask("position startpos moves d1 d6"))
        self.assertIn("there is no position", engine.ask("go nodes 1"))
        engine.expect("bestmove none")

    def test_exact(self):
        for game, result in [("9x1:k=3,exact", "none"), ("9x1:k=3", "p1win")]:
            engine = self.ugi(game)
            # a, b, d, then c: four in a row.
            self.assertEqual(engine.ask("position startpos moves a1 f1 b1 h1 d1 i1 c1", "query result"),
                             f"response {result}")

    def test_fen(self):
        engine = self.ugi("tictactoe", "--agent", "random")
        self.assertEqual(engine.ask("position fen XOX/OXO/OX1 O 1", "go nodes 1"), "bestmove c1")
        self.assertEqual(engine.ask("query p1turn"), "response false")
        self.assertEqual(engine.ask("position fen XOX/OXO/O2 X 1 moves b1", "go nodes 1"), "bestmove c1")
        self.assertEqual(engine.ask("position fen XXX/OO1/3 O 1", "query result"), "response p1win")
        for fen, words in [("3/3 X 1", "rows"), ("3/3/3", "ROWS SIDE STONES"), ("4/3/3 X 1", "row 1"),
                           ("3/3/3 Z 1", "turn"), ("XXX/OOO/3 X 1", ""), ("", "ROWS SIDE STONES")]:
            answer = engine.ask(f"position fen {fen}")
            self.assertTrue(answer.startswith("info string error: position: "), answer)
            self.assertIn(words, answer)
            self.assertEqual(engine.ask("query result"), "response none")
        # Rows from the top: c3 is the last cell of the first row.
        self.assertEqual(engine.ask("position fen XO1/XOX/OXO X 1", "go nodes 1"), "bestmove c3")

    def test_options(self):
        engine = self.ugi("gomoku")
        for line, words in [
            ("setoption name Game value 3x3:k=9", "k is 9"),
            ("setoption name Game", "setoption name NAME value VALUE"),
            ("setoption", "setoption name NAME value VALUE"),
            ("setoption name Nothing value 5", "there is no option 'Nothing'"),
            ("setoption name Seed value -1", "Seed is a whole number"),
            ("setoption name Overhead value 99999999", "Overhead is a whole number from 0 to 10000"),
            ("setoption name Threads value 0", "Threads is a whole number from 1 to 64"),
            ("setoption name Hash value 65537", "Hash is a whole number from 1 to 65536"),
        ]:
            self.assertTrue(engine.ask(line).startswith("info string error: "), line)
            engine.send(line)
            self.assertIn(words, engine.line())
        # Rules that were refused are not played by the ones before.
        self.assertIn("there is no position", engine.ask("go nodes 1"))
        engine.expect("bestmove none")
        engine.send("setoption name game value tictactoe", "setoption name Agent value missing")
        self.assertIn("there is no agent 'missing'", engine.ask("isready"))
        engine.expect("readyok")
        self.assertIn("there is no agent 'missing'", engine.ask("go nodes 1"))
        engine.expect("bestmove none")
        engine.send("setoption name Agent value adjacent:reach=2", "position startpos")
        self.assertEqual(engine.ask("go nodes 1"), "bestmove b2")
        engine.send("setoption name Agent value best")
        self.assertEqual(engine.ask("isready"), "readyok")

    def test_seed(self):
        engine = self.ugi("gomoku", "--agent", "random")
        answers = []
        for _ in range(2):
            engine.send("setoption name Seed value 77")
            answers.append([engine.ask("go nodes 1"), engine.ask("uginewgame", "go nodes 1")])
        self.assertEqual(answers[0], answers[1])
        self.assertNotEqual(*answers[0])

    def test_go_is_always_answered(self):
        engine = self.ugi("tictactoe", "--agent", "random")
        for words in ["", "nodes 1", "depth 1", "movetime 10", "movetime 0", "movetime -1", "p1time 100 p2time 100",
                      "p1time 100 p2time 100 p1inc 5 p2inc 5", "p1time -1", "p1time 9223372036854775807", "nodes 0",
                      "depth 0", "depth 99999999"]:
            self.assertTrue(engine.ask(f"go {words}").startswith("bestmove "), words)
        for words in ["movetime", "movetime x", "fast", "nodes 99999999999999999999"]:
            self.assertTrue(engine.ask(f"go {words} nodes 1" if words != "movetime" else "go movetime")
                            .startswith("info string error: go: "), words)
            self.assertTrue(engine.line().startswith("bestmove "))

    def test_stop_where_no_move_is_left(self):
        engine = self.ugi("tictactoe")
        engine.send("position startpos moves a1 b1 a2 b2 a3", "go infinite")
        self.assertEqual(engine.line(0.2), "")
        self.assertEqual(engine.ask("isready"), "readyok")
        self.assertEqual(engine.ask("stop"), "bestmove none")
        self.assertEqual(engine.ask("go nodes 1"), "bestmove none")

    def test_unknown_words(self):
        engine = self.ugi("gomoku")
        self.assertEqual(engine.ask("frobnicate now"), "info string error: unknown command 'frobnicate'")
        self.assertIn("query gameover, p1turn or result", engine.ask("query everything"))
        self.assertIn("use 'position startpos", engine.ask("position"))
        self.assertIn("use 'position startpos", engine.ask("position startpos h8"))
        self.assertIn("stone 2, 'h8'", engine.ask("position startpos moves h8 h8"))


class Mistakes(EngineTest):
    """What field reports say engines get wrong. Those that need an agent which thinks are in tests/protocols/test_engine_core.c."""

    def test_info_behind_a_move(self):
        engine = self.gomocup()
        engine.send("BEGIN", "INFO rule 4", "INFO time_left 100")
        self.is_cell(engine.line())
        self.assertIn("renju", engine.line())
        self.assertIn("renju", engine.ask("RESTART"))

    def test_many_commands_at_once(self):
        engine = self.engine("--agent", "random")
        engine.send("START 64", "BEGIN", *[f"TAKEBACK {i},{i}" for i in range(64)], *["FOO"] * 500, "ABOUT", "END")
        lines = []
        while (line := engine.line()) is not None:
            lines.append(line)
        self.assertEqual(len(lines), 2 + 64 + 500 + 1)
        self.assertEqual(engine.process.wait(), 0)

    def test_threads(self):
        for threads in ["0", "1", "2", "64"]:
            engine = self.gomocup()
            engine.send(f"INFO thread_num {threads}")
            self.is_cell(engine.ask("BEGIN"))

    def test_line_ends(self):
        for end in ["\n", "\r\n", "\r"]:
            engine = self.engine()
            engine.send("START 15", "BEGIN", end=end)
            engine.expect("OK")
            self.is_cell(engine.line())
            engine.send("END", end=end)
            self.assertEqual(engine.wait(), 0)
            engine = self.engine()
            engine.send("ugi", "isready", "go nodes 1", "quit", end=end)
            lines = []
            while (line := engine.line()) is not None:
                lines.append(line)
            self.assertIn("readyok", lines)
            self.assertTrue(lines[-1].startswith("bestmove "))

    def test_the_end(self):
        for arguments, lines in [([], ["START 15", "BEGIN"]), ([], ["START 15"]), ([], []),
                                 ([], ["START 15", "BOARD", "1,1,1"]), (["--protocol", "ugi"], ["go infinite"])]:
            engine = self.engine(*arguments)
            engine.send(*lines)
            while lines and engine.line(0.2):
                pass
            begin = time.monotonic()
            engine.send("quit" if arguments else "END")
            engine.process.wait(PATIENCE)
            self.assertEqual(engine.process.returncode, 0)
            # A second is what managers give; the machine of the tests may be busy and the build slow.
            self.assertLess(time.monotonic() - begin, 1 if "asan" not in KROW else 3)

    def test_end_of_input(self):
        for text, last in [("", None), ("START 15\nBEGIN", "7,7"), ("START 15\nBOARD\n1,1,1\n", "OK"),
                           ("ugi\ngo infinite", "bestmove h8"), ("START 15\nBEGIN\n", "7,7")]:
            out, err = self.krow("engine", "--agent", "adjacent", stdin=text)
            self.assertEqual(out.splitlines()[-1] if out else None, last)
            self.assertEqual(err, "")

    def test_garbage(self):
        engine = self.engine("--agent", "random")
        engine.send_bytes(b"\xff\xfe\x00\x01\x1b[2J\n" + bytes(range(256)).replace(b"\n", b"").replace(b"\r", b"") + b"\n")
        for _ in range(2):
            self.assertTrue(engine.line().startswith("UNKNOWN command '"))
        engine.send_bytes(b"TURN " + b"9" * 100000 + b"\n" + b"START 15\n")
        self.assertEqual(engine.line(), "ERROR a line of more than 65535 characters")
        engine.expect("OK")
        engine.send_bytes(b"TURN 7,7\x00\n")
        self.assertIn("is not a cell", engine.line())
        engine.send_bytes(b"TURN " + b"9" * 60000 + b",1\n")
        self.assertIn("is not a cell", engine.line())
        self.is_cell(engine.ask("BEGIN"))
        engine = self.ugi("gomoku")
        engine.send_bytes(b"position startpos moves " + b"h8 " * 30000 + b"\n")
        self.assertEqual(engine.line(), "info string error: a line of more than 65535 characters")
        self.assertIn("there is no position", engine.ask("go nodes 1"))
        engine.expect("bestmove none")
        engine.send_bytes(b"\x00\xff\n")
        self.assertIn("unknown command", engine.line())
        self.assertTrue(engine.ask("position startpos", "go nodes 1").startswith("bestmove "))

    def test_the_longest_game(self):
        # 4096 stones fit into a line.
        engine = self.ugi("64x64:k=64", "--agent", "random")
        columns = [chr(ord("a") + i) if i < 26 else chr(ord("a") + i // 26 - 1) + chr(ord("a") + i % 26)
                   for i in range(64)]
        # Two rows with one pattern and two with the other: no line of 64 is of one colour.
        cells = [f"{column}{row}" for row in range(1, 65) for column in columns[::1 if row // 2 % 2 else -1]]
        self.assertEqual(engine.ask("position startpos moves " + " ".join(cells[:-1]), "go nodes 1"), f"bestmove {cells[-1]}")
        self.assertEqual(engine.ask("position startpos moves " + " ".join(cells), "query result"), "response draw")

    def test_what_is_thought_so_far(self):
        engine = self.ugi("gomoku")
        engine.send("position startpos moves h8 i9 h9 h10 g8", "go infinite")
        replies = [engine.raw_line(PATIENCE), engine.raw_line(PATIENCE)]
        for line in replies:
            self.assertRegex(line, r"^info depth \d+ seldepth \d+ score (cp|win|loss) -?\d+ nodes \d+ nps \d+ time \d+ "
                                   r"pv [a-o]\d+")
        nodes = [int(line.split()[line.split().index("nodes") + 1]) for line in replies]
        self.assertLess(nodes[0], nodes[1])
        self.assertTrue(engine.ask("stop").startswith("bestmove "))
        engine.send("setoption name Agent value level:n=10", "position startpos moves h8 i9 h9 h10 g8")
        engine.remarks.clear()
        self.assertTrue(engine.ask("go nodes 20000").startswith("bestmove "))
        self.assertEqual(len(engine.remarks), 1) # a level reports nothing that an error may replace

    def test_several_best_turns(self):
        for game, moves, wanted, found in [("gomoku", "h8 i9 h9 h10 g8", 3, 3), ("connect6", "j10", 2, 2),
                                           ("connect4", "d1", 16, 7), ("tictactoe", "a1", 4, 4)]:
            with self.subTest(game=game):
                engine = self.ugi(game)
                engine.send(f"setoption name MultiPV value {wanted}", f"position startpos moves {moves}")
                answer = engine.ask("go nodes 3000")
                lines = [line.split() for line in engine.remarks[-found:]]
                values = [dict(zip(line[1:13:2], line[2:13:2])) for line in lines]
                self.assertEqual([line[5:7] for line in lines], [["multipv", str(i + 1)] for i in range(found)])
                self.assertGreaterEqual(int(values[0]["seldepth"]), int(values[0]["depth"]))
                if all("cp" in line for line in lines):
                    scores = [int(line[line.index("cp") + 1]) for line in lines]
                    self.assertEqual(scores, sorted(scores, reverse=True))
                turns = [line[line.index("pv") + 1:] for line in lines]
                stones = answer.count(",") + 1
                self.assertEqual(len({tuple(sorted(turn[:stones])) for turn in turns}), found)
                self.assertEqual(answer.split()[1].split(","), turns[0][:stones])
                # One again.
                engine.send("setoption name MultiPV value 1")
                engine.remarks.clear()
                engine.ask("go nodes 3000")
                self.assertNotIn("multipv", engine.remarks[-1])
        engine.send("setoption name MultiPV value 17")
        self.assertIn("MultiPV is a whole number from 1 to 16", engine.line())
        # An agent that knows one turn reports one.
        engine = self.ugi("gomoku", "--agent", "adjacent")
        engine.send("setoption name MultiPV value 3")
        self.assertTrue(engine.ask("go nodes 1").startswith("bestmove "))
        self.assertEqual(len(engine.remarks), 1)

    def test_thinking_in_the_other_sides_time(self):
        for arguments, lines in [(["--ponder", "--protocol", "ugi"], []), ([], ["ugi", "setoption name Ponder value true"])]:
            engine = self.engine(*arguments)
            engine.send(*lines, "setoption name Game value gomoku", "position startpos moves h8 i9 h9 h10 g8", "go nodes 1000")
            while not engine.line().startswith("bestmove "):
                pass
            begin, end = engine.processor_seconds(), time.monotonic() + PATIENCE
            while engine.processor_seconds() < begin + 0.2:
                self.assertLess(time.monotonic(), end, "it does not think on")
                time.sleep(0.01)
            self.assertEqual(engine.ask("isready"), "readyok")
            self.assertTrue(engine.ask("go nodes 1000").startswith("bestmove ")) # the position is as it was set
            self.assertEqual(engine.ask("setoption name Ponder value maybe"),
                             "info string error: Ponder must be true or false, not 'maybe'")
            engine.send("quit")
            self.assertEqual(engine.wait(), 0)

    def test_a_manager_that_is_gone(self):
        engine = self.ugi("gomoku")
        engine.send("go infinite")
        engine.process.stdin.close()
        self.assertTrue(engine.line().startswith("bestmove "))
        self.assertEqual(engine.process.wait(PATIENCE), 0)


class CommandLine(EngineTest):
    def test_refused(self):
        self.refused("engine", "--protocol", "xboard", words="'xboard' is neither gomocup nor ugi")
        self.refused("engine", "--agent", "missing", words="there is no agent 'missing'")
        self.refused("engine", "gomoku", words="unexpected argument 'gomoku'")

    def test_the_first_line_decides(self):
        out, _ = self.krow("engine", stdin="\n\nugi\nquit\n")
        self.assertTrue(out.endswith("ugiok\n"))
        out, _ = self.krow("engine", stdin="ABOUT\nEND\n")
        self.assertTrue(out.startswith("name="))
        out, _ = self.krow("engine", "--protocol", "gomocup", stdin="ugi\nEND\n")
        self.assertEqual(out, "UNKNOWN command 'ugi'\n")
        out, _ = self.krow("engine", "--protocol", "ugi", stdin="ABOUT\nquit\n")
        self.assertEqual(out, "info string error: unknown command 'ABOUT'\n")

    def test_an_agent_with_wrong_options(self):
        engine = self.engine("--agent", "adjacent:reach=x")
        self.assertIn("ERROR agent 'adjacent:reach=x'", engine.ask("START 15"))


if __name__ == "__main__":
    main()
