// Tests of the proof of patterns: known patterns, counter-fours, and random patterns compared with a solver that tries
// every reply.
#include "papers/patterns/pattern_proof.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

// --- Patterns alone ---

static Pattern pattern_of(const char *text)
{
    Error error = {0};
    Pattern pattern;
    assert_done(pattern_parse(span_of(text), 1, &pattern, &error), error);
    return pattern;
}

static PatternProof *open_proof(const Rules *rules)
{
    PatternProof *proof = pattern_proof_open(rules);
    return proof;
}

static PatternProofResult run(const char *rules_text, const char *text, const Limits *limits)
{
    Rules rules = rules_of(rules_text);
    PatternProof *proof = open_proof(&rules);
    Pattern pattern = pattern_of(text);
    PatternProofResult result;
    result = pattern_proof_run(proof, &pattern, limits);
    pattern_proof_close(proof);
    return result;
}

typedef struct {
    const char *rules, *text;
    PatternVerdict verdict;
    unsigned moves;
} Known;

static const Known known[] = {
    // Complete rows, fours, and what is left of them.
    {"gomoku", "xxxxx", PATTERN_PROVED, 0},
    {"gomoku", ".xxxx.", PATTERN_PROVED, 1},
    {"gomoku", "xxxx.", PATTERN_REFUTED, 0},
    {"gomoku", "xx.xx", PATTERN_REFUTED, 0},
    {"gomoku", "xxx.x.xxx", PATTERN_PROVED, 1},
    {"gomoku", "x", PATTERN_REFUTED, 0},
    // Two fours that cross.
    {"gomoku", ".xxxx/-x---/-x---/-x---/-.---", PATTERN_PROVED, 1},
    // The same without the cell that completes one of them, and with stones missing in both.
    {"gomoku", "-xxxx/-x---/-x---/-x---/-.---", PATTERN_REFUTED, 0},
    {"gomoku", ".xxx-/-x---/-x---/-.---", PATTERN_REFUTED, 0},
    // Two open threes that cross in a corner: a cell more on one side of each is enough, and both need it.
    {"gomoku", "--.---/--.---/..xxx./--x---/--x---/--.---", PATTERN_PROVED, 2},
    {"gomoku", "--.----/--.----/..xxx../--x----/--x----/--.----/--.----", PATTERN_PROVED, 2},
    {"gomoku", "-.---/-.---/.xxx./-x---/-x---/-.---", PATTERN_REFUTED, 0},
    {"gomoku", "--.---/--.---/..xxx-/--x---/--x---/--.---", PATTERN_REFUTED, 0},
    // Two open threes side by side, and one alone.
    {"gomoku", "..xxx../-------/..xxx..", PATTERN_PROVED, 2},
    {"gomoku", "..xxx..", PATTERN_REFUTED, 0},
    {"gomoku", "...xxx...", PATTERN_REFUTED, 0},
    // A four and an open three; without room for the three to become an open four.
    {"gomoku", "-.----/-.----/xxxx.-/-x----/-x----/-.----/-.----", PATTERN_PROVED, 2},
    {"gomoku", "-.----/xxxx.-/-x----/-x----/-.----/-.----", PATTERN_PROVED, 2},
    {"gomoku", "-.----/xxxx.-/-x----/-x----/-.----", PATTERN_REFUTED, 0},
    // Where the answers of the defender make fours of his own: without them these would be won in 3, 4 and 4 stones.
    {"15x15:k=3", "----../.-x..-/x-..--/...---", PATTERN_REFUTED, 0},
    {"15x15:k=3", "-.--/-x--/-.--/-.../-.../-.../x---", PATTERN_REFUTED, 0},
    {"15x15:k=4", "---../-x.../-..x./....x/x..-x", PATTERN_PROVED, 5},
    // Where a longer row does not win, the cells beside a row belong to the pattern.
    {"15x15:k=5,exact", ".xxxxx.", PATTERN_PROVED, 0},
    {"15x15:k=5,exact", "xxxxx.", PATTERN_REFUTED, 0},
    {"15x15:k=5,exact", "..xxxx..", PATTERN_PROVED, 1},
    {"15x15:k=5,exact", ".xxxx.", PATTERN_REFUTED, 0},
    {"15x15:k=5,exact", "..xxxx.x", PATTERN_REFUTED, 0},
    {"gomoku", "..xxxx.x", PATTERN_PROVED, 1},
    // Rows of one and of two stones.
    {"15x15:k=1", "x", PATTERN_PROVED, 0},
    {"15x15:k=2", ".x.", PATTERN_PROVED, 1},
    {"15x15:k=2", "x.", PATTERN_REFUTED, 0},
    // Rows so long that the board without borders has all their windows, and a little longer.
    {"64x64:k=20", "...xxxxxxxxxxxxxxxxxx.../------------------------/...xxxxxxxxxxxxxxxxxx...", PATTERN_PROVED, 2},
    {"64x64:k=22", "..xxxxxxxxxxxxxxxxxxxx../------------------------/..xxxxxxxxxxxxxxxxxxxx..", PATTERN_UNDECIDED, 0},
};

static void test_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        PatternProofResult result = run(known[i].rules, known[i].text, &(Limits){0});
        if (result.verdict != known[i].verdict || result.moves != known[i].moves) {
            print_error("%s: verdict %u, %u moves\n", known[i].text, (unsigned)result.verdict, result.moves);
            fail();
        }
    }
}

static void test_limits(void **state)
{
    (void)state;
    static const char text[] = "......./......./..xx.../..xx.../......./.......";
    atomic_bool stop = true;
    PatternProofResult result = run("gomoku", text, &(Limits){.nodes = 1000});
    assert_int_equal(result.verdict, PATTERN_UNDECIDED);
    assert_int_equal(result.moves, 0);
    assert_int_equal(result.nodes, 1001);
    assert_int_equal(run("gomoku", text, &(Limits){.stop = &stop}).verdict, PATTERN_UNDECIDED);
    assert_int_equal(run("gomoku", text, &(Limits){.deadline = 1e-9}).verdict, PATTERN_UNDECIDED);
    stop = false;
    Limits wide = {.nodes = 1000000, .deadline = 1e18, .stop = &stop};
    assert_int_equal(run("gomoku", "..xxx../-------/..xxx..", &wide).verdict, PATTERN_PROVED);
    pattern_proof_close(NULL);
}

// --- Patterns on a board ---

// A drawing with the pattern's empty cells marked by commas; the pattern is X's.
static PatternProofResult run_on(const char *rules_text, const char *drawing)
{
    Rules rules = rules_of(rules_text);
    PatternProof *proof = open_proof(&rules);
    PatternProofResult result;
    PatternCells cells = {{0}};
    Board board;
    board_init(&board, &rules);
    for (unsigned i = 0; i < rules_cells(&rules); i++) {
        unsigned column = i % rules.width, row = rules.height - 1u - i / rules.width;
        char mark = drawing[i / rules.width * (rules.width + 1u) + column];
        if (mark == 'X' || mark == 'O')
            board_put(&board, cell_at(column, row), mark == 'X' ? SIDE_FIRST : SIDE_SECOND);
        if (mark == ',')
            cells.rows[row] |= UINT64_C(1) << column;
    }
    result = pattern_proof_run_on(proof, &board, SIDE_FIRST, &cells, &(Limits){0});
    pattern_proof_close(proof);
    return result;
}

typedef struct {
    const char *rules, *drawing;
    PatternVerdict verdict;
    unsigned moves;
} Drawn;

static const Drawn drawn[] = {
    // Two threes, with nothing around.
    {"9x5:k=5", ".........\n,,XXX,,..\n.........\n,,XXX,,..\n.........", PATTERN_PROVED, 2},
    // A three of the defender: he makes a four, which cannot be met inside.
    {"9x5:k=5", ".......O.\n,,XXX,,O.\n.......O.\n,,XXX,,..\n.........", PATTERN_REFUTED, 0},
    // It is no use when the border or a stone ends it.
    {"9x4:k=5", ".......O.\n,,XXX,,O.\n.......O.\n,,XXX,,..", PATTERN_PROVED, 2},
    {"9x5:k=5", ".......O.\n,,XXX,,O.\n.......O.\n,,XXX,,X.\n.........", PATTERN_PROVED, 2},
    // A four that is met inside, by a stone that makes an open four of a three.
    {"9x5:k=5", ".....O...\n,,XXX,,..\n.....O...\n,,XXX,,..\n.....O...", PATTERN_PROVED, 2},
    // A four that the defender has already, and a row that he or the owner has.
    {"9x3:k=5", "OOOO.....\n.........\n,XXXX,...", PATTERN_REFUTED, 0},
    {"9x3:k=5", "OOOOO....\n.........\nXXXXX....", PATTERN_REFUTED, 0},
    {"9x3:k=5", "OOOO.....\n.........\nXXXXX....", PATTERN_PROVED, 0},
    // A sequence of fours; its answers make a four with a stone that was there.
    {"6x6:k=5", "...,..\nXXX,,.\nXXX,,.\nXXX,,.\nXXXX,.\n......", PATTERN_PROVED, 4},
    {"6x6:k=5", "...,O.\nXXX,,.\nXXX,,.\nXXX,,.\nXXXX,.\n......", PATTERN_REFUTED, 0},
    // Stones of the owner count wherever they are, cells outside of the pattern do not.
    {"9x1:k=5", ".,XXXX,..", PATTERN_PROVED, 1},
    {"9x1:k=5", ".,XXXX...", PATTERN_REFUTED, 0},
    // Held by replies that only the zones of wins after two passes have; looking at every reply says the same.
    {"6x6:k=4", ".X,,,.\n..,,.X\n,,,,,X\n.,X,,,\n..,,X,\n......", PATTERN_REFUTED, 0},
    {"6x6:k=4", "......\n..,.,,\n..,,,,\n..X,,,\n.,,,XX\n.....,", PATTERN_REFUTED, 0},
    {"6x6:k=4", "......\n..,,,.\n,,,X,,\n.,,,..\nX,,,..\n,,,,..", PATTERN_REFUTED, 0},
    {"6x6:k=4", ".,....\n,X,,.,\n.,,,,,\n.,,,,.\n,X,X..\n..X...", PATTERN_REFUTED, 0},
    // No cell at all.
    {"9x1:k=5", "..XXXX...", PATTERN_REFUTED, 0},
};

static void test_drawn(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        PatternProofResult result = run_on(drawn[i].rules, drawn[i].drawing);
        if (result.verdict != drawn[i].verdict || result.moves != drawn[i].moves) {
            print_error("%s\n%s\nverdict %u, %u moves\n", drawn[i].rules, drawn[i].drawing, (unsigned)result.verdict,
                        result.moves);
            fail();
        }
    }
}

// More cells than the search supports: nothing is claimed.
static void test_too_many_cells(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    PatternProof *proof = open_proof(&rules);
    PatternProofResult result;
    PatternCells cells;
    Board board;
    memset(&cells, 0xff, sizeof cells);
    board_init(&board, &rules);
    result = pattern_proof_run_on(proof, &board, SIDE_FIRST, &cells, &(Limits){0});
    assert_int_equal(result.verdict, PATTERN_UNDECIDED);
    pattern_proof_close(proof);
}

// --- The plain solver ---

// Every reply of the defender, every stone of the owner on the pattern's empty cells, nothing else.
typedef struct {
    unsigned window_count;
    uint64_t all, able; // cells of the board, and the pattern's empty ones
    uint64_t windows[256];
    uint64_t beside[256];  // under `exact` the cells where the owner must not have a stone
    unsigned count_of[64]; // windows of each cell
    uint8_t windows_of[64][32];
} Plain;

enum { CACHE = 1 << 18 };

typedef struct {
    uint64_t own, theirs;
    uint32_t round;    // of which question
    uint8_t won, lost; // with that many stones, the defender to move; 0: not known
} Cached;

static Cached *cache;
static uint32_t cache_round;

// The bit of a cell; none beyond the border.
static uint64_t plain_bit(const Rules *rules, int x, int y)
{
    return x >= 0 && x < rules->width && y >= 0 && y < rules->height ? UINT64_C(1) << (y * rules->width + x) : 0;
}

static void plain_init(Plain *plain, const Rules *rules)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int width = rules->width, height = rules->height, k = rules->k;
    *plain = (Plain){.all = bits_low(rules_cells(rules))};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int s = 0; s < 4; s++) {
                int dx = steps[s][0], dy = steps[s][1], ex = x + (k - 1) * dx, ey = y + (k - 1) * dy;
                if (ex < 0 || ex >= width || ey < 0 || ey >= height)
                    continue;
                uint64_t window = 0;
                for (int i = 0; i < k; i++)
                    window |= UINT64_C(1) << ((y + i * dy) * width + x + i * dx);
                if (rules->exact)
                    plain->beside[plain->window_count] =
                        plain_bit(rules, x - dx, y - dy) | plain_bit(rules, ex + dx, ey + dy);
                for (uint64_t left = window; left != 0; left &= left - 1)
                    plain->windows_of[bits_lowest(left)][plain->count_of[bits_lowest(left)]++] =
                        (uint8_t)plain->window_count;
                plain->windows[plain->window_count++] = window;
            }
}

// Rows of the defender may always be longer: `beside` is about the owner alone.
static bool plain_is_row(const Plain *plain, unsigned window, uint64_t stones, bool is_owner)
{
    return (plain->windows[window] & ~stones) == 0 && !(is_owner && (plain->beside[window] & stones) != 0);
}

static bool plain_has_row(const Plain *plain, uint64_t stones, bool is_owner)
{
    for (unsigned i = 0; i < plain->window_count; i++)
        if (plain_is_row(plain, i, stones, is_owner))
            return true;
    return false;
}

// The same for a row through the last stone.
static bool plain_completes(const Plain *plain, uint64_t stones, uint64_t last, bool is_owner)
{
    unsigned cell = bits_lowest(last);
    for (unsigned i = 0; i < plain->count_of[cell]; i++)
        if (plain_is_row(plain, plain->windows_of[cell][i], stones, is_owner))
            return true;
    return false;
}

static bool plain_defend(const Plain *plain, uint64_t own, uint64_t theirs, unsigned stones);

static bool plain_attack(const Plain *plain, uint64_t own, uint64_t theirs, unsigned stones)
{
    for (uint64_t left = plain->able & ~own & ~theirs; left != 0 && stones > 0; left &= left - 1) {
        uint64_t last = left & -left, after = own | last;
        if (plain_completes(plain, after, last, true) || plain_defend(plain, after, theirs, stones - 1))
            return true;
    }
    return false;
}

static Cached *cached(uint64_t own, uint64_t theirs)
{
    Cached *entry = &cache[(own * UINT64_C(0x9e3779b97f4a7c15) ^ theirs * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 46];
    if (entry->round != cache_round || entry->own != own || entry->theirs != theirs)
        *entry = (Cached){own, theirs, cache_round, 0, 0};
    return entry;
}

static bool plain_holds(const Plain *plain, uint64_t replies, uint64_t own, uint64_t theirs, unsigned stones)
{
    for (; replies != 0; replies &= replies - 1) {
        uint64_t last = replies & -replies, after = theirs | last;
        if (plain_completes(plain, after, last, false) || !plain_attack(plain, own, after, stones))
            return false;
    }
    return true;
}

static bool plain_defend(const Plain *plain, uint64_t own, uint64_t theirs, unsigned stones)
{
    const Cached *before = cached(own, theirs);
    if (stones == 0 || before->lost >= stones)
        return false;
    if (before->won > 0 && before->won <= stones)
        return true;
    // The pattern's cells come first, only for speed.
    uint64_t all = plain->all & ~own & ~theirs, first = all & plain->able;
    bool won = all != 0 && plain_holds(plain, first, own, theirs, stones) &&
               plain_holds(plain, all & ~first, own, theirs, stones);
    Cached *entry = cached(own, theirs);
    *(won ? &entry->won : &entry->lost) = (uint8_t)stones;
    return won;
}

static PatternProofResult plain_prove(const Plain *plain, uint64_t own, uint64_t theirs)
{
    unsigned most = bits_count(plain->able);
    cache_round++;
    if (plain_has_row(plain, theirs, false))
        return (PatternProofResult){.verdict = PATTERN_REFUTED};
    if (plain_has_row(plain, own, true))
        return (PatternProofResult){.verdict = PATTERN_PROVED};
    for (unsigned stones = 1; stones <= most; stones++)
        if (plain_defend(plain, own, theirs, stones))
            return (PatternProofResult){.verdict = PATTERN_PROVED, .moves = stones};
    return (PatternProofResult){.verdict = PATTERN_REFUTED};
}

// --- Random positions ---

// Some windows that meet, of which some cells are own and the others belong to the pattern: elsewhere there is seldom
// anything to prove. Then stones of the defender on other cells.
typedef struct {
    const char *rules;
    unsigned windows, own, empty, theirs; // own: cells of ten; empty, theirs: at most
    unsigned cost;
} Shape;

static const Shape shapes[] = {
    {"5x5:k=3", 3, 3, 6, 2, 10},       {"6x6:k=3", 3, 2, 8, 0, 10},       {"5x5:k=4", 5, 5, 10, 5, 20},
    {"6x6:k=4", 5, 5, 10, 3, 50},      {"6x5:k=4", 6, 4, 10, 2, 50},      {"7x6:k=5", 6, 6, 10, 8, 100},
    {"7x7:k=5", 5, 6, 9, 4, 200},      {"8x8:k=5", 5, 6, 9, 12, 200},     {"7x3:k=4", 4, 5, 8, 4, 10},
    {"9x1:k=4", 2, 4, 6, 3, 10},       {"4x4:k=2", 2, 4, 4, 1, 10},       {"4x3:k=3", 3, 3, 6, 3, 10},
    {"6x6:k=3,exact", 4, 3, 8, 2, 20}, {"7x6:k=4,exact", 6, 5, 9, 3, 50},
};

typedef struct {
    uint64_t own, theirs, empty;
} Dealt;

static uint64_t random_bit(uint64_t of, Rng *rng)
{
    unsigned skip = rng_below(rng, bits_count(of));
    for (; skip > 0; skip--)
        of &= of - 1;
    return of & -of;
}

static uint64_t random_window(const Plain *plain, uint64_t meeting, Rng *rng)
{
    for (;;) {
        uint64_t window = plain->windows[rng_below(rng, plain->window_count)];
        if ((window & meeting) != 0)
            return window;
    }
}

static Dealt deal(const Plain *plain, const Shape *shape, Rng *rng)
{
    Dealt dealt = {0};
    for (unsigned i = 0; i < shape->windows; i++) {
        uint64_t so_far = dealt.own | dealt.empty;
        uint64_t window = random_window(plain, so_far != 0 ? so_far : plain->all, rng);
        for (uint64_t left = window & ~dealt.own & ~dealt.empty; left != 0; left &= left - 1)
            *(rng_below(rng, 10) < shape->own ? &dealt.own : &dealt.empty) |= left & -left;
        if (plain_has_row(plain, dealt.own, false))
            dealt = (Dealt){0};
    }
    while (bits_count(dealt.empty) > shape->empty)
        dealt.empty &= ~random_bit(dealt.empty, rng);
    for (unsigned i = rng_below(rng, shape->theirs + 1); i > 0; i--) {
        uint64_t others = plain->all & ~dealt.own & ~dealt.empty & ~dealt.theirs;
        dealt.theirs |= others != 0 ? random_bit(others, rng) : 0;
    }
    return dealt;
}

static void put_stones(Board *board, uint64_t stones, Side side)
{
    for (; stones != 0; stones &= stones - 1) {
        unsigned at = bits_lowest(stones);
        board_put(board, cell_at(at % board->rules.width, at / board->rules.width), side);
    }
}

static PatternCells cells_of(const Rules *rules, uint64_t bits)
{
    PatternCells cells = {0};
    for (unsigned row = 0; row < rules->height; row++)
        cells.rows[row] = bits >> row * rules->width & bits_low(rules->width);
    return cells;
}

typedef struct {
    unsigned proved, refuted, late; // late: proved, with more than two stones
} Tally;

static void compare(PatternProof *proof, Plain *plain, const Rules *rules, const Shape *shape, Rng *rng, Tally *tally)
{
    Dealt dealt = deal(plain, shape, rng);
    Side owner = rng_below(rng, 2) ? SIDE_FIRST : SIDE_SECOND;
    Board board;
    board_init(&board, rules);
    put_stones(&board, dealt.own, owner);
    put_stones(&board, dealt.theirs, side_other(owner));
    PatternCells cells = cells_of(rules, dealt.empty | dealt.own);
    plain->able = dealt.empty;
    PatternProofResult expected = plain_prove(plain, dealt.own, dealt.theirs), result;
    result = pattern_proof_run_on(proof, &board, owner, &cells, &(Limits){0});
    tally->proved += expected.verdict == PATTERN_PROVED;
    tally->refuted += expected.verdict == PATTERN_REFUTED;
    tally->late += expected.moves > 2;
    if (result.verdict != expected.verdict || result.moves != expected.moves) {
        print_board(&board);
        for (unsigned row = rules->height; row > 0; row--)
            print_error("row %u: %llx\n", row, (unsigned long long)cells.rows[row - 1]);
        print_error("side %u: verdict %u, %u moves; plain %u, %u moves\n", (unsigned)owner, (unsigned)result.verdict,
                    result.moves, (unsigned)expected.verdict, expected.moves);
        fail();
    }
}

static void test_random(void **state)
{
    (void)state;
    Rng rng = rng_make(3);
    unsigned late = 0;
    cache = calloc(CACHE, sizeof *cache);
    assert_non_null(cache);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Rules rules = rules_of(shapes[i].rules);
        PatternProof *proof = open_proof(&rules);
        Plain plain;
        Tally tally = {0};
        plain_init(&plain, &rules);
        for (unsigned long round = 0; round < test_steps() / shapes[i].cost; round++)
            compare(proof, &plain, &rules, &shapes[i], &rng, &tally);
        assert_true(tally.proved > 0 && tally.refuted > 0);
        late += tally.late;
        pattern_proof_close(proof);
    }
    assert_true(late > 0);
    free(cache);
}

// What a proved pattern claims: it is won on every board, wherever it lies, in no more stones. And one that lies so far
// from the border that this changes nothing is won in as many or not at all.
static void check_claim(PatternProof *proof, const Plain *plain, const Rules *rules, const Dealt *dealt, bool is_inside)
{
    Board board;
    Pattern pattern;
    PatternProofResult result, expected = plain_prove(plain, dealt->own, 0);
    board_init(&board, rules);
    put_stones(&board, dealt->own, SIDE_FIRST);
    PatternCells cells = cells_of(rules, dealt->own | dealt->empty);
    if (!pattern_of_cells(&board, SIDE_FIRST, &cells, 1, &pattern))
        return;
    result = pattern_proof_run(proof, &pattern, &(Limits){0});
    bool fits = result.verdict == PATTERN_PROVED && expected.verdict == PATTERN_PROVED
                    ? result.moves >= expected.moves && (!is_inside || result.moves == expected.moves)
                    : result.verdict == PATTERN_REFUTED && (!is_inside || expected.verdict == PATTERN_REFUTED);
    if (!fits) {
        char text[PATTERN_TEXT_SIZE];
        pattern_format(&pattern, text);
        print_board(&board);
        print_error("%s: verdict %u, %u moves; plain %u, %u moves\n", text, (unsigned)result.verdict, result.moves,
                    (unsigned)expected.verdict, expected.moves);
        fail();
    }
}

static void test_claims(void **state)
{
    (void)state;
    Rng rng = rng_make(4);
    cache = calloc(CACHE, sizeof *cache);
    assert_non_null(cache);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Rules rules = rules_of(shapes[i].rules);
        PatternProof *proof = open_proof(&rules);
        Plain plain;
        plain_init(&plain, &rules);
        for (unsigned long round = 0; round < test_steps() / shapes[i].cost / 2; round++) {
            Dealt dealt = deal(&plain, &shapes[i], &rng);
            plain.able = dealt.empty;
            check_claim(proof, &plain, &rules, &dealt, false);
        }
        pattern_proof_close(proof);
    }
    free(cache);
}

// Rows of three in the middle of a board: three cells away from the border it is as if there were none.
static void test_claims_inside(void **state)
{
    (void)state;
    Rng rng = rng_make(5);
    Rules rules = rules_of("8x8:k=3");
    PatternProof *proof = open_proof(&rules);
    Plain plain;
    cache = calloc(CACHE, sizeof *cache);
    assert_non_null(cache);
    plain_init(&plain, &rules);
    for (unsigned long round = 0; round < test_steps() / 100; round++) {
        Dealt dealt = {0};
        for (unsigned i = 0; i < 6; i++) {
            uint64_t bit = UINT64_C(1) << ((2 + rng_below(&rng, 4)) * 8 + 2 + rng_below(&rng, 4));
            *((dealt.own | dealt.empty) != 0 && rng_below(&rng, 5) ? &dealt.empty : &dealt.own) |= bit;
        }
        dealt.empty &= ~dealt.own;
        plain.able = dealt.empty;
        check_claim(proof, &plain, &rules, &dealt, true);
    }
    free(cache);
    pattern_proof_close(proof);
}

TEST_GROUP(pattern_proof)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),          cmocka_unit_test(test_limits), cmocka_unit_test(test_drawn),
        cmocka_unit_test(test_too_many_cells), cmocka_unit_test(test_random), cmocka_unit_test(test_claims),
        cmocka_unit_test(test_claims_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
