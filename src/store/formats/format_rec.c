// .rec, the games of Gomotur, Gomocup's older tournament program: two names, the first player's first, then `x,y,ms`
// per stone, column and row from 0, origin top left, on 20x20; a code may follow. The format implies five in a row.
#include "store/formats/formats_internal.h"

enum { REC_SIDE = 20 };

typedef struct {
    FormatReader *reader;
    bool is_open;
    int names;
} Rec;

bool rec_detect(Span text)
{
    Lines lines = lines_of(text);
    Span third = {0};
    for (int i = 0; i < 3; i++) {
        if (!lines_next(&lines) || lines.line.length == 0 || (i < 2) == stone_line_looks_like(lines.line))
            return false;
        third = lines.line;
    }
    return third.at[0] != '-';
}

static void begin_game(Rec *rec, size_t line)
{
    reader_begin(rec->reader, line);
    rec->is_open = true;
    rec->names = 0;
    (void)reader_use_rules(rec->reader, "20x20:k=5");
}

static bool end_game(Rec *rec)
{
    if (!rec->is_open)
        return true;
    rec->is_open = false;
    if (rec->names < 2)
        (void)reader_fail(rec->reader, rec->reader->begin_line, "two names must come before the stones");
    return reader_end(rec->reader);
}

static void read_name(Rec *rec, Span line)
{
    GameRecord *record = &rec->reader->record;
    utf8_clean(span_is(line, "-") ? (Span){"", 0} : line, rec->names == 0 ? record->first : record->second,
               sizeof record->first);
    rec->names++;
}

static void read_stone(Rec *rec, size_t number, Span line)
{
    StoneLine stone;
    if (rec->names < 2)
        (void)reader_fail(rec->reader, number, "two names must come before the stones");
    else if (stone_line_read(rec->reader, number, line, &stone))
        (void)reader_stone_from_top(rec->reader, number, stone.x, stone.y, stone.ms);
}

// A line with one number ends a game; any other line after the stones is the first name of the next game.
void rec_read(FormatReader *reader)
{
    Rec rec = {.reader = reader};
    for (Lines lines = lines_of(reader->text); lines_next(&lines);) {
        Span line = lines.line;
        int64_t code = 0;
        if (line.length == 0)
            continue;
        bool is_stone = stone_line_looks_like(line);
        bool is_code = rec.is_open && rec.names == 2 && span_to_int(line, INT32_MIN, INT32_MAX, &code);
        bool is_next = rec.is_open && !is_stone && !is_code && (rec.names == 2 || reader->record.count > 0);
        if ((is_code || is_next) && !end_game(&rec))
            return;
        if (is_code)
            continue;
        if (!rec.is_open)
            begin_game(&rec, lines.number);
        if (is_stone)
            read_stone(&rec, lines.number, line);
        else
            read_name(&rec, line);
    }
    (void)end_game(&rec);
}

static const char *name_or_dash(const char *name)
{
    return name[0] == '\0' || stone_line_looks_like(span_of(name)) ? "-" : name;
}

Status rec_write(const Format *format, const GameRecord *record, Text *text, Error *error)
{
    Status status = writer_needs_five(record, format->name, error);
    if (status != STATUS_OK)
        return status;
    const Rules *rules = &record->rules;
    if (rules->width != REC_SIDE || rules->height != REC_SIDE)
        return error_set(error, STATUS_BAD_INPUT, "rec supports only games on 20x20, not on %dx%d", rules->width,
                         rules->height);
    text_add(text, "%s\n%s\n", name_or_dash(record->first), name_or_dash(record->second));
    writer_add_stone_lines(record, 0, text);
    text_add(text, "0\n");
    return STATUS_OK;
}
