// The registry of game formats.
#include "store/formats/formats.h"

#include "store/formats/formats_internal.h"

#include <string.h>
#include <strings.h>

const Format formats[] = {
    {"krow", "krow game", "krow's own game text: stores everything", own_read, own_write, .detect = own_detect},
    {"sgf", "sgf", "Smart Game Format FF[4]: every game of the family", sgf_read, sgf_write, .detect = sgf_detect},
    {"psq", "psq", "Piskvorky: five in a row, with times", psq_read, psq_write, .detect = psq_detect},
    {"rec", "rec", "Gomotur: five in a row on 20x20, with times", rec_read, rec_write, .detect = rec_detect},
    {"c6", "c6", "Connect6 text of the Chinese contests", c6_read, c6_write, .detect = c6_detect},
    {"digits", "c4", "Connect Four as column digits, one game per line", digits_read, digits_write,
     .detect = digits_detect},
    {"offset", "offset", "openings as offsets from the centre, one per line", offset_read, offset_write,
     .detect = offset_detect},
    {"pos-top", "pos", "cells such as h8g7, rows counted from the top (c-gomoku-cli)", pos_read, pos_write,
     .from_top = true},
    {"pos-bottom", "pos", "cells such as h8g7, rows counted from the bottom (renju boards)", pos_read,
     .write = pos_write},
    {"csv", "csv", "a table with the columns moves and winner, one game per line", csv_read, NULL,
     .detect = csv_detect},
    {"rif", "rif xml", "RenjuNet database (XML)", rif_read, NULL, .detect = rif_detect},
    {"cells", "", "cells such as h8 i9 in krow's notation, one game per line", cells_read, cells_write,
     .detect = cells_detect},
};

const int format_count = (int)(sizeof formats / sizeof formats[0]);

const Format *format_find(Span name)
{
    for (int i = 0; i < format_count; i++)
        if (span_is_ignoring_case(name, formats[i].name))
            return &formats[i];
    return NULL;
}

const Format *format_prefix(const char **path)
{
    const char *colon = strchr(*path, ':');
    if (colon == NULL)
        return NULL;
    const Format *format = format_find((Span){*path, (size_t)(colon - *path)});
    *path = format != NULL ? colon + 1 : *path;
    return format;
}

static bool has_ending(const Format *format, Span ending)
{
    Span rest = span_of(format->endings), word = {0};
    while (span_next_word(&rest, " ", &word))
        if (word.length == ending.length && strncasecmp(word.at, ending.at, word.length) == 0)
            return true;
    return false;
}

static Span ending_of(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = name != NULL ? strrchr(name, '.') : NULL;
    return dot != NULL ? span_of(dot + 1) : (Span){"", 0};
}

static Status cannot_guess(Error *error)
{
    Text names = {0};
    for (int i = 0; i < format_count; i++)
        text_add(&names, "%s%s", i > 0 ? ", " : "", formats[i].name);
    error_set(error, STATUS_BAD_INPUT, "cannot detect the file format; write FORMAT:FILE with one of: %s", names.data);
    text_close(&names);
    return STATUS_BAD_INPUT;
}

// Removes the byte order mark of some editors; `at` is never NULL afterwards.
static Span without_mark(Span text)
{
    if (text.length == 0)
        return (Span){"", 0};
    Span mark = {text.at, text.length < 3 ? text.length : 3};
    return span_is(mark, "\xef\xbb\xbf") ? (Span){text.at + 3, text.length - 3} : text;
}

// Preference: the extension if the content fits, the content, the extension alone (its reader then reports the error).
Status format_guess(const char *path, Span text, const Format **format, Error *error)
{
    const Format *by_ending = NULL, *by_content = NULL;
    Span ending = ending_of(path);
    int endings = 0;
    text = without_mark(text);
    for (int i = 0; i < format_count; i++) {
        bool looks_right = formats[i].detect != NULL && formats[i].detect(text);
        if (has_ending(&formats[i], ending)) {
            by_ending = &formats[i];
            endings++;
            if (looks_right) {
                *format = by_ending;
                return STATUS_OK;
            }
        }
        if (by_content == NULL && looks_right)
            by_content = &formats[i];
    }
    if (by_content == NULL && endings > 1)
        return error_set(error, STATUS_BAD_INPUT,
                         ".%.*s files count rows from the top (pos-top) or from the bottom (pos-bottom); choose one",
                         SPAN_PRINT(ending));
    *format = by_content != NULL ? by_content : by_ending;
    return *format != NULL ? STATUS_OK : cannot_guess(error);
}

Status formats_read(Span text, const FormatOptions *options, FormatSink *sink, void *context, Error *error)
{
    const Format *format = options != NULL ? options->format : NULL;
    if (text.length >= UINT32_MAX)
        return error_set(error, STATUS_BAD_INPUT, "the file is larger than 4 GB");
    text = without_mark(text);
    if (format == NULL) {
        Status status = format_guess(NULL, text, &format, error);
        if (status != STATUS_OK)
            return status;
    }
    FormatReader reader = {.text = text, .sink = sink, .context = context};
    if (options != NULL)
        reader.options = *options;
    reader.options.format = format;
    format->read(&reader);
    record_close(&reader.record);
    if (reader.first_error.status != STATUS_OK)
        return error_set(error, reader.first_error.status, "line %zu: %s", reader.first_line, reader.first_error.text);
    if (reader.games == 0)
        return error_set(error, STATUS_BAD_INPUT, "no game was found (read as %s)", format->name);
    return STATUS_OK;
}

Status formats_write(const GameRecord *record, const Format *format, Text *text, Error *error)
{
    if (format->write == NULL)
        return error_set(error, STATUS_BAD_INPUT, "the format %s supports only reading", format->name);
    Game game;
    Status status = record_replay(record, &game, NULL, error);
    return status == STATUS_OK ? format->write(format, record, text, error) : status;
}
