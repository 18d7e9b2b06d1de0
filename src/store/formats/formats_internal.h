// What the readers and writers of the formats share.
#pragma once

#include "store/formats/formats.h"

// A file being read. For each game, a format calls reader_begin, fills `record`, and calls reader_end.
struct FormatReader {
    Span text;
    FormatOptions options; // with the format that is used
    FormatSink *sink;
    void *context;
    GameRecord record; // the game being read
    bool damaged;      // `record` has an error: the first is `reason` at `error_line`
    size_t begin_line, error_line;
    Error reason;
    size_t games;      // number passed to the sink
    bool stopped;      // the sink has ended the reading
    size_t first_line; // of the first error of the file
    Error first_error;
    Game game; // for checking
};

void reader_begin(FormatReader *reader, size_t line);

// Marks the game as damaged; the first reason is kept. Always false.
bool reader_fail(FormatReader *reader, size_t line, const char *why, ...) __attribute__((format(printf, 3, 4)));

// The same with an existing error.
bool reader_fail_with(FormatReader *reader, size_t line, const Error *error);

// Sets the rules: those of the options, else the default `usual`. False, and the game is damaged, if the board of the
// file contradicts the options.
bool reader_use_rules(FormatReader *reader, const char *usual);
bool reader_use_board(FormatReader *reader, size_t line, int64_t width, int64_t height, Rules usual);

// Adds a stone; columns and rows count from 0.
bool reader_stone(FormatReader *reader, size_t line, Cell cell, int64_t ms);
bool reader_stone_from_top(FormatReader *reader, size_t line, int64_t column, int64_t row, int64_t ms);

// Adds a stone by its cell in krow's notation, with row 1 at the bottom.
bool reader_cell(FormatReader *reader, size_t line, Span word);

// Checks the game and passes it to the sink; false if reading must stop.
bool reader_end(FormatReader *reader);

// The trimmed lines of a text with their numbers.
typedef struct {
    Span rest, line;
    size_t number;
} Lines;

bool lines_next(Lines *lines);
bool lines_next_content(Lines *lines); // skips empty lines and comments, which begin with #
Lines lines_of(Span text);

// Reads a format that has a game per line, and # for comments. read_line adds the stones of a line.
typedef bool FormatLineReader(FormatReader *reader, size_t line, Span text);
void reader_each_line(FormatReader *reader, const char *usual, FormatLineReader *read_line);

// "x,y" or "x,y,ms" of .psq and .rec; ms is RECORD_MS_UNKNOWN if absent.
typedef struct {
    int64_t x, y, ms;
} StoneLine;

bool stone_line_looks_like(Span line); // digits, minus signs, commas and blanks only, at least one comma
bool stone_line_read(FormatReader *reader, size_t line, Span text, StoneLine *stone);

// An error unless the format, which has no rules, can represent the game: five in a row, one stone per turn, no
// gravity, no set-up position.
Status writer_needs_five(const GameRecord *record, const char *format, Error *error);
Status writer_needs_no_setup(const GameRecord *record, const char *format, Error *error);
Status writer_needs_stones(const GameRecord *record, const char *format, Error *error); // and no set-up position

// Adds the stones of .psq and .rec, x,y,ms per line; `first` is the number of the first column and row.
void writer_add_stone_lines(const GameRecord *record, unsigned first, Text *text);

// The row of a cell counted from the top, from 0.
static inline unsigned row_from_top(const Rules *rules, Cell cell)
{
    return rules->height - 1u - cell_row(cell);
}

// The functions of a format, for the registry.
#define FORMAT_FUNCTIONS(name)                                                                                         \
    void name##_read(FormatReader *reader);                                                                            \
    Status name##_write(const Format *format, const GameRecord *record, Text *text, Error *error);                     \
    bool name##_detect(Span text)

FORMAT_FUNCTIONS(own); // of krow; functions that begin with krow_ are those of the public library
FORMAT_FUNCTIONS(sgf);
FORMAT_FUNCTIONS(psq);
FORMAT_FUNCTIONS(rec);
FORMAT_FUNCTIONS(c6);
FORMAT_FUNCTIONS(digits);
FORMAT_FUNCTIONS(offset);
FORMAT_FUNCTIONS(cells);
void pos_read(FormatReader *reader);
Status pos_write(const Format *format, const GameRecord *record, Text *text, Error *error);
void csv_read(FormatReader *reader);
bool csv_detect(Span text);
void rif_read(FormatReader *reader);
bool rif_detect(Span text);
