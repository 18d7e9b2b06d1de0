// Searches for games by attributes and by positions they had.
#include "store/db/database_search.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/fen.h"
#include "game/notation.h"
#include "game/symmetry.h"
#include "store/db/database_internal.h"

#include <stdlib.h>
#include <string.h>

// A position in all symmetries that count, as the stone of each cell. Games are compared stone by stone; most differ
// within the first few.
typedef struct {
    Rules rules;
    unsigned stones;   // number in the position
    unsigned pictures; // number of symmetric images
    uint64_t keys[SYMMETRY_MAX];
    uint8_t stone[SYMMETRY_MAX][RULES_CELLS_MAX];
} Wanted;

static void wanted_init(Wanted *wanted, const Board *position, bool is_symmetric)
{
    const Rules *rules = &position->rules;
    wanted->rules = *rules;
    wanted->stones = board_count(position);
    wanted->pictures = is_symmetric ? symmetry_count(rules) : 1;
    for (unsigned i = 0; i < wanted->pictures; i++) {
        Board picture;
        symmetry_board(position, i, &picture);
        wanted->keys[i] = board_key(&picture);
        for (unsigned row = 0; row < rules->height; row++)
            for (unsigned column = 0; column < rules->width; column++)
                wanted->stone[i][cell_at(column, row)] = (uint8_t)board_stone(&picture, cell_at(column, row));
    }
}

// The side of the n-th stone, from 0, of a game from the empty board.
static Side side_of(const Rules *rules, unsigned n)
{
    return n < rules->q ? SIDE_FIRST : (n - rules->q) / rules->p % 2 == 0 ? SIDE_SECOND : SIDE_FIRST;
}

// Whether a game from the empty board reaches the position.
static bool stones_fit(const Wanted *wanted, Span stones)
{
    unsigned alive = (1u << wanted->pictures) - 1;
    Span word = {0};
    for (unsigned n = 0; n < wanted->stones; n++) {
        Cell cell = CELL_NONE;
        if (!span_next_word(&stones, " ", &word) || cell_parse(word, &wanted->rules, &cell, NULL) != STATUS_OK)
            return false;
        Side side = side_of(&wanted->rules, n);
        for (unsigned i = 0; i < wanted->pictures; i++)
            if (wanted->stone[i][cell] != (uint8_t)side)
                alive &= ~(1u << i);
        if (alive == 0)
            return false;
    }
    return true;
}

// The same for a game from a set-up position, which is played by the rules.
static bool setup_fits(const Wanted *wanted, Span setup, Span stones)
{
    Game game;
    Span word = {0};
    if (fen_read(setup, &wanted->rules, &game, NULL) != STATUS_OK)
        return false;
    while (board_count(&game.board) < wanted->stones) {
        Cell cell = CELL_NONE;
        if (!span_next_word(&stones, " ", &word) || cell_parse(word, &wanted->rules, &cell, NULL) != STATUS_OK ||
            game_try(&game, cell, NULL) != STATUS_OK)
            return false;
    }
    for (unsigned i = 0; i < wanted->pictures; i++)
        if (board_key(&game.board) == wanted->keys[i])
            return true;
    return false;
}

typedef struct {
    const DatabaseGameSearch *search;
    DatabaseFound *found;
    Wanted *wanted; // NULL: any position
    Numbers ids;    // of the page
    unsigned passed;
} Walk;

static void take_id(Walk *walk, int64_t id)
{
    walk->found->total++;
    if (walk->passed < walk->search->offset)
        walk->passed++;
    else if (walk->ids.count < walk->search->limit)
        numbers_add(&walk->ids, id);
}

// Checks a batch of games below `before` under the lock. `has_more` is false if no game is left or the time is over.
static Status walk_piece(Database *db, Walk *walk, int64_t *before, bool *has_more, Error *error)
{
    enum { PIECE = 1000 };
    unsigned rows = 0;
    DatabaseFilter filter = walk->search->filter;
    filter.before = *before;
    database_lock(db);
    query_set_deadline(db, filter.deadline);
    Query row = query_filtered(db, FILTERED_STONES, &filter);
    query_bind(&row, value_int(PIECE));
    while (query_row(&row)) {
        rows++;
        *before = query_int(&row, 0);
        Span stones = query_bytes(&row, 2);
        bool fits = query_is_null(&row, 1) ? stones_fit(walk->wanted, stones)
                                           : setup_fits(walk->wanted, query_bytes(&row, 1), stones);
        if (fits)
            take_id(walk, *before);
    }
    bool is_late = query_ran_out(&row) || (filter.deadline > 0 && clock_seconds() > filter.deadline);
    Status status = query_end(&row, error);
    query_set_deadline(db, 0);
    database_unlock(db);
    walk->found->is_complete = !is_late && rows < PIECE;
    *has_more = !is_late && rows == PIECE;
    return status;
}

// Compares the stones of all games of the filter until the time is over.
static Status walk_positions(Database *db, Walk *walk, Error *error)
{
    bool has_more = true;
    int64_t before = walk->search->filter.before;
    Status status = STATUS_OK;
    walk->wanted = memory_new(1, sizeof *walk->wanted);
    wanted_init(walk->wanted, walk->search->position, walk->search->is_symmetric);
    while (has_more && status == STATUS_OK)
        status = walk_piece(db, walk, &before, &has_more, error);
    free(walk->wanted);
    // The next page begins after the last game of this one, or where the time was over.
    uint64_t listed = walk->passed + walk->ids.count;
    if (walk->found->total > listed)
        walk->found->next = walk->ids.count > 0 ? walk->ids.list[walk->ids.count - 1] : 0;
    else if (!walk->found->is_complete)
        walk->found->next = before;
    return status;
}

// Reads a page by the index, and counts all games if there is time.
static Status walk_pages(Database *db, Walk *walk, Error *error)
{
    const DatabaseFilter *filter = &walk->search->filter;
    database_lock(db);
    query_set_deadline(db, filter->deadline);
    Query page = query_filtered(db, FILTERED_NEWEST, filter);
    query_bind(&page, value_int((int64_t)walk->search->limit + 1));
    query_bind(&page, value_int(walk->search->offset));
    while (query_row(&page))
        numbers_add(&walk->ids, query_int(&page, 0));
    bool is_late = query_ran_out(&page);
    Status status = query_end(&page, error);
    Query count = query_filtered(db, FILTERED_COUNT, filter);
    walk->found->total = query_row(&count) ? (uint64_t)query_int(&count, 0) : walk->ids.count;
    is_late = query_ran_out(&count) || is_late;
    Status counted = query_end(&count, error);
    query_set_deadline(db, 0);
    database_unlock(db);
    walk->found->is_complete = !is_late;
    if (walk->ids.count > walk->search->limit) {
        walk->ids.count = walk->search->limit;
        walk->found->next = walk->ids.count > 0 ? walk->ids.list[walk->ids.count - 1] : 0;
    }
    return status != STATUS_OK ? status : counted;
}

typedef struct {
    DatabaseGameHead head;
    RowTexts texts;
} HeadReader;

static unsigned count_words(Span text)
{
    Span word = {0};
    unsigned count = 0;
    while (span_next_word(&text, " ", &word))
        count++;
    return count;
}

static Status read_row(HeadReader *reader, const Query *row, Error *error)
{
    DatabaseGameHead *head = &reader->head;
    reader->texts.count = 0;
    head->match = query_int(row, 0);
    head->number = query_int(row, 1);
    head->first = row_line(&reader->texts, row, 3);
    head->second = row_line(&reader->texts, row, 4);
    head->result = result_of_name(query_bytes(row, 5));
    head->reason = row_line(&reader->texts, row, 6);
    head->event = row_line(&reader->texts, row, 7);
    head->date = row_line(&reader->texts, row, 8);
    head->started = query_int(row, 9);
    head->ended = query_int(row, 10);
    head->stones = count_words(query_bytes(row, 11));
    head->moves = row_text(&reader->texts, row, 11);
    head->setup = row_text(&reader->texts, row, 12);
    Span kept = query_bytes(row, 13);
    head->is_reviewed = kept.length > 0 && memmem(kept.at, kept.length, "KW[", 3) != NULL;
    head->is_saved = query_int(row, 14) != 0;
    return rules_parse(query_bytes(row, 2), &head->rules, error);
}

static Status read_head(Database *db, int64_t id, HeadReader *reader, bool *found, Error *error)
{
    reader->head = (DatabaseGameHead){.id = id};
    database_lock(db);
    Query row = query_with(db, QUERY_GAME_HEAD, VALUES(value_int(id)));
    *found = query_row(&row);
    Status status = *found ? read_row(reader, &row, error) : STATUS_OK;
    status = query_end_after(&row, status, error);
    database_unlock(db);
    return status;
}

static Status pass_heads(Database *db, const Walk *walk, Error *error)
{
    HeadReader reader = {0};
    Status status = STATUS_OK;
    bool has_more = true;
    for (size_t i = 0; i < walk->ids.count && status == STATUS_OK && has_more; i++) {
        bool found = false;
        status = read_head(db, walk->ids.list[i], &reader, &found, error);
        if (status == STATUS_OK && found)
            has_more = walk->search->sink(walk->search->context, &reader.head);
    }
    row_texts_close(&reader.texts);
    return status;
}

Status database_search_games(Database *db, const DatabaseGameSearch *search, DatabaseFound *found, Error *error)
{
    assert(search->position == NULL ||
           (search->filter.rules != NULL && rules_equal(search->filter.rules, &search->position->rules)));
    *found = (DatabaseFound){0};
    Walk walk = {.search = search, .found = found};
    Status status = search->position != NULL ? walk_positions(db, &walk, error) : walk_pages(db, &walk, error);
    if (status == STATUS_OK)
        status = pass_heads(db, &walk, error);
    free(walk.ids.list);
    return status;
}

// --- Statistics of openings ---

Status database_each_line(Database *db, const DatabaseLineRange *range, DatabaseLineSink *sink, void *context,
                          Error *error)
{
    bool has_more = true;
    database_lock(db);
    Query row = query_with(db, QUERY_GAME_LINES,
                           VALUES(value_rules(range->rules), value_int(range->after), value_int(range->most)));
    while (has_more && query_row(&row)) {
        DatabaseLine line = {.id = query_int(&row, 0), .stones = query_bytes(&row, 2)};
        if (!query_is_null(&row, 1))
            line.result = result_of_name(query_bytes(&row, 1));
        has_more = sink(context, &line);
    }
    Status status = query_end(&row, error);
    database_unlock(db);
    return status;
}

Status database_count_lines(Database *db, const Rules *rules, int64_t last, int64_t *count, Error *error)
{
    return database_get(db, QUERY_GAME_LINES_COUNT, VALUES(value_rules(rules), value_int(last)), count, error);
}
