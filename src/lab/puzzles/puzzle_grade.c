// Grades puzzles.
#include "lab/puzzles/puzzle_grade.h"

#include "agents/levels.h"
#include "lab/puzzles/puzzle_rating.h"

#include <stdio.h>

static const char rater_name[] = "sequences";

Status puzzle_grader_open(PuzzleGrader *grader, const Rules *rules, Error *error)
{
    *grader = (PuzzleGrader){.rules = *rules};
    Status status = agent_open(&grader->rater, span_of(rater_name), rules, error);
    unsigned count = levels_count(rules);
    for (unsigned level = 1; level <= count && status == STATUS_OK; level++) {
        char name[32];
        (void)snprintf(name, sizeof name, "level:n=%u", level);
        status = agent_open(&grader->levels[level - 1], span_of(name), rules, error);
        grader->level_count += status == STATUS_OK;
    }
    return status;
}

void puzzle_grader_close(PuzzleGrader *grader)
{
    for (unsigned i = 0; i < grader->level_count; i++)
        agent_close(&grader->levels[i]);
    agent_close(&grader->rater);
    *grader = (PuzzleGrader){0};
}

PuzzleTurn puzzle_agent_turn(Agent *agent, const Game *game, Rng *rng, const atomic_bool *stop)
{
    AgentTask task = {.rng = rng, .stop = stop};
    Decision decision;
    agent_new_game(agent);
    agent_decide(agent, game, &task, &decision);
    unsigned count = decision.fault == FAULT_NONE ? decision.count : 0;
    return puzzle_turn_of(decision.stones, count < PUZZLE_STONES_MAX ? count : PUZZLE_STONES_MAX);
}

static bool is_in(const PuzzleTurn *turn, Cell cell)
{
    for (unsigned i = 0; i < turn->count; i++)
        if (turn->cells[i] == cell)
            return true;
    return false;
}

// Cells outside the solution that are rated at least as high as its lowest-rated cell.
static unsigned count_tempting(PuzzleGrader *grader, const Game *game, const PuzzleTurn *solution)
{
    agent_rate(&grader->rater, game);
    const Ratings *ratings = grader->rater.ratings;
    double least = 0;
    unsigned count = 0, found = 0;
    for (unsigned i = 0; i < ratings->count; i++)
        if (is_in(solution, ratings->cells[i].cell) && (found++ == 0 || ratings->cells[i].utility < least))
            least = ratings->cells[i].utility;
    for (unsigned i = 0; i < ratings->count && found == solution->count; i++)
        count += !is_in(solution, ratings->cells[i].cell) && ratings->cells[i].utility >= least;
    return found == solution->count ? count : ratings->count;
}

void puzzle_grade(PuzzleGrader *grader, const Game *game, Puzzle *puzzle, const atomic_bool *stop)
{
    uint64_t seed = puzzle_key(&game->board);
    puzzle->tempting = count_tempting(grader, game, &puzzle->solution);
    puzzle->level_count = grader->level_count;
    for (unsigned level = 1; level <= grader->level_count; level++) {
        PuzzleLevel *result = &puzzle->levels[level - 1];
        unsigned tries = levels_plan(&grader->rules, level).slip > 0 ? PUZZLE_TRIES : 1;
        *result = (PuzzleLevel){0};
        for (unsigned i = 0; i < tries && !stop_is_raised(stop); i++) {
            Rng rng = rng_make(rng_derive(seed, (uint64_t)level * PUZZLE_TRIES + i));
            PuzzleTurn turn = puzzle_agent_turn(&grader->levels[level - 1], game, &rng, stop);
            result->solved = (uint16_t)(result->solved + puzzle_turns_equal(&turn, &puzzle->solution));
            result->tried++;
        }
    }
    PuzzleRating rating = puzzle_rating_from_levels(puzzle->levels, puzzle->level_count);
    puzzle->rating = rating.rating;
    puzzle->error = rating.error;
}
