// The puzzles that come with krow, embedded in the program, and those of the user.
#include "lab/puzzles/puzzle_library.h"

#include "base/file.h"
#include "base/memory.h"
#include "store/paths.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Names of the user's files: puzzles-GAME.txt.
#define OWN_BEGIN "puzzles-"
#define OWN_END ".txt"

// --- Files ---

// The rules of an embedded file: its second line is "game …".
static bool rules_of(Span text, Rules *rules)
{
    Span line = {0}, word = {0};
    for (unsigned i = 0; i < 2; i++)
        if (!span_next_part(&text, '\n', &line))
            return false;
    return span_next_part(&line, ' ', &word) && rules_parse(line, rules, NULL) == STATUS_OK;
}

bool puzzle_library_game(unsigned i, Rules *rules)
{
    return i < puzzle_texts_count && rules_of(puzzle_texts[i], rules);
}

Status puzzle_library_path(const Rules *rules, bool to_read, Text *path, Error *error)
{
    char game[RULES_TEXT_SIZE], name[RULES_TEXT_SIZE + 32];
    rules_format(rules, game);
    for (char *at = game; *at != '\0'; at++)
        if (*at == ':' || *at == ',')
            *at = '-';
    (void)snprintf(name, sizeof name, OWN_BEGIN "%s" OWN_END, game);
    return path_of(to_read ? PATH_DATA_TO_READ : PATH_DATA, name, path, error);
}

static Status read_own(const Rules *rules, Puzzles *own, Error *error)
{
    Text path = {0}, text = {0};
    Status status = puzzle_library_path(rules, true, &path, error);
    if (status == STATUS_OK && access(path.data, F_OK) == 0) {
        status = file_read(path.data, PUZZLE_FILE_MAX, &text, error);
        if (status == STATUS_OK) {
            status = puzzles_read((Span){text.data, text.length}, own, error);
            if (status != STATUS_OK)
                error_prefix(error, "'%s': ", path.data);
        }
    }
    text_close(&text);
    text_close(&path);
    return status;
}

// Moves the puzzles of one collection to the end of another one.
static void join(Puzzles *puzzles, Puzzles *more)
{
    for (unsigned i = 0; i < more->count; i++) {
        const Puzzle *puzzle = &more->list[i];
        if (puzzles->count > 0 && puzzle->number <= puzzles->list[puzzles->count - 1].number)
            puzzle_close(&more->list[i]);
        else
            puzzles_add(puzzles, puzzle);
    }
    free(more->list);
    *more = (Puzzles){0};
}

Status puzzle_library_read(const Rules *rules, Puzzles *puzzles, Error *error)
{
    Rules of = {0};
    Puzzles own = {0};
    Status status = STATUS_OK;
    puzzles->rules = *rules;
    for (unsigned i = 0; i < puzzle_texts_count && status == STATUS_OK; i++)
        if (rules_of(puzzle_texts[i], &of) && rules_equal(&of, rules))
            status = puzzles_read(puzzle_texts[i], puzzles, error);
    if (status == STATUS_OK)
        status = read_own(rules, &own, error);
    join(puzzles, &own);
    return status;
}

// --- Games ---

static int is_own(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name), end = sizeof OWN_END - 1;
    return strncmp(entry->d_name, OWN_BEGIN, sizeof OWN_BEGIN - 1) == 0 && length > end &&
           strcmp(entry->d_name + length - end, OWN_END) == 0;
}

// The game of one of the user's files, if it can be read and is not listed yet.
static void add_own(const char *name, Rules **list, size_t *capacity, unsigned *count)
{
    Text path = {0}, text = {0};
    Rules rules;
    bool is_new = path_of(PATH_DATA_TO_READ, name, &path, NULL) == STATUS_OK &&
                  file_read(path.data, PUZZLE_FILE_MAX, &text, NULL) == STATUS_OK &&
                  rules_of((Span){text.data, text.length}, &rules);
    for (unsigned i = 0; i < *count && is_new; i++)
        is_new = !rules_equal(&(*list)[i], &rules);
    if (is_new) {
        *list = array_grow(*list, capacity, (size_t)*count + 1, sizeof **list);
        (*list)[(*count)++] = rules;
    }
    text_close(&text);
    text_close(&path);
}

Status puzzle_library_games(Rules **list, unsigned *count, Error *error)
{
    Text folder = {0};
    Rules rules;
    size_t capacity = 0;
    struct dirent **entries = NULL;
    *list = NULL;
    *count = 0;
    Status status = path_of(PATH_DATA_TO_READ, "", &folder, error);
    for (unsigned i = 0; puzzle_library_game(i, &rules); i++) {
        *list = array_grow(*list, &capacity, (size_t)*count + 1, sizeof **list);
        (*list)[(*count)++] = rules;
    }
    int files = status == STATUS_OK ? scandir(folder.data, &entries, is_own, alphasort) : 0; // -1: there is no folder
    for (int i = 0; i < files; i++) {
        add_own(entries[i]->d_name, list, &capacity, count);
        free(entries[i]);
    }
    free(entries);
    text_close(&folder);
    return status;
}

// --- Difficulty ---

static const char *const difficulty_names[] = {"any", "easy", "medium", "hard"};
enum { DIFFICULTIES = sizeof difficulty_names / sizeof difficulty_names[0] };

PuzzleDifficulty puzzle_difficulty(const Puzzles *puzzles, const Puzzle *puzzle)
{
    unsigned lower = 0;
    for (unsigned i = 0; i < puzzles->count; i++)
        lower += puzzles->list[i].rating < puzzle->rating;
    return 3 * lower < puzzles->count ? PUZZLE_EASY : 3 * lower < 2 * puzzles->count ? PUZZLE_MEDIUM : PUZZLE_HARD;
}

const char *puzzle_difficulty_name(PuzzleDifficulty difficulty)
{
    return difficulty_names[difficulty];
}

bool puzzle_difficulty_find(Span name, PuzzleDifficulty *difficulty)
{
    for (unsigned i = 0; i < DIFFICULTIES; i++)
        if (span_is(name, difficulty_names[i])) {
            *difficulty = (PuzzleDifficulty)i;
            return true;
        }
    return false;
}
