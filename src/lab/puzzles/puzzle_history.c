// The history of a user's attempts.
#include "lab/puzzles/puzzle_history.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/rng.h"
#include "store/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char file_name[] = "puzzle-attempts.txt";
static const int64_t day_ms = 86400000;

// --- Lines: TIME GAME NUMBER CHECK solved|wrong ---

// Identifies the position of a puzzle, so that other puzzles of the same number are not mixed up with it.
static uint32_t check_of(const Puzzle *puzzle)
{
    return checksum_crc32(span_of(puzzle->start));
}

static void write_line(const Puzzles *puzzles, const Puzzle *puzzle, bool is_solved, int64_t when, Text *text)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&puzzles->rules, game);
    text_add(text, "%lld %s %u %08x %s\n", (long long)when, game, puzzle->number, (unsigned)check_of(puzzle),
             is_solved ? "solved" : "wrong");
}

// The index of the puzzle that a line is about, or -1: another game, or not a whole line.
static int read_line(const Puzzles *puzzles, Span line, bool *is_solved)
{
    Span words[5], rest = line;
    char game[RULES_TEXT_SIZE], check[16];
    int64_t when = 0, number = 0;
    rules_format(&puzzles->rules, game);
    for (unsigned i = 0; i < 5; i++)
        if (!span_next_word(&rest, " ", &words[i]))
            return -1;
    *is_solved = span_is(words[4], "solved");
    if (!span_to_int(words[0], 0, INT64_MAX, &when) || !span_is(words[1], game) ||
        !span_to_int(words[2], 1, PUZZLES_MAX, &number) || (!*is_solved && !span_is(words[4], "wrong")))
        return -1;
    const Puzzle *puzzle = puzzles_find(puzzles, (unsigned)number);
    if (puzzle == NULL)
        return -1;
    (void)snprintf(check, sizeof check, "%08x", (unsigned)check_of(puzzle));
    return span_is(words[3], check) ? (int)(puzzle - puzzles->list) : -1;
}

// --- Ratings ---

static void take_attempt(PuzzleHistory *history, unsigned i, bool is_solved)
{
    PuzzleState *state = &history->states[i];
    if (!state->is_tried) {
        puzzle_rating_update(&history->person, &state->rating, is_solved);
        state->is_tried = true;
        state->was_first = is_solved;
        history->tried++;
        history->solved += is_solved;
        history->streak = is_solved ? history->streak + 1 : 0;
    }
    state->is_solved |= is_solved;
}

static void begin(const Puzzles *puzzles, PuzzleHistory *history)
{
    *history = (PuzzleHistory){.person = puzzle_rating_unknown()};
    history->states = memory_new(puzzles->count + 1u, sizeof history->states[0]);
    for (unsigned i = 0; i < puzzles->count; i++)
        history->states[i].rating = (PuzzleRating){puzzles->list[i].rating, puzzles->list[i].error};
}

Status puzzle_history_read(const Puzzles *puzzles, PuzzleHistory *history, Error *error)
{
    Text path = {0}, text = {0};
    Span rest = {0}, line = {0};
    begin(puzzles, history);
    Status status = path_of(PATH_DATA_TO_READ, file_name, &path, error);
    if (status == STATUS_OK && access(path.data, F_OK) == 0)
        status = file_read(path.data, PUZZLE_FILE_MAX, &text, error);
    rest = (Span){text.data, text.length};
    while (status == STATUS_OK && span_next_part(&rest, '\n', &line)) {
        bool is_solved = false;
        int i = read_line(puzzles, line, &is_solved);
        if (i >= 0)
            take_attempt(history, (unsigned)i, is_solved);
    }
    text_close(&text);
    text_close(&path);
    return status;
}

void puzzle_history_close(PuzzleHistory *history)
{
    free(history->states);
    *history = (PuzzleHistory){0};
}

// --- Appending ---

// Ends a line that a kill has cut short.
static void end_cut_line(int file)
{
    char last = '\n';
    off_t end = lseek(file, 0, SEEK_END);
    if (end > 0 && pread(file, &last, 1, end - 1) == 1 && last != '\n')
        (void)!write(file, "\n", 1);
}

static Status append(const char *path, const Text *line, Error *error)
{
    int file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    bool is_done = file >= 0 && flock(file, LOCK_EX) == 0;
    if (is_done) {
        end_cut_line(file);
        is_done = write(file, line->data, line->length) == (ssize_t)line->length && fsync(file) == 0;
    }
    Status status = is_done ? STATUS_OK : error_set(error, STATUS_IO, "cannot write '%s': %s", path, strerror(errno));
    if (file >= 0)
        (void)close(file);
    return status;
}

Status puzzle_history_add(const Puzzles *puzzles, unsigned i, bool is_solved, int64_t when, PuzzleHistory *history,
                          Error *error)
{
    Text path = {0}, line = {0};
    Status status = path_of(PATH_DATA, file_name, &path, error);
    if (status == STATUS_OK) {
        write_line(puzzles, &puzzles->list[i], is_solved, when, &line);
        status = append(path.data, &line, error);
    }
    if (status == STATUS_OK)
        take_attempt(history, i, is_solved);
    text_close(&line);
    text_close(&path);
    return status;
}

// --- Choosing ---

static int closest(const Puzzles *puzzles, const PuzzleHistory *history, PuzzleDifficulty difficulty, bool retries)
{
    int best = -1;
    double least = 0;
    for (unsigned i = 0; i < puzzles->count; i++) {
        const PuzzleState *state = &history->states[i];
        if (retries ? state->is_solved : state->is_tried)
            continue;
        if (difficulty != PUZZLE_ANY && puzzle_difficulty(puzzles, &puzzles->list[i]) != difficulty)
            continue;
        double away = fabs(state->rating.rating - history->person.rating);
        if (best < 0 || away < least) {
            best = (int)i;
            least = away;
        }
    }
    return best;
}

int puzzle_history_next(const Puzzles *puzzles, const PuzzleHistory *history, PuzzleDifficulty difficulty)
{
    int next = closest(puzzles, history, difficulty, false);
    return next >= 0 ? next : closest(puzzles, history, difficulty, true);
}

int puzzle_of_day(const Puzzles *puzzles, int64_t when)
{
    if (puzzles->count == 0)
        return -1;
    Rng rng = rng_make((uint64_t)(when / day_ms));
    return (int)rng_below(&rng, puzzles->count);
}
