// A table of games, one per line, with a header that names the columns. `moves` is required: cells as letter and
// number, row 1 at the bottom, separated by commas or blanks, in quotes. Optional: winner (black, white, first, second,
// draw), black, white, event, date. Other columns are skipped. The default rules are Connect6.
#include "store/formats/formats_internal.h"

enum { CSV_COLUMNS_MAX = 64 };

typedef enum { CSV_MOVES, CSV_WINNER, CSV_BLACK, CSV_WHITE, CSV_EVENT, CSV_DATE, CSV_KNOWN } Column;

static const char *const column_names[CSV_KNOWN] = {"moves", "winner", "black", "white", "event", "date"};

// Cuts off a field without its quotes; doubled quotes inside stay doubled. False if no field is left, or if the quote
// is not closed (then `rest` is not empty).
static bool next_field(Span *rest, Span *field)
{
    if (rest->length == 0 || rest->at[0] != '"')
        return span_next_part(rest, ',', field);
    size_t end = 1;
    while (end < rest->length && (rest->at[end] != '"' || (end + 1 < rest->length && rest->at[end + 1] == '"')))
        end += rest->at[end] == '"' ? 2 : 1;
    if (end >= rest->length)
        return false;
    *field = (Span){rest->at + 1, end - 1};
    *rest = (Span){rest->at + end + 1, rest->length - end - 1};
    Span nothing;
    (void)span_next_part(rest, ',', &nothing); // the comma after the quote
    return true;
}

// The index of each known column, -1 for none.
static bool read_head(Span line, int columns[CSV_KNOWN])
{
    Span field = {0};
    for (int i = 0; i < CSV_KNOWN; i++)
        columns[i] = -1;
    for (int number = 0; number < CSV_COLUMNS_MAX && next_field(&line, &field); number++)
        for (int i = 0; i < CSV_KNOWN; i++)
            if (columns[i] < 0 && span_is_ignoring_case(span_trim(field), column_names[i]))
                columns[i] = number;
    return columns[CSV_MOVES] >= 0;
}

bool csv_detect(Span text)
{
    Lines lines = lines_of(text);
    int columns[CSV_KNOWN];
    return lines_next(&lines) && read_head(lines.line, columns);
}

// Sets a name; doubled quotes inside of quotes become one.
static void set_name(char *name, size_t size, Span field)
{
    char single[GAMEFILE_NAME_SIZE];
    size_t length = 0;
    for (size_t i = 0; i < field.length && length < sizeof single; i++) {
        single[length++] = field.at[i];
        if (field.at[i] == '"')
            i++;
    }
    utf8_clean((Span){single, length}, name, size);
}

static bool read_winner(FormatReader *reader, size_t line, Span winner)
{
    static const char *const colours[] = {"", "black", "white"};
    for (Result result = RESULT_NONE; result <= RESULT_DRAW; result++) {
        const char *name = result_name(result);
        if ((result <= RESULT_SECOND && span_is_ignoring_case(winner, colours[result])) ||
            (name != NULL && span_is_ignoring_case(winner, name))) {
            reader->record.result = result;
            return true;
        }
    }
    return reader_fail(reader, line, "the winner '%.*s' is not one of: black, white, first, second, draw",
                       SPAN_PRINT(winner));
}

static bool read_moves(FormatReader *reader, size_t line, Span moves)
{
    Span word = {0};
    while (span_next_word(&moves, ", \t;", &word))
        if (!reader_cell(reader, line, word))
            return false;
    return true;
}

static bool read_row(FormatReader *reader, size_t line, Span rest, const int columns[CSV_KNOWN])
{
    GameRecord *record = &reader->record;
    Span field = {0};
    int number = 0;
    for (; number < CSV_COLUMNS_MAX && next_field(&rest, &field); number++) {
        if (number == columns[CSV_MOVES] && !read_moves(reader, line, field))
            return false;
        if (number == columns[CSV_WINNER] && !read_winner(reader, line, span_trim(field)))
            return false;
        if (number == columns[CSV_BLACK])
            set_name(record->first, sizeof record->first, field);
        if (number == columns[CSV_WHITE])
            set_name(record->second, sizeof record->second, field);
        if (number == columns[CSV_EVENT])
            set_name(record->event, sizeof record->event, field);
        if (number == columns[CSV_DATE])
            set_name(record->date, sizeof record->date, field);
    }
    if (rest.length > 0 && number < CSV_COLUMNS_MAX)
        return reader_fail(reader, line, "a quoted field is not closed by \"");
    return number > columns[CSV_MOVES] || reader_fail(reader, line, "the line ends before the column 'moves'");
}

void csv_read(FormatReader *reader)
{
    Lines lines = lines_of(reader->text);
    int columns[CSV_KNOWN];
    bool has_head = lines_next(&lines) && read_head(lines.line, columns);
    if (!has_head) {
        reader_begin(reader, 1);
        (void)reader_fail(reader, 1, "the first line must name the columns, one of them 'moves'");
        (void)reader_end(reader);
        return;
    }
    while (lines_next(&lines)) {
        if (lines.line.length == 0)
            continue;
        reader_begin(reader, lines.number);
        if (reader_use_rules(reader, "connect6"))
            (void)read_row(reader, lines.number, lines.line, columns);
        if (!reader_end(reader))
            return;
    }
}
