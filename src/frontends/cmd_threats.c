// krow threats: the threats of both sides, counted three ways.
#include "analysis/threats.h"
#include "frontends/commands.h"
#include "frontends/draw.h"
#include "frontends/output.h"
#include "rules/notation.h"

#include <limits.h>
#include <stdlib.h>

// Everything about the threats of one side.
typedef struct {
    const Board *board;
    Side side;
    unsigned sliding, marked, window_count;
    Window *windows; // owned
    ThreatAnswers answers;
    ExactThreats in_play;
} Threats;

static Status find(const Board *board, Side side, Threats *threats, Error *error)
{
    *threats = (Threats){.board = board, .side = side};
    threats->windows = malloc(WINDOWS_MAX * sizeof threats->windows[0]);
    if (threats->windows == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for windows");
    threats->window_count = threats_windows(board, side, threats->windows);
    threats->sliding = threats_sliding(board, side);
    threats->marked = threats_marked(board, side);
    threats->in_play = threats_in_play(board, side);
    return threats_answers(board, side, &threats->answers, error);
}

static void forget(Threats *threats)
{
    free(threats->windows);
    threats_answers_close(&threats->answers);
}

// --- JSON ---

static json_t *to_json(const Threats *threats)
{
    const ThreatAnswers *answers = &threats->answers;
    json_t *windows = json_array(), *sets = json_array();
    for (unsigned i = 0; i < threats->window_count; i++) {
        Cell cells[RULES_SIDE_MAX];
        Window window = threats->windows[i];
        unsigned count = window_cells(threats->board, window.line, window_bits(threats->board, window), cells);
        (void)json_array_append_new(windows, output_cells(cells, count));
    }
    for (unsigned i = 0; i < answers->count; i++)
        (void)json_array_append_new(sets, output_cells(answers->cells + (size_t)i * answers->size, answers->size));
    return json_pack("{s:i, s:i, s:i, s:b, s:i, s:b, s:o, s:o, s:b}", "sliding", (int)threats->sliding, "marked",
                     (int)threats->marked, "exact", (int)answers->exact.count, "uncertain", answers->exact.is_uncertain,
                     "in_play", (int)threats->in_play.count, "in_play_uncertain", threats->in_play.is_uncertain,
                     "windows", windows, "answers", sets, "truncated", answers->is_truncated);
}

// --- For people ---

static void print_cells(const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        (void)printf(" %s", name);
    }
    (void)printf("\n");
}

static const char *count_words(const Board *board, ExactThreats exact, char words[64])
{
    if (exact.count > board->rules.p)
        (void)snprintf(words, 64, "more than %u", (unsigned)board->rules.p);
    else
        (void)snprintf(words, 64, "%s%u", exact.is_uncertain ? "at least " : "", exact.count);
    return words;
}

static void print_answers(const Threats *threats)
{
    const ThreatAnswers *answers = &threats->answers;
    const char *other = side_name(side_other(threats->side));
    char words[64];
    if (answers->exact.count > threats->board->rules.p)
        (void)printf("  no turn of %s stops them all\n", other);
    else if (answers->count > 0)
        (void)printf("  %s stops them all with%s\n", other, answers->count > 1 ? " one of" : "");
    for (unsigned i = 0; i < answers->count; i++) {
        (void)printf("   ");
        print_cells(answers->cells + (size_t)i * answers->size, answers->size);
    }
    if (answers->is_truncated)
        (void)printf("    and more\n");
    if (threats->board->rules.gravity &&
        (threats->in_play.count != answers->exact.count || threats->in_play.is_uncertain))
        (void)printf("  as stones fall it takes %s: cells below must be filled, and a stone may open the cell above\n",
                     count_words(threats->board, threats->in_play, words));
}

static void print(const Threats *threats)
{
    char words[64];
    (void)printf("%s (%c): sliding %u, marked %u, exact %s\n", side_name(threats->side), side_letter(threats->side),
                 threats->sliding, threats->marked, count_words(threats->board, threats->answers.exact, words));
    if (threats->window_count > 0)
        (void)printf("  windows it could complete in a turn\n");
    for (unsigned i = 0; i < threats->window_count; i++) {
        Cell cells[RULES_SIDE_MAX];
        Window window = threats->windows[i];
        (void)printf("   ");
        print_cells(cells, window_cells(threats->board, window.line, window_bits(threats->board, window), cells));
    }
    if (threats->window_count > 0)
        print_answers(threats);
}

static Status report(const Args *args, const Game *game, const Threats threats[2], Error *error)
{
    if (args->json) {
        json_t *object = output_position(game);
        (void)json_object_set_new(object, "first", to_json(&threats[SIDE_FIRST]));
        (void)json_object_set_new(object, "second", to_json(&threats[SIDE_SECOND]));
        return output_json(object, error);
    }
    draw_board(game, draw_style(), stdout);
    draw_state(game, stdout);
    print(&threats[SIDE_FIRST]);
    print(&threats[SIDE_SECOND]);
    return STATUS_OK;
}

static Status run(const Args *args, Error *error)
{
    Game game;
    Threats threats[2] = {0};
    Status status = args_position(args, &game, error);
    for (int side = 0; side < 2 && status == STATUS_OK; side++)
        status = find(&game.board, (Side)side, &threats[side], error);
    if (status == STATUS_OK)
        status = report(args, &game, threats, error);
    forget(&threats[SIDE_FIRST]);
    forget(&threats[SIDE_SECOND]);
    return status;
}

static const struct argp_option options[] = {OPTION_BOARD, OPTION_JSON, {0}};

const Command command_threats = {
    .name = "threats",
    .words = "GAME [MOVES...]",
    .summary = "Count the threats of both sides",
    .about =
        "A threat is a window of k cells that a side could complete in its next turn. Counted are the stones the other "
        "side needs to stop them all: sliding (Wu and Huang), marked (Levin et al., section 2.2) and exact, with all "
        "smallest answers.\n\nExamples:\n  krow threats gomoku 'h8 a1 h9 a3 h10'\n  krow threats connect6 --board -",
    .options = options,
    .min_words = 1,
    .max_words = INT_MAX,
    .run = run,
};
