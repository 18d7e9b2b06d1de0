// JSON views of positions, cells and results, and numbers and words as people read them.
#include "view/json_view.h"

#include "agents/agent.h"
#include "base/utf8.h"
#include "game/notation.h"
#include "match/outcome.h"

#include <stdio.h>
#include <time.h>

json_t *view_rules(const Rules *rules)
{
    char text[RULES_TEXT_SIZE];
    rules_format(rules, text);
    return json_string(text);
}

json_t *view_cells(const Cell *cells, unsigned count)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        (void)json_array_append_new(list, json_string(name));
    }
    return list;
}

void view_add_cells(Text *text, const Cell *cells, unsigned count, const char *between)
{
    cell_write_list(text, cells, count, between);
}

json_t *view_rows(const Board *board)
{
    json_t *list = json_array();
    for (unsigned row = board->rules.height; row-- > 0;) {
        char text[RULES_SIDE_MAX + 1] = "";
        for (unsigned column = 0; column < board->rules.width; column++)
            text[column] = "XO."[board_stone(board, cell_at(column, row))];
        (void)json_array_append_new(list, json_string(text));
    }
    return list;
}

json_t *view_position(const Game *game)
{
    const Board *board = &game->board;
    char key[24];
    (void)snprintf(key, sizeof key, "%016llx", (unsigned long long)board_key(board));
    Cell line[RULES_CELLS_MAX];
    unsigned line_count = board_winning_cells(board, line);
    return json_pack("{s:o, s:o, s:s, s:i, s:b, s:s?, s:o, s:o, s:s}", "game", view_rules(&board->rules), "stones",
                     view_cells(game->stones, game->played), "turn", side_name(board_side(board)), "stones_left",
                     (int)board_stones_left(board), "over", board_is_over(board), "winner",
                     result_name(result_of_board(board)), "line", view_cells(line, line_count), "rows",
                     view_rows(board), "key", key);
}

json_t *view_book(const BookSpec *spec, json_t *more)
{
    json_t *object =
        json_pack("{s:s, s:o, s:s, s:b, s:i}", "name", spec->name, "game", view_rules(&spec->rules), "encoding",
                  encoding_name(spec->encoding), "symmetric", spec->symmetric, "turns", (int)spec->turns);
    (void)json_object_update_new(object, more);
    return object;
}

static json_t *option_default(const AgentOption *option, double number)
{
    if (option->type == OPTION_INT)
        return json_integer((json_int_t)number);
    if (option->type == OPTION_REAL)
        return json_real(number);
    return option->type == OPTION_BOOL ? json_boolean(number > 0) : json_string(option->fallback);
}

json_t *view_option(const AgentOption *option, const OptionValue *fallback, const char *type, const char *help_key,
                    double most)
{
    double number = fallback->number < most ? fallback->number : most;
    json_t *object = json_pack("{s:s, s:s, s:o, s:s}", "name", option->name, "type", type, "default",
                               option_default(option, number), help_key, option->help);
    if (option->type == OPTION_INT || option->type == OPTION_REAL) {
        (void)json_object_set_new(object, "min", json_real(option->min));
        (void)json_object_set_new(object, "max", json_real(option->max < most ? option->max : most));
    }
    if (option->type == OPTION_CHOICE) {
        json_t *choices = json_array();
        Span rest = span_of(option->choices), word = {0};
        while (span_next_word(&rest, " ", &word))
            (void)json_array_append_new(choices, json_stringn(word.at, word.length));
        (void)json_object_set_new(object, "choices", choices);
    }
    return object;
}

void view_proven(const Decision *decision, char *text, size_t size)
{
    const char *name = proven_name(decision->proven);
    if (decision->proven != PROVEN_NOTHING && decision->distance >= 0)
        (void)snprintf(text, size, "%s in %d", name, decision->distance);
    else
        (void)snprintf(text, size, "%s", name != NULL ? name : "");
}

NumberWord view_number_word(unsigned number)
{
    static const char *const words[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    NumberWord word;
    if (number < sizeof words / sizeof words[0])
        (void)snprintf(word.text, sizeof word.text, "%s", words[number]);
    else
        (void)snprintf(word.text, sizeof word.text, "%u", number);
    return word;
}

const char *view_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

const char *view_number(uint64_t number, char text[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[at++] = ' ';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

const char *view_date(int64_t ms, char text[32])
{
    time_t moment = (time_t)(ms / 1000);
    struct tm local;
    text[0] = '\0';
    if (localtime_r(&moment, &local) != NULL)
        (void)strftime(text, 32, "%Y-%m-%d %H:%M", &local);
    return text;
}

json_t *view_text(const char *text)
{
    char clean[1024];
    utf8_clean(span_of(text), clean, sizeof clean);
    return json_string(clean);
}

void view_rules_words(const Rules *rules, Text *text)
{
    size_t begin = text->length;
    text_add(text, "%s%s in a row win%s on %u × %u", rules->exact ? "exactly " : "", view_number_word(rules->k).text,
             rules->k == 1 ? "s" : "", (unsigned)rules->width, (unsigned)rules->height);
    text_add(text, ". %s stone%s a turn", view_number_word(rules->p).text, rules->p == 1 ? "" : "s");
    if (rules->q != rules->p)
        text_add(text, ", %s at the first", view_number_word(rules->q).text);
    text_add(text, rules->gravity ? ". Stones fall to the lowest empty cell of their column." : ".");
    // Sentences begin with a capital letter.
    bool begins = true;
    for (size_t i = begin; i < text->length; i++) {
        char *c = &text->data[i];
        if (begins && *c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
        begins = *c == '.' || (begins && *c == ' ');
    }
}
