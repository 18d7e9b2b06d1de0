"""Writes proofs of version 3, trees with default answers, for positions of small boards. It follows docs/proofs.md, shares
no code with krow or tools/check-proof, and finds all values by trying every stone.
"""
import functools
import itertools
import math
import re


class TooLarge(Exception):
    """The tree has too many positions."""


class Game:
    """The rules without gravity; a set of cells is a number with one bit for each."""

    def __init__(self, text):
        match = re.fullmatch(r"(\d+)x(\d+):k=(\d+)(?:,p=(\d+),q=(\d+))?(,exact)?", text)
        self.text, self.exact = text, bool(match[6])
        self.width, self.height, self.k, self.p, self.q = (int(word or 1) for word in match.groups()[:5])
        self.cells = self.width * self.height
        self.rows = [row for step in ((1, 0), (0, 1), (1, 1), (1, -1)) for row in self.find_rows(*step)]
        self.symmetries = self.find_symmetries()
        self.budget = 0  # positions whose values may still be found
        self.wins = functools.lru_cache(maxsize=None)(self.wins)

    def find_rows(self, dx, dy):
        """The cells of rows and those next to their ends, in the order of the document."""
        found = []
        for x in range(self.width):
            for y in range(self.height):
                cells = [(x + i * dx, y + i * dy) for i in range(-1, self.k + 1)]
                inside = [0 <= a < self.width and 0 <= b < self.height for a, b in cells]
                if all(inside[1:-1]):
                    bits = [1 << b * self.width + a if ok else 0 for (a, b), ok in zip(cells, inside)]
                    found.append((y * self.width + x, sum(bits[1:-1]), bits[0] | bits[-1]))
        return [(row, beside) for _, row, beside in sorted(found)]

    def find_symmetries(self):
        """For each symmetry but the identity the cells where cells go."""
        w, h = self.width, self.height
        every = [(x, y) for y in range(h) for x in range(w)]
        maps = [lambda x, y: (w - 1 - x, y), lambda x, y: (x, h - 1 - y), lambda x, y: (w - 1 - x, h - 1 - y)]
        if w == h:
            maps += [lambda x, y: (y, x), lambda x, y: (w - 1 - y, x), lambda x, y: (y, h - 1 - x),
                     lambda x, y: (w - 1 - y, h - 1 - x)]
        return [[b * w + a for a, b in itertools.starmap(one, every)] for one in maps]

    def empty(self, own, other):
        return [cell for cell in range(self.cells) if not (own | other) >> cell & 1]

    def has_row(self, own):
        return any(row & own == row and not (self.exact and beside & own) for row, beside in self.rows)

    def turn(self, own, other):
        """How many stones the next turn has."""
        return min(self.p, len(self.empty(own, other)))

    def wins(self, own, other, is_own, left):
        """Whether the owner wins, who is to place the next `left` stones if `is_own`, else the opponent is."""
        self.budget -= 1
        if self.budget < 0:
            raise TooLarge
        empty = self.empty(own, other)
        mover = own if is_own else other
        if any(self.has_row(mover | 1 << cell) for cell in empty):
            return is_own
        after = (self.wins_after(own, other, is_own, left, cell) for cell in empty)
        return any(after) if is_own else bool(empty) and all(after)

    def wins_after(self, own, other, is_own, left, cell):
        """The same after a stone that completes no row."""
        if is_own:
            own |= 1 << cell
        else:
            other |= 1 << cell
        if left > 1 and own | other != (1 << self.cells) - 1:
            return self.wins(own, other, is_own, left - 1)
        return self.wins(own, other, not is_own, self.turn(own, other))

    def completed(self, own, other, left):
        """The empty cells of the first row that a side can complete, or None."""
        for row, beside in self.rows:
            lacks = bin(row & ~own).count("1")
            if not row & other and lacks <= left and not (self.exact and beside & own):
                return [cell for cell in range(self.cells) if row >> cell & 1 and not own >> cell & 1]
        return None

    def fixed_by(self, own, other):
        """The symmetries that leave a position as it is."""
        sets = [[cell for cell in range(self.cells) if side >> cell & 1] for side in (own, other)]
        return [cells for cells in self.symmetries
                if all(sorted(cells[cell] for cell in side) == side for side in sets)]


class Writer:
    """A tree for a position, with random answers of those that win and with defaults at random where a pass wins. After
    write(): the bits, the levels of the start, and the numbers that a checker reports."""

    def __init__(self, game, dice, most, defaults=0.6):
        self.game, self.dice, self.most, self.defaults = game, dice, most, defaults
        self.bits, self.levels = [], {}
        self.answers = self.positions = self.replies = self.depth = 0

    def write(self, own, other, is_own, left):
        left = min(left, len(self.game.empty(own, other)))
        if is_own:
            self.levels = self.owner_places(own, other, left, 0)
        else:
            self.levels = self.opponent_places(own, other, left, 0, True, frozenset())

    def count(self):
        self.positions += 1
        if self.positions > self.most:
            raise TooLarge

    def owner_places(self, own, other, left, depth):
        """Gives the levels of cells; `depth` is the number of stones since the start."""
        self.count()
        row = self.game.completed(own, other, left)
        if row is not None:
            self.depth = max(self.depth, depth + len(row))
            return {cell: 1 for cell in row}
        empty = self.game.empty(own, other)
        good = [cell for cell in empty if self.game.wins_after(own, other, True, left, cell)]
        cell = self.dice.choice(good)
        self.answers += 1
        self.put(empty.index(cell), (len(empty) - 1).bit_length())
        own |= 1 << cell
        if left > 1:
            levels = self.owner_places(own, other, left - 1, depth + 1)
        else:
            levels = self.opponent_places(own, other, self.game.turn(own, other), depth + 1, True, frozenset())
        return {**levels, cell: 1}

    def opponent_places(self, own, other, left, depth, begins, tried):
        self.count()
        game, empty = self.game, self.game.empty(own, other)
        if begins:
            self.replies = min(self.replies + math.comb(len(empty), left), (1 << 63) - 1)
        levels, fixed = {}, []
        self.add_rows(levels, own, other, left)
        turn = game.turn(own, other)
        forced = game.completed(own, other, turn) is not None
        default = forced or game.wins(own, other, True, turn) and self.dice.random() < self.defaults
        if not forced:
            self.put(int(default), 1)
        if default:
            zone = self.owner_places(own, other, turn, depth + left)
            self.lower(levels, {cell: max(1, level - left) for cell, level in zone.items()})
            follow = [cell for cell in empty if zone.get(cell, math.inf) <= left and cell not in tried]
        else:
            fixed = game.fixed_by(own, other) if begins else []
            follow = [cell for cell in empty if cell not in tried and all(cells[cell] >= cell for cells in fixed)]
        for cell in follow:
            after = other | 1 << cell
            if left == 1:
                self.lower(levels, self.owner_places(own, after, game.turn(own, after), depth + 1))
            else:
                self.lower(levels, self.opponent_places(own, after, left - 1, depth + 1, False, tried))
                tried = tried | {cell}
        for cells in fixed:
            self.lower(levels, {cells[cell]: level for cell, level in list(levels.items())})
        return levels

    @staticmethod
    def lower(levels, others):
        for cell, level in others.items():
            levels[cell] = min(level, levels.get(cell, level))

    def add_rows(self, levels, own, other, left):
        for row, _ in self.game.rows:
            if not row & own:
                cells = [cell for cell in range(self.game.cells) if row >> cell & 1 and not other >> cell & 1]
                self.lower(levels, {cell: max(1, len(cells) - left) for cell in cells})

    def put(self, number, count):
        self.bits += [number >> i & 1 for i in range(count)]

    def body(self):
        return bytes(sum(bit << i for i, bit in enumerate(self.bits[at:at + 8])) for at in range(0, len(self.bits), 8))


def random_start(game, dice):
    """A position without a row: owner, the stones of the owner and the opponent, whether the owner is to move, and the
    number of stones."""
    while True:
        cells = dice.sample(range(game.cells), game.cells)
        stones = max(0, game.cells - dice.randrange(1, 14))
        count = dice.randrange(stones // 3, stones // 3 * 2 + 1)
        own, other = (sum(1 << cell for cell in part) for part in (cells[:count], cells[count:stones]))
        if not game.has_row(own) and not game.has_row(other):
            return dice.choice((1, 2)), own, other, dice.random() < 0.5, dice.randrange(game.p) + 1


def random_tree(game, dice, most=300):
    """A start and the tree that proves it, seldom one whose owner completes a row at once."""
    while True:
        start = _, own, other, is_own, left = random_start(game, dice)
        if is_own and game.completed(own, other, left) and dice.random() < 0.98:
            continue
        game.budget = 3000
        writer = Writer(game, dice, most, dice.random())
        try:
            if game.wins(own, other, is_own, min(left, len(game.empty(own, other)))):
                writer.write(*start[1:])
                return start, writer
        except TooLarge:
            pass


def head(game, start):
    """The lines of the header before the length of the body."""
    owner, own, other, is_own, left = start
    first, second = (own, other) if owner == 1 else (other, own)
    rows = []
    for y in reversed(range(game.height)):
        row = "".join("X" if first >> cell & 1 else "O" if second >> cell & 1 else "."
                      for cell in range(y * game.width, (y + 1) * game.width))
        rows.append(re.sub(r"\.+", lambda dots: str(len(dots[0])), row))
    mover = "X" if is_own == (owner == 1) else "O"
    return (f"krow proof 3\ngame {game.text}\nstart {'/'.join(rows)} {mover} {left}\n"
            f"claim {'first' if owner == 1 else 'second'} wins\n")
