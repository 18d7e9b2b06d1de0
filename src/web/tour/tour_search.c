// Lenses that search: the conservative defence and what it costs (second paper), forcing sequences (third paper).
#include "web/tour/tour_internal.h"

#include "base/memory.h"
#include "papers/connect5/forcing.h"
#include "papers/kagami/threat_space.h"
#include "threats/threats.h"
#include "view/json_view.h"

#include <math.h>
#include <stdlib.h>

// Limits of a search of the tour: far more than its positions need, and at most some tenths of a second.
static const uint64_t NODES_MAX = 20000;
enum { SEQUENCES_MAX = 150, TABLE_BYTES = 4 << 20 };

// --- The conservative defence ---

static void mark_stones(const Cell *cells, unsigned count, Side side, TourPicture *picture)
{
    for (unsigned i = 0; i < count; i++)
        tour_mark(picture, &(TourMark){"stone", &cells[i], 1, side_name(side), NULL, i + 1, false});
}

static void describe_defence(const ThreatAnswers *answers, const Cell *cells, unsigned count, const Rules *rules,
                             Side defender, TourPicture *picture)
{
    Text all = {0}, one = {0};
    view_add_cells(&all, cells, count, " ");
    view_add_cells(&one, answers->cells, answers->count > 0 ? answers->size : 0, " ");
    for (unsigned i = 0; i < count; i++) {
        bool is_shown = false;
        for (unsigned j = 0; answers->count > 0 && j < answers->size; j++)
            is_shown = is_shown || answers->cells[j] == cells[i];
        tour_mark(picture, &(TourMark){"answer", &cells[i], 1, side_name(defender), NULL, NAN, !is_shown});
    }
    tour_fact(picture, "Stones of a turn", json_integer(rules->p), "%s", "");
    tour_fact(picture, "Stones needed", json_integer(answers->exact.count), "%s%s", answers->count > 0 ? one.data : "",
              answers->count > 1 ? " or others" : "");
    tour_fact(picture, "Answers", json_integer(answers->count), "ways to stop everything");
    tour_fact(picture, "Conservative defence", json_integer(count), "%s", all.data != NULL ? all.data : "");
    if (answers->exact.count > rules->p)
        text_add(&picture->caption, "No turn of %s stops this.", web_side_name(rules, defender));
    else if (answers->exact.count == 0)
        text_add(&picture->caption, "Nothing threatens, so nothing has to be answered.");
    else
        text_add(&picture->caption, "%s needs %u stone%s; the conservative defence puts %u.",
                 web_side_name(rules, defender), answers->exact.count, view_plural(answers->exact.count), count);
    text_close(&all);
    text_close(&one);
}

static bool read_turn(const TourPicture *picture, CellSet *turn)
{
    const Board *board = picture->board;
    Cell cells[WINDOW_TALLY_P_MAX];
    unsigned count = tour_cells(picture->task->asked, &board->rules, cells, WINDOW_TALLY_P_MAX);
    *turn = cell_set_none;
    bool good = count > 0 && count <= board_stones_left(board);
    for (unsigned i = 0; i < count && good; i++) {
        good = board_is_legal(board, cells[i]);
        *turn = cell_set_with(turn, cells[i]);
    }
    return good;
}

static Status look_at_defence(TourPicture *picture)
{
    const Board *board = picture->board;
    Side side = board_side(board);
    CellSet turn;
    if (!read_turn(picture, &turn)) {
        text_add(&picture->caption, "The turn %.*s cannot be played here.", SPAN_PRINT(picture->task->asked));
        return STATUS_OK;
    }
    ThreatSpace *search = NULL;
    Status status = threat_space_open(&search, &board->rules, picture->error);
    if (status != STATUS_OK)
        return status;
    Cell cells[THREAT_SPACE_DEFENCE_MAX];
    unsigned count = threat_space_defence(search, board, &turn, cells);
    Board after = *board;
    for (unsigned i = 0; i < cell_set_count(&turn); i++)
        (void)board_play(&after, turn.cell[i]);
    mark_stones(turn.cell, cell_set_count(&turn), side, picture);
    if (board_winner(&after) == WINNER_NONE) {
        ThreatAnswers answers = {0};
        Window windows[WINDOWS_MAX];
        tour_mark_windows(picture, &after, side, windows, threats_windows(&after, side, windows));
        threats_answers(&after, side, &answers);
        describe_defence(&answers, cells, count, &board->rules, side_other(side), picture);
        threats_answers_close(&answers);
    } else {
        text_add(&picture->caption, "The turn completes a row.");
    }
    threat_space_close(search);
    return status;
}

const TourLens tour_lens_defence = {"defence", false, look_at_defence};

// --- Wins against it ---

// Puts the whole conservative defence on the board, and gives the turn back to the attacker.
static bool defend(Board *board, const Cell *cells, unsigned count, Side attacker)
{
    for (unsigned i = 0; i < count; i++)
        board_put(board, cells[i], side_other(attacker));
    (void)board_set_turn(board, attacker, board->rules.p);
    return !board_is_over(board);
}

// The one path there is: each turn of the attacker, and all defences to it at once.
static void play_path(ThreatSpace *search, const Board *board, DoubleThreatResult result, TourPicture *picture)
{
    Board now = *board;
    Side attacker = board_side(board);
    Limits limits = {.nodes = NODES_MAX};
    for (unsigned level = 0; level < DOUBLE_THREAT_TURNS_MAX && result.verdict == DOUBLE_THREAT_WON; level++) {
        Cell cells[THREAT_SPACE_DEFENCE_MAX];
        unsigned stones = cell_set_count(&result.turn);
        unsigned count = threat_space_defence(search, &now, &result.turn, cells);
        for (unsigned i = 0; i < stones && !board_is_over(&now); i++)
            (void)board_play(&now, result.turn.cell[i]);
        if (level == 0)
            mark_stones(result.turn.cell, stones, attacker, picture);
        if (board_winner(&now) != WINNER_NONE) {
            tour_play(picture, result.turn.cell, stones, attacker, "%s completes a row.",
                      web_side_name(&now.rules, attacker));
            return;
        }
        unsigned threats = threats_exact(&now, attacker).count;
        tour_play(picture, result.turn.cell, stones, attacker, "%s makes %u threats%s.",
                  web_side_name(&now.rules, attacker), threats, threats > now.rules.p ? ": too many to stop" : "");
        if (threats > now.rules.p)
            return;
        tour_play(picture, cells, count, side_other(attacker), "%s answers with all %u stones at once.",
                  web_side_name(&now.rules, side_other(attacker)), count);
        if (!defend(&now, cells, count, attacker))
            return;
        threat_space_run(search, &now, &limits, &result);
    }
}

static void describe_result(const char *label, const DoubleThreatResult *result, TourPicture *picture)
{
    static const char *const verdicts[] = {"wins", "no win", "not decided"};
    Text words = {0};
    if (result->verdict == DOUBLE_THREAT_WON)
        text_add(&words, "in %u turns, beginning with ", result->turns);
    if (result->verdict == DOUBLE_THREAT_WON)
        view_add_cells(&words, result->turn.cell, cell_set_count(&result->turn), " ");
    else
        text_add(&words, "%llu positions", (unsigned long long)result->nodes);
    tour_fact(picture, label, json_string(verdicts[result->verdict]), "%s", words.data != NULL ? words.data : "");
    text_close(&words);
}

static void describe_space(const Rules *rules, Side side, const DoubleThreatResult *all, const DoubleThreatResult *each,
                           TourPicture *picture)
{
    const char *name = web_side_name(rules, side);
    describe_result("All defences at once", all, picture);
    describe_result("Every defence by itself", each, picture);
    if (all->verdict == DOUBLE_THREAT_WON && each->verdict != DOUBLE_THREAT_WON)
        text_add(&picture->caption, "A win of %s is claimed that looking at every defence does not confirm.", name);
    else if (all->verdict == DOUBLE_THREAT_WON)
        text_add(&picture->caption, "%s wins in %u turns even against all defences at once.", name, all->turns);
    else if (each->verdict == DOUBLE_THREAT_WON)
        text_add(&picture->caption,
                 "%s wins in %u turns against every real defence. Against all of them at once no win is found.", name,
                 each->turns);
    else
        text_add(&picture->caption, "%s has no win by threats here.", name);
}

static Status look_at_space(TourPicture *picture)
{
    const Board *board = picture->board;
    ThreatSpace *conservative = NULL;
    DoubleThreat *exact = NULL;
    Limits limits = {.nodes = NODES_MAX};
    DoubleThreatResult all = {0}, each = {0};
    Status status = threat_space_open(&conservative, &board->rules, picture->error);
    if (status == STATUS_OK)
        status = double_threat_open(&exact, &board->rules, TABLE_BYTES, picture->error);
    if (status == STATUS_OK) {
        threat_space_run(conservative, board, &limits, &all);
        double_threat_run(exact, board, &limits, &each);
        if (all.verdict == DOUBLE_THREAT_WON)
            play_path(conservative, board, all, picture);
        else if (each.verdict == DOUBLE_THREAT_WON)
            mark_stones(each.turn.cell, cell_set_count(&each.turn), board_side(board), picture);
        describe_space(&board->rules, board_side(board), &all, &each, picture);
    }
    threat_space_close(conservative);
    double_threat_close(exact);
    return status;
}

const TourLens tour_lens_space = {"space", false, look_at_space};

// --- Forcing sequences ---

// Cells get letters in order of appearance, as in the paper's sequences.
typedef struct {
    unsigned count;
    Cell cells[RULES_CELLS_MAX];
} Letters;

static const char *letter_of(Letters *letters, Cell cell, char label[TOUR_LABEL_SIZE])
{
    unsigned place = 0;
    while (place < letters->count && letters->cells[place] != cell)
        place++;
    if (place == letters->count)
        letters->cells[letters->count++] = cell;
    tour_label(place, SIDE_FIRST, label);
    return label;
}

// "(BC, AD)": the moves, and the answers to them.
static void add_sequence(Letters *letters, const ForcingStep *steps, unsigned length, Text *text)
{
    char label[TOUR_LABEL_SIZE];
    text_add(text, "%s(", text->length > 0 ? " " : "");
    for (unsigned i = 0; i < length; i++)
        text_add(text, "%s", letter_of(letters, steps[i].move, label));
    text_add(text, ", ");
    for (unsigned i = 0; i < length; i++)
        text_add(text, "%s", letter_of(letters, steps[i].answer, label));
    text_add(text, ")");
}

// One fact for each length there is.
static void list_sequences(const Forcing *search, const ForcingResult *result, unsigned longest, Letters *letters,
                           TourPicture *picture)
{
    enum { LISTED_MOST = 12 };
    for (unsigned length = 1; length <= longest; length++) {
        Text text = {0};
        unsigned count = 0;
        for (unsigned i = 0; i < result->sequences; i++) {
            unsigned moves = 0;
            const ForcingStep *steps = forcing_sequence(search, i, &moves);
            if (moves == length && count++ < LISTED_MOST)
                add_sequence(letters, steps, moves, &text);
        }
        if (count > LISTED_MOST)
            text_add(&text, " …");
        char label[32] = "Forcing moves";
        if (length > 1)
            (void)snprintf(label, sizeof label, "Sequences of %u", length);
        if (count > 0)
            tour_fact(picture, label, json_integer(count), "%s", text.data);
        text_close(&text);
    }
}

static Cell completing_cell(const Board *board)
{
    Board now = *board;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&now, cells);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(&now, cells[i]);
        bool won = board_winner(&now) != WINNER_NONE;
        board_undo(&now, cells[i], before);
        if (won)
            return cells[i];
    }
    return CELL_NONE;
}

static void play_win(const Board *board, const ForcingStep *steps, unsigned length, TourPicture *picture)
{
    Board now = *board;
    Side side = board_side(board);
    const char *name = web_side_name(&board->rules, side), *other = web_side_name(&board->rules, side_other(side));
    for (unsigned i = 0; i < length; i++) {
        bool is_last = i + 1 == length;
        (void)board_play(&now, steps[i].move);
        tour_play(picture, &steps[i].move, 1, side, is_last ? "%s threatens twice." : "%s threatens.", name);
        tour_play(picture, &steps[i].answer, 1, side_other(side),
                  is_last ? "%s stops one of them." : "%s has to answer.", other);
        (void)board_play(&now, steps[i].answer);
    }
    Cell last = completing_cell(&now);
    if (last != CELL_NONE)
        tour_play(picture, &last, 1, side, "%s completes a row.", name);
}

static void describe_win(const Forcing *search, const Board *board, const ForcingResult *result, Letters *letters,
                         TourPicture *picture)
{
    const char *name = web_side_name(&board->rules, board_side(board));
    if (!result->won) {
        tour_fact(picture, "Win", json_string("none found"), "%s", "");
        text_add(&picture->caption, "%s finds no win among %u sequences.", name, result->sequences);
        return;
    }
    unsigned length = 0;
    const ForcingStep *steps = forcing_sequence(search, result->sequences, &length);
    if (length == 0) {
        tour_fact(picture, "Win", json_integer(1), "stone");
        tour_play(picture, &result->move, 1, board_side(board), "%s completes a row.", name);
        text_add(&picture->caption, "%s has a threat already and completes it.", name);
        return;
    }
    Text text = {0};
    add_sequence(letters, steps, length, &text);
    tour_fact(picture, "Win", json_string(text.data != NULL ? text.data : ""), "%u stones to the row", result->stones);
    text_add(&picture->caption, "%s wins by %u forcing move%s: the last one makes two threats.", name, length,
             view_plural(length));
    play_win(board, steps, length, picture);
    text_close(&text);
}

static Status look_at_forcing(TourPicture *picture)
{
    const Board *board = picture->board;
    unsigned longest = picture->task->option > 0 ? picture->task->option : FORCING_STEPS_MAX;
    Letters *letters = memory_new(1, sizeof *letters);
    Forcing *search = forcing_open(&board->rules, SEQUENCES_MAX);
    ForcingResult result;
    forcing_run(search, board, SEQUENCES_MAX, &result);
    list_sequences(search, &result, longest, letters, picture);
    if (picture->task->option == 0)
        describe_win(search, board, &result, letters, picture);
    else
        text_add(&picture->caption, "%s has %u cell%s to force with.", web_side_name(&board->rules, board_side(board)),
                 letters->count, view_plural(letters->count));
    for (unsigned i = 0; i < letters->count; i++) {
        char label[TOUR_LABEL_SIZE];
        tour_label(i, SIDE_FIRST, label);
        tour_mark(picture, &(TourMark){"cell", &letters->cells[i], 1, NULL, label, NAN, false});
    }
    forcing_close(search);
    free(letters);
    return STATUS_OK;
}

const TourLens tour_lens_forcing = {"forcing", false, look_at_forcing};
