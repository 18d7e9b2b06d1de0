// The SGF FF[4] reader. The syntax is a stream of ( ) ; and properties with values, read without recursion, so deeply
// nested variations cannot exhaust the stack. The main line is everything up to the first closing parenthesis. The rest
// is variations, whose text is stored unchanged.
//
// Points are two letters, column then row, a to z and then A to Z, origin top left. Boards with a side above 52, which
// two letters cannot represent, use krow's cells (`bk60`, row 1 at the bottom); points that end in a digit are read as
// cells. B is the first player. Private properties: KR rules, KT time (milliseconds), KL stones left in the turn of a
// set-up position, KE reason. Without KR the game is five in a row, or Connect6 if a colour moves twice in succession.
#include "store/formats/format_sgf_internal.h"

#include "base/memory.h"
#include "store/charset.h"

#include <stdlib.h>
#include <string.h>

enum { SGF_POINTS_MAX = 4 * RULES_CELLS_MAX };

bool sgf_detect(Span text)
{
    Span start = span_trim(text);
    if (start.length < 2 || start.at[0] != '(')
        return false;
    Span next = span_trim((Span){start.at + 1, start.length - 1});
    return next.length > 0 && next.at[0] == ';';
}

static bool take_value(Sgf *sgf, Span *value)
{
    size_t line = sgf->cursor.line;
    return sgf_take_value(&sgf->cursor, value) ||
           reader_fail(sgf->reader, line, "the value that begins here is not closed by ]");
}

// --- Properties ---

static bool add_point(Sgf *sgf, SgfPoints *points, SgfPoint point)
{
    if (points->count == SGF_POINTS_MAX)
        return reader_fail(sgf->reader, point.line, "more stones than the largest board has cells");
    points->list = array_grow(points->list, &points->capacity, points->count + 1, sizeof *points->list);
    points->list[points->count++] = point;
    return true;
}

// Stores a property that is a text of the record; false for other properties.
static bool use_text(GameRecord *record, const char *ident, Span value)
{
    const struct {
        const char *ident;
        char *field;
        size_t size;
    } texts[] = {{"PB", record->first, sizeof record->first},
                 {"PW", record->second, sizeof record->second},
                 {"EV", record->event, sizeof record->event},
                 {"DT", record->date, sizeof record->date},
                 {"KE", record->reason, sizeof record->reason}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(ident, texts[i].ident) == 0) {
            Text plain = {0};
            sgf_add_plain(value, &plain);
            utf8_clean((Span){plain.data, plain.length}, texts[i].field, texts[i].size);
            text_close(&plain);
            return true;
        }
    return false;
}

static void read_result(GameRecord *record, Span value)
{
    static const struct {
        char letter;
        const char *reason;
    } reasons[] = {{'R', "resigned"}, {'T', "time"}, {'F', "forfeit"}};
    value = span_trim(value);
    if (span_is(value, "0") || span_is_ignoring_case(value, "Draw") || span_is_ignoring_case(value, "D"))
        record->result = RESULT_DRAW;
    if (value.length < 2 || value.at[1] != '+' || (value.at[0] != 'B' && value.at[0] != 'W'))
        return;
    record->result = value.at[0] == 'B' ? RESULT_FIRST : RESULT_SECOND;
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (value.length > 2 && value.at[2] == reasons[i].letter && record->reason[0] == '\0')
            record_set_text(record->reason, span_of(reasons[i].reason));
}

static bool read_rules(Sgf *sgf, size_t line, Span value)
{
    Error error = {0};
    sgf->has_rules = true;
    return rules_parse(value, &sgf->reader->record.rules, &error) == STATUS_OK ||
           reader_fail_with(sgf->reader, line, &error);
}

static bool read_number(Sgf *sgf, size_t line, const char *ident, Span value, int64_t max, int64_t *number)
{
    return span_to_int(span_trim(value), 0, max, number) ||
           reader_fail(sgf->reader, line, "%s[%.*s] is not a whole number up to %lld", ident, SPAN_PRINT(value),
                       (long long)max);
}

static bool add_move(Sgf *sgf, size_t line, Span value, bool white)
{
    sgf->has_move = true;
    return add_point(sgf, &sgf->moves, (SgfPoint){span_trim(value), white, line}) &&
           reader_stone(sgf->reader, line, CELL_NONE, RECORD_MS_UNKNOWN); // use_moves sets the cell
}

static bool add_setup(Sgf *sgf, size_t line, Span value, bool white)
{
    if (sgf->moves.count > 0)
        return reader_fail(sgf->reader, line, "stones cannot be set up (AB, AW) after the first move");
    return add_point(sgf, &sgf->setup, (SgfPoint){span_trim(value), white, line});
}

// Handles one value of a property; `known` is false if krow does not use the property.
static bool use_value(Sgf *sgf, const char *ident, size_t line, Span value, bool *known)
{
    GameRecord *record = &sgf->reader->record;
    *known = true;
    if (strcmp(ident, "B") == 0 || strcmp(ident, "W") == 0)
        return add_move(sgf, line, value, ident[0] == 'W');
    if (strcmp(ident, "AB") == 0 || strcmp(ident, "AW") == 0)
        return add_setup(sgf, line, value, ident[1] == 'W');
    if (strcmp(ident, "AE") == 0)
        return reader_fail(sgf->reader, line, "removing stones (AE) is not supported");
    if (strcmp(ident, "KT") == 0)
        return read_number(sgf, line, ident, value, INT32_MAX, &sgf->node_ms);
    if (strcmp(ident, "PL") == 0)
        sgf->player = value.length > 0 && (value.at[0] == 'W' || value.at[0] == 'w' || value.at[0] == '2') ? 'W' : 'B';
    else if (strcmp(ident, "KL") == 0)
        return read_number(sgf, line, ident, value, RULES_CELLS_MAX, &sgf->left);
    else if (strcmp(ident, "GM") == 0)
        return read_number(sgf, line, ident, value, INT32_MAX, &sgf->genre);
    else if (strcmp(ident, "KR") == 0)
        return read_rules(sgf, line, value);
    else if (strcmp(ident, "SZ") == 0) {
        sgf->size = value;
        sgf->size_line = line;
    } else if (strcmp(ident, "RE") == 0)
        read_result(record, value);
    else
        *known = use_text(record, ident, value) || strcmp(ident, "FF") == 0 || strcmp(ident, "CA") == 0;
    return true;
}

static bool read_property(Sgf *sgf)
{
    char ident[SGF_IDENT_SIZE];
    size_t line = sgf->cursor.line;
    bool good = true, named = false;
    if (!sgf_take_ident(&sgf->cursor, ident))
        return reader_fail(sgf->reader, line, "the name of a property has more than %d letters", SGF_IDENT_SIZE - 1);
    if (sgf_peek(&sgf->cursor) != '[')
        return reader_fail(sgf->reader, line, "the property %s has no value", ident);
    while (good && sgf_peek(&sgf->cursor) == '[') {
        size_t value_line = sgf->cursor.line;
        Span value = {0};
        bool known = false;
        if (!take_value(sgf, &value))
            return false;
        // After an error, the rest of the game is skipped.
        good = sgf->reader->damaged || use_value(sgf, ident, value_line, value, &known);
        if (!known && !sgf->reader->damaged && ident[0] != '\0') {
            text_add(&sgf->node, "%s[", named ? "" : ident);
            text_add_span(&sgf->node, value);
            text_add(&sgf->node, "]");
            named = true;
        }
        sgf_skip_blanks(&sgf->cursor);
    }
    return good;
}

// Ends a node: sets the time of its stone, and stores the properties that krow does not use.
static void end_node(Sgf *sgf)
{
    GameRecord *record = &sgf->reader->record;
    if (sgf->has_move && record->count > 0)
        record->stones[record->count - 1].ms = (int32_t)sgf->node_ms;
    if (sgf->node.length > 0) {
        if (!sgf->is_root && !sgf->has_move)
            text_add(&record->kept, ";"); // a separate node without a stone
        text_add_span(&record->kept, (Span){sgf->node.data, sgf->node.length});
    }
    sgf->node.length = 0;
    sgf->has_move = false;
    sgf->is_root = false;
    sgf->node_ms = RECORD_MS_UNKNOWN;
}

// --- Games of a collection ---

static void begin_game(Sgf *sgf)
{
    reader_begin(sgf->reader, sgf->cursor.line);
    sgf->depth = sgf->opened_count = 0;
    sgf->main_is_over = false;
    sgf->branch = NULL;
    sgf->moves.count = sgf->setup.count = 0;
    sgf->node.length = 0;
    sgf->is_root = true;
    sgf->has_move = sgf->has_rules = false;
    sgf->node_ms = RECORD_MS_UNKNOWN;
    sgf->size = (Span){0};
    sgf->player = 0;
    sgf->left = 0;
    sgf->genre = 4;
}

// Whether this parenthesis opens another game although the last one is unclosed: only the root of a game has FF and GM.
static bool opens_root(const Sgf *sgf)
{
    Span after = {sgf->cursor.rest.at + 1, sgf->cursor.rest.length - 1};
    after = span_trim((Span){after.at, after.length < 64 ? after.length : 64});
    if (after.length == 0 || after.at[0] != ';')
        return false;
    after = span_trim((Span){after.at + 1, after.length - 1});
    return after.length >= 3 && (memcmp(after.at, "FF[", 3) == 0 || memcmp(after.at, "GM[", 3) == 0);
}

static void read_node(Sgf *sgf)
{
    sgf_skip(&sgf->cursor);
    sgf_skip_blanks(&sgf->cursor);
    while (sgf_is_letter(sgf_peek(&sgf->cursor)) && read_property(sgf))
        sgf_skip_blanks(&sgf->cursor);
}

// A variation is an alternative to a part of the main line, and begins at the same stone.
static void read_parenthesis(Sgf *sgf)
{
    bool opens = sgf_peek(&sgf->cursor) == '(';
    const char *at = sgf->cursor.rest.at;
    if (opens && !sgf->main_is_over) {
        sgf->opened = array_grow(sgf->opened, &sgf->opened_capacity, sgf->opened_count + 1, sizeof *sgf->opened);
        sgf->opened[sgf->opened_count++] = sgf->reader->record.count;
    }
    if (opens && sgf->main_is_over && sgf->branch == NULL && sgf->depth < sgf->opened_count) {
        sgf->branch = at;
        sgf->branch_depth = sgf->depth;
    }
    sgf->main_is_over |= !opens;
    sgf->depth += opens ? 1 : (size_t)-1;
    sgf_skip(&sgf->cursor);
    Error error = {0};
    if (opens || sgf->branch == NULL || sgf->depth != sgf->branch_depth)
        return;
    Span text = {sgf->branch, (size_t)(sgf->cursor.rest.at - sgf->branch)};
    sgf->branch = NULL;
    if (!sgf->reader->damaged &&
        record_add_variation(&sgf->reader->record, sgf->opened[sgf->branch_depth], text, &error) != STATUS_OK)
        (void)reader_fail_with(sgf->reader, sgf->cursor.line, &error);
}

// Reads one element of a game; false at the end of the game.
static bool read_step(Sgf *sgf)
{
    sgf_skip_blanks(&sgf->cursor);
    int c = sgf_peek(&sgf->cursor);
    if (c < 0 || (c == '(' && sgf->depth > 0 && opens_root(sgf)))
        return reader_fail(sgf->reader, sgf->cursor.line, "the game is not closed by ); it may be cut off");
    if (c == '(' || c == ')') {
        read_parenthesis(sgf);
        return sgf->depth > 0;
    }
    Span value = {0};
    if (c == ';' && !sgf->main_is_over) {
        read_node(sgf);
        end_node(sgf);
    } else if (c == '[') {
        if (!sgf->main_is_over)
            (void)reader_fail(sgf->reader, sgf->cursor.line, "a value has no property");
        (void)take_value(sgf, &value);
    } else {
        if (!sgf->main_is_over && c != ';')
            (void)reader_fail(sgf->reader, sgf->cursor.line, "expected a node, property or variation, found '%c'",
                              c > ' ' && c < 0x7f ? (char)c : '?');
        sgf_skip(&sgf->cursor);
    }
    return true;
}

static void read_all(Sgf *sgf)
{
    while (sgf_peek(&sgf->cursor) >= 0) {
        if (sgf_peek(&sgf->cursor) != '(') { // text between games is allowed
            sgf_skip(&sgf->cursor);
            continue;
        }
        begin_game(sgf);
        while (read_step(sgf))
            continue;
        if (!sgf->reader->damaged)
            (void)sgf_build_game(sgf);
        if (!reader_end(sgf->reader))
            return;
    }
}

// The encoding named by CA, by default Latin-1 as in FF[4].
static void charset_of(Span text, char name[32])
{
    const char *at = memmem(text.at, text.length, "CA[", 3);
    const char *end = at != NULL ? memchr(at, ']', text.length - (size_t)(at - text.at)) : NULL;
    utf8_clean(end != NULL ? (Span){at + 3, (size_t)(end - at) - 3} : span_of("ISO-8859-1"), name, 32);
    if (span_is_ignoring_case(span_of(name), "UTF-8"))
        (void)memcpy(name, "ISO-8859-1", 11); // the text is not UTF-8
}

void sgf_read(FormatReader *reader)
{
    Sgf sgf = {.reader = reader, .cursor = {reader->text, 1}};
    Text utf8 = {0};
    Error error = {0};
    char charset[32];
    if (!utf8_is_valid(reader->text)) {
        charset_of(reader->text, charset);
        Status status = charset_to_utf8(reader->text, charset, &utf8, &error);
        if (status == STATUS_BAD_INPUT) // unknown encoding: all bytes are valid in Latin-1
            status = charset_to_utf8(reader->text, "ISO-8859-1", &utf8, &error);
        if (status == STATUS_OK)
            sgf.cursor.rest = (Span){utf8.data, utf8.length};
    }
    read_all(&sgf);
    free(sgf.opened);
    free(sgf.moves.list);
    free(sgf.setup.list);
    text_close(&sgf.node);
    text_close(&utf8);
}
