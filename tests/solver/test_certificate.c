// Tests of certificates: written proofs are accepted, others are refused. The oracle is a simple search of the whole
// game.
#include "base/checksum.h"
#include "game/fen.h"
#include "game/notation.h"
#include "solver/proof/certificate_internal.h"
#include "support/check.h"
#include "support/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *rules, *start; // start: stones played
    int value;                 // of the game for the first player; 1, 0, -1
} Known;

// Every kind of rules; values by the oracle itself, which is compared with true_value below.
static const Known known[] = {
    {"3x3:k=3", "", 0},
    {"3x3:k=3", "a1 b1", 1},
    {"3x3:k=3", "b1 b3", 0},
    {"4x3:k=3", "", 1},
    {"3x3:k=2", "", 1},
    {"1x1:k=1", "", 1},
    {"2x2:k=2,p=4,q=4", "", 1},
    {"4x4:k=3,gravity", "", 1},
    {"4x4:k=4,gravity", "", 0},
    {"5x3:k=3,gravity,exact", "", 1},
    {"5x2:k=2,p=2,q=2,exact", "", 1},
    {"4x3:k=4,p=2", "", 0},
    {"4x3:k=3,p=2,q=1", "a1", 1},
    {"4x2:k=4,p=2,q=1", "", 0},
    {"5x1:k=3,p=1,q=2", "", 1},
    {"3x4:k=4,p=1,q=1,exact", "", 0},
    {"4x3:k=3,p=3,q=2,gravity", "", -1},
    {"6x1:k=6", "", 0},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static ValueOracle oracle;

static int open_oracle(void **state)
{
    (void)state;
    value_oracle_open(&oracle, 20);
    return 0;
}

static int close_oracle(void **state)
{
    (void)state;
    value_oracle_close(&oracle);
    return 0;
}

static void begin_known(const Known *of, Game *game)
{
    begin_game(game, of->rules);
    play_text(game, of->start);
    memset(oracle.keys, 0, oracle.size * sizeof *oracle.keys);
    oracle.asked = oracle.fails_at = 0;
}

// The value for a side, and the strongest claims that hold: one for a win, two for a draw.
static unsigned claims_of(Board *board, CertificateClaim claims[2])
{
    int value = value_oracle_value(&oracle, board);
    Side side = board_side(board);
    claims[0] = (CertificateClaim){value < 0 ? side_other(side) : side, value != 0};
    claims[1] = (CertificateClaim){side_other(side), false};
    return value == 0 ? 2 : 1;
}

static const CertificateOracle asking = {&oracle, value_oracle_answer};

static void make(const Board *start, const CertificateClaim *claims, unsigned count, Text *file)
{
    Error error = {0};
    CertificateReport report, again;
    assert_done(certificate_write(&(CertificateTask){start, claims, count, &asking, NULL, CERTIFICATE_STONES}, file,
                                  &report, &error),
                error);
    assert_done(certificate_verify((Span){file->data, file->length}, NULL, &again, &error), error);
    assert_int_equal(report.bytes, file->length);
    assert_int_equal(again.bytes, file->length);
    assert_int_equal(again.claim_count, count);
    assert_same_board(&again.start, start);
    for (unsigned i = 0; i < count; i++) {
        assert_true(again.claims[i].claim.side == claims[i].side && again.claims[i].claim.wins == claims[i].wins);
        assert_int_equal(again.claims[i].answers, report.claims[i].answers);
        assert_int_equal(again.claims[i].positions, report.claims[i].positions);
        assert_int_equal(again.claims[i].depth, report.claims[i].depth);
        assert_true(again.claims[i].depth + board_count(start) <= start->cells);
    }
}

static void test_what_is_true_is_proved(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KNOWN; i++) {
        Game game;
        begin_known(&known[i], &game);
        CertificateClaim claims[2];
        Text file = {0};
        unsigned count = claims_of(&game.board, claims);
        make(&game.board, claims, count, &file);
        int value = count == 2 ? 0 : claims[0].side == SIDE_FIRST ? 1 : -1;
        assert_int_equal(value, known[i].value);
        // Who wins does not lose.
        text_close(&file);
        claims[0].wins = false;
        make(&game.board, claims, 1, &file);
        text_close(&file);
    }
}

// Version 2 has the same claims and no more answers.
static void test_whole_turns(void **state)
{
    (void)state;
    unsigned fewer = 0;
    for (unsigned i = 0; i < KNOWN; i++) {
        Game game;
        CertificateClaim claims[2];
        Text file = {0};
        Error error = {0};
        CertificateReport stones, turns, again;
        begin_known(&known[i], &game);
        CertificateTask task = {.start = &game.board, .claims = claims, .oracle = &asking};
        task.claim_count = claims_of(&game.board, claims);
        if (game.board.rules.gravity)
            continue;
        assert_done(certificate_write(&task, &file, &stones, &error), error);
        text_close(&file);
        task.version = CERTIFICATE_TURNS;
        assert_done(certificate_write(&task, &file, &turns, &error), error);
        assert_done(certificate_verify((Span){file.data, file.length}, NULL, &again, &error), error);
        assert_int_equal(again.version, CERTIFICATE_TURNS);
        assert_int_equal(again.claims[0].answers, turns.claims[0].answers);
        assert_int_equal(again.claims[0].positions, turns.claims[0].positions);
        assert_true(turns.claims[0].answers <= stones.claims[0].answers);
        fewer += turns.claims[0].answers < stones.claims[0].answers;
        text_close(&file);
    }
    assert_true(fewer > 0);
}

static void test_the_oracle_is_right(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KNOWN; i++) {
        Game game;
        begin_known(&known[i], &game);
        if (game.board.cells - board_count(&game.board) <= 9)
            assert_int_equal(value_oracle_value(&oracle, &game.board), true_value(&game.board));
    }
}

static Status verify(Span file, Error *error)
{
    CertificateReport report;
    return certificate_verify(file, NULL, &report, error);
}

static void make_known(unsigned i, Game *game, Text *file)
{
    CertificateClaim claims[2];
    begin_known(&known[i], game);
    unsigned count = claims_of(&game->board, claims);
    make(&game->board, claims, count, file);
}

// --- Damage ---

static void test_every_damaged_byte_is_noticed(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KNOWN; i++) {
        Game game;
        Text file = {0};
        make_known(i, &game, &file);
        for (size_t at = 0; at < file.length; at++)
            for (unsigned change = 1; change < 256; change += change < 128 ? change : 126) {
                Error error = {0};
                file.data[at] = (char)(file.data[at] ^ (char)change);
                assert_refused(verify((Span){file.data, file.length}, &error), error, "byte");
                file.data[at] = (char)(file.data[at] ^ (char)change);
            }
        text_close(&file);
    }
}

static void test_every_other_length_is_refused(void **state)
{
    (void)state;
    Game game;
    Text file = {0};
    Error error = {0};
    make_known(0, &game, &file);
    for (size_t length = 0; length < file.length; length++) {
        char *copy = malloc(length + 1); // of its own size, so that a look beyond it is noticed
        memcpy(copy, file.data, length);
        assert_refused(verify((Span){copy, length}, &error), error, "byte");
        free(copy);
    }
    size_t length = file.length;
    text_add(&file, "x");
    assert_refused(verify((Span){file.data, length + 1}, &error), error, "too late");
    text_close(&file);
}

static void test_the_place_of_damage(void **state)
{
    (void)state;
    Game game;
    Text body = {0}, file = {0};
    Error error = {0};
    begin_game(&game, "3x3:k=3");
    CertificateClaim claim = {SIDE_FIRST, false};
    while (body.length < 150000)
        text_add(&body, "%c", 'a');
    certificate_write_file(&(CertificateTask){&game.board, &claim, 1, NULL, NULL, CERTIFICATE_STONES},
                           (Span){body.data, body.length}, &file);
    size_t head = file.length - body.length - (size_t)3 * 4;
    char words[64];
    file.data[head + 65536 + 4 + 7] ^= 1;
    (void)snprintf(words, sizeof words, "bytes %zu to %zu: damaged", head + 65540, head + 65540 + 65539);
    assert_refused(verify((Span){file.data, file.length}, &error), error, words);
    file.data[head + 65536 + 4 + 7] ^= 1;
    file.data[file.length - 1] ^= 1;
    (void)snprintf(words, sizeof words, "bytes %zu to %zu: damaged", head + 131080, file.length - 1);
    assert_refused(verify((Span){file.data, file.length}, &error), error, words);
    file.data[18] = '4'; // 3x4
    assert_refused(verify((Span){file.data, file.length}, &error), error, "byte");
    text_close(&body);
    text_close(&file);
}

static void test_headers(void **state)
{
    (void)state;
    static const struct {
        const char *head, *words;
    } wrong[] = {
        {"", "byte 0: not a proof by krow"},
        {"krow proof 4\n", "byte 0: not a proof by krow"},
        {"krow proof 3\n", "byte 13: the header has no line 'game"},
        {"krow proof 3\ngame 3x3:k=3,gravity\nstart 3/3/3 X 1\n", "version 3 of proofs is for games without gravity"},
        {"krow proof 3\ngame 3x3:k=3\nstart 3/3/3 X 1\nclaim first does not lose\nbody 0\n",
         "version 3 of proofs has one claim"},
        {"krow proof 1", "byte 0: not a proof by krow"},
        {"krow proof 1\n", "byte 13: the header has no line 'game"},
        {"krow proof 1\ngame 3x3:k=4\nstart 3/3/3 X 1\n", "byte 13: game '3x3:k=4': k is 4"},
        {"krow proof 1\ngame 3x3:k=3\nstart 3/4/3 X 1\n", "byte 26: row 2"},
        {"krow proof 1\ngame 3x3:k=3\nstart 3/3/3 X 1\nclaim first\n", "byte 42: invalid claim"},
        {"krow proof 1\ngame 3x3:k=3\nstart 3/3/3 X 1\nclaim first wins\nclaim first wins\nbody 0\n", "the same side"},
        {"krow proof 1\ngame 3x3:k=3\nstart 3/3/3 X 1\nbody 0\n", "no line 'claim"},
        {"krow proof 1\ngame 3x3:k=3\nstart 3/3/3 X 1\nclaim first wins\nbody -1\n", "not a number"},
        {"krow proof 1\ngame tictactoe\nstart 3/3/3 X 1\nclaim first wins\nbody 0\ncheck 00000000\n",
         "byte 18: the header is damaged"},
        {"krow proof 1\ngame 3x3:k=3\nstart 3/3/3 X 1\nclaim first wins\nbody 0\ncheck 00000000\n",
         "the header is damaged"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Error error = {0};
        assert_refused(verify(span_of(wrong[i].head), &error), error, wrong[i].words);
    }
}

// --- Proofs of what is not true, with checksums that fit ---

static Status verify_body(const Board *start, CertificateClaim claim, Span body, Error *error)
{
    Text file = {0};
    certificate_write_file(&(CertificateTask){start, &claim, 1, NULL, NULL, CERTIFICATE_STONES}, body, &file);
    Status status = verify((Span){file.data, file.length}, error);
    text_close(&file);
    return status;
}

// The stones of "after a1 b2 …: " in a message can be played; that is also said for faults deep in a mirrored part.
static void require_line(const Board *start, const Error *error)
{
    const char *after = strstr(error->text, "after ");
    if (after == NULL || strstr(after, "…") != NULL)
        return;
    Game game;
    Error why = {0};
    game_init_from(&game, start);
    after += strlen("after ");
    assert_done(game_read(&game, (Span){after, (size_t)(strchr(after, ':') - after)}, &why), why);
}

static void require_refused(const Board *start, CertificateClaim claim, Span body)
{
    Error error = {0};
    assert_refused(verify_body(start, claim, body, &error), error, certificate_claim_text(claim));
    require_line(start, &error);
}

static bool is_true(int value, Side to_move, CertificateClaim claim)
{
    value = claim.side == to_move ? value : -value;
    return value >= (claim.wins ? 1 : 0);
}

// The answers of a true claim, the same with some bits changed, and random ones, as proofs of all four claims. Those
// that do not hold are never accepted.
static void try_bodies(const Board *start, int value, Span body, Rng *rng)
{
    char bytes[256];
    for (unsigned n = 0; n < 60; n++) {
        size_t length = n % 2 == 0 && body.length < sizeof bytes ? body.length : rng_below(rng, sizeof bytes);
        for (size_t i = 0; i < length; i++)
            bytes[i] = (char)(n % 2 == 0 ? body.at[i] : (char)rng_below(rng, n % 4 == 1 ? 256 : 3));
        for (unsigned change = 0; change < n / 16 && length > 0; change++)
            bytes[rng_below(rng, (unsigned)length)] ^= (char)(1 << rng_below(rng, 8));
        for (unsigned kind = 0; kind < 4; kind++) {
            CertificateClaim claim = {(Side)(kind & 1), kind >= 2};
            if (!is_true(value, board_side(start), claim))
                require_refused(start, claim, (Span){bytes, length});
        }
    }
}

static void test_what_is_not_true_is_not_proved(void **state)
{
    (void)state;
    Rng rng = rng_make(9);
    for (unsigned i = 0; i < KNOWN; i++) {
        Game game;
        CertificateClaim claims[2];
        begin_known(&known[i], &game);
        (void)claims_of(&game.board, claims);
        int value = value_oracle_value(&oracle, &game.board);
        for (unsigned kind = 0; kind < 4; kind++) {
            CertificateClaim claim = {(Side)(kind & 1), kind >= 2};
            Text file = {0};
            if (!is_true(value, board_side(&game.board), claim))
                continue;
            make(&game.board, &claim, 1, &file);
            static CertificateHead head;
            Error error = {0};
            assert_done(certificate_read_head((Span){file.data, file.length}, &head, &error), error);
            try_bodies(&game.board, value, (Span){file.data + head.head_length, (size_t)head.body}, &rng);
            text_close(&file);
        }
    }
}

// Each answer changed, one after the other, where every other answer is wrong: a1 b2 c3 is met by an edge, not a
// corner.
static void test_wrong_answers_are_told_with_the_line(void **state)
{
    (void)state;
    Game game;
    Text file = {0};
    static CertificateHead head;
    Error error = {0};
    CertificateClaim claim = {SIDE_SECOND, false};
    begin_known(&known[0], &game);
    make(&game.board, &claim, 1, &file);
    assert_done(certificate_read_head((Span){file.data, file.length}, &head, &error), error);
    char *body = file.data + head.head_length;
    unsigned refused = 0, lines = 0;
    for (size_t bit = 0; bit < 8 * head.body; bit++) {
        body[bit / 8] ^= (char)(1 << bit % 8);
        if (verify_body(&game.board, claim, (Span){body, (size_t)head.body}, &error) != STATUS_OK) {
            refused++;
            lines += strstr(error.text, ": after ") != NULL || strstr(error.text, "at the start") != NULL;
            require_line(&game.board, &error);
        }
        body[bit / 8] ^= (char)(1 << bit % 8);
    }
    assert_true(refused > 4 * head.body); // the others are answers too
    assert_true(lines > refused / 2);
    text_close(&file);
}

static void test_a_missing_answer_is_named(void **state)
{
    (void)state;
    Game game;
    Error error = {0};
    begin_game(&game, "3x3:k=3");
    // First does not lose: one answer (b2 is number 4 of 0 to 9), then one where two are needed.
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_FIRST, false}, (Span){"\1\4\1\0", 4}, &error),
                   error, "first does not lose: after b2 b1: there is no answer to this; the file has 1");
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_FIRST, false}, (Span){"\1\4\3\0", 4}, &error),
                   error, "2 positions with 2 stones more need an answer, but there are 3");
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_FIRST, false}, (Span){"\1\4\2", 3}, &error), error,
                   "after b2 a1: the answers end here");
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_FIRST, false}, (Span){"\1\16", 2}, &error), error,
                   "at the start: the answer is not a legal stone");
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_FIRST, true}, (Span){"\1\4\1\0", 4}, &error), error,
                   "after b2 b1: there is no answer");
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_FIRST, false}, (Span){"\1\44", 2}, &error), error,
                   "not 0");
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_FIRST, false}, (Span){"\1", 1}, &error), error,
                   "at the start: the answers end here");
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_FIRST, false}, (Span){"\201\0\4", 3}, &error),
                   error, "at the start: the answers end here");
    play_text(&game, "a1 b1 a2 b2");
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_FIRST, true}, (Span){"\0", 1}, &error), error,
                   "more answers than there are positions");
    assert_refused(verify_body(&game.board, (CertificateClaim){SIDE_SECOND, false}, (Span){"", 0}, &error), error,
                   "after a3: the first player has won");
}

// --- Making ---

static Status try_write(const Game *game, CertificateClaim claim, const CertificateOracle *from,
                        const CertificateOptions *options, Error *error)
{
    Text file = {0};
    CertificateReport report;
    Status status = certificate_write(&(CertificateTask){&game->board, &claim, 1, from, options, CERTIFICATE_STONES},
                                      &file, &report, error);
    text_close(&file);
    return status;
}

static void test_claims_that_do_not_hold(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KNOWN; i++) {
        Game game;
        begin_known(&known[i], &game);
        int value = value_oracle_value(&oracle, &game.board);
        for (unsigned kind = 0; kind < 4; kind++) {
            CertificateClaim claim = {(Side)(kind & 1), kind >= 2};
            Error error = {0};
            if (is_true(value, board_side(&game.board), claim))
                continue;
            assert_failed(try_write(&game, claim, &asking, NULL, &error), STATUS_FAILED, error,
                          certificate_claim_text(claim));
            require_line(&game.board, &error);
        }
    }
}

static void test_an_oracle_that_does_not_know(void **state)
{
    (void)state;
    Game game;
    Error error = {0};
    begin_known(&known[0], &game);
    assert_done(try_write(&game, (CertificateClaim){SIDE_FIRST, false}, &asking, NULL, &error), error);
    unsigned questions = oracle.asked;
    assert_true(questions > 5);
    for (unsigned n = 1; n <= questions; n++) {
        begin_known(&known[0], &game);
        oracle.fails_at = n;
        assert_failed(try_write(&game, (CertificateClaim){SIDE_FIRST, false}, &asking, NULL, &error), STATUS_FAILED,
                      error, n == 1 ? "first does not lose: at the start: out of wisdom" : "out of wisdom");
        require_line(&game.board, &error);
    }
}

// Gives the prepared answer.
static Status say(void *context, const Board *board, CertificateClaim claim, CertificateAnswers *answers, Error *error)
{
    (void)board, (void)claim, (void)error;
    const CertificateAnswers *what = context;
    *answers = *what;
    return STATUS_OK;
}

static void test_oracles_that_talk_nonsense(void **state)
{
    (void)state;
    static CertificateAnswers nonsense;
    const CertificateOracle saying = {&nonsense, say};
    const CertificateClaim claim = {SIDE_FIRST, false}, win = {SIDE_FIRST, true};
    Game game;
    Error error = {0};
    begin_game(&game, "3x3:k=3");
    play_text(&game, "a1 b2");
    assert_failed(try_write(&game, claim, &saying, NULL, &error), STATUS_FAILED, error, "no answer is known");
    nonsense = (CertificateAnswers){.count = 1, .cells = {cell_at(1, 1)}};
    assert_failed(try_write(&game, claim, &saying, NULL, &error), STATUS_FAILED, error, "not a legal stone");
    nonsense = (CertificateAnswers){.count = 1, .cells = {cell_at(2, 2)}, .pair_count = 1};
    nonsense.pairs[0] = nonsense.pairs[1] = cell_at(1, 0);
    assert_failed(try_write(&game, win, &saying, NULL, &error), STATUS_FAILED, error, "a pairing is not allowed");
    assert_failed(try_write(&game, claim, &saying, NULL, &error), STATUS_FAILED, error, "in two pairs");
    nonsense.pairs[1] = cell_at(1, 1);
    assert_failed(try_write(&game, claim, &saying, NULL, &error), STATUS_FAILED, error, "is occupied");
    nonsense.pairs[1] = cell_at(1, 2);
    assert_failed(try_write(&game, claim, &saying, NULL, &error), STATUS_FAILED, error, "room for a row");
}

static void test_limits(void **state)
{
    (void)state;
    Game game;
    Error error = {0};
    Text file = {0};
    CertificateReport report;
    const CertificateClaim claim = {SIDE_SECOND, false};
    begin_known(&known[8], &game);
    make(&game.board, &claim, 1, &file);
    atomic_bool stop = true;
    CertificateOptions options = {.stop = &stop};
    assert_failed(try_write(&game, claim, &asking, &options, &error), STATUS_INTERRUPTED, error, "interrupted");
    assert_failed(certificate_verify((Span){file.data, file.length}, &options, &report, &error), STATUS_INTERRUPTED,
                  error, "interrupted");
    options = (CertificateOptions){.memory = 2000};
    assert_failed(try_write(&game, claim, &asking, &options, &error), STATUS_NO_MEMORY, error, "memory");
    assert_failed(certificate_verify((Span){file.data, file.length}, &options, &report, &error), STATUS_NO_MEMORY,
                  error, "memory");
    text_close(&file);
}

static void count_layers(void *context, const CertificateFacts *so_far, unsigned stones, uint64_t done, uint64_t count)
{
    unsigned *calls = context;
    assert_true(done < count && so_far->claim.side == SIDE_FIRST);
    assert_int_equal(stones, *calls);
    ++*calls;
}

static void test_progress_and_counts(void **state)
{
    (void)state;
    Game game;
    Text file = {0};
    Error error = {0};
    CertificateReport report;
    unsigned layers = 0;
    const CertificateClaim claim = {SIDE_FIRST, true};
    const CertificateOptions options = {.progress = count_layers, .context = &layers};
    begin_known(&known[3], &game);
    make(&game.board, &claim, 1, &file);
    assert_done(certificate_verify((Span){file.data, file.length}, &options, &report, &error), error);
    // 4x3:k=3 is won by an answer in the middle, one to each of 6 different replies, and with the seventh stone.
    assert_int_equal(layers, report.claims[0].depth - 1);
    assert_true(report.claims[0].answers >= 2 && report.claims[0].positions > report.claims[0].answers);
    text_close(&file);
}

// --- Pairings ---

// Of the 5x5 board: cells with the same letter are a pair, every row of five has one; the middle has none.
static const char pairing_5x5[] = "kahaf"
                                  "lbbij"
                                  "cg.ic"
                                  "lgddj"
                                  "fehek";

static char letter_at(Cell cell)
{
    return pairing_5x5[5 * (4 - cell_row(cell)) + cell_column(cell)];
}

static bool is_empty(const Board *board, Cell cell)
{
    return board_stone(board, cell) == STONE_NONE;
}

static Cell partner_of(const Board *board, Cell cell)
{
    for (Cell other = 0; other <= cell_at(4, 4); other++)
        if (board_has(board, other) && other != cell && letter_at(other) == letter_at(cell))
            return other;
    return CELL_NONE;
}

// The cell that makes a pair with a stone of the other side, or else the middle or a corner.
static Cell paired_answer(const Board *board, Side other)
{
    for (Cell cell = 0; cell <= cell_at(4, 4); cell++)
        if (board_has(board, cell) && board_stone(board, cell) == (Stone)other && letter_at(cell) != '.')
            return partner_of(board, cell);
    return is_empty(board, cell_at(2, 2)) ? cell_at(2, 2) : cell_at(0, 0);
}

// Such an answer and the pairs left; one of them may be left out.
static Status pair_up(void *context, const Board *board, CertificateClaim claim, CertificateAnswers *answers,
                      Error *error)
{
    (void)error;
    unsigned leave_out = *(const unsigned *)context, found = 0;
    Cell answer = paired_answer(board, side_other(claim.side));
    answers->cells[0] = answer;
    answers->count = 1;
    for (Cell a = 0; a <= cell_at(4, 4); a++) {
        Cell b = board_has(board, a) ? partner_of(board, a) : CELL_NONE;
        if (b == CELL_NONE || a > b || a == answer || b == answer || !is_empty(board, a) || !is_empty(board, b))
            continue;
        if (++found == leave_out)
            continue;
        Cell *pair = answers->pairs + 2 * (size_t)answers->pair_count++;
        pair[0] = a;
        pair[1] = b;
    }
    return STATUS_OK;
}

static void test_pairings(void **state)
{
    (void)state;
    unsigned leave_out = 0;
    const CertificateOracle pairing = {&leave_out, pair_up};
    const CertificateClaim draw[2] = {{SIDE_FIRST, false}, {SIDE_SECOND, false}};
    Game game;
    Text file = {0};
    Error error = {0};
    CertificateReport report;
    begin_game(&game, "5x5:k=5");
    assert_done(certificate_write(&(CertificateTask){&game.board, draw, 2, &pairing, NULL, CERTIFICATE_STONES}, &file,
                                  &report, &error),
                error);
    assert_done(certificate_verify((Span){file.data, file.length}, NULL, &report, &error), error);
    assert_int_equal(report.claims[0].answers, 1);
    assert_int_equal(report.claims[0].depth, 1);
    assert_int_equal(report.claims[1].answers, 6); // cells that are no pictures of each other
    assert_int_equal(report.claims[1].depth, 2);
    text_close(&file);
    for (leave_out = 1; leave_out <= 11; leave_out++)
        assert_failed(try_write(&game, draw[1], &pairing, NULL, &error), STATUS_FAILED, error, "room for a row");
}

// The answer of write: a stone, and pairs that leave one of the rows open. The reader refuses each of them too.
static void test_wrong_pairings_are_refused(void **state)
{
    (void)state;
    Game game;
    Error error = {0};
    begin_game(&game, "4x1:k=3");
    const CertificateClaim claim = {SIDE_FIRST, false};
    // Of 4 cells, 3 bits: number 4 for a pairing; stone 0 (2 bits); 1 pair (2 bits): cells 1 and 2 or others (2 bits).
    // The row b c d is left to the opponent.
    const unsigned head = 4 | 0 << 3 | 1 << 5, good = head | 1 << 7 | 2 << 9;
    const struct {
        unsigned bits;
        const char *words;
    } wrong[] = {
        {head | 1 << 7 | 1 << 9, "in two pairs"},
        {head | 0 << 7 | 2 << 9, "is occupied"},
        {(4 | 0 << 3 | 0 << 5), "room for a row"},
        {(4 | 0 << 3 | 3 << 5), "more pairs than there are cells"},
        {5, "not a legal stone"},
    };
    char body[3] = {1, (char)(good & 0xff), (char)(good >> 8)};
    assert_done(verify_body(&game.board, claim, (Span){body, 3}, &error), error);
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char bad[3] = {1, (char)(wrong[i].bits & 0xff), (char)(wrong[i].bits >> 8)};
        assert_refused(verify_body(&game.board, claim, (Span){bad, 3}, &error), error, wrong[i].words);
    }
}

// Both cells of a pair must lie in a row: of b c d and c d e, c and d stop both, c and e only the second.
static void test_a_pair_stops_rows_with_both_cells(void **state)
{
    (void)state;
    Game game;
    Error error = {0};
    begin_game(&game, "5x1:k=3");
    const CertificateClaim claim = {SIDE_FIRST, false};
    // Number 5 of 3 bits, stone 0 of 3 bits, 1 pair of 2 bits, two cells of 3 bits.
    const unsigned head = 5 | 0 << 3 | 1 << 6, good = head | 2 << 8 | 3 << 11, bad = head | 2 << 8 | 4 << 11;
    const char good_body[3] = {1, (char)(good & 0xff), (char)(good >> 8)};
    const char bad_body[3] = {1, (char)(bad & 0xff), (char)(bad >> 8)};
    assert_done(verify_body(&game.board, claim, (Span){good_body, 3}, &error), error);
    assert_refused(verify_body(&game.board, claim, (Span){bad_body, 3}, &error), error, "room for a row");
}

static void test_where_pairings_are_no_answer(void **state)
{
    (void)state;
    const CertificateClaim claim = {SIDE_FIRST, false}, win = {SIDE_FIRST, true};
    static const struct {
        const char *rules;
        bool takes;
    } cases[] = {{"4x4:k=3", true}, {"4x4:k=3,gravity", false}, {"4x4:k=3,p=2", false}, {"4x4:k=3,p=1,q=2", false}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Game game;
        begin_game(&game, cases[i].rules);
        assert_int_equal(certificate_takes_pairing(&game.board, claim), cases[i].takes);
        assert_false(certificate_takes_pairing(&game.board, win));
        assert_false(certificate_takes_pairing(&game.board, (CertificateClaim){SIDE_SECOND, false}));
    }
}

static void test_checksum(void **state)
{
    (void)state;
    // The check value that descriptions of this checksum give.
    assert_int_equal(checksum_crc32(span_of("123456789")), 0xcbf43926);
    assert_int_equal(checksum_crc32(span_of("")), 0);
}

TEST_GROUP(certificate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_true_is_proved),
        cmocka_unit_test(test_whole_turns),
        cmocka_unit_test(test_the_oracle_is_right),
        cmocka_unit_test(test_every_damaged_byte_is_noticed),
        cmocka_unit_test(test_every_other_length_is_refused),
        cmocka_unit_test(test_the_place_of_damage),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_what_is_not_true_is_not_proved),
        cmocka_unit_test(test_wrong_answers_are_told_with_the_line),
        cmocka_unit_test(test_a_missing_answer_is_named),
        cmocka_unit_test(test_claims_that_do_not_hold),
        cmocka_unit_test(test_an_oracle_that_does_not_know),
        cmocka_unit_test(test_oracles_that_talk_nonsense),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_progress_and_counts),
        cmocka_unit_test(test_pairings),
        cmocka_unit_test(test_wrong_pairings_are_refused),
        cmocka_unit_test(test_a_pair_stops_rows_with_both_cells),
        cmocka_unit_test(test_where_pairings_are_no_answer),
        cmocka_unit_test(test_checksum),
    };
    return cmocka_run_group_tests(tests, open_oracle, close_oracle);
}
