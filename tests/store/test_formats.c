// Tests of game formats: round trips of random games, samples of each format, errors with line numbers, hostile input.
#include "base/rng.h"
#include "game/notation.h"
#include "store/formats/formats.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_MAX = 16 };

// What a reader gave out: the first games, and the lines and texts of the errors.
typedef struct {
    GameRecord game[KEPT_MAX];
    size_t good, bad;
    size_t error_line[KEPT_MAX];
    char error_text[KEPT_MAX][ERROR_TEXT_SIZE];
} Collected;

static bool collect(void *context, const FormatItem *item)
{
    Collected *all = context;
    assert_int_equal(item->number, all->good + all->bad + 1);
    assert_true(item->line >= 1);
    if (item->record == NULL) {
        assert_non_null(item->error);
        assert_int_not_equal(item->error->status, STATUS_OK);
        if (all->bad < KEPT_MAX) {
            all->error_line[all->bad] = item->line;
            memcpy(all->error_text[all->bad], item->error->text, ERROR_TEXT_SIZE);
        }
        all->bad++;
        return true;
    }
    assert_null(item->error);
    if (all->good < KEPT_MAX) {
        all->game[all->good] = *item->record;
        *item->record = (GameRecord){0};
    }
    all->good++;
    return true;
}

static void collected_close(Collected *all)
{
    for (size_t i = 0; i < KEPT_MAX; i++)
        record_close(&all->game[i]);
    *all = (Collected){0};
}

static const Format *named(const char *name)
{
    const Format *format = format_find(span_of(name));
    assert_non_null(format);
    return format;
}

static Status read_span(const char *format, Span text, const char *rules_text, Collected *all, Error *error)
{
    Rules rules;
    FormatOptions options = {.format = format != NULL ? named(format) : NULL};
    if (rules_text != NULL) {
        assert_int_equal(rules_parse(span_of(rules_text), &rules, NULL), STATUS_OK);
        options.rules = &rules;
    }
    return formats_read(text, &options, collect, all, error);
}

static Status read_text(const char *format, const char *text, const char *rules, Collected *all)
{
    Error error = {0};
    *all = (Collected){0};
    return read_span(format, span_of(text), rules, all, &error);
}

// The stones as krow writes them, for comparing.
static void assert_record(const GameRecord *record, const char *expected)
{
    Game game;
    Text text = {0};
    assert_int_equal(record_replay(record, &game, NULL, NULL), STATUS_OK);
    game_write(&game, &text);
    assert_string_equal(text.data != NULL ? text.data : "", expected);
    text_close(&text);
}

static void assert_rules(const GameRecord *record, const char *expected)
{
    char text[RULES_TEXT_SIZE];
    rules_format(&record->rules, text);
    assert_string_equal(text, expected);
}

// --- Round trips ---

static const char *const games[] = {"3x3:k=3",           "7x6:k=4,gravity",   "9x5:k=4,p=2,q=1,gravity",
                                    "15x15:k=5",         "15x15:k=5,exact",   "20x20:k=5",
                                    "19x19:k=6,p=2,q=1", "19x10:k=6,p=3,q=2", "1x9:k=3",
                                    "33x12:k=7",         "64x64:k=5",         "64x2:k=5,gravity,exact"};

enum { GAME_COUNT = (int)(sizeof games / sizeof games[0]) };

// A random game of at most `most` stones, with names that need care, and times where the format has them.
static void random_record(const char *rules_text, Rng *rng, unsigned most, bool set_up, GameRecord *record)
{
    static const char *const names[] = {"Ann", "a]b\\c", "Zo\xc3\xab, \"the\" 1", "\xe6\xa3\x8b [x]", "x:y;z", "<&>"};
    Rules rules;
    Game game;
    Cell cells[RULES_CELLS_MAX];
    assert_int_equal(rules_parse(span_of(rules_text), &rules, NULL), STATUS_OK);
    game_init(&game, &rules);
    if (set_up) {
        for (unsigned i = 0; i < 3 && !game_is_over(&game); i++)
            game_play(&game, cells[rng_below(rng, board_legal_cells(&game.board, cells))]);
        Board board;
        board_copy(&board, &game.board);
        game_init_from(&game, &board);
    }
    for (unsigned i = 0; i < most && !game_is_over(&game); i++) {
        unsigned count = board_legal_cells(&game.board, cells);
        game_play(&game, cells[rng_below(rng, count)]);
    }
    *record = (GameRecord){0};
    assert_int_equal(record_from_game(record, &game, NULL), STATUS_OK);
    assert_int_equal(record->setup != NULL, set_up);
    record_set_text(record->first, span_of(names[rng_below(rng, 6)]));
    record_set_text(record->second, span_of(names[rng_below(rng, 6)]));
    record_set_text(record->event, span_of(names[rng_below(rng, 6)]));
    record_set_text(record->date, span_of("2024-05-06"));
    for (unsigned i = 0; i < record->count; i++)
        record->stones[i].ms = (int32_t)rng_below(rng, 100000);
    if (record->result == RESULT_NONE && rng_below(rng, 2) == 0) {
        record->result = (Result)(1 + rng_below(rng, 3));
        record_set_text(record->reason, span_of("resigned"));
    }
}

typedef struct {
    const char *format;
    bool times, names, event, result, setup; // what it keeps
} Keeps;

static const Keeps keeps[] = {
    {"krow", true, true, true, true, true},
    {"sgf", true, true, true, true, true},
    {"psq", true, true, false, false, false},
    {"rec", true, true, false, false, false},
    {"c6", false, false, false, true, false},
    {"digits", false, false, false, false, false},
    {"offset", false, false, false, false, false},
    {"pos-top", false, false, false, false, false},
    {"pos-bottom", false, false, false, false, false},
    {"cells", false, false, false, false, false},
};

static void assert_same(const GameRecord *got, const GameRecord *want, const Keeps *kept)
{
    assert_true(rules_equal(&got->rules, &want->rules));
    assert_int_equal(got->count, want->count);
    for (unsigned i = 0; i < want->count; i++) {
        assert_int_equal(got->stones[i].cell, want->stones[i].cell);
        assert_int_equal(got->stones[i].ms, kept->times ? want->stones[i].ms : RECORD_MS_UNKNOWN);
    }
    if (kept->names) {
        assert_string_equal(got->first, want->first);
        assert_string_equal(got->second, want->second);
    }
    if (kept->event) {
        assert_string_equal(got->event, want->event);
        assert_string_equal(got->date, want->date);
        assert_string_equal(got->reason, want->reason);
    }
    if (kept->result)
        assert_int_equal(got->result, want->result);
    assert_int_equal(got->setup != NULL, want->setup != NULL);
    if (want->setup != NULL && got->setup != NULL) {
        assert_true(board_key(got->setup) == board_key(want->setup));
        assert_int_equal(board_stones_left(got->setup), board_stones_left(want->setup));
    }
}

static void round_trip(const Keeps *kept, const char *rules, Rng *rng)
{
    GameRecord written[3];
    Text text = {0};
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) {
        random_record(rules, rng, i == 0 ? 5000 : 8, kept->setup && i == 2, &written[count]);
        Error error = {0};
        if (formats_write(&written[count], named(kept->format), &text, &error) == STATUS_OK)
            count++;
        else
            record_close(&written[count]);
    }
    Collected all = {0};
    Error error = {0};
    if (count > 0) {
        Status status = read_span(kept->format, (Span){text.data, text.length}, rules, &all, &error);
        if (status != STATUS_OK)
            fail_msg("%s of %s: %s\n%s", kept->format, rules, error.text, text.data);
        assert_int_equal(all.good, count);
    }
    for (size_t i = 0; i < count; i++) {
        assert_same(&all.game[i], &written[i], kept);
        record_close(&written[i]);
    }
    collected_close(&all);
    text_close(&text);
}

static void test_round_trips(void **state)
{
    (void)state;
    Rng rng = rng_make(20);
    for (size_t i = 0; i < sizeof keeps / sizeof keeps[0]; i++)
        for (int game = 0; game < GAME_COUNT; game++)
            for (int repeat = 0; repeat < 3; repeat++)
                round_trip(&keeps[i], games[game], &rng);
}

// Every writer of the list is in the table above, and writes at least one of the games.
static void test_every_writer_is_tested(void **state)
{
    (void)state;
    for (int i = 0; i < format_count; i++) {
        bool listed = false;
        for (size_t j = 0; j < sizeof keeps / sizeof keeps[0]; j++)
            listed |= strcmp(keeps[j].format, formats[i].name) == 0;
        assert_int_equal(listed, formats[i].write != NULL);
        assert_non_null(formats[i].read);
    }
}

// SGF and krow carry the rules: reading needs no further information, and the format is found by its content.
static void test_rules_survive(void **state)
{
    (void)state;
    Rng rng = rng_make(21);
    for (int game = 0; game < GAME_COUNT; game++)
        for (int which = 0; which < 2; which++) {
            GameRecord record;
            Text text = {0};
            Collected all = {0};
            Error error = {0};
            random_record(games[game], &rng, 20, game % 2 == 0, &record);
            assert_int_equal(formats_write(&record, named(which == 0 ? "sgf" : "krow"), &text, &error), STATUS_OK);
            assert_int_equal(read_span(NULL, (Span){text.data, text.length}, NULL, &all, &error), STATUS_OK);
            assert_int_equal(all.good, 1);
            assert_same(&all.game[0], &record, &keeps[which]);
            collected_close(&all);
            record_close(&record);
            text_close(&text);
        }
}

// A game that a format cannot represent is refused with an error, and nothing is written.
static void test_writers_refuse(void **state)
{
    (void)state;
    static const struct {
        const char *format, *rules;
        bool set_up;
    } cases[] = {{"psq", "19x19:k=6,p=2,q=1", false}, {"psq", "7x6:k=4,gravity", false}, {"psq", "15x15:k=5", true},
                 {"rec", "15x15:k=5", false},         {"c6", "15x15:k=5", false},        {"digits", "15x15:k=5", false},
                 {"offset", "15x15:k=5", true},       {"pos-top", "15x15:k=5", true},    {"csv", "15x15:k=5", false},
                 {"rif", "15x15:k=5", false},         {"c6", "19x19:k=6,p=2,q=1", true}};
    Rng rng = rng_make(22);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        GameRecord record;
        Text text = {0};
        Error error = {0};
        random_record(cases[i].rules, &rng, 6, cases[i].set_up, &record);
        assert_int_equal(formats_write(&record, named(cases[i].format), &text, &error), STATUS_BAD_INPUT);
        assert_true(strlen(error.text) > 10);
        assert_int_equal(text.length, 0);
        record_close(&record);
    }
}

// --- Samples ---

static void test_psq(void **state)
{
    (void)state;
    Collected all;
    // 1-based, origin top left: 1,1 is a20 on 20 rows. The second player of the file began: the names change places.
    assert_int_equal(read_text(NULL,
                               "Piskvorky 20x20, 11:11, 1\r\n1,1,0\r\n20,20,1500\r\n3,1,7\r\nA.zip\r\nB.zip\r\n0\r\n",
                               NULL, &all),
                     STATUS_OK);
    assert_int_equal(all.good, 1);
    assert_record(&all.game[0], "a20 t1 c20");
    assert_rules(&all.game[0], "20x20:k=5");
    assert_string_equal(all.game[0].first, "B.zip");
    assert_string_equal(all.game[0].second, "A.zip");
    assert_int_equal(all.game[0].stones[1].ms, 1500);
    assert_int_equal(all.game[0].result, RESULT_NONE);
    collected_close(&all);

    // Two stones and out of time: the first player, who is to move, loses. A rectangular board, no names, no times.
    assert_int_equal(read_text("psq", "Piskvorky 10x7, 0:0, 0\n1,7\n10,1\n15\n", NULL, &all), STATUS_OK);
    assert_record(&all.game[0], "a1 j7");
    assert_int_equal(all.game[0].result, RESULT_SECOND);
    assert_string_equal(all.game[0].reason, "time");
    assert_int_equal(all.game[0].stones[0].ms, RECORD_MS_UNKNOWN);
    collected_close(&all);
}

static void test_rec(void **state)
{
    (void)state;
    Collected all;
    assert_int_equal(read_text(NULL, "one\ntwo\n0,0,5\n19,19,6\n0\nthree\nfour\n9,0,1\n", NULL, &all), STATUS_OK);
    assert_int_equal(all.good, 2);
    assert_record(&all.game[0], "a20 t1");
    assert_string_equal(all.game[0].second, "two");
    assert_record(&all.game[1], "j20");
    assert_string_equal(all.game[1].first, "three");
    collected_close(&all);
}

static void test_sgf(void **state)
{
    (void)state;
    Collected all;
    // Origin top left; a collection; variations, of which the first is the main line; text around the games.
    const char *text = "from a server\n"
                       "(;GM[4]FF[4]SZ[15]PB[A \\[1\\]]PW[B\\\\]RE[W+T]DT[2020-01-02]EV[Cup]US[me]C[a\\]b]\n"
                       ";B[aa]BL[10];W[ho]\n(;B[bb]\n(;W[ac];B[oo])(;W[ad]))\n(;B[cc](;W[zz]))\n)\n"
                       "(;GM[4]SZ[7:6];B[ga])";
    assert_int_equal(read_text("sgf", text, NULL, &all), STATUS_OK);
    assert_int_equal(all.good, 2);
    assert_record(&all.game[0], "a15 h1 b14 a13 o1");
    assert_string_equal(all.game[0].first, "A [1]");
    assert_string_equal(all.game[0].second, "B\\");
    assert_string_equal(all.game[0].event, "Cup");
    assert_string_equal(all.game[0].date, "2020-01-02");
    assert_string_equal(all.game[0].reason, "time");
    assert_int_equal(all.game[0].result, RESULT_SECOND);
    assert_rules(&all.game[1], "7x6:k=5");
    assert_record(&all.game[1], "g6");

    // What krow has no use for is kept, where it stood.
    Text written = {0};
    assert_int_equal(formats_write(&all.game[0], named("sgf"), &written, NULL), STATUS_OK);
    assert_non_null(strstr(written.data, "US[me]C[a\\]b]"));
    assert_non_null(strstr(written.data, ";B[aa]BL[10];W[ho]"));
    text_close(&written);
    collected_close(&all);
}

static void test_sgf_connect6(void **state)
{
    (void)state;
    Collected all;
    // No KR: a colour that moves twice makes it Connect6.
    assert_int_equal(read_text("sgf", "(;FF[4]GM[4]SZ[19];B[jj];W[ii];W[jk];B[aa];B[ss])", NULL, &all), STATUS_OK);
    assert_rules(&all.game[0], "19x19:k=6,p=2,q=1");
    assert_record(&all.game[0], "j10 i11 j9 a19 s1");
    collected_close(&all);
    // With KR, the rules of the file apply even if others are given.
    assert_int_equal(read_text("sgf", "(;GM[99]SZ[7:6]KR[7x6:k=4,gravity];B[df]KT[12];C[note];W[de])", "gomoku", &all),
                     STATUS_OK);
    assert_rules(&all.game[0], "7x6:k=4,gravity");
    assert_record(&all.game[0], "d1 d2");
    assert_int_equal(all.game[0].stones[0].ms, 12);
    assert_int_equal(all.game[0].stones[1].ms, RECORD_MS_UNKNOWN);
    Text written = {0};
    assert_int_equal(formats_write(&all.game[0], named("sgf"), &written, NULL), STATUS_OK);
    assert_non_null(strstr(written.data, ";B[df]KT[12];C[note];W[de]"));
    text_close(&written);
    collected_close(&all);
}

static void test_sgf_setup(void **state)
{
    (void)state;
    Collected all;
    // A rectangle of three black stones, one white, white moves.
    assert_int_equal(read_text("sgf", "(;GM[4]SZ[15]AB[aa:ca]AW[oo];W[bb];B[cc])", NULL, &all), STATUS_OK);
    assert_record(&all.game[0], "b14 c13");
    assert_non_null(all.game[0].setup);
    assert_int_equal(board_count(all.game[0].setup), 4);
    assert_int_equal(board_stone(all.game[0].setup, cell_at(1, 14)), STONE_FIRST);
    assert_int_equal(board_stone(all.game[0].setup, cell_at(14, 0)), STONE_SECOND);
    assert_int_equal(board_side(all.game[0].setup), SIDE_SECOND);
    collected_close(&all);
    // Latin-1, as FF[4] takes it when CA does not say otherwise.
    assert_int_equal(read_text("sgf", "(;GM[4]SZ[15]PB[Zo\xeb];B[aa])", NULL, &all), STATUS_OK);
    assert_string_equal(all.game[0].first, "Zo\xc3\xab");
    collected_close(&all);
    // The same where CA names nothing that exists; a comment is kept in UTF-8, as the file written says.
    assert_int_equal(read_text("sgf", "(;GM[4]SZ[15]CA[UTF-~]C[\xeb];B[aa])", NULL, &all), STATUS_OK);
    assert_int_equal(record_kept(&all.game[0], 0).length, 5);
    assert_true(utf8_is_valid(record_kept(&all.game[0], 0)));
    collected_close(&all);
}

static void test_openings(void **state)
{
    (void)state;
    Collected all;
    // The centre of 15x15 is h8, column 7 and row 7 from 0; dy goes down.
    assert_int_equal(read_text(NULL, "0,0, 1,-2, -7,7\n# comment\n\n3,3\n", NULL, &all), STATUS_OK);
    assert_int_equal(all.good, 2);
    assert_record(&all.game[0], "h8 i10 a1");
    assert_record(&all.game[1], "k5");
    collected_close(&all);
    // On 20x20 the centre is column 10 and row 10 from the top: k10.
    assert_int_equal(read_text("offset", "0,0", "gomoku20", &all), STATUS_OK);
    assert_record(&all.game[0], "k10");
    collected_close(&all);

    assert_int_equal(read_text("pos-top", "h8g7f6\na1 b2, c3\n", NULL, &all), STATUS_OK);
    assert_record(&all.game[0], "h8 g9 f10");
    assert_record(&all.game[1], "a15 b14 c13");
    collected_close(&all);
    assert_int_equal(read_text("pos-bottom", "H8g7f6\n", NULL, &all), STATUS_OK);
    assert_record(&all.game[0], "h8 g7 f6");
    collected_close(&all);
}

static void test_digits(void **state)
{
    (void)state;
    Collected all;
    assert_int_equal(read_text(NULL, "4453\n1122334 -3\n", NULL, &all), STATUS_OK);
    assert_record(&all.game[0], "d1 d2 e1 c1");
    assert_rules(&all.game[0], "7x6:k=4,gravity");
    assert_int_equal(all.game[1].result, RESULT_FIRST);
    collected_close(&all);
}

static void test_c6(void **state)
{
    (void)state;
    Collected all;
    // The second game in GB2312, with a mark and a place of its own.
    const char *text =
        "{[C6][Team one B][Team two W][][2017.07.29 14:00 Chongqing][2017 CCGC];B(J,10);W(I,11);W(J,9)}\n"
        "{[C6][\xcf\xc8 B][x W][\xba\xf3\xca\xd6\xca\xa4][2020][place][event];B(A,1);W(S,19)MARK[1];W(a, 2)}";
    assert_int_equal(read_text(NULL, text, NULL, &all), STATUS_OK);
    assert_int_equal(all.good, 2);
    assert_record(&all.game[0], "j10 i11 j9");
    assert_rules(&all.game[0], "19x19:k=6,p=2,q=1");
    assert_string_equal(all.game[0].first, "Team one");
    assert_string_equal(all.game[0].event, "2017 CCGC");
    assert_string_equal(all.game[0].date, "2017.07.29 14:00 Chongqing");
    assert_record(&all.game[1], "a1 s19 a2");
    assert_string_equal(all.game[1].first, "\xe5\x85\x88");
    assert_int_equal(all.game[1].result, RESULT_SECOND);
    assert_string_equal(all.game[1].event, "event");
    collected_close(&all);
}

static void test_csv(void **state)
{
    (void)state;
    Collected all;
    const char *text = "game_id,moves,winner,black,white\r\n"
                       "1,\"a1,a19,b19,b1,c1,c19,d19,d1,e1,e19,f19\",white,\"x \"\"y\"\"\",z\r\n"
                       "2,j10 k11 l12,,,\r\n";
    assert_int_equal(read_text(NULL, text, NULL, &all), STATUS_OK);
    assert_int_equal(all.good, 2);
    assert_int_equal(all.game[0].result, RESULT_SECOND);
    assert_string_equal(all.game[0].first, "x \"y\"");
    assert_string_equal(all.game[0].second, "z");
    assert_record(&all.game[1], "j10 k11 l12");
    collected_close(&all);
}

static void test_krow(void **state)
{
    (void)state;
    Collected all;
    const char *text = "# krow game\ngame tictactoe\nfirst a\nsecond b\nstones a1 b2\ntimes 5 -\nevent e f\n"
                       "# krow game\ngame 3x3:k=3\nrow . . .\nrow . X .\nrow . . .\nturn O 1\nstones a1\nresult draw\n"
                       "reason agreed\n\ngame tictactoe\nstones\n";
    assert_int_equal(read_text(NULL, text, NULL, &all), STATUS_OK);
    assert_int_equal(all.good, 3);
    assert_string_equal(all.game[0].event, "e f");
    assert_int_equal(all.game[0].stones[0].ms, 5);
    assert_int_equal(all.game[0].stones[1].ms, RECORD_MS_UNKNOWN);
    assert_non_null(all.game[1].setup);
    assert_int_equal(all.game[1].result, RESULT_DRAW);
    assert_string_equal(all.game[1].reason, "agreed");
    assert_int_equal(all.game[2].count, 0);
    collected_close(&all);
}

static void test_rif(void **state)
{
    (void)state;
    Collected all;
    const char *text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<database>\n<!-- <game> in a comment -->\n"
        "<players><player id=\"10\" name=\"Ann\" surname=\"O&apos;Neil\"/><player id='2' name='B&#233;' "
        "surname=''/></players>\n"
        "<tournaments><tournament id=\"3\" name=\"Cup &amp; more\" year=\"1999\"></tournament></tournaments>\n"
        "<games>\n<game id=\"1\" tournament=\"3\" black=\"10\" white=\"2\" bresult=\"0.5\">\n"
        "<move>h8 i9\n a1</move><info>x</info></game>\n"
        "<game id=\"2\" tournament=\"9\" black=\"77\" white=\"10\" bresult=\"1\"/>\n</games>\n</database>\n";
    assert_int_equal(read_text(NULL, text, NULL, &all), STATUS_OK);
    assert_int_equal(all.good, 2);
    assert_record(&all.game[0], "h8 i9 a1");
    assert_rules(&all.game[0], "15x15:k=5,exact");
    assert_string_equal(all.game[0].first, "Ann O'Neil");
    assert_string_equal(all.game[0].second, "B\xc3\xa9");
    assert_string_equal(all.game[0].event, "Cup & more");
    assert_string_equal(all.game[0].date, "1999");
    assert_int_equal(all.game[0].result, RESULT_DRAW);
    assert_string_equal(all.game[1].first, "77");
    assert_int_equal(all.game[1].result, RESULT_FIRST);
    collected_close(&all);
}

// --- Errors ---

typedef struct {
    const char *format, *text;
    size_t line;      // of the error
    const char *says; // a piece of its text
    size_t good;      // games that are read all the same
} Wrong;

static const Wrong wrongs[] = {
    {"psq", "Piskvorky 20x20, 0:0, 0\n1,1,0\n1,1,0\n", 3, "taken", 0},
    {"psq", "Piskvorky 20x20, 0:0, 0\n0,1,0\n", 2, "outside", 0},
    {"psq", "Piskvorky 20x20, 0:0, 0\n1,99999999999999999999,0\nPiskvorky 9x9, 0:0, 0\n1,1,0\n", 2, "x,y", 1},
    {"psq", "Piskvorky 99x99, 0:0, 0\n1,1,0\n", 1, "99x99", 0},
    {"psq", "Piskvorky x, 0:0, 0\n", 1, "not a board", 0},
    {"psq", "hello\n\nPiskvorky 9x9, 0:0, 0\n1,1,0\n", 1, "must begin with", 1},
    {"psq", "Piskvorky 9x9, 0:0, 0\n1,1,0\na\n2,2,0\n", 4, "after the names", 0},
    {"rec", "a\nb\n1,1,1\n20,1,1\n0\nc\nd\n1,1,1\n", 4, "outside", 1},
    {"rec", "a\n1,1,1\n", 2, "two names", 0},
    {"sgf", "(;GM[4]SZ[15];B[aa]\n;W[aa])(;GM[4]SZ[15];B[aa])", 2, "taken", 1},
    {"sgf", "(;GM[4]SZ[15]KR[15x15:k=5];B[aa]\n;W[bb]\n;W[cc])(;GM[4];B[aa])", 3, "black is to move", 1},
    {"sgf", "(;GM[4]SZ[15]\n;B[aa]\n;W[pa])", 3, "not a point", 0},
    {"sgf", "(;GM[4]SZ[15]\n;W[aa])", 2, "black is to move", 0},
    {"sgf", "(;GM[4]SZ[15]\n;B[])", 2, "pass", 0},
    {"sgf", "(;GM[1]SZ[19]\n;B[aa])", 1, "GM[1]", 0},
    {"sgf", "(;GM[4]\nSZ[0:x]\n;B[aa])", 2, "SZ[0:x]", 0},
    {"sgf", "(;GM[4]\nKR[7x6:k=9]\n;B[aa])", 2, "k is 9", 0},
    {"sgf", "(;GM[4]SZ[15]KR[19x19:k=5];B[aa])", 1, "different boards", 0},
    {"sgf", "(;GM[4]SZ[15]\n;B[aa\n", 2, "not closed", 0},
    {"sgf", "(;GM[4]SZ[15]\n;B[aa]\n", 3, "cut off", 0},
    {"sgf", "(;GM[4]SZ[15];B[aa]\n(;FF[4]GM[4]SZ[15];B[aa])", 2, "cut off", 1},
    {"sgf", "(;GM[4]SZ[15];B[aa]AE[aa])", 1, "AE", 0},
    {"sgf", "(;GM[4]SZ[15]\nAB[aa][aa])", 2, "twice", 0},
    {"sgf", "(;GM[4]SZ[15]KL[9];B[aa])", 1, "stones left", 0},
    {"sgf", "(;GM[4]SZ[9]RE[W+];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])", 1, "on the board", 0},
    {"offset", "0,0\n0,0, 1\n1,1, 99999,1\n2,2\n", 2, "no dy", 2},
    {"offset", "0,0, 0,0\n", 1, "taken", 0},
    {"offset", "8,0\n", 1, "outside", 0},
    {"cells", "h8 i9\nh8, h8\n", 2, "taken", 1},
    {"cells", "h8 i99\n", 1, "i99", 0},
    {"pos-bottom", "h8\nh8h8\nh16\nh8?\ng7\n", 2, "taken", 2},
    {"pos-top", "h99999999999999999999\n", 1, "h9999", 0},
    {"digits", "44\n4444444\n45\n", 2, "full", 2},
    {"digits", "4480\n", 1, "digits", 0},
    {"digits", "44 x\n", 1, "score", 0},
    {"c6", "{[C6][a][b][][][];B(J,10);\nB(J,11)}{[C6][][][][][];B(A,1)}", 2, "white is to move", 1},
    {"c6", "{[C6][a][b][][][];B(J,20)}", 1, "(J,20)", 0},
    {"c6", "{[C6][a][b][][][];B(J,1)", 1, "cut off", 0},
    {"c6", "{[C6][a][b][];B(J,1\n{[C6][][][][][];B(A,1)}", 2, "not closed", 1},
    {"c6", "{[C5][a][b][][][];B(J,1)}", 1, "must begin with", 0},
    {"csv", "a,b\n1,2\n", 1, "moves", 0},
    {"csv", "moves,winner\n\"a1,b1\",black\n\"a1,a1\",\n\"a1\",nobody\n\"a1\n", 3, "taken", 1},
    {"csv", "winner,moves\nblack,\"a1\n", 2, "quote", 0},
    {"csv", "winner,moves\nblack\n", 2, "ends before", 0},
    {"csv", "winner,moves\nblack,z1\n", 2, "outside", 0},
    {"krow", "# krow game\ngame tictactoe\nstones a1 a1\n# krow game\ngame tictactoe\nstones a1\n", 3, "taken", 1},
    {"krow", "game tictactoe\nstones a1\n\ngame tictactoe\nbad x\n", 5, "not one of", 1},
    {"krow", "\ngame tictactoe\nstones a1\ntimes x\n", 4, "milliseconds", 0},
    {"krow", "\n\ngame tictactoe\n", 3, "cut off", 0},
    {"rif", "<games>\n<game><move>h8\nz9</move></game><game><move>h8</move></game></games>", 3, "outside", 1},
    {"rif", "<games>\n<game bresult=\"1>\n<move>h8</move></game><game><move>h8</move></game></games>", 2, "not closed",
     1},
    {"rif", "<games>\n<game><move>h8</move>\n<game><move>h8</move></game></games>", 3, "cut off", 1},
    {"rif", "<games>\n<game black=\"&boo;\"></game><game/></games>", 2, "entity", 1},
    {"rif", "<games>\n<game black=\"&amp\"></game><game/></games>", 2, "entity", 1},
    {"rif", "<game/><!DOCTYPE x [\n<!ENTITY a \"b\">]>\n<game/>", 1, "not supported", 1},
};

static void test_errors_have_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        const Wrong *wrong = &wrongs[i];
        Collected all = {0};
        Error error = {0};
        char prefix[32];
        Status status = read_span(wrong->format, span_of(wrong->text), NULL, &all, &error);
        if (status != STATUS_BAD_INPUT || all.error_line[0] != wrong->line ||
            strstr(all.error_text[0], wrong->says) == NULL || all.good != wrong->good)
            fail_msg("%s, '%s': line %zu, '%s', %zu good", wrong->format, wrong->text, all.error_line[0],
                     all.error_text[0], all.good);
        (void)snprintf(prefix, sizeof prefix, "line %zu: ", wrong->line);
        assert_memory_equal(error.text, prefix, strlen(prefix));
        collected_close(&all);
    }
}

static bool stop_at_once(void *context, const FormatItem *item)
{
    (void)item;
    ++*(int *)context;
    return false;
}

static void test_sink_can_stop(void **state)
{
    (void)state;
    int calls = 0;
    FormatOptions options = {.format = named("offset")};
    assert_int_equal(formats_read(span_of("0,0\n1,1\n2,2\n"), &options, stop_at_once, &calls, NULL), STATUS_OK);
    assert_int_equal(calls, 1);
}

static void test_given_rules_must_fit(void **state)
{
    (void)state;
    Collected all;
    assert_int_equal(read_text("psq", "Piskvorky 20x20, 0:0, 0\n1,1,0\n", "gomoku", &all), STATUS_BAD_INPUT);
    assert_non_null(strstr(all.error_text[0], "15x15"));
    assert_int_equal(read_text("digits", "44\n", "gomoku", &all), STATUS_BAD_INPUT);
    assert_int_equal(read_text("psq", "Piskvorky 15x15, 0:0, 0\n1,1,0\n", "standard", &all), STATUS_OK);
    assert_true(all.game[0].rules.exact);
    collected_close(&all);
}

static void test_guess(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text, *format;
    } cases[] = {{"a/b.sgf", "(;GM[4])", "sgf"},
                 {"x.txt", "{[C6]", "c6"},
                 {"x.PSQ", "Piskvorky 9x9", "psq"},
                 {"x.rec", "a\nb\n1,1,1\n", "rec"},
                 {"x.csv", "moves\na1\n", "csv"},
                 {"x.xml", "<database>", "rif"},
                 {"play.game", "game gomoku", "krow"},
                 {NULL, "\xef\xbb\xbf(;FF[4])", "sgf"},
                 {"x.sgf", "garbage", "sgf"},
                 {"x.sgf", "Piskvorky 9x9, 0:0, 0", "psq"},
                 {"Test_L1", "4453 7\n", "digits"},
                 {"openings.txt", "0,0, 1,1\n", "offset"},
                 {"openings.txt", "# a\nh8\nh8 i9, aa10\n", "cells"}};
    const Format *format = NULL;
    Error error = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(format_guess(cases[i].path, span_of(cases[i].text), &format, &error), STATUS_OK);
        assert_string_equal(format->name, cases[i].format);
    }
    assert_int_equal(format_guess("x.pos", span_of("h8g7"), &format, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "pos-top"));
    assert_int_equal(format_guess("x.pos", span_of("h8\nh8g7\n"), &format, &error), STATUS_BAD_INPUT);
    assert_int_equal(format_guess("x.txt", span_of("h8\ni9\n"), &format, &error), STATUS_BAD_INPUT);
    assert_int_equal(format_guess("x", span_of("what is this"), &format, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "krow, sgf"));
    assert_int_equal(format_guess(NULL, (Span){NULL, 0}, &format, &error), STATUS_BAD_INPUT);
}

// --- Hostile input ---

// All readers with arbitrary text: no crash, and errors have texts.
static void read_by_all(Span text)
{
    for (int i = 0; i < format_count; i++) {
        Collected all = {0};
        Error error = {0};
        if (formats_read(text, &(FormatOptions){.format = &formats[i]}, collect, &all, &error) != STATUS_OK)
            assert_true(error.text[0] != '\0');
        collected_close(&all);
    }
}

static void repeat(Text *text, const char *piece, int times)
{
    for (int i = 0; i < times; i++)
        text_add_span(text, span_of(piece));
}

// Nesting is counted without recursion; the time is linear in the length.
static void test_deep_and_long(void **state)
{
    (void)state;
    static const char *const pieces[] = {"(",
                                         "(;B[aa]",
                                         "\n(;A[",
                                         "[",
                                         "{",
                                         "{[C6]",
                                         "<game>",
                                         "<a",
                                         "<!--",
                                         "&amp;",
                                         "\"",
                                         "1,1\n",
                                         "h8",
                                         "4",
                                         "\\",
                                         "game x\n",
                                         "<player/><game/>",
                                         "()",
                                         "\n",
                                         ",",
                                         "# krow game\nx\n"};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        Text text = {0};
        repeat(&text, pieces[i], 20000);
        read_by_all((Span){text.data, text.length});
        text_close(&text);
    }
    Collected all = {0};
    Error error = {0};
    Text text = {0};
    text_add(&text, "(;GM[4]SZ[15]");
    repeat(&text, "(;C[x]", 200000);
    repeat(&text, ")", 200000);
    text_add(&text, ";B[aa])(;GM[4]SZ[15];B[aa])");
    assert_int_equal(read_span("sgf", (Span){text.data, text.length}, NULL, &all, &error), STATUS_OK);
    assert_int_equal(all.good, 2);
    collected_close(&all);
    text_close(&text);
}

// More stones than any board has cells.
static void test_too_many_stones(void **state)
{
    (void)state;
    Collected all = {0};
    Error error = {0};
    Text text = {0};
    text_add(&text, "(;GM[4]SZ[15]");
    repeat(&text, ";B[aa]", 5000);
    text_add(&text, ")");
    assert_int_equal(read_span("sgf", (Span){text.data, text.length}, NULL, &all, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.text, "4096"));
    collected_close(&all);
    text_close(&text);
}

// Entities that would grow to gigabytes are not expanded: the declaration alone is refused.
static void test_entity_bomb(void **state)
{
    (void)state;
    Collected all;
    assert_int_equal(read_text("rif",
                               "<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;\">]>"
                               "<games><game black=\"&b;\"><move>h8</move></game></games>",
                               NULL, &all),
                     STATUS_BAD_INPUT);
    assert_int_equal(all.good, 0);
    assert_int_equal(all.bad, 1);
    collected_close(&all);
}

// Every sample cut at every place, and with every byte replaced by NUL.
static void test_cut_and_nul(void **state)
{
    (void)state;
    static const char *const samples[] = {
        "Piskvorky 20x20, 0:0, 1\n1,1,0\n2,2,3\na\nb\n15\n",
        "a\nb\n1,1,0\n0\nc\nd\n2,2,2\n",
        "(;FF[4]GM[4]SZ[7:6]KR[7x6:k=4,gravity]PB[a\\]]AB[af]PL[W]KL[1];W[bf]KT[1](;B[cf])(;B[df]))",
        "{[C6][a B][b W][\xba\xf3\xca\xd6\xca\xa4][d][e];B(J,10);W(A,1)MARK[1];W(B,2)}",
        "0,0, -1,2\n",
        "moves,winner,black\n\"a1,b2\",,\"x\"\"y\"\n",
        "# krow game\ngame 3x3:k=3\nrow . . .\nrow . X .\nrow . . .\nturn O 1\nstones a1\ntimes 1\n",
        "<players><player id='1' name='a&#x41;'/></players><game black='1' bresult='0'><move>h8 i9</move></game>"};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        for (size_t cut = 0; cut <= strlen(samples[i]); cut++) {
            // A copy of just that length, so that a read beyond it is seen by the sanitizers.
            char *copy = malloc(cut + 1);
            assert_non_null(copy);
            memcpy(copy, samples[i], cut);
            read_by_all((Span){copy, cut});
            free(copy);
            char *nul = strdup(samples[i]);
            assert_non_null(nul);
            size_t length = strlen(nul);
            if (cut < length)
                nul[cut] = '\0';
            read_by_all((Span){nul, length});
            free(nul);
        }
}

// Texts of a record are valid UTF-8 for any input.
static void test_clean_text(void **state)
{
    (void)state;
    GameRecord record = {0};
    record_set_text(record.first, ((Span){" a\nb\0c\xff\xc3\xa9\xc0\x80 \x01", 13}));
    assert_string_equal(record.first, "a b c\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd");
    char many[1000];
    memset(many, 'x', sizeof many);
    many[254] = (char)0xc3;
    many[255] = (char)0xa9;
    record_set_text(record.second, ((Span){many, sizeof many}));
    assert_int_equal(strlen(record.second), 254); // the character at the edge is left out as a whole
    assert_true(utf8_is_valid(span_of(record.second)));
    record_close(&record);
}

// The check of a record: legality, and the result if the board decides it.
static void test_record_check(void **state)
{
    (void)state;
    GameRecord record = {0};
    Game game;
    Error error = {0};
    unsigned stone = 0;
    assert_int_equal(rules_parse(span_of("tictactoe"), &record.rules, NULL), STATUS_OK);
    static const Cell cells[] = {0, 64, 1, 65, 2};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(record_add(&record, (RecordStone){.cell = cells[i], .ms = 1}, &error), STATUS_OK);
    assert_int_equal(record_check(&record, &game, &stone, &error), STATUS_OK);
    assert_int_equal(record.result, RESULT_FIRST);
    record.result = RESULT_DRAW;
    assert_int_equal(record_check(&record, &game, &stone, &error), STATUS_BAD_INPUT);
    assert_int_equal(stone, 5);
    assert_int_equal(record_add(&record, (RecordStone){.cell = 66}, &error), STATUS_OK);
    assert_int_equal(record_check(&record, &game, &stone, &error), STATUS_BAD_INPUT);
    assert_int_equal(stone, 5); // played after the end
    assert_non_null(strstr(error.text, "stone 6"));
    record_close(&record);
    record_close(&record);
}

TEST_GROUP(formats)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_every_writer_is_tested),
        cmocka_unit_test(test_rules_survive),
        cmocka_unit_test(test_writers_refuse),
        cmocka_unit_test(test_psq),
        cmocka_unit_test(test_rec),
        cmocka_unit_test(test_sgf),
        cmocka_unit_test(test_sgf_connect6),
        cmocka_unit_test(test_sgf_setup),
        cmocka_unit_test(test_openings),
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_c6),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_krow),
        cmocka_unit_test(test_rif),
        cmocka_unit_test(test_errors_have_lines),
        cmocka_unit_test(test_sink_can_stop),
        cmocka_unit_test(test_given_rules_must_fit),
        cmocka_unit_test(test_guess),
        cmocka_unit_test(test_deep_and_long),
        cmocka_unit_test(test_too_many_stones),
        cmocka_unit_test(test_entity_bomb),
        cmocka_unit_test(test_cut_and_nul),
        cmocka_unit_test(test_clean_text),
        cmocka_unit_test(test_record_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
