// krow puzzles: the group of commands for puzzles, with list, verify and proof.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "lab/puzzles/puzzle_check.h"
#include "lab/puzzles/puzzle_history.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    CommandLine line;
    const char *output, *difficulty; // NULL: not given
    unsigned number;                 // 0: all
    Budget budget;
} PuzzlesArgs;

// --- list ---

// Attempts of some levels that solved it, in percent; -1: none tried.
static int percent_of_level(const Puzzle *puzzle, unsigned level)
{
    const PuzzleLevel *result = &puzzle->levels[level - 1];
    bool is_known = level <= puzzle->level_count && result->tried > 0;
    return is_known ? (int)(100u * result->solved / result->tried) : -1;
}

static const char *state_name(const PuzzleState *state)
{
    return state->was_first ? "solved" : state->is_solved ? "solved later" : state->is_tried ? "tried" : "";
}

static json_t *levels_json(const Puzzle *puzzle)
{
    json_t *levels = json_array();
    for (unsigned i = 0; i < puzzle->level_count; i++)
        (void)json_array_append_new(levels, json_pack("{s:i, s:i}", "solved", (int)puzzle->levels[i].solved, "tried",
                                                      (int)puzzle->levels[i].tried));
    return levels;
}

static json_t *puzzle_json(const Puzzles *puzzles, const Puzzle *puzzle, const PuzzleState *state)
{
    return json_pack("{s:i, s:s, s:s, s:i, s:i, s:f, s:f, s:s, s:o, s:b, s:b}", "number", (int)puzzle->number, "start",
                     puzzle->start, "goal", puzzle_goal_name(puzzle->goal), "turns", (int)puzzle->turns, "tempting",
                     (int)puzzle->tempting, "rating", state->rating.rating, "rating_error", state->rating.error,
                     "difficulty", puzzle_difficulty_name(puzzle_difficulty(puzzles, puzzle)), "levels",
                     levels_json(puzzle), "tried", state->is_tried, "solved", state->is_solved);
}

static void print_level(const Puzzle *puzzle, unsigned level)
{
    int percent = percent_of_level(puzzle, level);
    if (percent < 0)
        (void)printf(" %7s", "-");
    else
        (void)printf(" %6d%%", percent);
}

static void print_puzzle(const Puzzles *puzzles, const Puzzle *puzzle, const PuzzleState *state)
{
    char turns[16] = "-";
    if (puzzle->turns > 0)
        (void)snprintf(turns, sizeof turns, "%u", puzzle->turns);
    (void)printf("%6u  %-4s %5s %8u %6.0f ±%-4.0f %-8s", puzzle->number, puzzle_goal_name(puzzle->goal), turns,
                 puzzle->tempting, state->rating.rating, state->rating.error,
                 puzzle_difficulty_name(puzzle_difficulty(puzzles, puzzle)));
    print_level(puzzle, 3);
    print_level(puzzle, PUZZLE_LEVELS_MAX);
    (void)printf("  %s\n", state_name(state));
}

static json_t *history_json(const Puzzles *puzzles, const PuzzleHistory *history)
{
    return json_pack("{s:o, s:i, s:i, s:i, s:f, s:f}", "game", view_rules(&puzzles->rules), "puzzles",
                     (int)puzzles->count, "tried", (int)history->tried, "solved", (int)history->solved, "rating",
                     history->person.rating, "rating_error", history->person.error);
}

static bool is_listed(const PuzzlesArgs *args, const Puzzles *puzzles, const Puzzle *puzzle, PuzzleDifficulty wanted)
{
    return (args->number == 0 || puzzle->number == args->number) &&
           (wanted == PUZZLE_ANY || puzzle_difficulty(puzzles, puzzle) == wanted);
}

static Status list_game(const PuzzlesArgs *args, const Puzzles *puzzles, const PuzzleHistory *history,
                        PuzzleDifficulty wanted, Error *error)
{
    json_t *list = args->line.json ? json_array() : NULL;
    if (!args->line.json)
        (void)printf("%6s  %-4s %5s %8s %12s %-8s %7s %7s\n", "number", "goal", "turns", "tempting", "rating", "third",
                     "level 3", "level10");
    for (unsigned i = 0; i < puzzles->count; i++) {
        const Puzzle *puzzle = &puzzles->list[i];
        if (!is_listed(args, puzzles, puzzle, wanted))
            continue;
        if (args->line.json)
            (void)json_array_append_new(list, puzzle_json(puzzles, puzzle, &history->states[i]));
        else
            print_puzzle(puzzles, puzzle, &history->states[i]);
    }
    if (!args->line.json)
        return STATUS_OK;
    json_t *object = history_json(puzzles, history);
    (void)json_object_set_new(object, "list", list);
    return output_json(object, error);
}

static void print_history(const Puzzles *puzzles, const PuzzleHistory *history)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&puzzles->rules, game);
    (void)printf("%-24s %7u %7u %7u %7.0f ±%.0f\n", game, puzzles->count, history->tried, history->solved,
                 history->person.rating, history->person.error);
}

// The games that have puzzles, with the results of the user.
static Status list_games(const PuzzlesArgs *args, Error *error)
{
    Rules *games = NULL;
    unsigned count = 0;
    Status status = puzzle_library_games(&games, &count, error);
    json_t *list = args->line.json ? json_array() : NULL;
    if (!args->line.json)
        (void)printf("%-24s %7s %7s %7s %7s\n", "game", "puzzles", "tried", "solved", "rating");
    for (unsigned i = 0; status == STATUS_OK && i < count; i++) {
        Puzzles puzzles = {0};
        PuzzleHistory history = {0};
        status = puzzle_library_read(&games[i], &puzzles, error);
        if (status == STATUS_OK)
            status = puzzle_history_read(&puzzles, &history, error);
        if (status == STATUS_OK && args->line.json)
            (void)json_array_append_new(list, history_json(&puzzles, &history));
        else if (status == STATUS_OK)
            print_history(&puzzles, &history);
        puzzle_history_close(&history);
        puzzles_close(&puzzles);
    }
    free(games);
    if (status == STATUS_OK && args->line.json)
        return output_json(json_pack("{s:o}", "games", list), error);
    json_decref(list);
    return status;
}

static Status run_list(const void *options, Error *error)
{
    const PuzzlesArgs *args = options;
    Rules rules;
    Puzzles puzzles = {0};
    PuzzleHistory history = {0};
    PuzzleDifficulty wanted = PUZZLE_ANY;
    if (args->difficulty != NULL && !puzzle_difficulty_find(span_of(args->difficulty), &wanted))
        return error_set(error, STATUS_BAD_INPUT, "--difficulty: '%s' is not easy, medium, hard or any",
                         args->difficulty);
    if (args->line.word_count == 0)
        return list_games(args, error);
    Status status = rules_parse(span_of(args->line.words[0]), &rules, error);
    if (status == STATUS_OK)
        status = puzzle_library_read(&rules, &puzzles, error);
    if (status == STATUS_OK)
        status = puzzle_history_read(&puzzles, &history, error);
    if (status == STATUS_OK && puzzles.count == 0 && !args->line.json)
        (void)printf("There are no puzzles of this game; 'krow puzzles make %s' makes some.\n", args->line.words[0]);
    else if (status == STATUS_OK)
        status = list_game(args, &puzzles, &history, wanted, error);
    puzzle_history_close(&history);
    puzzles_close(&puzzles);
    return status;
}

// --- proof ---

// A puzzle by its number, or an error.
static Status find(const Puzzles *puzzles, unsigned number, const Puzzle **puzzle, Error *error)
{
    *puzzle = puzzles_find(puzzles, number);
    return *puzzle != NULL ? STATUS_OK
                           : error_set(error, STATUS_BAD_INPUT,
                                       "there is no puzzle %u of this game; 'krow puzzles "
                                       "list GAME' lists them",
                                       number);
}

static Status run_proof(const void *options, Error *error)
{
    const PuzzlesArgs *args = options;
    Rules rules;
    Puzzles puzzles = {0};
    const Puzzle *puzzle = NULL;
    int64_t number = 0;
    Status status = rules_parse(span_of(args->line.words[0]), &rules, error);
    if (status == STATUS_OK && !span_to_int(span_of(args->line.words[1]), 1, PUZZLES_MAX, &number))
        status = error_set(error, STATUS_BAD_INPUT, "'%s' is not the number of a puzzle", args->line.words[1]);
    if (status == STATUS_OK)
        status = puzzle_library_read(&rules, &puzzles, error);
    if (status == STATUS_OK)
        status = find(&puzzles, (unsigned)number, &puzzle, error);
    if (status == STATUS_OK && puzzle->proof_length == 0)
        status = error_set(error, STATUS_FAILED, "puzzle %u has no proof", puzzle->number);
    if (status == STATUS_OK) {
        Text file = {.data = puzzle->proof, .length = puzzle->proof_length};
        status = output_write(&file, args->output, error);
    }
    puzzles_close(&puzzles);
    return status;
}

// --- The commands ---

static const CliOption list_options[] = {
    CLI_OPTION(PuzzlesArgs, difficulty, "difficulty", CLI_TEXT, "THIRD",
               "List only easy, medium or hard puzzles: thirds of the collection by rating"),
    CLI_OPTION(PuzzlesArgs, number, "number", CLI_WHOLE, "N", "List only puzzle N", .min = 1, .max = PUZZLES_MAX),
    OPTION_JSON,
    CLI_END(PuzzlesArgs),
};

static const CliOption proof_options[] = {OPTION_OUTPUT(PuzzlesArgs), CLI_END(PuzzlesArgs)};

static const Command command_puzzles_list = {
    .name = "list",
    .words = "[GAME]",
    .summary = "List puzzles, with ratings and your results",
    .about = "Without GAME, lists the games that have puzzles. 'tempting' counts cells that look at least as good as "
             "the solution; the last columns show how often the levels 3 and 10 solve the puzzle.",
    .options = list_options,
    .run = run_list,
};

static const Command command_puzzles_proof = {
    .name = "proof",
    .words = "GAME NUMBER",
    .summary = "Write the proof of a puzzle, for krow verify",
    .about =
        "The proof shows that the solution wins, or does not lose, from the position after it.\n\nExample:\n  krow "
        "puzzles proof gomoku 1 -o one.proof && krow verify one.proof",
    .options = proof_options,
    .run = run_proof,
};

static const Command *const parts[] = {
    &command_puzzles_solve,  //
    &command_puzzles_list,   //
    &command_puzzles_make,   //
    &command_puzzles_verify, //
    &command_puzzles_proof,  //
    NULL,
};

const Command command_puzzles = {
    .name = "puzzles",
    .words = "COMMAND",
    .summary = "Puzzles: solve, list, make, verify",
    .about =
        "A puzzle is a position in which exactly one turn wins, or exactly one does not lose. krow has 200 puzzles "
        "each for gomoku, connect6 and connect4, and makes puzzles for other games.",
    .parts = parts,
};
