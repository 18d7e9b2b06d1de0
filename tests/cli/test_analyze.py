"""krow analyze: every reported win is played with rules implemented here, and the text agrees with the JSON output."""
import itertools
import json
import math
import os
import re

from krowtest import SANITIZED, KrowTest, Terminal, main, repeats

# Positions with a forced win, and the turns it takes.
WINS = [
    ("connect6", "j10 a1 s19 k11 l12 a10 s10", 5),
    ("connect6", "j10 i9 l12 k11 j12 i11 h12", 6),
    ("connect6", "j10 a1 c1 k10 l11 e1 g1 j12 l9 a3 c3", 3),
    ("connect6", "j10 k10 i9 j8 h10 i11 k8 l11 j12", 5),
    ("connect6", "j10 a1 s19 k11 l12 a10 s10 i9", 5),  # in the middle of a turn
    ("gomoku", "h8 a1 i9 b3 j10 n1", 2),
    ("gomoku", "e8 d8 f8 a1 g8 o1 h9 a15 h10 o15", 3),
    ("9x9:k=5,p=3,q=1", "e5 a1 a9 i1", 2),
    ("standard", "e8 d8 f8 a1 g8 o1 h9 a15 h10 o15", 3),
    ("tictactoe", "a1 b1 a2 b2", 1),
]
SOME_WINS = WINS[1::3] if SANITIZED else WINS
# Positions of two stones a turn that are won only by turns which leave the other side a free stone.
FREE = [
    ("6x5:k=4,p=2", "X.O.O.\n..X...\n.X...O\n.....X\n.....O\nturn X 1\n", 3),
    ("6x6:k=4,p=2", "......\n.....X\n......\n......\n..O.XO\n......\nturn X 1\n", 3),
    ("8x8:k=5,p=2", ".XX....O\n........\nX.......\nO..X....\nO.O..O..\n........\n.....X..\nO.......\nturn X 2\n", 4),
]
SEVEN = "k11 i13 g11 m13 m7 h11 m8"  # Connect6: won in seven turns
LONG = "l8 k8 h10 m10 l11 k11 g9 j10 h12"  # Connect6: won in nine turns, with a large tree


class Rules:
    """A position as JSON shows it, and the rules as plainly as possible."""

    def __init__(self, value):
        self.k = int(re.search(r"k=(\d+)", value["game"])[1])
        self.p = int((re.search(r"p=(\d+)", value["game"]) or [0, 1])[1])
        self.exact = "exact" in value["game"]
        rows = value["rows"]
        self.width, self.height = len(rows[0]), len(rows)
        self.stones = {(x, self.height - 1 - y): rows[y][x] for y in range(self.height) for x in range(self.width)
                       if rows[y][x] != "."}
        self.side, self.left = {"first": "X", "second": "O"}[value["turn"]], value["stones_left"]
        self.windows = [[(x + i * dx, y + i * dy) for i in range(-1, self.k + 1)]
                        for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]
                        for x in range(self.width) for y in range(self.height)
                        if 0 <= x + (self.k - 1) * dx < self.width and 0 <= y + (self.k - 1) * dy < self.height]

    def cell(self, name):
        letters, row = re.fullmatch(r"([a-z]+)(\d+)", name).groups()
        column = ord(letters[-1]) - 97 + (26 * (ord(letters[0]) - 96) if len(letters) > 1 else 0)
        return column, int(row) - 1

    def threats(self, side, stones):
        """The empty cells of each window that a side can complete with that many stones."""
        found = []
        for window in self.windows:
            held = [self.stones.get(cell) for cell in window]
            beside = self.exact and side in (held[0], held[-1])
            empty = frozenset(cell for cell in window[1:-1] if cell not in self.stones)
            if not beside and held[1:-1].count(side) + len(empty) == self.k and len(empty) <= stones:
                found.append(empty)
        return found

    def has_row(self, side):
        return frozenset() in self.threats(side, 0)

    def play(self, names, side):
        cells = [self.cell(name) for name in names]
        for cell in cells:
            assert cell not in self.stones and 0 <= cell[0] < self.width and 0 <= cell[1] < self.height, names
            self.stones[cell] = side
        return cells

    def take_back(self, cells):
        for cell in cells:
            del self.stones[cell]


def smallest_answers(targets, size):
    """All sets of at most that many cells that meet every target, none with a cell it could do without."""
    if not targets:
        return {frozenset()}
    if size == 0:
        return set()
    found = set()
    for cell in targets[0]:
        found |= {rest | {cell} for rest in smallest_answers([t for t in targets if cell not in t], size - 1)}
    return {answer for answer in found if not any(other < answer for other in found)}


class Trees(KrowTest):
    def play_through(self, rules, node, side, left):
        """Plays a position of the tree; returns turns and stones until the row, and how many positions there are."""
        other = "O" if side == "X" else "X"
        turn = rules.play(node["turn"], side)
        self.assertEqual(set(node), {"turns", "distance", "turn", "answers", "ends"})
        if rules.has_row(side):
            self.assertEqual((node["ends"], node["answers"]), ("row", []))
            turns, distance, positions = 1, len(turn), 1
        else:
            self.assertEqual(len(turn), left)
            self.assertEqual(rules.threats(other, rules.p), [], "the defender completes a row")
            targets = rules.threats(side, rules.p)
            answers = smallest_answers(targets, rules.p)
            reported = [frozenset(map(rules.cell, answer["answer"])) for answer in node["answers"]]
            self.assertEqual(len(reported), len(set(reported)))
            self.assertEqual(set(reported), answers)
            turns, distance, positions = 2, 0, 1
            self.assertEqual(node["ends"], None if answers else "unstoppable")
            for answer in node["answers"]:
                self.assertEqual((len(answer["answer"]), answer["free"]), (rules.p, 0), "the defender keeps a stone")
                cells = rules.play(answer["answer"], other)
                after = self.play_through(rules, answer["then"], side, rules.p)
                rules.take_back(cells)
                turns, distance = max(turns, after[0] + 1), max(distance, len(turn) + rules.p + after[1])
                positions += after[2]
            if not answers:
                # The fewest stones of a row that the defender cannot make more.
                row = min(n for n in range(1, rules.p + 1)
                          if not smallest_answers([t for t in targets if len(t) <= n], rules.p))
                distance = len(turn) + rules.p + row
        rules.take_back(turn)
        self.assertEqual((node["turns"], node["distance"]), (turns, distance))
        return turns, distance, positions

    @repeats
    def test_every_answer_of_every_win(self):
        for game, moves, turns in SOME_WINS:
            with self.subTest(game=game, moves=moves):
                value = self.json("analyze", game, moves, "--nodes", "20000")
                rules = Rules(value)
                found = self.play_through(rules, value["forced"], rules.side, rules.left)
                self.assertEqual(found[0], turns)
                self.assertEqual((value["forced_verdict"], value["forced_turns"], value["forced_searched"]),
                                 ("won", turns, True))
                line = value["lines"][0]
                self.assertEqual((line["by"], line["proven"], line["distance"]), ("forced", "win", found[1]))
                self.assertEqual(line["stones"], value["forced"]["turn"])
                self.check_longest(value["forced"], line["pv"])

    def hold_everywhere(self, rules, node, side):
        """Plays a tree against every reply; returns how many of them were no loss at once."""
        other, held = "O" if side == "X" else "X", 0
        turn = rules.play(node["turn"], side)
        targets = rules.threats(side, rules.p)
        empty = [(x, y) for x in range(rules.width) for y in range(rules.height) if (x, y) not in rules.stones]
        replies = [] if rules.has_row(side) else [set(reply) for reply in itertools.combinations(empty, rules.p)]
        self.assertFalse(replies and rules.threats(other, rules.p), "the defender completes a row")
        for reply in replies:
            if not all(reply & target for target in targets):
                continue
            fitting = [answer for answer in node["answers"] if set(map(rules.cell, answer["answer"])) <= reply
                       and len(answer["answer"]) + answer["free"] == rules.p]
            self.assertTrue(fitting, f"{reply} holds, and no answer is like it")
            answer = max(fitting, key=lambda answer: len(answer["answer"]))
            rules.stones.update((cell, other) for cell in reply)
            held += 1 + self.hold_everywhere(rules, answer["then"], side)
            rules.take_back(reply)
        rules.take_back(turn)
        return held

    @repeats
    def test_every_reply_with_free_stones(self):
        for game, board, turns in FREE:
            with self.subTest(game=game, board=board):
                call = ("analyze", game, "--board", "-", "--nodes", "20000")
                value = self.json(*call, "--singles", "1", stdin=board)
                self.assertEqual((value["forced_verdict"], value["forced_turns"]), ("won", turns))
                rules = Rules(value)
                self.assertGreater(self.hold_everywhere(rules, value["forced"], rules.side), 0)
                line = value["lines"][0]
                self.assertEqual(line["pv"][:len(line["stones"])], line["stones"])
                out, _ = self.krow(*call, "--singles", "1", stdin=board)
                self.assertIn("by threats, some of which leave free stones", " ".join(out.split()))
                self.assertIn("and 1 elsewhere", " ".join(out.split()))

    def check_longest(self, node, stones):
        """The expected play goes along the answers after which most stones follow."""
        self.assertEqual(stones[:len(node["turn"])], node["turn"])
        stones = stones[len(node["turn"]):]
        if not node["answers"]:
            self.assertEqual(stones, [])
            return
        most = max(answer["then"]["distance"] for answer in node["answers"])
        chosen = [a for a in node["answers"] if a["answer"] == stones[:len(a["answer"])]]
        self.assertEqual([a["then"]["distance"] for a in chosen], [most])
        self.check_longest(chosen[0]["then"], stones[len(chosen[0]["answer"]):])

    def test_answers_are_those_of_krow_threats(self):
        for game, moves, turns in WINS[:4]:
            node = self.json("analyze", game, moves, "--nodes", "20000")["forced"]
            while node["answers"]:
                moves += " " + " ".join(node["turn"])
                side = "first" if self.json("show", game, moves)["turn"] == "second" else "second"
                threats = self.json("threats", game, moves)[side]
                self.assertEqual(sorted(map(sorted, threats["answers"])),
                                 sorted(sorted(answer["answer"]) for answer in node["answers"]))
                moves += " " + " ".join(node["answers"][-1]["answer"])
                node = node["answers"][-1]["then"]

    def test_the_threat_is_played_through_too(self):
        value = self.json("analyze", "gomoku", "h8 i9 g8 i8 h7 i10", "--nodes", "20000")
        threat = value["threatens"]
        self.assertEqual((value["forced"], value["forced_verdict"]), (None, "none"))
        self.assertEqual((threat["side"], threat["verdict"], threat["turns"]), ("second", "won", 2))
        self.play_through(Rules(value), threat["forced"], "O", 1)


class Threatens(KrowTest):
    @repeats
    def test_stones_that_stop_it_are_those_that_do(self):
        moves = "a1 d3 g7 d4 a7 d5"
        threat = self.json("analyze", "7x7:k=5", moves, "--nodes", "20000")["threatens"]
        self.assertEqual((threat["verdict"], threat["stops_undecided"]), ("won", 0))
        stones = moves.split()
        for column, row in itertools.product("abcdefg", range(1, 8)):
            cell = f"{column}{row}"
            if cell in stones:
                continue
            after = self.json("analyze", "7x7:k=5", moves, cell, "--nodes", "20000", "--lines", "1")
            self.assertEqual(after["forced_verdict"], "none" if cell in threat["stops"] else "won", cell)

    def test_cells_that_were_not_decided_are_counted(self):
        value = self.json("analyze", "gomoku", "h8 i9 g8 i8 h7 i10", "--nodes", "30")
        threat = value["threatens"]
        self.assertEqual(threat["verdict"], "won")
        self.assertGreater(threat["stops_undecided"], 0)
        self.assertLessEqual(set(threat["stops"]), {"i7", "i11"})  # what was not decided is not said to stop it
        self.assertIn(f"(not decided: {threat['stops_undecided']} cells)",
                      self.krow("analyze", "gomoku", "h8 i9 g8 i8 h7 i10", "--nodes", "30")[0])

    def test_a_lost_game(self):
        value = self.json("analyze", "5x5:k=3,p=2,q=1", "c3 a1", "--nodes", "2000")
        self.assertTrue(value["threatens"]["unstoppable"])
        self.assertIsNone(value["threatens"]["stops"])
        self.assertEqual({line["proven"] for line in value["lines"]}, {"loss"})
        self.assertIn("the game is lost", self.krow("analyze", "5x5:k=3,p=2,q=1", "c3 a1", "--nodes", "2000")[0])
        # With one more stone of its own it completes a row first, or stops everything.
        for game, moves in [("5x5:k=3,p=2,q=1", "c3 a1 e1 a5 e5"), ("tictactoe", "a1 b1 a2 b2"), ("tictactoe", "a1 b1 a2")]:
            self.assertFalse(self.json("analyze", game, moves, "--nodes", "2000")["threatens"]["unstoppable"], moves)


class Lines(KrowTest):
    def test_lines_are_different_and_as_many_as_wanted(self):
        for lines in [1, 2, 5]:
            value = self.json("analyze", "connect6", WINS[1][1], "--lines", str(lines), "--nodes", "20000")
            self.assertEqual(len(value["lines"]), lines)
            self.assertEqual(len({frozenset(line["stones"]) for line in value["lines"]}), lines)
            for line in value["lines"]:
                self.assertEqual(set(line), {"stones", "score", "chance", "proven", "distance", "depth", "pv", "by"})
                self.assertEqual(len(line["stones"]), 2)
        self.assertEqual(len(self.json("analyze", "connect6", WINS[1][1], "--nodes", "1")["lines"]), 3)
        self.assertEqual(len(self.json("analyze", "2x1:k=2", "--lines", "9")["lines"]), 2)

    def test_without_a_win_the_agent_comes_first(self):
        for agent in ["sequences", "threats:depth=2,width=4", "montecarlo"]:
            call = ["gomoku", "h8 h9", "--agent", agent, "--seed", "4", "--nodes", "500"]
            line, move = self.json("analyze", *call)["lines"][0], self.json("move", *call)
            for name in ["stones", "score", "depth", "proven", "distance"]:
                self.assertEqual(line[name], move[name], name)
            self.assertEqual(line["by"], move["agent"])

    def test_cells_are_those_that_were_rated_best_first(self):
        value = self.json("analyze", "tictactoe", "a1", "--agent", "adjacent")
        self.assertEqual(set(value["cells"]), {"a2", "b1", "b2"})
        value = self.json("analyze", "gomoku", "h8", "--agent", "sequences")
        scores = list(value["cells"].values())
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual((value["agent"], value["cells_agent"]), ("sequences", "sequences"))
        self.assertIn(value["lines"][1]["stones"][0], list(value["cells"])[:2])

    def test_an_agent_that_rates_no_cells_is_helped(self):
        value = self.json("analyze", "gomoku", "h8 h9", "--agent", "montecarlo", "--nodes", "300")
        self.assertEqual(value["agent"], "montecarlo")
        self.assertNotEqual(value["cells_agent"], "montecarlo")
        self.assertGreater(len(value["cells"]), 10)
        self.assertEqual([line["by"] for line in value["lines"]], ["montecarlo"] + 2 * [value["cells_agent"]])

    def test_view(self):
        call = ["analyze", "gomoku", "h8", "--seed", "1", "--nodes", "1000"]
        own, first = self.json(*call), self.json(*call, "--view", "first")
        self.assertEqual((own["view"], first["view"]), ("second", "first"))
        self.assertEqual([-line["score"] for line in own["lines"]], [line["score"] for line in first["lines"]])
        self.assertEqual({cell: -score for cell, score in own["cells"].items()}, first["cells"])
        lost = self.json("analyze", "5x5:k=3,p=2,q=1", "c3 a1", "--view", "first", "--nodes", "2000")
        self.assertEqual({line["proven"] for line in lost["lines"]}, {"win"})
        same = ["analyze", "gomoku", "h8 h9", "--seed", "1", "--nodes", "1000"]
        self.assertEqual(self.json(*same)["lines"], self.json(*same, "--view", "first")["lines"])

    @repeats
    def test_the_same_nodes_find_the_same(self):
        for game, moves in [("connect6", WINS[3][1]), ("gomoku", "h8 i9 g8 i8 h7 i10")]:
            one, two = (self.json("analyze", game, moves, "--nodes", "3000", "--seed", "2") for _ in range(2))
            del one["ms"], two["ms"]
            self.assertEqual(one, two)


class OddRules(KrowTest):
    def test_rules_that_are_not_searched(self):
        for game, words in [("connect4", "games with gravity"), ("9x9:k=5,p=5", "more than 4 stones"),
                            ("6x5:k=4,p=2,gravity", "games with gravity"), ("3x3:k=3,p=9", "more than 4 stones")]:
            value = self.json("analyze", game, "--nodes", "2000")
            self.assertEqual((value["forced_searched"], value["forced"], value["forced_verdict"]), (False, None, None))
            self.assertFalse(value["threatens"]["searched"])
            self.assertGreater(len(value["lines"]), 0)
            self.assertIn(words, self.krow("analyze", game, "--nodes", "2000")[0])

    def test_a_first_turn_of_many_stones(self):
        value = self.json("analyze", "12x12:k=6,p=2,q=5", "--nodes", "2000")
        self.assertEqual((value["forced_searched"], value["threatens"]["searched"]), (False, True))

    def test_empty_boards_and_the_last_cell(self):
        for game in ["gomoku", "connect6", "1x1:k=1", "64x1:k=30", "2x2:k=1", "8x8:k=4,p=4,exact"]:
            self.krow("analyze", game, "--nodes", "2000")
        out, _ = self.krow("analyze", "tictactoe", "a1 b1 c1 b2 a2 c2 b3 a3", "--nodes", "2000")
        self.assertIn("  1. c3", out)

    def test_the_depth_is_a_limit_too(self):
        moves = WINS[1][1]  # six turns: 22 stones
        self.assertEqual(self.json("analyze", "connect6", moves, "--depth", "22", "--nodes", "20000")["forced_verdict"], "won")
        value = self.json("analyze", "connect6", moves, "--depth", "17", "--nodes", "20000")
        self.assertEqual((value["forced_verdict"], value["forced_turns"]), ("limit", 4))


class Words(KrowTest):
    def test_line_and_answers(self):
        for game, moves, turns in SOME_WINS:
            with self.subTest(game=game, moves=moves):
                value = self.json("analyze", game, moves, "--nodes", "20000")
                out, _ = self.krow("analyze", game, moves, "--nodes", "20000")
                self.assertLessEqual(max(map(len, out.split("\n"))), 80)
                own, other = ("X", "O") if value["turn"] == "first" else ("O", "X")
                turn = " ".join(value["forced"]["turn"])
                self.assertIn(f"   1 {own} {turn}", out)
                if turns == 1:
                    self.assertIn(f"{own} completes a row at once:", out)
                    continue
                self.assertRegex(out, rf"{own} wins by [a-z ]+ in {turns} turns, with at most {value['lines'][0]['distance']}\s")
                # The tree in words has the answers of the tree.
                if value["forced"]["answers"]:
                    reported = re.sub(r"\s+", " ", out.partition("All answers")[2])
                    self.assertEqual(self.read(reported, own, other), self.first_answers(value["forced"]))

    def read(self, text, own, other):
        """The first answers of a tree in words, and the turns after them."""
        found = {}
        for answers, turn in re.findall(rf"if {other} answers ([a-z0-9 ,]+): {own} ([a-z0-9 ]+?)(?= if |, wins| $)", text):
            found.update({answer: turn for answer in answers.split(", ") if answer not in found})
        return found

    def first_answers(self, node):
        found = {}
        for answer in node["answers"]:
            found.setdefault(" ".join(answer["answer"]), " ".join(answer["then"]["turn"]))
            for key, turn in self.first_answers(answer["then"]).items():
                found.setdefault(key, turn)
        return found

    def test_numbers_on_the_board(self):
        out, _ = self.krow("analyze", "connect6", "j10 a1 c1 k10 l11 e1 g1 j12 l9 a3 c3", "--nodes", "20000")
        value = self.json("analyze", "connect6", "j10 a1 c1 k10 l11 e1 g1 j12 l9 a3 c3", "--nodes", "20000")
        rows = dict(re.findall(r"^ ?(\d+)([ (].*[ )])\d+$", out, re.M)[:19])
        for number, cells in enumerate([value["lines"][0]["pv"][i:i + 2] for i in range(0, 10, 2)], start=1):
            for cell in cells:
                column, row = "abcdefghijklmnopqrs".index(cell[0]), cell[1:]
                self.assertEqual(rows[row][1 + 2 * column], str(number))
        self.assertIn(" 1 O . O . O . O", out)

    @repeats
    def test_a_long_sequence_has_several_boards(self):
        out, _ = self.krow("analyze", "connect6", LONG, "--nodes", "20000")
        value = self.json("analyze", "connect6", LONG, "--nodes", "20000")
        pv = value["lines"][0]["pv"]
        turns = [pv[i:i + 2] for i in range(0, len(pv), 2)]
        self.assertEqual(len(turns), 15)
        first, second = out.partition("Turns from 9 on:")[::2]
        boards = [self.cells_of(text) for text in (first, second)]
        for number, cells in enumerate(turns, start=1):
            for cell in cells:
                signs = [str(number), "."] if number >= 9 else [str(number), "OX"[number % 2 == 0]]
                self.assertEqual([board[cell] for board in boards], signs if number < 9 else signs[::-1], cell)
        self.assertEqual(boards[1]["l8"], "X")

    def cells_of(self, text):
        """What stands on the cells of the first board of a text."""
        rows = re.findall(r"^ ?(\d+)([ (].*[ )])\d+$", text, re.M)[:19]
        return {"abcdefghijklmnopqrs"[x] + row: sign
                for row, line in rows for x, sign in enumerate(re.findall(r"\w+|\.", line))}

    def test_a_huge_tree_is_cut(self):
        def count(node):
            return 1 + sum(count(answer["then"]) for answer in node["answers"])
        positions = count(self.json("analyze", "connect6", LONG, "--nodes", "20000")["forced"])
        out, _ = self.krow("analyze", "connect6", LONG, "--nodes", "20000")
        self.assertIn(f"{positions:,} positions".replace(",", " "), out)
        reported = out.partition("All answers")[2]
        missing = int(re.search(r"\nand ([0-9 ]+) more positions; --json has all\n$", reported)[1].replace(" ", ""))
        self.assertEqual(reported.count("if X answers"), 200)
        self.assertEqual(missing, positions - self.reported(reported))
        out, _ = self.krow("analyze", "connect6", WINS[1][1], "--nodes", "20000")
        self.assertNotIn("more positions", out)
        self.assertEqual(self.reported(out.partition("All answers")[2]), 121)

    def reported(self, text):
        """Positions of a tree in words: as many as answers, and of each those of the lines it stands under."""
        total, times = 1, [1]
        lines = re.sub(r"\n {4,}(?!\s*if )", " ", text)
        for indent, answers in re.findall(r"(?m)^( *)if \w answers ([^:]+):", lines):
            level = len(indent) // 2
            times = times[:level] + [times[level - 1] * (answers.count(",") + 1)]
            total += times[level]
        return total

    def test_quiet_is_short(self):
        out, _ = self.krow("analyze", "connect6", WINS[1][1], "--quiet", "--nodes", "20000")
        self.assertTrue(out.startswith("X wins by double threats in 6 turns"))
        self.assertNotIn("All answers", out)
        self.assertNotIn("sliding", out)

    def test_a_limit_is_told(self):
        out, _ = self.krow("analyze", "connect6", WINS[1][1], "--nodes", "5")
        self.assertIn("not decided within the limit", out.replace("\n  ", " "))


class Engine(KrowTest):
    """What the engine thinks, where no agent is asked for."""
    POSITIONS = [("gomoku", "h8 i9 h9 h10 g8"), ("connect6", "j10 i9 l12"), ("connect6", "j10 i9 l12 k8"), ("standard", "h8"),
                 ("7x6:k=4,p=2,gravity", "d1"), ("9x9:k=5,p=3,q=1", "e5"), ("8x8:k=4,gravity", "d1 d2"),
                 ("6x6:k=4,p=8", ""), ("5x5:k=4", "c3 a1"), ("gomoku", "h8 a1 h9 a2 h10 b4 h11"), ("64x1:k=30", "")]

    def check_lines(self, value, lines, stones_left):
        """Fields, order, and that every turn and its play are legal."""
        self.assertEqual(len({frozenset(line["stones"]) for line in lines}), len(lines))
        scores = [line["score"] for line in lines]
        self.assertEqual(scores, sorted(scores, reverse=True))
        empty = sum(row.count(".") for row in value["rows"])
        for line in lines:
            self.assertEqual(set(line), {"stones", "score", "chance", "proven", "distance", "depth", "pv", "by"})
            self.assertLessEqual(len(line["stones"]), stones_left)
            self.assertEqual(sorted(line["pv"][:len(line["stones"])]), sorted(line["stones"]))
            self.assertLessEqual(len(line["pv"]), empty)
            self.assertLessEqual(line["depth"], empty)
            self.assertIn(line["proven"], [None, "win", "loss", "draw"])
            if line["distance"] is not None:
                self.assertIn(line["proven"], ["win", "loss"])
                self.assertTrue(0 < line["distance"] <= empty)
            chances = {"win": 1, "loss": 0, "draw": 0.5}
            expected = chances.get(line["proven"], 1 / (1 + math.exp(-line["score"] / 2)))
            self.assertAlmostEqual(line["chance"], expected)

    @repeats
    def test_lines(self):
        for game, moves in self.POSITIONS:
            with self.subTest(game=game, moves=moves):
                value = self.json("analyze", game, moves, "--nodes", "3000", "--lines", "4")
                self.assertEqual(len(value["lines"]), 4)
                self.check_lines(value, value["lines"], value["stones_left"])
                for line in value["lines"]:
                    self.krow("show", game, moves, " ".join(line["pv"]))
                self.assertIn(value["agent"], ["engine", "exact"])
                self.assertEqual(value["cells_agent"], value["agent"])
                self.assertTrue(value["complete"])

    def test_cells_are_worth_what_their_best_turn_is(self):
        for game, moves in self.POSITIONS[:7]:
            value = self.json("analyze", game, moves, "--nodes", "3000", "--lines", "4")
            cells = value["cells"]
            self.assertEqual(list(cells.values()), sorted(cells.values(), reverse=True))
            for line in reversed(value["lines"]):
                for stone in set(line["stones"]) & set(cells):  # with gravity a stone may stand on another of the turn
                    self.assertGreaterEqual(cells[stone], line["score"])
            reported = {stone for line in value["lines"] for stone in line["stones"]}
            self.assertLessEqual(max(score for cell, score in cells.items() if cell not in reported),
                                 value["lines"][-1]["score"])
            self.assertEqual(list(cells.values())[0], value["lines"][0]["score"])

    def test_more_lines_than_it_tells(self):
        value = self.json("analyze", "gomoku", "h8 i9", "--nodes", "3000", "--lines", "40")
        self.assertEqual(len(value["lines"]), 40)
        self.check_lines(value, value["lines"], 1)

    def test_small_games_are_known(self):
        value = self.json("analyze", "tictactoe", "a1", "--lines", "9", "--nodes", "20000")
        self.assertEqual([(line["stones"], line["proven"], line["score"]) for line in value["lines"]][0], (["b2"], "draw", 0))
        self.assertEqual([line["proven"] for line in value["lines"]][1:], 7 * ["loss"])
        self.assertEqual({line["by"] for line in value["lines"]}, {"exact"})
        self.assertEqual(value["cells"]["b2"], 0)
        self.assertEqual({value["cells"][cell] for cell in value["cells"] if cell != "b2"}, {-1})

    def test_depth_and_memory_are_limits(self):
        deep = self.json("analyze", "gomoku", "h8 i9 h9", "--depth", "4", "--nodes", "1000000", "--memory", "1")
        self.assertEqual((deep["depth"], max(line["depth"] for line in deep["lines"])), (4, 4))
        turns = self.json("analyze", "connect6", "j10 i9 l12", "--depth", "4", "--nodes", "1000000")
        self.assertEqual(turns["depth"], 4)

    def test_threads(self):
        value = self.json("analyze", "gomoku", "h8 i9 h9", "--threads", "2", "--nodes", "20000", "--lines", "2")
        self.check_lines(value, value["lines"], 1)

    def test_progress(self):
        call = ("analyze", "gomoku", "h8 i9 h9", "--nodes", "5000")
        for more in [(), ("--json",)]:
            _, err = self.krow(*call, *more)
            depths = [int(depth) for depth in re.findall(r"^[a-z]\d+  [^:\n]*, depth (\d+)", err, re.M)]
            self.assertEqual(len(depths), len(err.splitlines()))
            self.assertEqual(depths, sorted(set(depths)))
            self.assertGreater(len(depths), 2)
            self.assertEqual(self.krow(*call, *more, "--quiet")[1], "")
        self.assertEqual(len(self.krow(*call, "--json")[0].splitlines()), 1)

    def test_stream(self):
        for game, moves in self.POSITIONS[:7]:
            with self.subTest(game=game, moves=moves):
                call = ("analyze", game, moves, "--nodes", "3000", "--seed", "1")
                out, err = self.krow(*call, "--stream")
                objects = [json.loads(line) for line in out.splitlines()]
                self.assertEqual(err, "")
                self.assertEqual([value["complete"] for value in objects], (len(objects) - 1) * [False] + [True])
                last, whole = objects[-1], self.json(*call)
                del last["ms"], whole["ms"]
                self.assertEqual(last, whole)
                nodes = [value["nodes"] for value in objects[:-1]]
                self.assertEqual(nodes, sorted(nodes))
                self.assertGreater(len(nodes), 2)
                for value in objects[:-1]:
                    self.assertEqual(set(value), {"complete", "lines", "depth", "deepest", "view", "nodes", "ms"})
                    self.check_lines(last, value["lines"], last["stones_left"])

    def test_view_of_the_stream(self):
        call = ("analyze", "gomoku", "h8 i9 h9", "--nodes", "2000", "--stream")
        own, first = (self.krow(*call, *more)[0].splitlines() for more in [(), ("--view", "first")])
        for a, b in zip(map(json.loads, own[:-1]), map(json.loads, first[:-1]), strict=True):
            self.assertEqual((a["view"], b["view"]), ("second", "first"))
            self.assertEqual([-line["score"] for line in a["lines"]], [line["score"] for line in b["lines"]])
            for x, y in zip(a["lines"], b["lines"]):
                self.assertAlmostEqual(x["chance"] + y["chance"], 1)


class EngineWins(Trees):
    """Wins that no search through threats alone finds, proven by the engine: the tree holds against every reply."""
    BY_FORCE = [("9x9:k=5", "e5 a1 f6 i3 f5 a9"), ("7x7:k=4", "d4 a1"), ("9x9:k=5,exact", "e5 a1 f6 i3 f5 a9")]

    @repeats
    def test_every_reply(self):
        for game, moves in self.BY_FORCE:
            with self.subTest(game=game, moves=moves):
                value = self.json("analyze", game, moves, "--nodes", "20000")
                self.assertEqual((value["forced_verdict"], value["forced_by"]), ("won", "engine"))
                rules = Rules(value)
                self.assertGreater(self.hold_everywhere(rules, value["forced"], rules.side), 0)
                line = value["lines"][0]
                self.assertEqual((line["proven"], line["by"], line["stones"]), ("win", "engine", value["forced"]["turn"]))
                out, _ = self.krow("analyze", game, moves, "--nodes", "20000")
                self.assertIn(f"X wins by force in {value['forced_turns']} turns", out)
                self.assertIn("if O answers elsewhere: X ", out)

    def test_the_sequence_ends_with_a_row(self):
        for game, moves in self.BY_FORCE:
            line = self.json("analyze", game, moves, "--nodes", "20000")["lines"][0]
            self.assertEqual(self.json("show", game, moves, " ".join(line["pv"]))["winner"], "first")

    def test_stones_that_fall(self):
        moves = "e1 a1 f1 a2 c1 c2 f2 d1 c3 e2 e3 c4 b1 c5"
        value = self.json("analyze", "connect4", moves, "--nodes", "200000")
        self.assertEqual((value["forced_verdict"], value["forced_by"], value["agent"]), ("won", "engine", "exact"))
        self.assertEqual(value["forced"]["turn"], value["lines"][0]["stones"])
        self.fall(Rules(value), value["forced"], "X")

    def fall(self, rules, node, side):
        """Every column is an answer, or loses at once."""
        other = "O" if side == "X" else "X"
        turn = rules.play(node["turn"], side)
        self.assertLessEqual(set(turn), self.reached(rules, turn))
        if rules.has_row(side):
            self.assertEqual((node["ends"], node["answers"]), ("row", []))
        else:
            answers = {rules.cell(answer["answer"][0]): answer["then"] for answer in node["answers"]}
            self.assertEqual(node["ends"], None if answers else "unstoppable")
            for cell in self.reached(rules):
                rules.stones[cell] = other
                self.assertFalse(rules.has_row(other))
                if cell in answers:
                    self.fall(rules, answers[cell], side)
                else:
                    completing = frozenset().union(*rules.threats(side, 1))
                    self.assertTrue(completing & self.reached(rules), cell)
                del rules.stones[cell]
        rules.take_back(turn)

    def reached(self, rules, without=()):
        """The cells on which a stone comes to rest."""
        heights = [sum((x, y) in rules.stones and (x, y) not in without for y in range(rules.height))
                   for x in range(rules.width)]
        return {(x, y) for x, y in enumerate(heights) if y < rules.height}

    # What Trees has is tested once.
    test_every_answer_of_every_win = test_every_reply_with_free_stones = None
    test_answers_are_those_of_krow_threats = test_the_threat_is_played_through_too = None


class Errors(KrowTest):
    def test_refused(self):
        self.refused("analyze", "tictactoe", "a1 b1 a2 b2 a3", words="the game is over")
        self.refused("analyze", "gomoku", "--agent", "missing", words="no agent 'missing'")
        self.refused("analyze", "gomoku", "--view", "second", words="'second'")
        self.refused("analyze", "gomoku", "--lines", "0", words="--lines: '0'")
        self.refused("analyze", "gomoku", "--lines", "101", words="--lines: '101'")
        self.refused("analyze", "gomoku", "--threads", "0", words="--threads: '0'")
        self.refused("analyze", "gomoku", "--threads", "65", words="--threads: the engine takes up to 64")
        self.refused("analyze", "gomoku", "--memory", "0", words="--memory: '0'")
        self.refused("analyze", "gomoku", "--nodes", "0", words="--nodes: '0'")
        self.refused("analyze", "gomoku", "--time", "-1", words="--time: '-1'")
        for option in ["--threads", "--memory"]:
            self.refused("analyze", "gomoku", "--agent", "random", option, "2", words="engine:threads=2")
        self.refused("analyze", "gomoku", "h8 h8", words="h8")
        self.refused("analyze", words="GAME")

    def test_an_agent_that_fails(self):
        self.refused("analyze", "gomoku", "--agent", "exec:false", words="agent 'exec:false': it ended", status=1)
        engine = f"exec:{os.environ['FAKE_ENGINE']} gomocup off"
        self.refused("analyze", "gomoku", "h8", "--agent", engine, "--no-sandbox", words="agent 'exec'", status=1)


class InTheTerminal(KrowTest):
    def shown(self, *arguments, rows=60, columns=80):
        terminal = Terminal(self, "analyze", *arguments, rows=rows, columns=columns)
        self.assertEqual(terminal.wait(), 0)
        seen = terminal.seen.rpartition("\033[J")[2]  # what was painted while it thought is gone
        return re.sub(r"\033\[[0-9;]*m", "", seen).replace("\r\n", "\n"), seen

    def test_colours_of_numbers(self):
        plain, seen = self.shown("connect6", WINS[0][1], "--nodes", "20000", "--seed", "1")
        self.assertIn("\033[36m1\033[0m", seen)
        self.assertIn("\033[33m2\033[0m", seen)
        self.environment["NO_COLOR"] = "1"
        self.assertEqual(self.shown("connect6", WINS[0][1], "--nodes", "20000", "--seed", "1")[1].replace("\r\n", "\n"), plain)

    @repeats
    def test_numbers_of_two_digits(self):
        value = self.json("analyze", "connect6", SEVEN, "--nodes", "20000", "--seed", "1")
        pv = value["lines"][0]["pv"]
        turns = [pv[i:i + 2] for i in range(0, len(pv), 2)]
        self.assertGreater(len(turns), 10)
        # Cells are three columns apart, two, or one, as the window allows.
        for columns, step, first in [(80, 3, 4), (50, 2, 3), (30, 1, 3)]:
            out, _ = self.shown("connect6", SEVEN, "--nodes", "20000", "--seed", "1",
                                columns=columns)
            rows = {line[:2].strip(): line for line in out.split("\n")[1:20]}
            for number, cells in enumerate(turns, start=1):
                for cell in cells:
                    at = first + step * "abcdefghijklmnopqrs".index(cell[0])
                    sign = str(number) if step == 3 or number < 10 else "abcdefghi"[number - 10]
                    self.assertEqual(rows[cell[1:]][at + 1 - len(sign):at + 1], sign, (columns, cell))
            self.assertEqual("turns from 10 on: a = 10 b = 11" in out, step < 3)

    def test_wide_boards(self):
        moves = "aj30 ai29 al32 ak31 aj32 ai31 ah32"
        out, _ = self.shown("64x64:k=6,p=2,q=1", moves, "--nodes", "20000")
        self.assertLessEqual(max(map(len, out.split("\n"))), 80)
        self.assertIn("X wins by double threats in 6 turns", out)

    def test_ctrl_c_shows_what_there_is(self):
        terminal = Terminal(self, "analyze", "25x25:k=8,p=4,q=4", "m12,m13,n12,l11,a1,y1,a25,y25", "--time", "1000",
                            "--quiet")
        terminal.read(0.5)
        while not self.catches_ctrl_c(terminal.pid):
            pass
        os.write(terminal.fd, b"\x03")
        terminal.expect("not decided within")
        terminal.expect("Best turns")
        self.assertEqual(terminal.wait(), 0)

    def test_live_view(self):
        terminal = Terminal(self, "analyze", "gomoku", "h8 i9 h9 h10 g8", "--time", "1000", "--lines", "2", columns=60)
        terminal.expect("searching: ")
        terminal.expect("  2. ")
        seen = terminal.expect("\033[J")  # painted again
        self.assertRegex(seen, r"\033\[3A\033\[J$")
        self.assertLess(max(len(line) for line in seen.replace("\r\n", "\n").split("\n")), 60)
        os.write(terminal.fd, b"\x03")
        terminal.expect("Best turns")
        self.assertIn("(engine)", terminal.expect("  2. "))
        self.assertEqual(terminal.wait(), 0)

    def test_no_live_view_where_none_is_wanted(self):
        for more in [("--quiet",), ("--stream",)]:
            terminal = Terminal(self, "analyze", "gomoku", "h8 i9 h9 h10 g8", "--nodes", "100000", *more)
            self.assertEqual(terminal.wait(), 0)
            self.assertNotIn("thinking", terminal.seen)
            self.assertNotIn("\033[J", terminal.seen)

    def test_ctrl_c_ends_the_stream(self):
        terminal = Terminal(self, "analyze", "gomoku", "h8 i9 h9 h10 g8", "--time", "1000", "--stream", columns=200)
        terminal.expect('"depth":4')
        os.write(terminal.fd, b"\x03")
        terminal.expect('"complete":true')
        self.assertEqual(terminal.wait(), 0)

    def catches_ctrl_c(self, pid):
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            caught = re.search(r"^SigCgt:\s*(\w+)", file.read(), re.M)[1]
        return int(caught, 16) & 2 != 0


if __name__ == "__main__":
    main()
