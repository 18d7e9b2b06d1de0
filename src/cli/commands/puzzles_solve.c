// krow puzzles solve: puzzles in the terminal.
#include "base/clock.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output/draw.h"
#include "cli/prompt.h"
#include "game/notation.h"
#include "lab/puzzles/puzzle_history.h"
#include "lab/puzzles/puzzle_try.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    CommandLine line;
    const char *difficulty, *turn; // NULL: not given
    unsigned number;               // 0: the next one
    bool day, unrated;
} SolveArgs;

typedef struct {
    const SolveArgs *args;
    Puzzles puzzles;
    PuzzleHistory history;
    PuzzleJudge *judge;
    PuzzleDifficulty difficulty;
    Prompt prompt;
    Game *game; // the position of the puzzle
    int at;     // the puzzle
} Solving;

static const char *const names[] = {"X", "O"};

static const Puzzle *puzzle_of(const Solving *solving)
{
    return &solving->puzzles.list[solving->at];
}

// --- Turns ---

// Reads a whole turn; the error says what is wrong.
static Status read_turn(const Solving *solving, Span text, PuzzleTurn *turn, Error *error)
{
    Game *game = memory_new(1, sizeof *game);
    game_copy(game, solving->game);
    unsigned before = game->played, wanted = board_stones_left(&game->board);
    Status status = game_read(game, text, error);
    unsigned count = game->played - before;
    if (status == STATUS_OK && count != wanted)
        status =
            error_set(error, STATUS_BAD_INPUT, "the turn has %u stone%s, not %u", wanted, view_plural(wanted), count);
    if (status == STATUS_OK)
        *turn = puzzle_turn_of(game->stones + before, count);
    free(game);
    return status;
}

// Stores an attempt, unless --unrated.
static Status store(Solving *solving, bool is_solved, Error *error)
{
    if (solving->args->unrated)
        return STATUS_OK;
    return puzzle_history_add(&solving->puzzles, (unsigned)solving->at, is_solved, clock_unix_ms(), &solving->history,
                              error);
}

// --- Output ---

// Draws the position with the turn and the stones that follow as numbers.
static void draw_line(const Solving *solving, const PuzzleTurn *turn, const PuzzleOutcome *outcome)
{
    DrawNumbers *numbers = memory_new(1, sizeof *numbers);
    unsigned next = 0;
    numbers->side = board_side(&solving->game->board);
    Board board;
    board_copy(&board, &solving->game->board);
    Side side = numbers->side;
    for (unsigned i = 0; i < turn->count + outcome->count && !board_is_over(&board) && next < UINT8_MAX; i++) {
        Cell cell = i < turn->count ? turn->cells[i] : outcome->line[i - turn->count];
        if (!board_is_legal(&board, cell))
            break;
        next += i == 0 || board_side(&board) != side;
        side = board_side(&board);
        draw_number(numbers, cell, next);
        (void)board_play(&board, cell);
    }
    draw_numbered(solving->game, numbers, draw_style(), stdout);
    free(numbers);
}

static void show_puzzle(const Solving *solving)
{
    Text task = {0};
    const Puzzle *puzzle = puzzle_of(solving);
    const PuzzleState *state = &solving->history.states[solving->at];
    puzzle_task(&solving->puzzles, puzzle, names[board_side(&solving->game->board)], &task);
    (void)printf("\nPuzzle %u, rating %.0f ± %.0f\n", puzzle->number, state->rating.rating, state->rating.error);
    draw_board(solving->game, draw_style(), stdout);
    (void)printf("%s\n", task.data);
    text_close(&task);
}

static void print_rating(const Solving *solving)
{
    const PuzzleHistory *history = &solving->history;
    (void)printf("Your rating: %.0f ± %.0f, %u of %u puzzles solved at the first attempt\n", history->person.rating,
                 history->person.error, history->solved, history->tried);
}

static json_t *result_json(const Solving *solving, const PuzzleTurn *turn, const PuzzleTry *attempt)
{
    const PuzzleOutcome *outcome = &attempt->outcome;
    const Puzzle *puzzle = puzzle_of(solving);
    return json_pack("{s:o, s:i, s:o, s:b, s:s, s:o, s:f, s:f}", "game", view_rules(&solving->puzzles.rules), "number",
                     (int)puzzle->number, "stones", view_cells(turn->cells, turn->count), "solved", attempt->is_solved,
                     "words", attempt->words.data, "line", view_cells(outcome->line, outcome->count), "rating",
                     solving->history.person.rating, "rating_error", solving->history.person.error);
}

// --- One attempt ---

static Status attempt_turn(Solving *solving, const PuzzleTurn *turn, bool *is_solved, Error *error)
{
    PuzzleTry attempt;
    PuzzleAttempt asked = {&solving->game->board, puzzle_of(solving), turn, names};
    puzzle_try(solving->judge, &asked, interrupt_flag(), &attempt);
    *is_solved = attempt.is_solved;
    Status status = store(solving, attempt.is_solved, error);
    if (status == STATUS_OK && solving->args->line.json) {
        status = output_json(result_json(solving, turn, &attempt), error);
    } else if (status == STATUS_OK) {
        draw_line(solving, turn, &attempt.outcome);
        (void)printf("%s\n", attempt.words.data);
        if (attempt.is_solved)
            print_rating(solving);
    }
    puzzle_try_close(&attempt);
    return status;
}

static void give_up(Solving *solving)
{
    PuzzleOutcome *outcome = memory_new(1, sizeof *outcome);
    const Puzzle *puzzle = puzzle_of(solving);
    PuzzleEffort effort = {.nodes = PUZZLE_NODES, .stop = interrupt_flag()};
    puzzle_judge_turn(solving->judge, &solving->game->board, &puzzle->solution, &effort, outcome);
    draw_line(solving, &puzzle->solution, outcome);
    (void)printf("The solution is ");
    output_print_cells(puzzle->solution.cells, puzzle->solution.count, stdout);
    (void)printf(".\n");
    free(outcome);
}

// --- The dialogue ---

typedef enum { SOLVE_AGAIN, SOLVE_NEXT, SOLVE_QUIT } SolveWish;

static SolveWish take_line(Solving *solving, Span line, Status *status, Error *error)
{
    PuzzleTurn turn;
    Error wrong = {0};
    bool is_solved = false;
    if (line.length == 0)
        return SOLVE_AGAIN;
    if (span_is(line, "quit"))
        return SOLVE_QUIT;
    if (span_is(line, "skip"))
        return SOLVE_NEXT;
    if (span_is(line, "solution")) {
        *status = store(solving, false, error);
        give_up(solving);
        print_rating(solving);
        return SOLVE_NEXT;
    }
    if (span_is(line, "show") || span_is(line, "help")) {
        if (span_is(line, "show"))
            show_puzzle(solving);
        (void)printf("Type the cells of the turn, or solution, skip, show, quit.\n");
        return SOLVE_AGAIN;
    }
    if (read_turn(solving, line, &turn, &wrong) != STATUS_OK) {
        (void)printf("%s\n", wrong.text);
        return SOLVE_AGAIN;
    }
    *status = attempt_turn(solving, &turn, &is_solved, error);
    return is_solved ? SOLVE_NEXT : SOLVE_AGAIN;
}

// Presents one puzzle until it is solved, skipped or given up.
static SolveWish present(Solving *solving, Status *status, Error *error)
{
    SolveWish wish = SOLVE_AGAIN;
    show_puzzle(solving);
    while (wish == SOLVE_AGAIN && *status == STATUS_OK) {
        Span line = {0};
        PromptResult result = prompt_read(&solving->prompt, "Your turn (help lists commands): ", &line);
        if (result != PROMPT_LINE)
            return SOLVE_QUIT;
        wish = take_line(solving, span_trim(line), status, error);
    }
    return wish;
}

static Status choose(Solving *solving, Error *error)
{
    const SolveArgs *args = solving->args;
    if (args->number > 0) {
        const Puzzle *puzzle = puzzles_find(&solving->puzzles, args->number);
        if (puzzle == NULL)
            return error_set(error, STATUS_BAD_INPUT, "--number: there is no puzzle %u of this game", args->number);
        solving->at = (int)(puzzle - solving->puzzles.list);
    } else if (args->day) {
        solving->at = puzzle_of_day(&solving->puzzles, clock_unix_ms());
    } else {
        solving->at = puzzle_history_next(&solving->puzzles, &solving->history, solving->difficulty);
    }
    if (solving->at < 0)
        return error_set(error, STATUS_FAILED, "no puzzle is left; 'krow puzzles make %s' makes more",
                         args->line.word_count > 0 ? args->line.words[0] : "gomoku");
    return puzzle_game(&solving->puzzles, puzzle_of(solving), solving->game, error);
}

static Status solve(Solving *solving, Error *error)
{
    Status status = choose(solving, error);
    PuzzleTurn turn;
    bool is_solved = false;
    if (status == STATUS_OK && solving->args->turn != NULL) {
        status = read_turn(solving, span_of(solving->args->turn), &turn, error);
        return status == STATUS_OK ? attempt_turn(solving, &turn, &is_solved, error) : status;
    }
    prompt_open(&solving->prompt);
    bool is_single = solving->args->number > 0 || solving->args->day;
    for (SolveWish wish = SOLVE_NEXT; status == STATUS_OK && wish == SOLVE_NEXT;) {
        wish = present(solving, &status, error);
        if (is_single || status != STATUS_OK || wish == SOLVE_QUIT)
            break;
        status = choose(solving, error);
    }
    prompt_close(&solving->prompt);
    return status;
}

static Status run(const void *options, Error *error)
{
    const SolveArgs *args = options;
    Rules rules;
    Solving solving = {.args = args};
    (void)interrupt_catch();
    if (args->line.json && args->turn == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--json needs --turn CELLS");
    if (args->difficulty != NULL && !puzzle_difficulty_find(span_of(args->difficulty), &solving.difficulty))
        return error_set(error, STATUS_BAD_INPUT, "--difficulty: '%s' is not easy, medium, hard or any",
                         args->difficulty);
    Status status = rules_parse(span_of(args->line.word_count > 0 ? args->line.words[0] : "gomoku"), &rules, error);
    if (status == STATUS_OK)
        status = puzzle_library_read(&rules, &solving.puzzles, error);
    if (status == STATUS_OK)
        status = puzzle_history_read(&solving.puzzles, &solving.history, error);
    if (status == STATUS_OK)
        status = puzzle_judge_open(&solving.judge, &rules, error);
    solving.game = memory_new(1, sizeof *solving.game);
    if (status == STATUS_OK)
        status = solve(&solving, error);
    free(solving.game);
    puzzle_judge_close(solving.judge);
    puzzle_history_close(&solving.history);
    puzzles_close(&solving.puzzles);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(SolveArgs, difficulty, "difficulty", CLI_TEXT, "THIRD",
               "Choose among the easy, medium or hard third (default any: those closest to your rating)"),
    CLI_OPTION(SolveArgs, number, "number", CLI_WHOLE, "N", "Solve puzzle N", .min = 1, .max = PUZZLES_MAX),
    CLI_OPTION(SolveArgs, day, "day", CLI_FLAG, NULL, "Solve the puzzle of the day"),
    CLI_OPTION(SolveArgs, turn, "turn", CLI_TEXT, "CELLS", "Judge this turn and end, without a dialogue"),
    CLI_OPTION(SolveArgs, unrated, "unrated", CLI_FLAG, NULL, "Do not store attempts"),
    OPTION_JSON,
    CLI_END(SolveArgs),
};

const Command command_puzzles_solve = {
    .name = "solve",
    .words = "[GAME]",
    .summary = "Solve puzzles in the terminal",
    .about = "Shows the puzzle closest to your rating and reads a turn: all its cells, in any order. The answer to a "
             "wrong turn is played out. Your first attempt at each puzzle changes your rating and that of the puzzle "
             "(Glicko). GAME is gomoku by default.\n\nExample:\n  krow puzzles solve connect6 --difficulty easy",
    .options = options,
    .run = run,
};
