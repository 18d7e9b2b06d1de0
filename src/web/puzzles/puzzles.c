// GET /puzzles, GET /puzzles/next, POST /puzzles/try and POST /puzzles/solution.
#include "web/puzzles/puzzles.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/notation.h"
#include "lab/puzzles/puzzle_history.h"
#include "lab/puzzles/puzzle_try.h"
#include "view/json_view.h"
#include "web/session/rules.h"

#include <stdlib.h>
#include <string.h>

// The puzzles of a game with the user's history, and one of them.
typedef struct {
    Puzzles puzzles;
    PuzzleHistory history;
    int at; // -1: none
    Game *game;
} Shelf;

static Status open_shelf(const Rules *rules, Shelf *shelf, Error *error)
{
    *shelf = (Shelf){.at = -1};
    shelf->game = memory_new(1, sizeof *shelf->game);
    Status status = puzzle_library_read(rules, &shelf->puzzles, error);
    return status == STATUS_OK ? puzzle_history_read(&shelf->puzzles, &shelf->history, error) : status;
}

static void close_shelf(Shelf *shelf)
{
    puzzle_history_close(&shelf->history);
    puzzles_close(&shelf->puzzles);
    free(shelf->game);
}

static const Puzzle *chosen(const Shelf *shelf)
{
    return &shelf->puzzles.list[shelf->at];
}

// --- The games ---

static json_t *results_json(const Shelf *shelf)
{
    const PuzzleHistory *history = &shelf->history;
    return json_pack("{s:o, s:i, s:i, s:i, s:i, s:f, s:f}", "game", view_rules(&shelf->puzzles.rules), "puzzles",
                     (int)shelf->puzzles.count, "tried", (int)history->tried, "solved", (int)history->solved, "streak",
                     (int)history->streak, "rating", history->person.rating, "rating_error", history->person.error);
}

static Status handle_games(WebCall *call)
{
    Rules *games = NULL;
    unsigned count = 0;
    Status status = puzzle_library_games(&games, &count, call->error);
    json_t *list = json_array();
    for (unsigned i = 0; status == STATUS_OK && i < count; i++) {
        Shelf shelf;
        status = open_shelf(&games[i], &shelf, call->error);
        if (status == STATUS_OK)
            (void)json_array_append_new(list, results_json(&shelf));
        close_shelf(&shelf);
    }
    free(games);
    call->reply->json = json_pack("{s:o}", "games", list);
    return status;
}

// --- One puzzle ---

static json_t *puzzle_json(const Shelf *shelf)
{
    const Puzzle *puzzle = chosen(shelf);
    const PuzzleState *state = &shelf->history.states[shelf->at];
    Text task = {0};
    puzzle_task(&shelf->puzzles, puzzle, web_side_name(&shelf->puzzles.rules, board_side(&shelf->game->board)), &task);
    json_t *object =
        json_pack("{s:o, s:i, s:o, s:o, s:o, s:s, s:i, s:s, s:s, s:f, s:f, s:b, s:b}", "results", results_json(shelf),
                  "number", (int)puzzle->number, "position", view_position(shelf->game), "rows",
                  view_rows(&shelf->game->board), "last", view_cells(puzzle->last.cells, puzzle->last.count), "goal",
                  puzzle_goal_name(puzzle->goal), "turns", (int)puzzle->turns, "task", task.data, "difficulty",
                  puzzle_difficulty_name(puzzle_difficulty(&shelf->puzzles, puzzle)), "rating", state->rating.rating,
                  "rating_error", state->rating.error, "tried", state->is_tried, "solved", state->is_solved);
    text_close(&task);
    return object;
}

// Finds the puzzle of this number, or an error.
static Status choose_number(WebCall *call, Shelf *shelf, int64_t number)
{
    const Puzzle *puzzle = puzzles_find(&shelf->puzzles, (unsigned)number);
    if (puzzle == NULL)
        return web_fail(call, 404, "number", "There is no puzzle %lld of this game.", (long long)number);
    shelf->at = (int)(puzzle - shelf->puzzles.list);
    return STATUS_OK;
}

static Status choose(WebCall *call, Shelf *shelf)
{
    PuzzleDifficulty difficulty = PUZZLE_ANY;
    const char *name = web_query(call, "difficulty"), *day = web_query(call, "day");
    int64_t number = web_query_int(call, "number", 1, PUZZLES_MAX, 0);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    if (name != NULL && !puzzle_difficulty_find(span_of(name), &difficulty))
        return web_fail(call, 400, "difficulty", "the difficulty is easy, medium, hard or any");
    if (number > 0)
        return choose_number(call, shelf, number);
    shelf->at = day != NULL && strcmp(day, "1") == 0
                    ? puzzle_of_day(&shelf->puzzles, clock_unix_ms())
                    : puzzle_history_next(&shelf->puzzles, &shelf->history, difficulty);
    return STATUS_OK;
}

// The answer without `number` says that no puzzle is left.
static Status handle_next(WebCall *call)
{
    Rules rules;
    Shelf shelf;
    const char *game = web_query(call, "game");
    if (game == NULL)
        return web_fail(call, 400, "game", "the game is missing");
    Status status = web_rules_read(call, game, &rules);
    if (status != STATUS_OK)
        return status;
    status = open_shelf(&rules, &shelf, call->error);
    if (status == STATUS_OK)
        status = choose(call, &shelf);
    if (status == STATUS_OK && shelf.at >= 0)
        status = puzzle_game(&shelf.puzzles, chosen(&shelf), shelf.game, call->error);
    if (status == STATUS_OK)
        call->reply->json = shelf.at >= 0 ? puzzle_json(&shelf) : json_pack("{s:o}", "results", results_json(&shelf));
    close_shelf(&shelf);
    return status;
}

// --- Attempts ---

// Reads `game` and `number` and opens the puzzle.
static Status open_puzzle(WebCall *call, Shelf *shelf)
{
    Rules rules;
    *shelf = (Shelf){.at = -1};
    const char *game = web_field_text(call, "game", 200);
    web_field_need(call, "game");
    web_field_need(call, "number");
    int64_t number = web_field_int(call, "number", 1, PUZZLES_MAX, 0);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    Status status = web_rules_read(call, game, &rules);
    if (status == STATUS_OK)
        status = open_shelf(&rules, shelf, call->error);
    if (status == STATUS_OK)
        status = choose_number(call, shelf, number);
    return status == STATUS_OK ? puzzle_game(&shelf->puzzles, chosen(shelf), shelf->game, call->error) : status;
}

static Status read_turn(WebCall *call, const Game *game, PuzzleTurn *turn)
{
    const char *text = web_field_text(call, "stones", 400);
    web_field_need(call, "stones");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    Game *after = memory_new(1, sizeof *after);
    game_copy(after, game);
    unsigned wanted = board_stones_left(&game->board);
    Status status = game_read(after, span_of(text), call->error);
    unsigned count = after->played - game->played;
    if (status != STATUS_OK)
        (void)web_blame(call, "stones", status);
    else if (count != wanted)
        status = web_fail(call, 400, "stones", "the turn has %u stones, not %u", wanted, count);
    else
        *turn = puzzle_turn_of(after->stones + game->played, count);
    free(after);
    return status;
}

static json_t *attempt_json(const Shelf *shelf, const PuzzleTurn *turn, const PuzzleTry *attempt)
{
    static const char *const verdicts[] = {"win", "draw", "unknown", "loss"};
    const PuzzleOutcome *outcome = &attempt->outcome;
    const PuzzleState *state = &shelf->history.states[shelf->at];
    return json_pack("{s:b, s:s, s:s, s:o, s:o, s:f, s:f, s:o}", "solved", attempt->is_solved, "verdict",
                     verdicts[outcome->verdict], "words", attempt->words.data, "stones",
                     view_cells(turn->cells, turn->count), "line", view_cells(outcome->line, outcome->count), "rating",
                     state->rating.rating, "rating_error", state->rating.error, "results", results_json(shelf));
}

// Judges a turn, stores the attempt and answers.
static Status judge(WebCall *call, Shelf *shelf, const PuzzleTurn *turn, bool is_attempt)
{
    PuzzleJudge *judge = NULL;
    PuzzleTry attempt = {0};
    Status status = puzzle_judge_open(&judge, &shelf->puzzles.rules, call->error);
    if (status == STATUS_OK) {
        const char *names[2] = {web_side_name(&shelf->puzzles.rules, SIDE_FIRST),
                                web_side_name(&shelf->puzzles.rules, SIDE_SECOND)};
        PuzzleAttempt asked = {&shelf->game->board, chosen(shelf), turn, names};
        puzzle_try(judge, &asked, web_stop(call), &attempt);
        // Asking for the solution counts as a wrong answer. A judgement that was cut short does not count.
        if (atomic_load(web_stop(call)))
            status = error_set(call->error, STATUS_INTERRUPTED, "the request was cancelled");
        else
            status = puzzle_history_add(&shelf->puzzles, (unsigned)shelf->at, is_attempt && attempt.is_solved,
                                        clock_unix_ms(), &shelf->history, call->error);
    }
    if (status == STATUS_OK)
        call->reply->json = attempt_json(shelf, turn, &attempt);
    puzzle_try_close(&attempt);
    puzzle_judge_close(judge);
    return status;
}

static Status handle_try(WebCall *call)
{
    Shelf shelf;
    PuzzleTurn turn = {0};
    Status status = open_puzzle(call, &shelf);
    if (status == STATUS_OK)
        status = read_turn(call, shelf.game, &turn);
    if (status == STATUS_OK)
        status = judge(call, &shelf, &turn, true);
    close_shelf(&shelf);
    return status;
}

static Status handle_solution(WebCall *call)
{
    Shelf shelf;
    Status status = open_puzzle(call, &shelf);
    if (status == STATUS_OK) {
        PuzzleTurn turn = chosen(&shelf)->solution;
        status = judge(call, &shelf, &turn, false);
    }
    close_shelf(&shelf);
    return status;
}

const WebRoute web_puzzles_routes[] = {
    {"GET", "/puzzles", handle_games, WEB_SLOW, "The games that have puzzles, and the user's results", .names = ""},
    {"GET", "/puzzles/next", handle_next, WEB_SLOW, "The puzzle to solve next, of a day, or with a number",
     .names = "game difficulty number day"},
    {"POST", "/puzzles/try", handle_try, WEB_SLOW | WEB_THINKS, "Judge a turn and store the attempt",
     .names = "game number stones"},
    {"POST", "/puzzles/solution", handle_solution, WEB_SLOW | WEB_THINKS,
     "The solution of a puzzle, as a wrong attempt", .names = "game number"},
    {0},
};
