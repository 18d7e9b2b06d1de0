// The table of krow's commands, and the suggestion for a misspelled name.
#include "cli/commands.h"
#include "game/rules.h"

#include <string.h>

// In the order of `krow --help`.
const Command *const commands[] = {
    &command_play,         &command_puzzles, &command_serve,     &command_show,   &command_move,
    &command_analyze,      &command_review,  &command_threats,   &command_match,  &command_tournament,
    &command_openings,     &command_ratings, &command_reproduce, &command_import, &command_export,
    &command_book,         &command_explore, &command_patterns,  &command_db,     &command_engine,
    &command_check_engine, &command_solve,   &command_prove,     &command_verify, &command_perft,
    &command_games,        &command_agents,  &command_bench,     &command_train,  &command_tune,
    &command_learn,        &command_evolve,  &command_worker,    &command_jobs,   NULL,
};

const Command *command_find(const Command *const *list, const char *name)
{
    for (int i = 0; list[i] != NULL; i++)
        if (strcmp(list[i]->name, name) == 0)
            return list[i];
    return NULL;
}

enum { NAME_MAX_COMPARED = 15 };

// Edit distance (Levenshtein), for words of at most 15 letters.
static unsigned distance(const char *a, const char *b)
{
    size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > NAME_MAX_COMPARED || length_b > NAME_MAX_COMPARED)
        return NAME_MAX_COMPARED;
    unsigned row[NAME_MAX_COMPARED + 1];
    for (unsigned j = 0; j <= length_b; j++)
        row[j] = j;
    for (unsigned i = 1; i <= length_a; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= length_b; j++) {
            unsigned change = diagonal + (a[i - 1] != b[j - 1]);
            unsigned insert = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = change < insert ? change : insert;
        }
    }
    return row[length_b];
}

// The closest name so far and its distance; names that differ in more than two letters are not similar.
typedef struct {
    const char *name;
    unsigned distance;
} Similar;

static void compare(Similar *best, const char *name, const char *candidate)
{
    unsigned d = distance(name, candidate);
    if (d < best->distance)
        *best = (Similar){candidate, d};
}

enum { NOT_SIMILAR = 3 };

const char *command_similar(const Command *const *list, const char *name)
{
    Similar best = {NULL, NOT_SIMILAR};
    for (int i = 0; list[i] != NULL; i++)
        compare(&best, name, list[i]->name);
    return best.name;
}

const char *game_similar(const char *name)
{
    Similar best = {NULL, NOT_SIMILAR};
    for (int i = 0; i < rules_preset_count; i++)
        compare(&best, name, rules_presets[i].name);
    return best.name;
}
