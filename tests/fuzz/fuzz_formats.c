// All readers of game files. The first byte chooses the format, the second whether rules are given; every game that is
// read must survive being written as SGF and as krow's own text and read again.
#include "fuzz/fuzz.h"
#include "store/formats/formats.h"

#include <stdlib.h>
#include <string.h>

static bool compare(void *context, const FormatItem *item)
{
    const GameRecord *want = context;
    const GameRecord *got = item->record;
    if (got == NULL || !rules_equal(&got->rules, &want->rules) || got->count != want->count ||
        got->result != want->result || (got->setup != NULL) != (want->setup != NULL) ||
        strcmp(got->first, want->first) != 0 || strcmp(got->event, want->event) != 0)
        abort();
    for (unsigned i = 0; i < got->count; i++)
        if (got->stones[i].cell != want->stones[i].cell || got->stones[i].ms != want->stones[i].ms)
            abort();
    return true;
}

static void write_and_read(GameRecord *record, const char *name)
{
    const Format *format = format_find(span_of(name));
    Text text = {0};
    Error error = {0};
    if (formats_write(record, format, &text, &error) != STATUS_OK ||
        formats_read((Span){text.data, text.length}, &(FormatOptions){.format = format}, compare, record, &error) !=
            STATUS_OK)
        abort();
    text_close(&text);
}

static bool take(void *context, const FormatItem *item)
{
    (void)context;
    if (item->record == NULL)
        return true;
    write_and_read(item->record, "sgf");
    write_and_read(item->record, "krow");
    for (int i = 0; i < format_count; i++) {
        Text text = {0};
        (void)formats_write(item->record, &formats[i], &text, NULL);
        text_close(&text);
    }
    return true;
}

FUZZ_TARGET(formats)
{
    if (size < 2)
        return 0;
    static const char *const given[] = {"tictactoe", "7x6:k=4,gravity", "64x64:k=6,p=2,q=1"};
    Rules rules;
    FormatOptions options = {0};
    if (data[1] % 4 != 0 && rules_parse(span_of(given[data[1] % 4 - 1]), &rules, NULL) == STATUS_OK)
        options.rules = &rules;
    Error error = {0};
    Span text = {(const char *)data + 2, size - 2};
    int which = data[0] % (format_count + 1);
    options.format = which < format_count ? &formats[which] : NULL;
    (void)formats_read(text, &options, take, NULL, &error);
    return 0;
}
