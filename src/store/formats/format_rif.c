// .rif, the XML database of RenjuNet, import only:
//
//     <database> <players><player id="7" name="…" surname="…"/>…</players> <tournaments>…</tournaments>
//     <games><game id="1" tournament="3" black="7" white="9" bresult="1"><move>h8 i9 …</move></game>…</games>
//
// Cells are letter and number on 15x15, row 1 at the bottom; bresult is black's score. The rules are exactly five in a
// row: a row of six that is forbidden to black then does not end the game on the board, and for one that wins for white
// bresult decides.
//
// This is not an XML library: a general one must stop at the first malformed tag, and all games after it would be lost.
// Document types are errors, and only XML's five entities and character numbers are supported, so nothing can expand.
#include "store/formats/formats_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Span name, attributes;
    bool closes, is_empty; // </name>, <name …/>
    bool damaged;          // another < came before the >
    size_t line;
    const char *begin; // position of the <
} Tag;

// A player or tournament.
typedef struct {
    Span id, attributes;
} Entry;

typedef struct {
    Entry *list; // owned
    size_t count, capacity;
    bool is_sorted; // set at the first game; the tables come before the games, and later entries are skipped
} Table;

typedef struct {
    FormatReader *reader;
    Span rest;
    size_t line;
    Table players, tournaments;
    bool in_game;
    const char *moves; // start of the text of <move>, NULL outside of it
    size_t moves_line;
    size_t unclosed;        // line of a comment, instruction or literal text that does not end; 0: none
    size_t database_opened; // line of <database>; 0: none, or closed
} Rif;

bool rif_detect(Span text)
{
    Span start = span_trim(text);
    start.length = start.length < 4096 ? start.length : 4096;
    return start.length > 0 && start.at != NULL && start.at[0] == '<' &&
           (memmem(start.at, start.length, "<database", 9) != NULL ||
            memmem(start.at, start.length, "<game", 5) != NULL);
}

// --- XML ---

static void advance(Rif *rif, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        rif->line += rif->rest.at[i] == '\n';
    rif->rest = (Span){rif->rest.at + bytes, rif->rest.length - bytes};
}

static bool begins(Span text, const char *with)
{
    return text.length >= strlen(with) && memcmp(text.at, with, strlen(with)) == 0;
}

// Skips comments, instructions and literal text; an unclosed one extends to the end of the file.
static bool skip_other(Rif *rif)
{
    static const char *const others[][2] = {{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (begins(rif->rest, others[i][0])) {
            const char *end = others[i][1], *at = memmem(rif->rest.at, rif->rest.length, end, strlen(end));
            if (at == NULL)
                rif->unclosed = rif->line;
            advance(rif, at != NULL ? (size_t)(at - rif->rest.at) + strlen(end) : rif->rest.length);
            return true;
        }
    return false;
}

// Splits off the name, and the slashes of </name> and <name/>.
static void split_tag(Tag *tag, Span inside)
{
    tag->closes = inside.length > 0 && inside.at[0] == '/';
    if (tag->closes)
        inside = (Span){inside.at + 1, inside.length - 1};
    tag->is_empty = inside.length > 0 && inside.at[inside.length - 1] == '/';
    inside.length -= tag->is_empty;
    (void)span_next_word(&inside, " \t\r\n", &tag->name);
    tag->attributes = inside;
}

// The next tag. A tag ends at another <, even within quotes, so a missing quote damages only this tag.
static bool next_tag(Rif *rif, Tag *tag)
{
    for (;;) {
        const char *open = rif->rest.length > 0 ? memchr(rif->rest.at, '<', rif->rest.length) : NULL;
        if (open == NULL)
            return false;
        advance(rif, (size_t)(open - rif->rest.at));
        if (!skip_other(rif))
            break;
        if (rif->rest.length == 0)
            return false;
    }
    *tag = (Tag){.line = rif->line, .begin = rif->rest.at};
    size_t end = 1;
    char quote = '\0';
    for (; end < rif->rest.length && rif->rest.at[end] != '<'; end++) {
        char c = rif->rest.at[end];
        if (c == '>' && quote == '\0')
            break;
        if (c == '"' || c == '\'')
            quote = quote == '\0' ? c : quote == c ? '\0' : quote;
    }
    tag->damaged = end == rif->rest.length || rif->rest.at[end] == '<';
    split_tag(tag, (Span){rif->rest.at + 1, end - 1});
    advance(rif, end + !tag->damaged);
    return true;
}

// The value of an attribute, with its entities; empty if absent.
static Span attribute(Span attributes, const char *name)
{
    Span key = {0};
    while (span_next_part(&attributes, '=', &key)) {
        attributes = span_trim(attributes);
        if (attributes.length == 0 || (attributes.at[0] != '"' && attributes.at[0] != '\''))
            break;
        char quote = attributes.at[0];
        attributes = (Span){attributes.at + 1, attributes.length - 1};
        Span value = {0};
        (void)span_next_part(&attributes, quote, &value);
        if (span_is(span_trim(key), name))
            return value;
    }
    return (Span){"", 0};
}

// Adds a Unicode character as UTF-8.
static void add_character(Text *text, int64_t code)
{
    char bytes[4];
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 0; code >>= 6)
        bytes[i] = (char)(i > 0 ? 0x80 | (code & 0x3f) : heads[length] | code);
    text_add_span(text, (Span){bytes, length});
}

static bool number_of(Span digits, int64_t *code)
{
    if (digits.length == 0 || digits.length > 7)
        return false;
    if (digits.at[0] != 'x')
        return span_to_int(digits, 1, 0x10ffff, code);
    *code = 0;
    for (size_t i = 1; i < digits.length; i++) {
        const char *all = "0123456789abcdef", *digit = strchr(all, digits.at[i] | 0x20);
        if (digit == NULL || *digit == '\0')
            return false;
        *code = *code * 16 + (digit - all);
    }
    return *code >= 1 && *code <= 0x10ffff;
}

static bool add_entity(Text *text, Span name)
{
    static const char *const known[][2] = {{"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}};
    int64_t code = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (span_is(name, known[i][0])) {
            text_add(text, "%s", known[i][1]);
            return true;
        }
    if (name.length < 2 || name.at[0] != '#' || !number_of((Span){name.at + 1, name.length - 1}, &code))
        return false;
    add_character(text, code);
    return true;
}

// Decodes entities; false at an unknown one.
static bool add_decoded(Text *text, Span value)
{
    while (value.length > 0 && text->length < (size_t)2 * GAMEFILE_NAME_SIZE) {
        const char *and = memchr(value.at, '&', value.length);
        size_t plain = and != NULL ? (size_t)(and-value.at) : value.length;
        text_add_span(text, (Span){value.at, plain});
        value = (Span){value.at + plain, value.length - plain};
        if (value.length == 0)
            break;
        value = (Span){value.at + 1, value.length - 1};
        Span name = {0};
        size_t before = value.length;
        (void)span_next_part(&value, ';', &name);
        if (before - name.length == value.length || !add_entity(text, name))
            return false;
    }
    return true;
}

// --- Tables of players and tournaments ---

static void table_add(Table *table, Span attributes)
{
    if (table->is_sorted)
        return;
    table->list = array_grow(table->list, &table->capacity, table->count + 1, sizeof *table->list);
    table->list[table->count++] = (Entry){attribute(attributes, "id"), attributes};
}

static int compare_entries(const void *a, const void *b)
{
    const Entry *left = a, *right = b;
    size_t shorter = left->id.length < right->id.length ? left->id.length : right->id.length;
    int order = memcmp(left->id.at, right->id.at, shorter);
    return order != 0 ? order : (left->id.length > right->id.length) - (left->id.length < right->id.length);
}

static const Entry *table_find(Table *table, Span id)
{
    if (!table->is_sorted && table->count > 0)
        qsort(table->list, table->count, sizeof *table->list, compare_entries);
    table->is_sorted = true;
    if (table->count == 0)
        return NULL;
    Entry key = {.id = id};
    return bsearch(&key, table->list, table->count, sizeof key, compare_entries);
}

// --- Games ---

// Sets a field to attributes of an entry, separated by a space, or to the id if there is no such entry.
typedef struct {
    const char *first, *second; // attributes; the second may be NULL
    char *field;
    size_t size;
} Target;

static void set_from_table(Rif *rif, Table *table, Span id, const Target *target)
{
    const char *first = target->first, *second = target->second;
    const Entry *entry = table_find(table, id);
    Text text = {0};
    bool good = add_decoded(&text, entry != NULL ? attribute(entry->attributes, first) : id);
    if (good && entry != NULL && second != NULL) {
        text_add(&text, " ");
        good = add_decoded(&text, attribute(entry->attributes, second));
    }
    utf8_clean((Span){text.length > 0 ? text.data : "", text.length}, target->field, target->size);
    if (!good)
        (void)reader_fail(rif->reader, rif->reader->begin_line, "unknown entity near '%.40s'; only XML's own are known",
                          target->field);
    text_close(&text);
}

static void begin_game(Rif *rif, const Tag *tag)
{
    FormatReader *reader = rif->reader;
    GameRecord *record = &reader->record;
    reader_begin(reader, tag->line);
    rif->in_game = true;
    rif->moves = NULL;
    if (tag->damaged)
        (void)reader_fail(reader, tag->line, "the tag <%.*s is not closed by >", SPAN_PRINT(tag->name));
    if (reader->damaged || !reader_use_rules(reader, "standard"))
        return;
    Span result = span_trim(attribute(tag->attributes, "bresult")), event = attribute(tag->attributes, "tournament");
    record->result = span_is(result, "1")     ? RESULT_FIRST
                     : span_is(result, "0")   ? RESULT_SECOND
                     : span_is(result, "0.5") ? RESULT_DRAW
                                              : RESULT_NONE;
    set_from_table(rif, &rif->players, attribute(tag->attributes, "black"),
                   &(Target){"name", "surname", record->first, sizeof record->first});
    set_from_table(rif, &rif->players, attribute(tag->attributes, "white"),
                   &(Target){"name", "surname", record->second, sizeof record->second});
    set_from_table(rif, &rif->tournaments, event, &(Target){"name", NULL, record->event, sizeof record->event});
    if (table_find(&rif->tournaments, event) != NULL)
        set_from_table(rif, &rif->tournaments, event, &(Target){"year", NULL, record->date, sizeof record->date});
}

static void read_moves(Rif *rif, Span text)
{
    FormatReader *reader = rif->reader;
    size_t line = rif->moves_line;
    const char *counted = text.at;
    Span word = {0};
    while (!reader->damaged && span_next_word(&text, " \t\r\n,", &word)) {
        for (; counted < word.at; counted++)
            line += *counted == '\n';
        (void)reader_cell(reader, line, word);
    }
}

static bool end_game(Rif *rif, bool closed)
{
    if (!rif->in_game)
        return true;
    if (!closed)
        (void)reader_fail(rif->reader, rif->line, "the game is not closed by </game>; it may be cut off");
    rif->in_game = false;
    return reader_end(rif->reader);
}

// Handles a tag inside a game; false if reading must stop.
static bool read_inner_tag(Rif *rif, const Tag *tag)
{
    if (rif->moves != NULL) {
        read_moves(rif, (Span){rif->moves, (size_t)(tag->begin - rif->moves)});
        rif->moves = NULL;
    }
    if (tag->damaged)
        (void)reader_fail(rif->reader, tag->line, "the tag <%.*s is not closed by >", SPAN_PRINT(tag->name));
    if (span_is(tag->name, "game") && tag->closes)
        return end_game(rif, true);
    if (span_is(tag->name, "move") && !tag->closes && !tag->is_empty) {
        rif->moves = rif->rest.at;
        rif->moves_line = rif->line;
    }
    return true;
}

// Ends reading; reported as a damaged game, so that the error has a line.
static void refuse(Rif *rif, size_t line, const char *why)
{
    if (!rif->in_game)
        reader_begin(rif->reader, line);
    (void)reader_fail(rif->reader, line, "%s", why);
    rif->in_game = false;
    (void)reader_end(rif->reader);
}

static bool read_tag(Rif *rif, const Tag *tag)
{
    if (begins(tag->name, "!")) {
        refuse(rif, tag->line, "document types and entity declarations are not supported");
        return false;
    }
    if (span_is(tag->name, "game") && !tag->closes) {
        if (!end_game(rif, false))
            return false;
        begin_game(rif, tag);
        return !tag->is_empty || end_game(rif, true);
    }
    if (rif->in_game)
        return read_inner_tag(rif, tag);
    if (tag->damaged) {
        refuse(rif, tag->line, "a tag is not closed by >");
        return !rif->reader->stopped;
    }
    if (span_is(tag->name, "database"))
        rif->database_opened = tag->closes ? 0 : tag->line;
    if (span_is(tag->name, "player") && !tag->closes)
        table_add(&rif->players, tag->attributes);
    if (span_is(tag->name, "tournament") && !tag->closes)
        table_add(&rif->tournaments, tag->attributes);
    return !rif->reader->stopped;
}

void rif_read(FormatReader *reader)
{
    Rif rif = {.reader = reader, .rest = reader->text, .line = 1};
    Tag tag;
    bool continues = true;
    while (continues && next_tag(&rif, &tag))
        continues = read_tag(&rif, &tag);
    if (continues && rif.unclosed != 0)
        refuse(&rif, rif.unclosed, "a comment, an instruction or literal text does not end");
    else if (continues && rif.in_game)
        (void)end_game(&rif, false);
    else if (continues && rif.database_opened != 0)
        refuse(&rif, rif.database_opened, "<database> is not closed by </database>; the file may be cut off");
    free(rif.players.list);
    free(rif.tournaments.list);
}
