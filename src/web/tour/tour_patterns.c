// The fourth paper's lenses: patterns with their tiers and proofs, and how a search finds new ones.
#include "web/tour/tour_internal.h"

#include "game/notation.h"
#include "papers/patterns/extraction.h"
#include "papers/patterns/pattern_proof.h"
#include "view/json_view.h"

#include <math.h>

static const uint64_t PROOF_NODES = 20000, SEARCH_NODES = 20000;

// The defaults of the agent `patterns`, from section 4.
static const ExtractionOptions usual = {
    .base = 10,
    .branching = 6,
    .depth = 3,
    .is_signed = true,
    .factor = 2,
    .size_cost = 0.001,
    .decay = 0.99,
    .neglect = 1.5,
    .takes_first = true, // the same picture each time
};

static void mark_cell(Cell cell, bool own, Side side, TourPicture *picture)
{
    tour_mark(picture, &(TourMark){"pattern", &cell, 1, side_name(side), own ? "own" : "empty", NAN, false});
}

static void describe_proof(const char *label, const PatternProofResult *result, TourPicture *picture)
{
    static const char *const verdicts[] = {"wins", "can be stopped", "not decided"};
    if (result->verdict == PATTERN_PROVED)
        tour_fact(picture, label, json_string(verdicts[result->verdict]), "%u more stone%s at most", result->moves,
                  view_plural(result->moves));
    else
        tour_fact(picture, label, json_string(verdicts[result->verdict]), "%llu position%s",
                  (unsigned long long)result->nodes, view_plural(result->nodes));
}

// The cells of `asked` with the stones that are there now; false when the other side has one of them.
static bool read_cells(TourPicture *picture, PatternCells *cells)
{
    const Board *board = picture->board;
    Cell list[PATTERN_CELLS_MAX];
    unsigned count = tour_cells(picture->task->asked, &board->rules, list, PATTERN_CELLS_MAX);
    bool good = count > 0;
    *cells = (PatternCells){0};
    for (unsigned i = 0; i < count; i++) {
        Stone stone = board_stone(board, list[i]);
        good = good && stone != (Stone)side_other(TOUR_SIDE);
        cells->rows[cell_row(list[i])] |= cell_bit_in_row(list[i]);
        mark_cell(list[i], stone == (Stone)TOUR_SIDE, TOUR_SIDE, picture);
    }
    return good;
}

static void prove(PatternProof *proof, const Board *board, const PatternCells *cells, const Pattern *pattern,
                  TourPicture *picture)
{
    Limits limits = {.nodes = PROOF_NODES};
    PatternProofResult alone = pattern_proof_run(proof, pattern, &limits);
    PatternProofResult here = pattern_proof_run_on(proof, board, TOUR_SIDE, cells, &limits);
    tour_fact(picture, "Tier", json_integer(pattern->tier), "stone%s short of a row", view_plural(pattern->tier));
    tour_fact(picture, "Cells", json_integer(pattern->count), "%u of them stones", pattern->own);
    tour_fact(picture, "Worth", json_real(extraction_pattern_value(&usual, pattern->tier, pattern->count)), "%s", "");
    describe_proof("Alone", &alone, picture);
    describe_proof("On this board", &here, picture);
    const char *name = web_side_name(&board->rules, TOUR_SIDE);
    if (here.verdict == PATTERN_PROVED && here.moves == 0)
        text_add(&picture->caption, "%s has won: tier 0.", name);
    else if (here.verdict == PATTERN_PROVED)
        text_add(&picture->caption, "%s wins although %s moves next: tier %u.", name,
                 web_side_name(&board->rules, side_other(TOUR_SIDE)), (unsigned)pattern->tier);
    else if (here.verdict == PATTERN_REFUTED)
        text_add(&picture->caption, "%s can stop this%s.", web_side_name(&board->rules, side_other(TOUR_SIDE)),
                 alone.verdict == PATTERN_PROVED ? " here, by stones around it" : "");
    else
        text_add(&picture->caption, "This is too much for a quick proof.");
}

static Status look_at_pattern(TourPicture *picture)
{
    const Board *board = picture->board;
    PatternCells cells;
    Pattern pattern;
    if (!read_cells(picture, &cells) || !pattern_of_cells(board, TOUR_SIDE, &cells, 0, &pattern)) {
        text_add(&picture->caption, "The pattern is not there: its cells must have stones of %s or be empty.",
                 web_side_name(&board->rules, TOUR_SIDE));
        return STATUS_OK;
    }
    unsigned lacking = pattern_lacking(&pattern, &board->rules);
    if (lacking > PATTERN_TIER_MAX) {
        text_add(&picture->caption, "There is no room for a row in these cells.");
        return STATUS_OK;
    }
    pattern.tier = (uint8_t)lacking;
    PatternProof *proof = pattern_proof_open(&board->rules);
    prove(proof, board, &cells, &pattern, picture);
    pattern_proof_close(proof);
    return STATUS_OK;
}

const TourLens tour_lens_pattern = {"pattern", false, look_at_pattern};

// Adds the patterns of a text such as "1:.xxxx.", tier and picture, before the search.
static Status know(PatternIndex *index, TourPicture *picture)
{
    Span rest = picture->task->asked, word = {0}, tier = {0};
    Status status = STATUS_OK;
    Text words = {0};
    unsigned count = 1;
    text_add(&words, "a row");
    for (; status == STATUS_OK && span_next_word(&rest, " ", &word); count++) {
        Pattern pattern;
        int64_t number = 0;
        (void)span_next_part(&word, ':', &tier);
        (void)span_to_int(tier, 0, PATTERN_TIER_MAX, &number);
        text_add(&words, ", %.*s", SPAN_PRINT(word));
        status = pattern_parse(word, (unsigned)number, &pattern, picture->error);
        if (status == STATUS_OK)
            pattern_index_add(index, &pattern);
    }
    tour_fact(picture, "Known beforehand", json_integer(count), "%s", words.data != NULL ? words.data : "");
    text_close(&words);
    return status;
}

// A pattern has no position on the board; it is searched for around the stones of its owner.
static void find_place(const Board *board, const ExtractionResult *result, TourPicture *picture)
{
    PatternIndex *index = pattern_index_open();
    PatternMatch match;
    bool found = false;
    pattern_index_add(index, &result->pattern);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t bits = board->line[row][result->owner]; bits != 0 && !found; bits &= bits - 1)
            found = pattern_index_best(index, board, cell_at(bits_lowest(bits), row), result->owner, &match);
    for (unsigned i = 0; found && i < match.picture->count; i++) {
        const PatternCell *cell = &match.picture->cell[i];
        mark_cell(cell_at(match.column + cell->column, match.row + cell->row), cell->own, result->owner, picture);
    }
    pattern_index_close(index);
}

static void describe_extraction(const Board *board, const ExtractionResult *result, TourPicture *picture)
{
    char name[CELL_TEXT_SIZE];
    const Rules *rules = &board->rules;
    Side side = board_side(board);
    cell_format(result->cell, name);
    tour_mark(picture, &(TourMark){"stone", &result->cell, 1, side_name(side), NULL, 1, false});
    tour_fact(picture, "Stone chosen", json_string(name), "value %.0f", result->score);
    tour_fact(picture, "Known patterns met", json_integer((json_int_t)result->matches), "in %llu positions",
              (unsigned long long)result->nodes);
    if (!result->has_pattern) {
        tour_fact(picture, "Pattern learned", json_string("none"), "%s", "");
        text_add(&picture->caption, "%s plays %s. Three stones ahead there is nothing to learn.",
                 web_side_name(rules, side), name);
        return;
    }
    char text[PATTERN_TEXT_SIZE];
    pattern_format(&result->pattern, text);
    tour_fact(picture, "Pattern learned", json_string(text), "tier %u, %u cells", (unsigned)result->pattern.tier,
              (unsigned)result->pattern.count);
    text_add(&picture->caption, "%s plays %s. The search has learned a pattern of %s, tier %u.",
             web_side_name(rules, side), name, web_side_name(rules, result->owner), (unsigned)result->pattern.tier);
    // A win is learned from the position after the stone, a loss from the one before it.
    Board shown = *board;
    if (result->owner == side)
        (void)board_play(&shown, result->cell);
    find_place(&shown, result, picture);
}

static Status look_at_extraction(TourPicture *picture)
{
    const Board *board = picture->board;
    Extraction *search = extraction_open(&usual, &board->rules);
    PatternIndex *index = pattern_index_open();
    Status status = know(index, picture);
    if (status == STATUS_OK) {
        Rng rng = rng_make(1);
        Limits limits = {.nodes = SEARCH_NODES};
        ExtractionResult result;
        extraction_run(search, board, &(ExtractionTask){index, &limits, NULL, &rng}, &result);
        describe_extraction(board, &result, picture);
    }
    extraction_close(search);
    pattern_index_close(index);
    return status;
}

const TourLens tour_lens_extraction = {"extraction", false, look_at_extraction};
