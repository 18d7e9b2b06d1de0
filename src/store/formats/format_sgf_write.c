// The SGF FF[4] writer; format_sgf.c describes points and private properties.
#include "store/formats/format_sgf_internal.h"

#include <string.h>

// Adds a property and a line end unless the value is empty.
static void add_text(Text *text, const char *ident, const char *value)
{
    if (value[0] == '\0')
        return;
    sgf_add_property(text, ident, value);
    text_add(text, "\n");
}

// Adds a point with its brackets.
static void add_point(const Rules *rules, Cell cell, Text *text)
{
    Text stone = {0};
    sgf_add_stone(&stone, rules, SIDE_FIRST, cell);
    text_add(text, "%s", stone.data + strlen(";B"));
    text_close(&stone);
}

static void add_setup_of(const Board *board, Stone stone, const char *ident, Text *text)
{
    bool named = false;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (unsigned column = 0; column < board->rules.width; column++) {
            if (board_stone(board, cell_at(column, row)) != stone)
                continue;
            text_add(text, "%s", named ? "" : ident);
            add_point(&board->rules, cell_at(column, row), text);
            named = true;
        }
}

static void add_setup(const Board *board, Text *text)
{
    add_setup_of(board, STONE_FIRST, "AB", text);
    add_setup_of(board, STONE_SECOND, "AW", text);
    text_add(text, "PL[%c]KL[%u]\n", board_side(board) == SIDE_FIRST ? 'B' : 'W',
             (unsigned)(board->state.turn & 0xffff));
}

// RE has letters for three reasons; KE has the full text.
static void add_result(const GameRecord *record, Text *text)
{
    static const char *const winners[] = {"", "B+", "W+", "Draw"};
    const char *why = strncmp(record->reason, "resign", 6) == 0    ? "R"
                      : strncmp(record->reason, "time", 4) == 0    ? "T"
                      : strncmp(record->reason, "forfeit", 7) == 0 ? "F"
                                                                   : "";
    if (record->result != RESULT_NONE)
        text_add(text, "RE[%s%s]\n", winners[record->result], record->result != RESULT_DRAW ? why : "");
    add_text(text, "KE", record->reason);
}

static void add_root(const GameRecord *record, Text *text)
{
    char rules[RULES_TEXT_SIZE];
    rules_format(&record->rules, rules);
    text_add(text, "(;FF[4]GM[4]CA[UTF-8]");
    if (record->rules.width == record->rules.height)
        text_add(text, "SZ[%d]", record->rules.width);
    else
        text_add(text, "SZ[%d:%d]", record->rules.width, record->rules.height);
    text_add(text, "KR[%s]\n", rules);
    add_text(text, "PB", record->first);
    add_text(text, "PW", record->second);
    add_text(text, "EV", record->event);
    add_text(text, "DT", record->date);
    add_result(record, text);
    if (record->setup != NULL)
        add_setup(record->setup, text);
    text_add_span(text, record_kept(record, 0));
}

static bool has_variations(const GameRecord *record, unsigned after)
{
    for (unsigned i = 0; i < record->variation_count; i++)
        if (record->variations[i].after == after)
            return true;
    return false;
}

// Closes the main line, which is the first branch at each variation, and adds the other branches.
static void end_branches(const GameRecord *record, Text *text)
{
    for (unsigned after = record->count + 1; after-- > 0;) {
        if (!has_variations(record, after))
            continue;
        text_add(text, after == record->count ? "(;)" : ")");
        for (unsigned i = 0; i < record->variation_count; i++)
            if (record->variations[i].after == after) {
                text_add(text, "\n");
                text_add_span(text, record_variation(record, i));
            }
    }
}

Status sgf_write(const Format *format, const GameRecord *record, Text *text, Error *error)
{
    (void)format;
    (void)error;
    Board board;
    board_init(&board, &record->rules);
    uint64_t start = record->setup != NULL ? record->setup->state.turn : board.state.turn;
    add_root(record, text);
    for (unsigned i = 0; i < record->count; i++) {
        const RecordStone *stone = &record->stones[i];
        bool first = (board_turn_after(&board, start, i) >> 32 & 1) == SIDE_FIRST;
        text_add(text, "%s%s", i % 10 == 0 ? "\n" : "", has_variations(record, i) ? "\n(" : "");
        sgf_add_stone(text, &record->rules, first ? SIDE_FIRST : SIDE_SECOND, stone->cell);
        if (stone->ms >= 0)
            text_add(text, "KT[%d]", stone->ms);
        text_add_span(text, record_kept(record, i + 1));
    }
    end_branches(record, text);
    text_add(text, ")\n");
    return STATUS_OK;
}
