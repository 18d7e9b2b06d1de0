// Tests of proofs written from the answers of the solvers; the checker uses only the rules.
#include "solver/proof/proof_strategy.h"
#include "support/check.h"

typedef struct {
    const char *rules, *start; // start: stones played
    int value;                 // for the first player: 1, 0, -1
} Known;

static const Known known[] = {
    {"3x3:k=3", "", 0},
    {"3x3:k=3", "a1 b1", 1},
    {"4x3:k=3", "", 1},
    {"1x1:k=1", "", 1},
    {"4x4:k=4", "", 0},
    {"4x4:k=3,gravity", "", 1},
    {"4x4:k=4,gravity", "", 0},
    {"5x4:k=4,gravity", "a b", -1},
    {"4x5:k=4,gravity", "a", 0},
    {"7x6:k=4,gravity", "112233", 1},
    {"5x3:k=3,gravity,exact", "", 1},
    {"4x3:k=4,p=2", "", 0},
    {"4x3:k=3,p=2,q=1", "a1", 1},
    {"5x1:k=3,p=1,q=2", "", 1},
    {"4x3:k=3,p=3,q=2,gravity", "", -1},
    {"6x5:k=4,p=2,q=1", "c3", -1},
    {"4x4:k=3,p=2", "", 1},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static void begin_known(const Known *of, Game *game, Exact **exact)
{
    Error error = {0};
    ExactOptions options = {.megabytes = 4};
    begin_game(game, of->rules);
    play_text(game, of->start);
    assert_false(game_is_over(game));
    assert_done(exact_open(exact, &options, &game->board.rules, &error), error);
}

static ExactResult value_of(Exact *exact, const Board *board)
{
    Error error = {0};
    ExactResult value;
    Limits limits = {0};
    assert_done(exact_run(exact, &(ExactQuery){board, EXACT_VALUE, &limits, NULL}, &value, &error), error);
    return value;
}

// The claims say who wins, or that neither loses.
static void check_claims(const CertificateClaim *claims, unsigned count, int value)
{
    assert_int_equal(count, value == 0 ? 2 : 1);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(claims[i].wins, value != 0);
    assert_int_equal(claims[0].side, value < 0 ? SIDE_SECOND : SIDE_FIRST);
    if (count == 2)
        assert_int_equal(claims[1].side, SIDE_SECOND);
}

static void check_report(const CertificateReport *written, const CertificateReport *verified)
{
    assert_same_board(&written->start, &verified->start);
    assert_int_equal(written->bytes, verified->bytes);
    assert_int_equal(written->claim_count, verified->claim_count);
    for (unsigned i = 0; i < written->claim_count; i++) {
        const CertificateFacts *a = &written->claims[i], *b = &verified->claims[i];
        assert_int_equal(a->claim.side, b->claim.side);
        assert_int_equal(a->claim.wins, b->claim.wins);
        assert_int_equal(a->answers, b->answers);
        assert_int_equal(a->positions, b->positions);
        assert_int_equal(a->depth, b->depth);
    }
}

static void prove(const Known *of)
{
    Game game;
    Exact *exact = NULL;
    begin_known(of, &game, &exact);
    ExactResult value = value_of(exact, &game.board);
    int first = board_side(&game.board) == SIDE_FIRST ? value.low : -value.low;
    if (first != of->value)
        print_board(&game.board);
    assert_int_equal(first, of->value);
    CertificateClaim claims[CERTIFICATE_CLAIMS_MAX];
    unsigned count = strategy_claims(&game.board, &value, claims);
    check_claims(claims, count, of->value);
    Strategy strategy = {.exact = exact};
    CertificateOracle oracle = strategy_oracle(&strategy);
    CertificateReport written, verified;
    Text file = {0};
    Error error = {0};
    assert_done(certificate_write(&(CertificateTask){&game.board, claims, count, &oracle, NULL, CERTIFICATE_STONES},
                                  &file, &written, &error),
                error);
    assert_done(certificate_verify((Span){file.data, file.length}, NULL, &verified, &error), error);
    check_report(&written, &verified);
    assert_same_board(&verified.start, &game.board);
    uint64_t answers = 0;
    for (unsigned i = 0; i < count; i++)
        answers += written.claims[i].answers;
    assert_int_equal(strategy.asked > 0, answers > 0);
    text_close(&file);
    exact_close(exact);
}

static void test_proofs(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KNOWN; i++)
        prove(&known[i]);
}

// What is claimed and is not so: the solver has no answer.
static void test_false_claims(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KNOWN; i++) {
        Game game;
        Exact *exact = NULL;
        begin_known(&known[i], &game, &exact);
        CertificateClaim claim = {known[i].value > 0 ? SIDE_SECOND : SIDE_FIRST, known[i].value == 0};
        Strategy strategy = {.exact = exact};
        CertificateOracle oracle = strategy_oracle(&strategy);
        CertificateReport report;
        Text file = {0};
        Error error = {0};
        assert_int_not_equal(
            certificate_write(&(CertificateTask){&game.board, &claim, 1, &oracle, NULL, CERTIFICATE_STONES}, &file,
                              &report, &error),
            STATUS_OK);
        text_close(&file);
        exact_close(exact);
    }
}

static void ask(const char *rules, CertificateClaim claim, const atomic_bool *stop, Status as, const char *words)
{
    Game game;
    Exact *exact = NULL;
    begin_known(&(Known){.rules = rules, .start = ""}, &game, &exact);
    Strategy strategy = {.exact = exact, .stop = stop};
    CertificateOracle oracle = strategy_oracle(&strategy);
    CertificateAnswers answers;
    Error error = {0};
    assert_failed(oracle.answer(oracle.context, &game.board, claim, &answers, &error), as, error, words);
    assert_int_equal(answers.count, 0);
    exact_close(exact);
}

static void test_no_answer(void **state)
{
    (void)state;
    static const char *const games[] = {"3x3:k=3", "4x4:k=4,gravity"};
    atomic_bool stop = false;
    for (unsigned i = 0; i < 2; i++)
        ask(games[i], (CertificateClaim){SIDE_FIRST, true}, &stop, STATUS_FAILED, "no stone that keeps the claim");
    stop = true;
    ask("8x8:k=5", (CertificateClaim){SIDE_FIRST, true}, &stop, STATUS_INTERRUPTED, "interrupted");
    ask("8x7:k=4,gravity", (CertificateClaim){SIDE_FIRST, false}, &stop, STATUS_INTERRUPTED, "interrupted");
}

// All stones that keep the value are offered, and only those.
static void test_answers(void **state)
{
    (void)state;
    Game game;
    Exact *exact = NULL;
    begin_known(&(Known){.rules = "3x3:k=3", .start = "a1"}, &game, &exact);
    Strategy strategy = {.exact = exact};
    CertificateOracle oracle = strategy_oracle(&strategy);
    CertificateAnswers answers;
    Error error = {0};
    CertificateClaim claim = {SIDE_SECOND, false};
    assert_done(oracle.answer(oracle.context, &game.board, claim, &answers, &error), error);
    assert_int_equal(answers.count, 1);
    assert_int_equal(answers.cells[0], cell_of(&game.board.rules, "b2"));
    assert_int_equal(answers.pair_count, 0);
    assert_int_equal(strategy.asked, 1);
    assert_true(strategy.nodes > 0);
    exact_close(exact);
}

TEST_GROUP(proof_strategy)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_proofs),
        cmocka_unit_test(test_false_claims),
        cmocka_unit_test(test_no_answer),
        cmocka_unit_test(test_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
