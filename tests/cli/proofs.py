"""Writes proofs of small games, with the values of all positions; the rules and the layers are those of tools/check-proof,
a checker that shares no code with krow.
"""
import importlib.machinery
import importlib.util
import io
import os
import zlib

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "check-proof")
_loader = importlib.machinery.SourceFileLoader("check_proof", TOOL)
check_proof = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_proof", _loader))
_loader.exec_module(check_proof)
Wrong, Rules, Strategy = check_proof.Wrong, check_proof.Rules, check_proof.Strategy


def facts(file):
    """For each claim its text, answers, positions and depth."""
    return [(one.claim, one.answers, one.positions, one.depth) for one in check_proof.check(file)]


def is_accepted(file):
    try:
        check_proof.check(file)
        return True
    except Wrong:
        return False


def split(file):
    """The lines of the header before the length of the body, and the body."""
    length, at = check_proof.read_head(file)[4:]
    return file[:file.index(b"\nbody ") + 1].decode(), check_proof.read_body(file, at, length)


class Values:
    """Values of positions: 1, 0, -1 for the first player."""

    def __init__(self, rules):
        self.rules, self.known = rules, {}

    def of(self, position):
        if position in self.known:
            return self.known[position]
        rules = self.rules
        side = turn(rules, rules.cells - check_proof.size(rules.empty(position)))[0]
        if rules.has_row(position, 1) or rules.has_row(position, 2):
            value = 1 if rules.has_row(position, 1) else -1
        elif not rules.empty(position):
            value = 0
        else:
            values = [self.of(rules.smallest(position | side << 2 * cell))
                      for cell in check_proof.numbers(rules.legal(position))]
            value = max(values) if side == 1 else min(values)
        self.known[position] = value
        return value


def empty_board(rules):
    """The start of a game, as a proof has it."""
    return 0, 1, rules.q


def turn(rules, stones):
    """Who places the next stone after so many, and how many are left in the turn."""
    return Strategy(rules, empty_board(rules), "first wins").turn(stones)


class Writer:
    """The answers of a strategy: the first legal stone that keeps the claim."""

    def __init__(self, values):
        self.values, self.stream = values, []

    def put(self, count, number):
        self.stream.extend(number >> i & 1 for i in range(count))

    def begin(self, count):
        while count > 127:
            self.put(8, count & 127 | 128)
            count >>= 7
        self.put(8, count)

    def answer(self, strategy, position, legal, takes_pairing):
        sign, least = (1 if strategy.owner == 1 else -1), (1 if strategy.wins else 0)
        for number, cell in enumerate(legal):
            after = strategy.rules.smallest(position | strategy.owner << 2 * cell)
            if sign * self.values.of(after) >= least:
                self.put((len(legal) if takes_pairing else len(legal) - 1).bit_length(), number)
                return cell, None
        raise Wrong("the claim does not hold")

    def end(self):
        self.put(-len(self.stream) % 8, 0)

    def body(self):
        return bytes(sum(bit << i for i, bit in enumerate(self.stream[at:at + 8]))
                     for at in range(0, len(self.stream), 8))


VALUES = {}  # of games by their text: a game is searched once


def write(game, claims, version=1):
    """A proof of claims that hold, such as "first wins", from the empty board."""
    rules = Rules(game)
    writer = Writer(VALUES.setdefault(game, Values(rules)))
    for claim in claims:
        Strategy(rules, empty_board(rules), claim, version).run(writer)
    return wrap(game, claims, writer.body(), version)


def wrap(game, claims, body, version=1):
    """A file with these claims about the empty board."""
    rules = Rules(game)
    start = "/".join([str(rules.width)] * rules.height) + f" X {rules.q}"
    return with_body(f"krow proof {version}\ngame {game}\nstart {start}\n" +
                     "".join(f"claim {claim}\n" for claim in claims), body)


def with_body(head, body):
    """A file with these lines before `body`, and right checksums."""
    head += f"body {len(body)}\n"
    file = head.encode() + b"check %08x\n" % zlib.crc32(head.encode())
    for at in range(0, len(body), check_proof.BLOCK):
        block = body[at:at + check_proof.BLOCK]
        file += block + zlib.crc32(block).to_bytes(4, "little")
    return file


class Visits(check_proof.Tree):
    """A tree whose positions with the opponent to place are remembered: the stones of the owner and of the opponent, and
    how many the opponent places."""

    def __init__(self, *about):
        super().__init__(*about)
        self.visited = []

    def opponent_places(self, position, stones, depth, begins, tried):
        sides = [position[1] >> side * self.count & self.all for side in (0, 1)]
        self.visited.append((sides[self.owner - 1], sides[2 - self.owner], stones))
        return super().opponent_places(position, stones, depth, begins, tried)


def read_tree(file):
    """The tree of a proof of version 3; raises Wrong."""
    _, rules, start, claims, length, at = check_proof.read_head(file)
    tree = Visits(rules, start, claims[0])
    tree.run(check_proof.Body(check_proof.read_blocks(io.BytesIO(file[at:]), b"", length)))
    return tree
