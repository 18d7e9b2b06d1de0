// krow puzzles verify: the proofs of puzzles, and a search for second solutions.
#include "base/file.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "game/notation.h"
#include "lab/puzzles/puzzle_check.h"
#include "lab/puzzles/puzzle_grade.h"
#include "lab/puzzles/puzzle_library.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    CommandLine line;
    const char *agent; // NULL: none
    unsigned number;   // 0: all
    bool grades;
    uint64_t nodes; // of the search for the opponent's win
    double seconds; // of the agent
} VerifyArgs;

// Results so far.
typedef struct {
    unsigned puzzles, proved, unique, solved; // solved: by the agent
    uint64_t answers, lost;
    unsigned level_count, same; // same: grades as stored
    unsigned level_solved[PUZZLE_LEVELS_MAX], level_tried[PUZZLE_LEVELS_MAX];
    json_t *failures, *unsolved; // NULL without --json
} VerifyTally;

typedef struct {
    const VerifyArgs *args;
    const atomic_bool *stop;
    PuzzleJudge *judge;
    Agent agent; // zeroed: none
    PuzzleGrader grader;
    VerifyTally tally;
    Progress progress;
} Verifying;

// Names a puzzle in a list of the JSON object, or prints it.
static void note(json_t *list, const Puzzles *puzzles, const Puzzle *puzzle, const char *words)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&puzzles->rules, game);
    if (list != NULL)
        (void)json_array_append_new(
            list, json_pack("{s:s, s:i, s:s}", "game", game, "number", (int)puzzle->number, "error", words));
    else
        (void)printf("%s, puzzle %u: %s\n", game, puzzle->number, words);
}

static void ask_agent(Verifying *verifying, const Puzzles *puzzles, const Puzzle *puzzle, const Game *game)
{
    Rng rng = rng_make(puzzle->number);
    AgentTask task = {.rng = &rng, .stop = verifying->stop, .budget = {.seconds = verifying->args->seconds}};
    Decision decision;
    Text words = {0};
    agent_new_game(&verifying->agent);
    agent_decide(&verifying->agent, game, &task, &decision);
    bool is_whole = decision.fault == FAULT_NONE && decision.count <= PUZZLE_STONES_MAX;
    PuzzleTurn turn = puzzle_turn_of(decision.stones, is_whole ? decision.count : 0);
    if (puzzle_turns_equal(&turn, &puzzle->solution)) {
        verifying->tally.solved++;
        return;
    }
    text_add(&words, "%s plays", verifying->args->agent);
    for (unsigned i = 0; i < turn.count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(turn.cells[i], name);
        text_add(&words, " %s", name);
    }
    note(verifying->tally.unsolved, puzzles, puzzle, turn.count > 0 ? words.data : "the agent has no turn");
    text_close(&words);
}

static bool same_grades(const Puzzle *a, const Puzzle *b)
{
    bool same = a->tempting == b->tempting && a->level_count == b->level_count;
    for (unsigned i = 0; i < a->level_count && same; i++)
        same = a->levels[i].solved == b->levels[i].solved && a->levels[i].tried == b->levels[i].tried;
    return same;
}

// Lets the levels of play attempt a puzzle again.
static void grade(Verifying *verifying, const Puzzles *puzzles, const Puzzle *puzzle, const Game *game)
{
    Puzzle again = *puzzle;
    VerifyTally *tally = &verifying->tally;
    puzzle_grade(&verifying->grader, game, &again, verifying->stop);
    tally->same += same_grades(puzzle, &again);
    if (!same_grades(puzzle, &again))
        note(tally->failures, puzzles, puzzle, "the grades are not those of the file");
    tally->level_count = again.level_count > tally->level_count ? again.level_count : tally->level_count;
    for (unsigned i = 0; i < again.level_count; i++) {
        tally->level_solved[i] += again.levels[i].solved;
        tally->level_tried[i] += again.levels[i].tried;
    }
}

static Status check(Verifying *verifying, const Puzzles *puzzles, const Puzzle *puzzle, Error *error)
{
    const VerifyArgs *args = verifying->args;
    VerifyTally *tally = &verifying->tally;
    PuzzleEffort effort = {.nodes = args->nodes > 0 ? args->nodes : PUZZLE_CHECK_NODES, .stop = verifying->stop};
    PuzzleCheck check;
    Error reason = {0};
    Status status = puzzle_check(verifying->judge, puzzles, puzzle, &effort, &check, &reason);
    if (status != STATUS_OK && status != STATUS_FAILED)
        return error_set(error, status, "%s", reason.text);
    if (status == STATUS_FAILED)
        note(tally->failures, puzzles, puzzle, reason.text);
    tally->puzzles++;
    tally->proved += check.is_proved;
    tally->unique += check.is_unique;
    tally->answers += check.answers;
    tally->lost += check.finding.lost;
    return STATUS_OK;
}

static Status verify_puzzle(Verifying *verifying, const Puzzles *puzzles, const Puzzle *puzzle, Error *error)
{
    const VerifyArgs *args = verifying->args;
    Game *game = memory_new(1, sizeof *game);
    Status status = puzzle_game(puzzles, puzzle, game, error);
    if (status == STATUS_OK)
        status = check(verifying, puzzles, puzzle, error);
    if (status == STATUS_OK && args->agent != NULL)
        ask_agent(verifying, puzzles, puzzle, game);
    if (status == STATUS_OK && args->grades)
        grade(verifying, puzzles, puzzle, game);
    if (status == STATUS_OK && stop_is_raised(verifying->stop))
        status = error_set(error, STATUS_INTERRUPTED, "interrupted");
    progress_show(&verifying->progress, verifying->tally.puzzles, "");
    free(game);
    return status;
}

static bool is_wanted(const Verifying *verifying, const Puzzle *puzzle)
{
    unsigned number = verifying->args->number;
    return number == 0 || number == puzzle->number;
}

static void begin_progress(Verifying *verifying)
{
    progress_begin(&verifying->progress, verifying->args->line.reporter, 0, 0);
    verifying->progress.things = "puzzles";
}

static void add_to_progress(Verifying *verifying, const Puzzles *puzzles)
{
    for (unsigned i = 0; i < puzzles->count; i++)
        verifying->progress.total += is_wanted(verifying, &puzzles->list[i]);
}

static Status verify_all(Verifying *verifying, const Puzzles *puzzles, Error *error)
{
    const VerifyArgs *args = verifying->args;
    Status status = puzzle_judge_open(&verifying->judge, &puzzles->rules, error);
    if (status == STATUS_OK && args->agent != NULL)
        status = agent_open_with(&verifying->agent, span_of(args->agent), &puzzles->rules, &args->line.host, error);
    if (status == STATUS_OK && args->grades)
        status = puzzle_grader_open(&verifying->grader, &puzzles->rules, error);
    for (unsigned i = 0; i < puzzles->count && status == STATUS_OK; i++)
        if (is_wanted(verifying, &puzzles->list[i]))
            status = verify_puzzle(verifying, puzzles, &puzzles->list[i], error);
    agent_close(&verifying->agent);
    puzzle_grader_close(&verifying->grader);
    puzzle_judge_close(verifying->judge);
    verifying->agent = (Agent){0};
    verifying->judge = NULL;
    return status;
}

// A file, or the puzzles of a game.
static Status read_puzzles(const char *word, Puzzles *puzzles, Error *error)
{
    Rules rules;
    Text text = {0};
    if (rules_parse(span_of(word), &rules, NULL) == STATUS_OK)
        return puzzle_library_read(&rules, puzzles, error);
    Status status = file_read(word, PUZZLE_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        status = puzzles_read((Span){text.data, text.length}, puzzles, error);
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", word);
    }
    text_close(&text);
    return status;
}

// The games that krow has puzzles of: once for the total of the progress, then to verify them.
static Status verify_games(Verifying *verifying, bool is_counting, Error *error)
{
    Rules rules;
    Status status = STATUS_OK;
    for (unsigned i = 0; status == STATUS_OK && puzzle_library_game(i, &rules); i++) {
        Puzzles puzzles = {0};
        status = puzzle_library_read(&rules, &puzzles, error);
        if (status == STATUS_OK && is_counting)
            add_to_progress(verifying, &puzzles);
        else if (status == STATUS_OK)
            status = verify_all(verifying, &puzzles, error);
        puzzles_close(&puzzles);
    }
    return status;
}

static json_t *tally_json(const Verifying *verifying)
{
    const VerifyArgs *args = verifying->args;
    const VerifyTally *tally = &verifying->tally;
    json_t *levels = args->grades ? json_array() : json_null();
    for (unsigned i = 0; i < tally->level_count; i++)
        (void)json_array_append_new(levels, json_pack("{s:i, s:i}", "solved", (int)tally->level_solved[i], "tried",
                                                      (int)tally->level_tried[i]));
    return json_pack("{s:i, s:i, s:i, s:I, s:I, s:o, s:o, s:o, s:o, s:O}", "puzzles", (int)tally->puzzles, "proved",
                     (int)tally->proved, "unique", (int)tally->unique, "answers", (json_int_t)tally->answers, "losing",
                     (json_int_t)tally->lost, "solved", args->agent != NULL ? json_integer(tally->solved) : json_null(),
                     "unsolved", args->agent != NULL ? json_incref(tally->unsolved) : json_null(), "levels", levels,
                     "graded", args->grades ? json_integer(tally->same) : json_null(), "failures", tally->failures);
}

static Status print_tally(const Verifying *verifying, Error *error)
{
    const VerifyArgs *args = verifying->args;
    const VerifyTally *tally = &verifying->tally;
    char answers[32];
    if (args->line.json)
        return output_json(tally_json(verifying), error);
    (void)printf("%u puzzle%s: %u proved (%s answers), %u without a second solution\n", tally->puzzles,
                 view_plural(tally->puzzles), tally->proved, view_number(tally->answers, answers), tally->unique);
    if (args->agent != NULL)
        (void)printf("%s solves %u of %u\n", args->agent, tally->solved, tally->puzzles);
    if (args->grades)
        (void)printf("%u graded as in the file\n", tally->same);
    for (unsigned i = 0; i < tally->level_count; i++)
        (void)printf("level %2u solves %5u of %5u: %5.1f %%\n", i + 1, tally->level_solved[i], tally->level_tried[i],
                     100.0 * tally->level_solved[i] / tally->level_tried[i]);
    return STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const VerifyArgs *args = options;
    Puzzles puzzles = {0};
    Verifying verifying = {.args = args, .stop = interrupt_catch()};
    verifying.tally.failures = args->line.json ? json_array() : NULL;
    verifying.tally.unsolved = args->line.json ? json_array() : NULL;
    Status status = STATUS_OK;
    begin_progress(&verifying);
    if (args->line.word_count > 0) {
        status = read_puzzles(args->line.words[0], &puzzles, error);
        add_to_progress(&verifying, &puzzles);
        if (status == STATUS_OK)
            status = verify_all(&verifying, &puzzles, error);
    } else {
        status = verify_games(&verifying, true, error);
        if (status == STATUS_OK)
            status = verify_games(&verifying, false, error);
    }
    reporter_end(args->line.reporter);
    const VerifyTally *tally = &verifying.tally;
    if (status == STATUS_OK && tally->puzzles == 0)
        status = error_set(error, STATUS_BAD_INPUT, "there are no such puzzles");
    if (status == STATUS_OK)
        status = print_tally(&verifying, error);
    if (status == STATUS_OK && (tally->proved < tally->puzzles || tally->unique < tally->puzzles ||
                                (args->grades && tally->same < tally->puzzles)))
        status = error_set(error, STATUS_FAILED, "not all puzzles passed");
    json_decref(verifying.tally.failures);
    json_decref(verifying.tally.unsolved);
    puzzles_close(&puzzles);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(VerifyArgs, number, "number", CLI_WHOLE, "N", "Verify only puzzle N", .min = 1, .max = PUZZLES_MAX),
    CLI_OPTION(VerifyArgs, nodes, "nodes", CLI_WHOLE, "N",
               "Search N positions for the opponent's win after a turn, if it does not win by threats (default 12000, "
               "four times those of make)",
               .min = 1, .max = INT64_MAX / 4),
    CLI_OPTION(VerifyArgs, grades, "grades", CLI_FLAG, NULL,
               "Also let the levels of play attempt the puzzles again, and compare their results with the file"),
    CLI_OPTION(VerifyArgs, agent, "agent", CLI_TEXT, "AGENT",
               "Also count the puzzles that AGENT solves, and list the others"),
    CLI_OPTION(VerifyArgs, seconds, "time", CLI_SECONDS, "SECONDS", "Time limit of the agent per puzzle"),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(VerifyArgs),
};

const Command command_puzzles_verify = {
    .name = "verify",
    .words = "[GAME]",
    .summary = "Verify that puzzles have one solution",
    .about = "GAME is a game or a file of puzzles; the default is all puzzles of krow. For each puzzle, checks the "
             "proof of its solution by the rules alone, and that every other turn fails: exactly, or by the "
             "opponent's win after it. The exit status is 1 if a puzzle fails.\n\nExamples:\n  krow puzzles verify "
             "connect4 --grades\n  krow puzzles verify gomoku --agent engine --time 1\n  krow puzzles verify gomoku "
             "--agent engine:nodes=200000",
    .options = options,
    .run = run,
};
