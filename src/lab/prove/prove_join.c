// Joins proofs of version 3.
#include "lab/prove/prove_join.h"

#include "base/file.h"
#include "base/memory.h"
#include "game/notation.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

typedef struct {
    uint64_t key; // of the start
    TreeWords words;
} Part;

typedef struct {
    const ProveJoinOptions *options;
    Board start;
    Part *parts;
    unsigned count;
    size_t capacity;
} Joining;

static size_t read_file(void *context, char *to, size_t want)
{
    return fread(to, 1, want, context);
}

// Adds a file; those of other games and claims are errors.
static Status add_part(Joining *joining, const char *path, Error *error)
{
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return error_set(error, STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    CertificateInput input = {.context = file, .read = read_file};
    CertificateOptions how = {.stop = joining->options->stop};
    CertificateReport *report = memory_new(1, sizeof *report);
    joining->parts = array_grow(joining->parts, &joining->capacity, joining->count + 1, sizeof *joining->parts);
    Part *part = &joining->parts[joining->count++];
    *part = (Part){0};
    Status status = certificate_read_tree(&input, &how, &part->words, report, error);
    if (status == STATUS_OK && (!rules_equal(&report->start.rules, &joining->start.rules) ||
                                report->claims[0].claim.side != joining->options->owner))
        status = error_set(error, STATUS_BAD_INPUT, "the proof is of another game or of the other side");
    part->key = board_key(&report->start);
    if (status != STATUS_OK)
        error_prefix(error, "'%s': ", path);
    free(report);
    (void)fclose(file);
    return status;
}

static int is_proof(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 6 && strcmp(entry->d_name + length - 6, ".proof") == 0;
}

static Status read_parts(Joining *joining, Error *error)
{
    struct dirent **entries;
    int count = scandir(joining->options->folder, &entries, is_proof, alphasort);
    if (count < 0)
        return error_set(error, STATUS_IO, "cannot read '%s': %s", joining->options->folder, strerror(errno));
    Status status = STATUS_OK;
    Progress progress;
    progress_begin(&progress, joining->options->reporter, (unsigned)count, 0);
    progress.things = "parts";
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE];
        (void)snprintf(path, sizeof path, "%s/%s", joining->options->folder, entries[i]->d_name);
        if (status == STATUS_OK)
            status = add_part(joining, path, error);
        progress_show(&progress, (unsigned)i, "");
        free(entries[i]);
    }
    free(entries);
    return status;
}

static const Part *find_part(const Joining *joining, const Board *board)
{
    unsigned i = 0;
    while (i < joining->count && joining->parts[i].key != board_key(board))
        i++;
    return i < joining->count ? &joining->parts[i] : NULL;
}

// Adds the replies of a position in which the opponent places the next stone; `missing` gets a reply without a part.
static bool add_replies(Joining *joining, const Board *board, TreeBoard *tree, TreeCheck *check, TreeWords *words,
                        Cell *missing)
{
    words->count = 0;
    tree_board_set(tree, board, joining->options->owner);
    if (tree_board_completes(tree, TREE_OWNER, board->rules.p) == tree->row_count)
        tree_words_add(words, TREE_WORD_ALL);
    for (unsigned cell = 0; cell < tree->cell_count; cell++) {
        if (tree->stone[cell] != TREE_EMPTY || !tree_check_is_lowest(check, cell))
            continue;
        Board after;
        board_copy(&after, board);
        (void)board_play(&after, tree_cell(tree, cell));
        const Part *part = find_part(joining, &after);
        *missing = tree_cell(tree, cell);
        if (part == NULL)
            return false;
        tree_words_append(words, &part->words);
    }
    return true;
}

// Looks for a stone of the owner after which all replies have parts.
static bool add_first_stone(Joining *joining, TreeBoard *tree, TreeCheck *check, TreeWords *words)
{
    Cell cells[RULES_CELLS_MAX], missing;
    unsigned count = board_legal_cells(&joining->start, cells);
    for (unsigned i = 0; i < count; i++) {
        Board after;
        TreeWords replies = {0};
        board_copy(&after, &joining->start);
        (void)board_play(&after, cells[i]);
        bool holds = add_replies(joining, &after, tree, check, &replies, &missing);
        if (holds) {
            tree_words_add(words, tree_number(tree, cells[i]));
            tree_words_append(words, &replies);
        }
        tree_words_close(&replies);
        if (holds)
            return true;
    }
    return false;
}

static Status join(Joining *joining, TreeWords *words, Error *error)
{
    TreeBoard tree;
    Cell missing;
    char cell[CELL_TEXT_SIZE];
    tree_board_open(&tree, &joining->start.rules);
    TreeCheck *check = tree_check_open(&tree);
    Status status = STATUS_OK;
    if (board_side(&joining->start) == joining->options->owner) {
        if (!add_first_stone(joining, &tree, check, words))
            status = error_set(error, STATUS_FAILED, "for no first stone '%s' has a part for each reply",
                               joining->options->folder);
    } else if (!add_replies(joining, &joining->start, &tree, check, words, &missing)) {
        cell_format(missing, cell);
        status = error_set(error, STATUS_FAILED, "'%s' has no part for the reply %s", joining->options->folder, cell);
    }
    tree_check_close(check);
    tree_board_close(&tree);
    return status;
}

static Status write_joined(Joining *joining, const TreeWords *words, CertificateReport *report, Error *error)
{
    const ProveJoinOptions *options = joining->options;
    TreeWordsReader reader = {words, 0};
    TreeSource source = tree_words_source(&reader);
    CertificateOptions how = {.stop = options->stop};
    Text file = {0};
    reporter_note(options->reporter, "writing and verifying the proof");
    Status status = certificate_write_tree(&joining->start, options->owner, &source, options->stop, &file, error);
    if (status == STATUS_OK)
        status = certificate_verify((Span){file.data, file.length}, &how, report, error);
    if (status == STATUS_OK)
        status = file_write(options->proof, (Span){file.data, file.length}, error);
    text_close(&file);
    return status;
}

Status prove_join(const Game *game, const ProveJoinOptions *options, CertificateReport *report, Error *error)
{
    Joining joining = {.options = options};
    TreeWords words = {0};
    board_copy(&joining.start, &game->board);
    Status status = read_parts(&joining, error);
    if (status == STATUS_OK)
        status = join(&joining, &words, error);
    if (status == STATUS_OK)
        status = write_joined(&joining, &words, report, error);
    reporter_end(options->reporter);
    tree_words_close(&words);
    for (unsigned i = 0; i < joining.count; i++)
        tree_words_close(&joining.parts[i].words);
    free(joining.parts);
    return status;
}
