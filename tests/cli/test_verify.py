"""krow verify, compared with tools/check-proof, a second checker that was written from docs/proofs.md."""
import contextlib
import json
import lzma
import math
import os
import random
import re
import subprocess
import sys

import proofs
import trees
from krowtest import KROW, KrowTest, main, repeats

LONG = "KROW_TEST_LONG" in os.environ
PROOFS = os.path.join(os.path.dirname(__file__), "..", "..", "data", "proofs")
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz", "corpus", "proof")


class Comparison(KrowTest):
    """Runs krow verify on files in memory."""

    def verify(self, file, *options, status=0):
        """Files are bytes, unlike the input of other commands."""
        path = self.path("proof")
        with open(path, "wb") as out:
            out.write(file)
        return self.krow("verify", path, *options, status=status)

    def facts(self, file):
        value = json.loads(self.verify(file, "--json")[0])
        self.assertTrue(value["ok"])
        self.assertIsNone(value["error"])
        self.assertEqual(value["bytes"], len(file))
        self.assertEqual(value["positions"], sum(claim["positions"] for claim in value["claims"]))
        self.assertEqual(value["depth"], max(claim["depth"] for claim in value["claims"]))
        return value, [(c["claim"], c["answers"], c["positions"], c["depth"]) for c in value["claims"]]

    def is_accepted(self, file):
        result = subprocess.run([KROW, "verify", "-q", "-"], input=file, capture_output=True, check=False, timeout=60)
        self.assertIn(result.returncode, (0, 2), result.stderr)
        return result.returncode == 0


class Verify(Comparison):
    def test_proofs_of_another_program(self):
        for text, claims, value in [
            ("3x3:k=3", ["first does not lose", "second does not lose"], "draw"),
            ("3x3:k=3", ["second does not lose"], None),
            ("3x3:k=2", ["first wins"], "first"),
            ("1x1:k=1", ["first wins"], "first"),
            ("2x3:k=3,gravity", ["second does not lose", "first does not lose"], "draw"),
            ("4x2:k=3,p=2,q=1", ["first does not lose"], None),
            ("3x2:k=3,p=3,q=1,exact", ["second wins"], "second"),
            ("5x2:k=2,p=2,q=2,exact", ["first wins"], "first"),
        ]:
            with self.subTest(game=text, claims=claims):
                file = proofs.write(text, claims)
                reported, facts = self.facts(file)
                self.assertEqual(reported["game"], text)
                self.assertEqual(reported["value"], value)
                self.assertEqual(facts, proofs.facts(file))

    def test_whole_turns(self):
        """Version 2, which needs fewer answers where turns have several stones."""
        for text, claim in [
            ("4x2:k=3,p=2,q=1", "first does not lose"),
            ("3x2:k=3,p=3,q=1,exact", "second wins"),
            ("4x3:k=3,p=2,q=1", "first wins"),
            ("3x3:k=3", "second does not lose"),
        ]:
            with self.subTest(game=text):
                file = proofs.write(text, [claim], version=2)
                self.assertEqual(self.facts(file)[1], proofs.facts(file))
                before = proofs.facts(proofs.write(text, [claim]))
                (self.assertLess if "p=" in text else self.assertLessEqual)(len(file), len(proofs.write(text, [claim])))
                self.assertLessEqual(proofs.facts(file)[0][1], before[0][1])
        err = self.verify(proofs.write("2x3:k=3,gravity", ["first does not lose"], version=2), status=2)[1]
        self.assertIn("version 2 of proofs is for games without gravity", err)

    def puzzle(self, game, number):
        path = self.path("puzzle")
        self.krow("puzzles", "proof", game, str(number), "-o", path)
        with open(path, "rb") as file:
            return file.read()

    def proofs_of_krow(self):
        """Files that krow accepts, some of the inputs of the fuzzer among them."""
        for name in "draw-3x3", "turns-4x2", "win-5x2", "pairing-4x1", "draw-4x4":
            with open(os.path.join(CORPUS, name), "rb") as file:
                yield file.read()
        yield from (self.puzzle("gomoku", number) for number in range(1, 21 if LONG else 3))

    def test_another_program_checks_ours(self):
        larger = [(game, number) for game in ("connect4", "connect6") for number in range(1, 21)]
        for file in [*self.proofs_of_krow(), *(self.puzzle(*one) for one in (larger if LONG else larger[:1]))]:
            with self.subTest(head=file[:80]):
                self.assertEqual(self.facts(file)[1], proofs.facts(file))

    @repeats
    def test_both_refuse_damaged_proofs(self):
        """Answers are changed, and checksums are right again: some of these files are proofs, too."""
        dice = random.Random(1)
        verdicts = []
        files = [file for file in self.proofs_of_krow() if proofs.check_proof.read_head(file)[4] > 0]
        for i in range(10000 if LONG else 60):
            file = files[i % len(files)]
            body = bytearray(proofs.split(file)[1])
            for _ in range(dice.choice((1, 1, 2))):
                body[dice.randrange(len(body))] ^= 1 << dice.randrange(8)
            if dice.random() < 0.1:
                body = body[:dice.randrange(len(body))]
            changed = proofs.with_body(proofs.split(file)[0], bytes(body))
            with self.subTest(i=i, body=bytes(body).hex()[:200]):
                verdicts.append(self.is_accepted(changed))
                self.assertEqual(proofs.is_accepted(changed), verdicts[-1])
        self.assertTrue(any(verdicts) and not all(verdicts))

    @repeats
    def test_the_same_headers_are_refused(self):
        file = proofs.write("3x3:k=3", ["first does not lose"])
        changes = [(b"3x3:k=3", b"3x3:k=4"), (b"3x3:k=3", b"3x3:k=03"), (b"3x3:k=3", b"3x3:k=3,p=1"),
                   (b"3x3:k=3", b"3x3:k=3,p=1,q=1"), (b"3x3:k=3", b"3x3:k=3,gravity"), (b"3x3:k=3", b"tictactoe"),
                   (b"3x3:k=3", b"65x3:k=3"), (b"3/3/3", b"3/3/12"), (b"3/3/3", b"3/3/03"), (b"3/3/3", b"3/3"),
                   (b"3/3/3", b"XXX/3/3"), (b"3/3/3", b"OOO/3/3"), (b"3/3/3", b"XXX/OOO/3"), (b"3/3/3", b"3/3/X1x"),
                   (b"3 X 1", b"3 X 2"), (b"3 X 1", b"3 X 0"), (b"3 X 1", b"3 O 1"), (b"3 X 1", b"3 x 1"),
                   (b"first", b"First"), (b"does not lose", b"draws"), (b"proof 1", b"proof 3"), (b"proof 1", b"proof 2"),
                   (b"claim first does not lose\n", b"claim first does not lose\n" * 2), (b"3x3:k=3", b"3x3:k=3,p=2,q=1")]
        head, body = proofs.split(file)
        for before, after in changes:
            changed = proofs.with_body(head.encode().replace(before, after).decode(), body)
            with self.subTest(after=after):
                self.assertNotEqual(changed, file)
                self.assertEqual(proofs.is_accepted(changed), self.is_accepted(changed))
        for at in range(0, len(file), 1 if LONG else 11):
            changed = file[:at] + bytes([file[at] ^ 1]) + file[at + 1:]
            self.assertFalse(proofs.is_accepted(changed) or self.is_accepted(changed))

    @repeats
    def test_the_tool(self):
        good, bad = self.path("good"), self.path("bad")
        file = proofs.write("3x3:k=3", ["second does not lose"])
        for path, content in (good, file), (bad, file[:-1]):
            with open(path, "wb") as out:
                out.write(content)
        for names, status, words in [([good], 0, "second does not lose: proved. "), ([bad, good], 2, "is refused: the file"),
                                     ([self.path("nothing")], 1, "No such file"), ([], 2, "Usage: ")]:
            result = subprocess.run([sys.executable, proofs.TOOL, *names], capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, status)
            self.assertIn(words, result.stdout + result.stderr)

    def test_text(self):
        file = proofs.write("3x3:k=3", ["first does not lose", "second does not lose"])
        out, err = self.verify(file)
        self.assertEqual(out.splitlines()[0], "3x3:k=3, from the empty board")
        self.assertRegex(out, r"(?m)^first does not lose: proved\. \d+ answers, \d+ positions, the longest line has 9 stones$")
        self.assertIn("The value is a draw.", out)
        self.assertIn(f"{len(file)} bytes", out)
        self.assertRegex(err, r"^\d+\.\d\d s\n$")
        self.assertEqual(self.verify(file, "--quiet"), (out, ""))

    def test_standard_input(self):
        file = proofs.write("3x3:k=2", ["first wins"])
        result = subprocess.run([KROW, "verify", "-q", "-"], input=file, capture_output=True, check=False, timeout=60)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"first wins: proved", result.stdout)

    def test_refusals(self):
        game = "3x3:k=3"
        good = proofs.write(game, ["first does not lose"])
        body = proofs.split(good)[1]
        for file, words in [
            (b"", ["byte 0", "not a proof by krow"]),
            (good[:-1], [f"byte {len(good) - 1}: the file ends here", "too early"]),
            (good + b"x", ["too late"]),
            (good[:-6] + bytes([good[-6] ^ 1]) + good[-5:], ["damaged", f"to {len(good) - 1}"]),
            (good.replace(b"first", b"secon"), ["invalid claim"]),
            (proofs.wrap(game, ["first wins"], body), ["first wins: after ", "there is no answer to this"]),
            (proofs.wrap(game, ["second does not lose"], b"\1\0"), ["after b1: there is no answer to this"]),
            (proofs.wrap(game, ["first does not lose"], b"\1\4\1"), ["after b2 b1: there is no answer to this"]),
            (proofs.wrap(game, ["first does not lose"], body + b"\0"), ["more answers than there are positions"]),
        ]:
            with self.subTest(words=words):
                out, err = self.verify(file, status=2)
                self.assertEqual(out, "")
                self.assertIn("is refused: ", err)
                for word in words:
                    self.assertIn(word, err)
                reported = json.loads(self.verify(file, "--json", status=2)[0])
                self.assertFalse(reported["ok"])
                self.assertIn(reported["error"], err)
                self.assertIsNone(reported["value"])

    def test_no_file(self):
        self.refused("verify", self.path("nothing"), words="cannot read", status=1)
        self.refused("verify", words="FILE")


TREE_GAMES = ["3x3:k=3", "4x4:k=3", "5x5:k=4", "4x3:k=3,exact", "5x5:k=4,p=2,q=1", "6x1:k=3", "7x1:k=3,p=2,q=2",
              "6x6:k=4,p=2,q=1", "4x4:k=4,p=3,q=1", "5x4:k=3,exact", "3x3:k=2", "4x4:k=2,exact", "3x2:k=1",
              "4x4:k=3,p=2,q=2,exact", "5x5:k=3,exact", "6x3:k=3,p=2,q=1,exact", "4x4:k=4,p=5,q=2", "5x5:k=5,p=3,q=1"]


@repeats
class Gomoku(KrowTest):
    """The proofs of Gomoku on 15x15 in data/proofs: of each game the smallest, or all."""

    def test_shipped_proofs(self):
        rules = {"gomoku": "15x15:k=5", "standard": "15x15:k=5,exact"}
        self.assertEqual(sorted(os.listdir(PROOFS)), ["README.md", "SHA256SUMS", *sorted(rules)])
        for name, game in rules.items():
            folder = os.path.join(PROOFS, name)
            paths = sorted((os.path.join(folder, file) for file in os.listdir(folder)), key=os.path.getsize)
            self.assertTrue(paths)
            for path in paths if LONG else paths[:1]:
                with lzma.open(path) as packed, open(self.path("proof"), "wb") as plain:
                    plain.write(packed.read())
                value = self.json("verify", self.path("proof"), "-q")
                self.assertTrue(value["ok"])
                self.assertEqual(value["claims"][0]["claim"], "first wins")
                # The start is the position after h8 and the reply that the file is named after.
                reply = re.fullmatch(r"h8-([a-h]\d+)\.proof\.xz", os.path.basename(path))[1]
                rows = self.json("show", game, "h8", reply)["rows"]
                fen = "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), row) for row in rows)
                self.assertEqual((value["game"], value["start"]), (game, fen + " X 1"))


class Trees(Comparison):
    """Version 3, with trees by tests/cli/trees.py, which finds values by trying every stone."""

    def setUp(self):
        super().setUp()
        self.dice = random.Random(3)

    def trees(self, each):
        """Some for every game: the game, the start, the writer and the file."""
        for text in TREE_GAMES:
            game = trees.Game(text)
            for _ in range(each):
                start, writer = trees.random_tree(game, self.dice)
                yield game, start, writer, proofs.with_body(trees.head(game, start), writer.body())

    def positions_are_won(self, game, tree):
        """Whether every reply loses in all positions of a tree; True, too, where that takes too long."""
        game.budget = 20000
        try:
            return all(game.wins(own, other, False, stones) for own, other, stones in tree.visited)
        except trees.TooLarge:
            return True

    def test_all_report_the_same(self):
        for game, start, writer, file in self.trees(20 if LONG else 2):
            with self.subTest(game=game.text, start=start):
                value = self.facts(file)[0]
                claim = {name: value["claims"][0][name] for name in ("answers", "positions", "replies", "depth")}
                tree = proofs.read_tree(file)
                for one in writer, tree:
                    self.assertEqual({name: getattr(one, name) for name in claim}, claim)
                levels = {cell: level for level in range(tree.levels, 0, -1) for cell in range(game.cells)
                          if tree.zone >> (level - 1) * game.cells + cell & 1}
                self.assertEqual(levels, writer.levels)
                self.assertTrue(self.positions_are_won(game, tree))

    def disturbed(self, game, levels, empty):
        """Random stones on empty cells, fewer than m of them on cells of level m or less for every m."""
        added, taken = 0, []
        for cell in self.dice.sample(empty, len(empty)):
            more = taken + ([levels[cell]] if cell in levels else [])
            if all(sum(level <= m for level in more) < m for m in range(1, game.cells + 1)):
                added, taken = added | 1 << cell, more
        return added

    def test_stones_outside_of_zones(self):
        """They do not disturb a win."""
        tried = 0
        for game, (_, own, other, is_own, left), writer, _ in self.trees(40 if LONG else 6):
            for _ in range(10):
                more = other | self.disturbed(game, writer.levels, game.empty(own, other))
                game.budget = 500
                if more == other or game.has_row(more):
                    continue
                with self.subTest(game=game.text, own=own, other=other, more=more), contextlib.suppress(trees.TooLarge):
                    self.assertTrue(game.wins(own, more, is_own, min(left, len(game.empty(own, more)))))
                    tried += 1
        self.assertGreater(tried, 100)

    def changed(self, game, start, file):
        """A file with other answers, or of another start, and right checksums."""
        lines, body = proofs.split(file)
        body = bytearray(body)
        for _ in range(self.dice.choice((1, 1, 2)) if body else 0):
            body[self.dice.randrange(len(body))] ^= 1 << self.dice.randrange(8)
        chance = self.dice.random()
        if chance < 0.1:
            body = body[:self.dice.randrange(len(body) + 1)]
        elif chance < 0.3:
            owner, own, other, is_own, left = start
            moved = 1 << self.dice.choice(game.empty(own, other))
            own, other = (own ^ moved, other) if self.dice.random() < 0.5 else (own, other ^ moved)
            lines = trees.head(game, (owner, own, other, is_own, left))
            body = bytearray(proofs.split(file)[1])
        return proofs.with_body(lines, bytes(body))

    def test_both_accept_the_same(self):
        """Whatever is accepted is true."""
        verdicts, checked = [], 0
        goal = 10000 if LONG else 150
        files = list(self.trees(12 if LONG else 2))
        while len(verdicts) < goal:
            game, start, writer, file = self.dice.choice(files)
            if not writer.bits and self.dice.random() < 0.9:
                continue
            changed = self.changed(game, start, file)
            with self.subTest(number=len(verdicts), game=game.text, file=changed.hex()):
                verdicts.append(self.is_accepted(changed))
                self.assertEqual(proofs.is_accepted(changed), verdicts[-1])
                if verdicts[-1]:
                    tree = proofs.read_tree(changed)
                    claim = self.facts(changed)[0]["claims"][0]
                    self.assertEqual((claim["answers"], claim["positions"], claim["replies"], claim["depth"]),
                                     (tree.answers, tree.positions, tree.replies, tree.depth))
                    self.assertTrue(self.positions_are_won(game, tree))
                    checked += 1
        self.assertTrue(any(verdicts) and not all(verdicts))
        if LONG:
            print(f"{checked} of {goal} changed trees were accepted", file=sys.stderr)

    def test_rows_of_one_stone(self):
        """With k = 1 and `exact`, corners complete diagonal rows only."""
        for mover, claim, is_true in [("X", "first", True), ("O", "first", False), ("O", "second", True)]:
            file = proofs.with_body("krow proof 3\ngame 4x4:k=1,exact\nstart 1OO1/OOOO/OOOO/1OO1 "
                                    f"{mover} 1\nclaim {claim} wins\n", b"")
            with self.subTest(mover=mover, claim=claim):
                self.assertEqual((self.is_accepted(file), proofs.is_accepted(file)), (is_true, is_true))

    def test_many_replies(self):
        """C(200, 12) and C(200, 30) replies to one position, without an answer; only the first number has 63 bits."""
        rows = "/".join(["XX2" * 5, "2XX" * 5] * 10)
        for p, replies in (12, math.comb(200, 12)), (30, (1 << 63) - 1):
            file = proofs.with_body(f"krow proof 3\ngame 20x20:k=3,p={p},q=1\nstart {rows} O {p}\n"
                                    "claim first wins\n", b"")
            with self.subTest(p=p):
                claim = self.facts(file)[0]["claims"][0]
                tree = proofs.read_tree(file)
                self.assertEqual((claim["replies"], claim["positions"]), (replies, tree.positions))
                self.assertEqual(tree.replies, replies)

    def test_both_refuse_damaged_files(self):
        _, _, _, file = max(self.trees(1), key=lambda one: (len(one[2].bits) < 500, len(one[2].bits)))
        damaged = [file[:at] for at in range(len(file))]
        damaged += [file[:at // 8] + bytes([file[at // 8] ^ 1 << at % 8]) + file[at // 8 + 1:]
                    for at in range(8 * len(file))]
        for one in damaged if LONG else self.dice.sample(damaged, 60):
            with self.subTest(file=one.hex()):
                self.assertFalse(self.is_accepted(one) or proofs.is_accepted(one))


if __name__ == "__main__":
    main()
