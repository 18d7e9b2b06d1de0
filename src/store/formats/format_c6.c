// The Connect6 text format of Chinese contests, often in GB2312:
//
//     {[C6][name B][name W][result][date and place][event];B(J,10);W(I,11);W(K,9)…}
//
// Columns are A to S including I, from the left; row 1 is at the bottom. The result is 先手胜 (first), 后手胜 (second)
// or 平局 (draw). A place may have its own field before the event; marks after a stone (MARK[1]) are skipped.
#include "store/charset.h"
#include "store/formats/formats_internal.h"

#include <string.h>

enum { FIELDS_MAX = 8 };

static const char first_wins[] = "\xe5\x85\x88\xe6\x89\x8b\xe8\x83\x9c";
static const char second_wins[] = "\xe5\x90\x8e\xe6\x89\x8b\xe8\x83\x9c";
static const char drawn[] = "\xe5\xb9\xb3\xe5\xb1\x80";
static const char drawn_too[] = "\xe5\x92\x8c\xe6\xa3\x8b";

typedef struct {
    FormatReader *reader;
    Span rest;
    size_t line;
} Cursor;

bool c6_detect(Span text)
{
    Span start = span_trim(text);
    return start.length >= 5 && memcmp(start.at, "{[C6]", 5) == 0;
}

static int peek(const Cursor *cursor)
{
    return cursor->rest.length > 0 ? (unsigned char)cursor->rest.at[0] : -1;
}

static void skip(Cursor *cursor)
{
    cursor->line += cursor->rest.at[0] == '\n';
    cursor->rest = (Span){cursor->rest.at + 1, cursor->rest.length - 1};
}

// Skips to one of the characters `stops`.
static int skip_to(Cursor *cursor, const char *stops)
{
    while (peek(cursor) >= 0 && (peek(cursor) == 0 || strchr(stops, peek(cursor)) == NULL))
        skip(cursor);
    return peek(cursor);
}

// The text up to a character, which is skipped. False at the end of the file or of the game.
static bool take_to(Cursor *cursor, char end, Span *taken)
{
    const char *begin = cursor->rest.at;
    char stops[] = {end, '{', '}', '\0'};
    bool found = skip_to(cursor, stops) == end;
    *taken = (Span){begin, (size_t)(cursor->rest.at - begin)};
    if (found)
        skip(cursor);
    return found;
}

// Names are followed by the colour.
static Span without_colour(Span name, char colour)
{
    name = span_trim(name);
    bool has = name.length >= 2 && name.at[name.length - 1] == colour && name.at[name.length - 2] == ' ';
    return has ? (Span){name.at, name.length - 2} : name;
}

static Result result_of(Span text)
{
    static const struct {
        const char *word;
        Result result;
    } words[] = {{first_wins, RESULT_FIRST}, {second_wins, RESULT_SECOND}, {drawn, RESULT_DRAW},
                 {drawn_too, RESULT_DRAW},   {"Black", RESULT_FIRST},      {"White", RESULT_SECOND},
                 {"Draw", RESULT_DRAW}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (span_is_ignoring_case(text, words[i].word))
            return words[i].result;
    return RESULT_NONE;
}

static void use_fields(GameRecord *record, const Span field[FIELDS_MAX], int count)
{
    if (count > 1)
        record_set_text(record->first, without_colour(field[1], 'B'));
    if (count > 2)
        record_set_text(record->second, without_colour(field[2], 'W'));
    if (count > 3) {
        record->result = result_of(span_trim(field[3]));
        if (record->result == RESULT_NONE)
            record_set_text(record->reason, field[3]);
    }
    if (count > 4)
        record_set_text(record->date, field[4]);
    if (count > 5)
        record_set_text(record->event, field[count - 1]);
}

static bool read_fields(Cursor *cursor)
{
    Span field[FIELDS_MAX] = {{0}};
    int count = 0;
    while (skip_to(cursor, "[;BbWw{}") == '[') {
        skip(cursor);
        if (count == FIELDS_MAX)
            return reader_fail(cursor->reader, cursor->line, "more than %d fields before the stones", FIELDS_MAX);
        if (!take_to(cursor, ']', &field[count]))
            return reader_fail(cursor->reader, cursor->line, "a header field is not closed by ]");
        count++;
    }
    if (count == 0 || !span_is(field[0], "C6"))
        return reader_fail(cursor->reader, cursor->line,
                           "a game must begin with {[C6][name B][name W][result][date][event]");
    use_fields(&cursor->reader->record, field, count);
    return true;
}

// Parses the inside of B(J,10).
static bool read_cell(Cursor *cursor, Span text)
{
    FormatReader *reader = cursor->reader;
    const Rules *rules = &reader->record.rules;
    Span row = text, letter = {0};
    int64_t number = 0;
    (void)span_next_part(&row, ',', &letter);
    letter = span_trim(letter);
    int column = letter.length != 1 ? -1 : (letter.at[0] | 0x20) - 'a';
    if (column < 0 || column >= rules->width || !span_to_int(span_trim(row), 1, rules->height, &number))
        return reader_fail(reader, cursor->line, "stone %u: (%.*s) is not a cell; cells go from (A,1) to (%c,%d)",
                           reader->record.count + 1, SPAN_PRINT(text),
                           rules->width <= 26 ? (char)('A' + rules->width - 1) : 'Z', rules->height);
    return reader_stone(reader, cursor->line, cell_at((unsigned)column, (unsigned)number - 1), RECORD_MS_UNKNOWN);
}

static bool read_stone(Cursor *cursor)
{
    FormatReader *reader = cursor->reader;
    const Rules *rules = &reader->record.rules;
    Side side = (peek(cursor) | 0x20) == 'b' ? SIDE_FIRST : SIDE_SECOND;
    skip(cursor);
    Span inside = {0};
    if (peek(cursor) != '(')
        return reader_fail(reader, cursor->line, "stone %u is not written B(J,10)", reader->record.count + 1);
    skip(cursor);
    if (!take_to(cursor, ')', &inside))
        return reader_fail(reader, cursor->line, "the cell of stone %u is not closed by )", reader->record.count + 1);
    unsigned n = reader->record.count;
    Side turn = n < rules->q ? SIDE_FIRST : ((n - rules->q) / rules->p & 1) == 0 ? SIDE_SECOND : SIDE_FIRST;
    if (side != turn)
        return reader_fail(reader, cursor->line, "stone %u is %s, but %s is to move", n + 1,
                           side == SIDE_FIRST ? "black" : "white", turn == SIDE_FIRST ? "black" : "white");
    return read_cell(cursor, inside);
}

// Reads from the { of a game to after its }. Another { means that the } is missing.
static void read_game(Cursor *cursor)
{
    bool good = reader_use_rules(cursor->reader, "connect6") && read_fields(cursor);
    // After the header, each semicolon is followed by a stone; other text (marks) is skipped.
    while (good && skip_to(cursor, "[BbWw{}") >= 0 && peek(cursor) != '{' && peek(cursor) != '}') {
        Span marked = {0};
        if (peek(cursor) == '[')
            good = take_to(cursor, ']', &marked) ||
                   reader_fail(cursor->reader, cursor->line, "a mark after a stone is not closed by ]");
        else
            good = read_stone(cursor);
    }
    if (skip_to(cursor, "{}") == '}')
        skip(cursor);
    else
        (void)reader_fail(cursor->reader, cursor->line, "the game is not closed by }; it may be cut off");
}

static void read_all(FormatReader *reader, Span text)
{
    Cursor cursor = {reader, text, 1};
    while (skip_to(&cursor, "{") == '{') {
        reader_begin(reader, cursor.line);
        skip(&cursor);
        read_game(&cursor);
        if (!reader_end(reader))
            return;
    }
}

void c6_read(FormatReader *reader)
{
    Text utf8 = {0};
    Error error = {0};
    if (utf8_is_valid(reader->text)) {
        read_all(reader, reader->text);
    } else if (charset_to_utf8(reader->text, "GB18030", &utf8, &error) == STATUS_OK) {
        read_all(reader, (Span){utf8.data, utf8.length});
    } else {
        reader_begin(reader, 1);
        (void)reader_fail_with(reader, 1, &error);
        (void)reader_end(reader);
    }
    text_close(&utf8);
}

// Replaces brackets, which would end a field.
static void add_field(Text *text, const char *field, const char *colour)
{
    text_add(text, "[");
    for (const char *c = field; *c != '\0'; c++)
        text_add(text, "%c", *c == '[' || *c == '{' ? '(' : *c == ']' || *c == '}' ? ')' : *c);
    text_add(text, "%s]", colour);
}

Status c6_write(const Format *format, const GameRecord *record, Text *text, Error *error)
{
    Rules connect6 = {.width = 19, .height = 19, .k = 6, .p = 2, .q = 1};
    if (!rules_equal(&record->rules, &connect6))
        return error_set(error, STATUS_BAD_INPUT, "c6 supports only Connect6 on 19x19");
    Status status = writer_needs_no_setup(record, format->name, error);
    if (status != STATUS_OK)
        return status;
    static const char *const results[] = {"", first_wins, second_wins, drawn};
    text_add(text, "{[C6]");
    add_field(text, record->first, " B");
    add_field(text, record->second, " W");
    add_field(text, results[record->result], "");
    add_field(text, record->date, "");
    add_field(text, record->event, "");
    for (unsigned i = 0; i < record->count; i++) {
        Cell cell = record->stones[i].cell;
        bool first = i == 0 || (i - 1) / 2 % 2 == 1;
        text_add(text, ";%c(%c,%u)", first ? 'B' : 'W', (char)('A' + cell_column(cell)), cell_row(cell) + 1);
    }
    text_add(text, "}\n");
    return STATUS_OK;
}
