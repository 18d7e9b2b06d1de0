// .psq, the games of Piskvorky and Gomocup:
//
//     Piskvorky 20x20, 11:11, 0      columns x rows, levels of both players, the player (0 or 1) who began
//     11,10,0                        column and row of a stone, both from 1, origin top left; milliseconds
//     …
//     name of player 0               names are present only in tournaments
//     name of player 1
//     0                              end code; 15: the player to move ran out of time
//
// The format implies five in a row; whether six win is a setting of the program and not stored.
#include "store/formats/formats_internal.h"

#include <string.h>

enum { TAIL_LINES = 3, CODE_TIME = 15 };

static const char magic[] = "Piskvorky ";

typedef struct {
    FormatReader *reader;
    bool is_open;
    bool second_began; // the names are in reverse order
    Span tail[TAIL_LINES];
    int tail_count;
} Psq;

static bool is_header(Span line)
{
    return line.length >= strlen(magic) && memcmp(line.at, magic, strlen(magic)) == 0;
}

bool psq_detect(Span text)
{
    return is_header(span_trim(text));
}

static bool read_header(Psq *psq, size_t line, Span text)
{
    Span rest = {text.at + strlen(magic), text.length - strlen(magic)}, size = {0}, width = {0}, last = {0};
    (void)span_next_part(&rest, ',', &size);
    Span height = size;
    (void)span_next_part(&height, 'x', &width);
    while (span_next_part(&rest, ',', &last))
        continue;
    int64_t columns = 0, rows = 0;
    if (!span_to_int(span_trim(width), 0, INT32_MAX, &columns) || !span_to_int(span_trim(height), 0, INT32_MAX, &rows))
        return reader_fail(psq->reader, line, "'%.*s' is not a board; write 'Piskvorky 20x20, 0:0, 0'",
                           SPAN_PRINT(size));
    psq->second_began = span_is(span_trim(last), "1");
    return reader_use_board(psq->reader, line, columns, rows, (Rules){.k = 5, .p = 1, .q = 1});
}

static void set_name(char *name, size_t size, Span line)
{
    utf8_clean(span_is(line, "-") ? (Span){"", 0} : line, name, size);
}

// The player who runs out of time loses. Other codes are stored as the reason only, since they do not name a winner.
static void use_code(FormatReader *reader, Span line)
{
    GameRecord *record = &reader->record;
    int64_t code = 0;
    bool is_number = span_to_int(line, INT32_MIN, INT32_MAX, &code);
    if (reader->damaged || !is_number || code == 0 || record_replay(record, &reader->game, NULL, NULL) != STATUS_OK ||
        game_is_over(&reader->game))
        return;
    if (code != CODE_TIME) {
        char reason[32] = "code ";
        memcpy(reason + 5, line.at, line.length < 20 ? line.length : 20);
        record_set_text(record->reason, span_of(reason));
        return;
    }
    record->result = board_side(&reader->game.board) == SIDE_FIRST ? RESULT_SECOND : RESULT_FIRST;
    record_set_text(record->reason, span_of("time"));
}

static bool end_game(Psq *psq)
{
    GameRecord *record = &psq->reader->record;
    if (!psq->is_open)
        return true;
    psq->is_open = false;
    if (psq->tail_count >= 2) {
        set_name(psq->second_began ? record->second : record->first, sizeof record->first, psq->tail[0]);
        set_name(psq->second_began ? record->first : record->second, sizeof record->first, psq->tail[1]);
    }
    if (psq->tail_count != 2 && psq->tail_count > 0)
        use_code(psq->reader, psq->tail[psq->tail_count - 1]);
    return reader_end(psq->reader);
}

static void begin_game(Psq *psq, size_t line)
{
    reader_begin(psq->reader, line);
    psq->is_open = true;
    psq->tail_count = 0;
}

static void read_stone(Psq *psq, size_t line, Span text)
{
    StoneLine stone;
    if (psq->tail_count > 0)
        (void)reader_fail(psq->reader, line, "a stone after the names");
    else if (stone_line_read(psq->reader, line, text, &stone))
        (void)reader_stone_from_top(psq->reader, line, stone.x - 1, stone.y - 1, stone.ms);
}

void psq_read(FormatReader *reader)
{
    Psq psq = {.reader = reader};
    for (Lines lines = lines_of(reader->text); lines_next(&lines);) {
        Span line = lines.line;
        if (line.length == 0)
            continue;
        if (is_header(line)) {
            if (!end_game(&psq))
                return;
            begin_game(&psq, lines.number);
            (void)read_header(&psq, lines.number, line);
        } else if (!psq.is_open) {
            begin_game(&psq, lines.number);
            (void)reader_fail(reader, lines.number, "a game must begin with a line 'Piskvorky 20x20, 0:0, 0'");
        } else if (stone_line_looks_like(line)) {
            read_stone(&psq, lines.number, line);
        } else if (psq.tail_count == TAIL_LINES) {
            (void)reader_fail(reader, lines.number, "nothing may follow the code after the names");
        } else {
            psq.tail[psq.tail_count++] = line;
        }
    }
    (void)end_game(&psq);
}

// Writes a dash for an empty name and for one that looks like a stone or a header.
static const char *name_or_dash(const char *name)
{
    return name[0] == '\0' || stone_line_looks_like(span_of(name)) || is_header(span_of(name)) ? "-" : name;
}

Status psq_write(const Format *format, const GameRecord *record, Text *text, Error *error)
{
    Status status = writer_needs_five(record, format->name, error);
    if (status != STATUS_OK)
        return status;
    const Rules *rules = &record->rules;
    text_add(text, "Piskvorky %dx%d, 0:0, 0\n", rules->width, rules->height);
    writer_add_stone_lines(record, 1, text);
    if (record->first[0] != '\0' || record->second[0] != '\0')
        text_add(text, "%s\n%s\n", name_or_dash(record->first), name_or_dash(record->second));
    text_add(text, "%d\n", strcmp(record->reason, "time") == 0 ? CODE_TIME : 0);
    return STATUS_OK;
}
