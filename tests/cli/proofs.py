"""A second implementation of proofs, based only on docs/proofs.md: slow and simple, for small boards.

A position is a tuple of 0 (empty), 1 (first player) and 2 (second), row by row from a1.
"""
import re
import zlib


class Wrong(Exception):
    """The proof is invalid."""


class Game:
    def __init__(self, text):
        size, _, rest = text.partition(":")
        self.text = text
        self.width, self.height = map(int, size.split("x"))
        values = {"p": 1, "q": 1, "gravity": False, "exact": False}
        for word in rest.split(","):
            name, _, value = word.partition("=")
            values[name] = int(value) if value else True
        self.k, self.p, self.q = values["k"], values["p"], values["q"]
        self.gravity, self.exact = values["gravity"], values["exact"]
        self.cells = self.width * self.height
        self.pictures = self.find_pictures()
        self.lines = self.find_lines()

    def at(self, x, y):
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else None

    def find_pictures(self):
        """For every symmetry: where each cell goes."""
        found = []
        for turned in (False, True) if self.width == self.height and not self.gravity else (False,):
            for upside in (False, True) if not self.gravity else (False,):
                for mirrored in (False, True):
                    picture = []
                    for y in range(self.height):
                        for x in range(self.width):
                            a, b = (y, x) if turned else (x, y)
                            a = self.width - 1 - a if mirrored else a
                            b = self.height - 1 - b if upside else b
                            picture.append(self.at(a, b))
                    found.append(picture)
        return found

    def find_lines(self):
        """Rows, columns and diagonals as lists of cells."""
        lines = []
        for dx, dy in (1, 0), (0, 1), (1, 1), (1, -1):
            for y in range(self.height):
                for x in range(self.width):
                    if self.at(x - dx, y - dy) is None:
                        line = []
                        while self.at(x + len(line) * dx, y + len(line) * dy) is not None:
                            line.append(self.at(x + len(line) * dx, y + len(line) * dy))
                        lines.append(line)
        return lines

    def has_won(self, position, side):
        for line in self.lines:
            runs = re.findall("1+", "".join("1" if position[cell] == side else "0" for cell in line))
            if any(len(run) == self.k if self.exact else len(run) >= self.k for run in runs):
                return True
        return False

    def windows(self, position, side):
        """Windows of k cells in which `side` has no stone."""
        for line in self.lines:
            for begin in range(len(line) - self.k + 1):
                window = line[begin:begin + self.k]
                if all(position[cell] != side for cell in window):
                    yield window

    def next_to(self, cell, step):
        """The cell one step further along a line, or None at the edge; `step` is a difference of cell numbers."""
        x, y = cell % self.width, cell // self.width
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dy * self.width + dx == step:
                    return self.at(x + dx, y + dy)
        return None

    def legal(self, position):
        return [cell for cell in range(self.cells)
                if position[cell] == 0 and
                (not self.gravity or cell < self.width or position[cell - self.width] != 0)]

    def smallest(self, position):
        """Of all pictures the one that is the smallest number, the last cell counting most."""
        best = None
        for picture in self.pictures:
            other = [0] * self.cells
            for cell, to in enumerate(picture):
                other[to] = position[cell]
            other = tuple(reversed(other))
            best = other if best is None or other < best else best
        return tuple(reversed(best))

    def turn(self, stones):
        """Who places the next stone on a board that was empty at the start, and how many are left in the turn."""
        if stones < self.q:
            return 1, self.q - stones
        beyond = stones - self.q
        return (2 if beyond // self.p % 2 == 0 else 1), self.p - beyond % self.p

    def read_start(self, text):
        """A position, the side to move and the stones left in its turn."""
        rows, letter, left = text.split()
        position = []
        for row in reversed(rows.split("/")):
            for word in re.findall(r"\d+|X|O", row):
                position += [0] * int(word) if word.isdigit() else ["XO".index(word) + 1]
        return tuple(position), "XO".index(letter) + 1, int(left)


def play(position, cell, side):
    return position[:cell] + (side,) + position[cell + 1:]


class Strategy:
    """The layers of one claim, by default from the empty board; `answer` is asked for each position of the side."""

    def __init__(self, game, side, wins, start=None, version=1):
        self.game, self.side, self.wins, self.version = game, side, wins, version
        self.start, self.first_side, self.first_left = start or ((0,) * game.cells, 1, game.q)
        self.answers = self.positions = self.depth = 0

    def turn(self, stones):
        """Who places the next stone after so many stones from the start, and how many are left in the turn."""
        if stones < self.first_left:
            return self.first_side, self.first_left - stones
        beyond = stones - self.first_left
        return (3 - self.first_side if beyond // self.game.p % 2 == 0 else self.first_side), self.game.p - beyond % self.game.p

    def wins_next(self, position):
        return any(self.game.has_won(play(position, cell, self.side), self.side) for cell in self.game.legal(position))

    def wins_in_turn(self, position, left):
        game = self.game
        for window in game.windows(position, 3 - self.side):
            step = (window[-1] - window[0]) // (game.k - 1)
            beside = [game.next_to(window[0], -step), game.next_to(window[-1], step)]
            if game.exact and any(cell is not None and position[cell] == self.side for cell in beside):
                continue
            if sum(position[cell] == 0 for cell in window) <= left:
                return True
        return False

    def is_listed(self, position, stones):
        game = self.game
        if game.has_won(position, 3 - self.side):
            raise Wrong("the opponent has won")
        done = None
        if game.has_won(position, self.side):
            done = stones
        elif 0 not in position:
            if self.wins:
                raise Wrong("a draw")
            done = stones
        elif not self.wins and next(game.windows(position, self.side), None) is None:
            done = stones
        elif self.turn(stones)[0] == self.side:
            left = min(self.turn(stones)[1], position.count(0)) if self.version == 2 else 1
            if self.wins_in_turn(position, left) if self.version == 2 else self.wins_next(position):
                done = stones + left
        self.depth = max(self.depth, done or 0)
        return done is None

    def run(self, begin_layer, answer, end_layer):
        layer, stones = [], 0
        if self.is_listed(self.start, 0):
            layer.append(self.game.smallest(self.start))
        while layer:
            self.positions += len(layer)
            own = self.turn(stones)[0] == self.side
            following = {}
            if own:
                begin_layer(len(layer))
            for position in layer:
                legal = self.game.legal(position)
                if own:
                    self.answers += 1
                    legal = [answer(position, legal, stones)]
                for cell in legal:
                    if cell is None:  # a pairing
                        self.depth = max(self.depth, stones + 1)
                        continue
                    child = play(position, cell, self.turn(stones)[0])
                    if self.is_listed(child, stones + 1):
                        following[self.game.smallest(child)] = None
            if own:
                end_layer()
            layer, stones = list(following), stones + 1

    def takes_pairing(self, stones):
        return not self.wins and not self.game.gravity and self.game.p == 1 and self.turn(stones)[1] == 1


# --- Reading ---

def split(file):
    """The lines of the header as pairs, and the body without checksums."""
    head, body, at = [], b"", 0
    while not head or head[-1][0] != "check":
        end = file.index(b"\n", at)
        word, _, value = file[at:end].decode().partition(" ")
        if word == "check" and int(value, 16) != zlib.crc32(file[:at]):
            raise Wrong("header")
        head.append((word, value))
        at = end + 1
    length = int(dict(head)["body"])
    while len(body) < length:
        block = file[at:at + min(65536, length - len(body))]
        at += len(block)
        if int.from_bytes(file[at:at + 4], "little") != zlib.crc32(block):
            raise Wrong("block")
        at += 4
        body += block
    if at != len(file):
        raise Wrong("length")
    return head, body


class Bits:
    def __init__(self, body):
        self.body, self.at = body, 0

    def take(self, count):
        number = 0
        for i in range(count):
            number |= (self.body[self.at // 8] >> self.at % 8 & 1) << i
            self.at += 1
        return number

    def count(self):
        number = shift = 0
        while True:
            byte = self.take(8)
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    def align(self):
        if self.take(-self.at % 8) != 0:
            raise Wrong("filling bits")


def check_pairing(strategy, bits, position, legal):
    game, cells = strategy.game, []
    width = (len(legal) - 1).bit_length()
    stone = legal[bits.take(width)]
    after = play(position, stone, strategy.side)
    pairs = []
    for _ in range(bits.take((len(legal) // 2).bit_length())):
        pair = [legal[bits.take(width)], legal[bits.take(width)]]
        cells += pair
        pairs.append(set(pair))
    if len(set(cells)) != len(cells) or stone in cells:
        raise Wrong("pairs")
    for window in game.windows(after, strategy.side):
        if not any(pair <= set(window) for pair in pairs):
            raise Wrong("a row without a pair")


def check(file):
    """Returns for each claim its text, answers, positions and depth."""
    head, body = split(file)
    game, bits, facts = Game(dict(head)["game"]), Bits(body), []
    start, version = game.read_start(dict(head)["start"]), int(dict(head)["krow"].rpartition(" ")[2])
    for word, value in head:
        if word != "claim":
            continue
        strategy = Strategy(game, 1 if value.startswith("first") else 2, value.endswith("wins"), start, version)

        def begin(count):
            if bits.count() != count:
                raise Wrong("number of answers")

        def answer(position, legal, stones):
            pairing = strategy.takes_pairing(stones)
            number = bits.take((len(legal) if pairing else len(legal) - 1).bit_length())
            if pairing and number == len(legal):
                check_pairing(strategy, bits, position, legal)
                return None
            return legal[number]

        strategy.run(begin, answer, bits.align)
        facts.append((value, strategy.answers, strategy.positions, strategy.depth))
    if bits.at != 8 * len(body):
        raise Wrong("more answers")
    return facts


# --- Writing ---

class Values:
    """Values of positions: 1, 0, -1 for the first player."""

    def __init__(self, game):
        self.game, self.known = game, {}

    def of(self, position):
        if position in self.known:
            return self.known[position]
        side = self.game.turn(self.game.cells - position.count(0))[0]
        if self.game.has_won(position, 1) or self.game.has_won(position, 2):
            value = 1 if self.game.has_won(position, 1) else -1
        elif 0 not in position:
            value = 0
        else:
            values = [self.of(self.game.smallest(play(position, cell, side))) for cell in self.game.legal(position)]
            value = max(values) if side == 1 else min(values)
        self.known[position] = value
        return value


VALUES = {}  # of games by their text: a game is searched once


def write(game, claims, version=1):
    """A proof of claims that hold, such as "first wins"; the answer is the first legal stone that keeps them."""
    values, stream = VALUES.setdefault(game.text, Values(game)), []

    def put(count, number):
        stream.extend(number >> i & 1 for i in range(count))

    for claim in claims:
        strategy = Strategy(game, 1 if claim.startswith("first") else 2, claim.endswith("wins"), version=version)
        sign = 1 if strategy.side == 1 else -1

        def begin(count):
            while count > 127:
                put(8, count & 127 | 128)
                count >>= 7
            put(8, count)

        def answer(position, legal, stones):
            for number, cell in enumerate(legal):
                value = sign * values.of(game.smallest(play(position, cell, strategy.side)))
                if value >= (1 if strategy.wins else 0):
                    put((len(legal) if strategy.takes_pairing(stones) else len(legal) - 1).bit_length(), number)
                    return cell
            raise Wrong("the claim does not hold")

        strategy.run(begin, answer, lambda: put(-len(stream) % 8, 0))
    body = bytes(sum(bit << i for i, bit in enumerate(stream[at:at + 8])) for at in range(0, len(stream), 8))
    return wrap(game, claims, body, version)


def wrap(game, claims, body, version=1):
    start = "/".join([str(game.width)] * game.height) + f" X {game.q}"
    head = f"krow proof {version}\ngame {game.text}\nstart {start}\n"
    head += "".join(f"claim {claim}\n" for claim in claims) + f"body {len(body)}\n"
    file = head.encode() + b"check %08x\n" % zlib.crc32(head.encode())
    for at in range(0, len(body), 65536):
        block = body[at:at + 65536]
        file += block + zlib.crc32(block).to_bytes(4, "little")
    return file
