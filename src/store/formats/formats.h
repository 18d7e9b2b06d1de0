// Formats of game files: the list, reading, writing, and detection by file name extension and content.
//
// Text is read from memory. A file may have many games; each is checked by the rules, and damaged ones are reported
// with their line without affecting the others. docs/formats.md says what each format stores.
#pragma once

#include "store/files/record.h"

typedef struct Format Format;

typedef struct {
    const Format *format; // NULL: detected by content
    const Rules *rules;   // for formats without rules; NULL: the format's default
} FormatOptions;

// One game of a file.
typedef struct {
    GameRecord *record; // legal and complete, valid during the call; NULL: damaged, see `error`.
                        // To keep it, copy the struct and zero the original.
    size_t number;      // of the game in the file, from 1; damaged ones count
    size_t line;        // first line of the game, or line of the error; from 1
    const Error *error; // without the line; NULL for a good game
} FormatItem;

// Returns false to stop reading.
typedef bool FormatSink(void *context, const FormatItem *item);

typedef struct FormatReader FormatReader; // formats_internal.h

struct Format {
    const char *name;
    const char *endings; // file name extensions without the dot, separated by spaces; "" for none
    const char *summary;
    void (*read)(FormatReader *reader);
    // Appends one game to a text; a file may have several. NULL: export is not supported.
    Status (*write)(const Format *format, const GameRecord *record, Text *text, Error *error);
    bool (*detect)(Span text); // whether a text looks like it; NULL: detected by name or extension only
    bool from_top;             // row 1 is the top row
};

extern const Format formats[];
extern const int format_count;

// NULL for an unknown name.
const Format *format_find(Span name);

// The format in front of a path, as in pos-top:FILE; `path` then points to FILE. NULL if there is none.
const Format *format_prefix(const char **path);

// Detects the format by the extension of `path` (NULL: by content only) and the content. The error lists the formats,
// or asks for one by name if the choice matters, as between rows counted from the top and from the bottom.
Status format_guess(const char *path, Span text, const Format **format, Error *error);

// Reads all games of a text; `options` may be NULL. Damaged games do not stop it: after all games have been passed to
// the sink, it returns the first error with its line.
Status formats_read(Span text, const FormatOptions *options, FormatSink *sink, void *context, Error *error);

// Writes one game if the format can represent it; after an error the text is unchanged.
Status formats_write(const GameRecord *record, const Format *format, Text *text, Error *error);
