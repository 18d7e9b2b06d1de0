// The chapters of the tour, read from the files of data/tour, which are compiled in.
//
// A file is a list of entries "key value"; indented lines continue the value of the entry above them. Empty lines
// separate. The keys of a chapter are `chapter` (its name in the API), `paper`, `source` and `title`. Each `step` has
// one `text` per paragraph and one or two boards. The keys of a board are `board` (its heading), `game`, `lens`,
// `asked`, `option`, `rows` (a diagram with a turn line) and `moves`. A board without `game` and `rows` has those of
// the board before it.
#include "web/tour/tour_internal.h"

#include <assert.h>

static const TourLens *const lenses[] = {
    &tour_lens_threats,    &tour_lens_generalised, &tour_lens_agents, &tour_lens_influence,
    &tour_lens_candidates, &tour_lens_defence,     &tour_lens_space,  &tour_lens_forcing,
    &tour_lens_pattern,    &tour_lens_extraction,  &tour_lens_chains, &tour_lens_detection,
};

static const TourLens *find_lens(Span kind)
{
    for (unsigned i = 0; i < sizeof lenses / sizeof lenses[0]; i++)
        if (span_is(kind, lenses[i]->kind))
            return lenses[i];
    assert(false && "a lens of data/tour exists");
    return lenses[0];
}

typedef struct {
    Span key, value;
} Entry;

static bool next_entry(Span *rest, Entry *entry)
{
    Span line = {0};
    do {
        if (!span_next_part(rest, '\n', &line))
            return false;
    } while (line.length == 0);
    (void)span_next_part(&line, ' ', &entry->key);
    entry->value = line.length > 0 ? line : (Span){rest->at, 0};
    while (rest->length > 0 && rest->at[0] == ' ') {
        (void)span_next_part(rest, '\n', &line);
        entry->value.length = (size_t)(line.at + line.length - entry->value.at);
    }
    return true;
}

static unsigned number_of(Span value)
{
    int64_t number = 0;
    (void)span_to_int(value, 0, UINT32_MAX, &number);
    return (unsigned)number;
}

static TourBoard *add_board(TourStep *step, const TourBoard *before, Span heading)
{
    assert(step->board_count < TOUR_BOARDS_MAX);
    TourBoard *board = &step->boards[step->board_count++];
    *board = (TourBoard){.heading = heading};
    if (before != NULL) {
        board->game = before->game;
        board->rows = before->rows;
    }
    return board;
}

static void set_board(TourBoard *board, const Entry *entry)
{
    if (span_is(entry->key, "game"))
        board->game = entry->value;
    else if (span_is(entry->key, "lens"))
        board->lens = find_lens(entry->value);
    else if (span_is(entry->key, "asked"))
        board->asked = entry->value;
    else if (span_is(entry->key, "option"))
        board->option = number_of(entry->value);
    else if (span_is(entry->key, "rows"))
        board->rows = entry->value;
    else if (span_is(entry->key, "moves"))
        board->moves = entry->value;
    else
        assert(false && "a key of data/tour is known");
}

static TourChapter read_chapter(Span text)
{
    TourChapter chapter = {0};
    TourStep *step = NULL;
    TourBoard *board = NULL;
    Entry entry = {0};
    while (next_entry(&text, &entry)) {
        if (span_is(entry.key, "chapter"))
            chapter.id = entry.value;
        else if (span_is(entry.key, "paper"))
            chapter.paper = number_of(entry.value);
        else if (span_is(entry.key, "source"))
            chapter.source = entry.value;
        else if (span_is(entry.key, "title"))
            chapter.title = entry.value;
        else if (span_is(entry.key, "step")) {
            assert(chapter.step_count < TOUR_STEPS_MAX);
            step = &chapter.steps[chapter.step_count++];
            step->title = entry.value;
        } else if (span_is(entry.key, "text")) {
            assert(step != NULL && step->text_count < TOUR_TEXTS_MAX);
            step->texts[step->text_count++] = entry.value;
        } else if (span_is(entry.key, "board")) {
            assert(step != NULL);
            board = add_board(step, board, entry.value);
        } else {
            assert(board != NULL);
            set_board(board, &entry);
        }
    }
    return chapter;
}

bool tour_chapter(unsigned number, TourChapter *chapter)
{
    if (number >= tour_texts_count)
        return false;
    *chapter = read_chapter(tour_texts[number]);
    return true;
}

bool tour_find_chapter(const char *id, TourChapter *chapter)
{
    for (unsigned i = 0; tour_chapter(i, chapter); i++)
        if (span_is(chapter->id, id))
            return true;
    return false;
}

bool tour_find_board(const char *id, unsigned step, unsigned board, TourBoard *found)
{
    TourChapter chapter;
    if (!tour_find_chapter(id, &chapter) || step >= chapter.step_count || board >= chapter.steps[step].board_count)
        return false;
    *found = chapter.steps[step].boards[board];
    return true;
}
