// The formats of game files: one list, one way to read them all, detection by ending and content.
//
// Everything works on text in memory. A file may hold many games; each is checked by the rules, and a damaged one is
// reported with its line and does not lose the others. docs/formats.md says what each format keeps.
#pragma once

#include "store/files/record.h"

typedef struct Format Format;

typedef struct {
    const Format *format; // NULL: detected by content
    const Rules *rules;   // for formats that do not carry them; NULL: the usual ones of the format
} FormatOptions;

// One game of a file, or one that could not be read.
typedef struct {
    GameRecord *record; // legal and complete, valid during the call; NULL: damaged, see `error`.
                        // To keep it, copy the struct and zero the original.
    size_t number;      // of the game in the file, from 1; damaged ones count
    size_t line;        // where the game begins, or where the error is; from 1
    const Error *error; // the reason, without the line; NULL for a good game
} FormatItem;

// Returns false to stop reading.
typedef bool FormatSink(void *context, const FormatItem *item);

typedef struct FormatReader FormatReader; // formats_internal.h

struct Format {
    const char *name;
    const char *endings; // of file names, without the dot, separated by blanks; "" for none
    const char *summary;
    void (*read)(FormatReader *reader);
    // Adds one game to a text; games written one after another are a file of many. NULL: there is no export.
    Status (*write)(const Format *format, const GameRecord *record, Text *text, Error *error);
    bool (*detect)(Span text); // whether a text looks like it; NULL: only by name or ending
    bool from_top;             // cells count rows from the top
};

extern const Format formats[];
extern const int format_count;

// NULL for an unknown name.
const Format *format_find(Span name);

// The format in front of a path, as in pos-top:FILE; the path is then what follows. NULL when there is none.
const Format *format_prefix(const char **path);

// By the ending of `path` (NULL: by content alone) and the content. The error lists what there is; it also asks for a
// name where the choice matters, as between rows counted from the top and from the bottom.
Status format_guess(const char *path, Span text, const Format **format, Error *error);

// Reads all games of a text; `options` may be NULL. OK when every game was good (or the sink stopped early). Otherwise
// the first error is returned, with its line in the text, after all games have been given to the sink.
Status formats_read(Span text, const FormatOptions *options, FormatSink *sink, void *context, Error *error);

// Writes one game, after checking that the format can hold it; an error adds nothing to the text.
Status formats_write(const GameRecord *record, const Format *format, Text *text, Error *error);
