// The manager's side of UGI.
#include "external/external_internal.h"

#include "game/fen.h"
#include "game/notation.h"

#include <string.h>

static const char *const blanks = " \t";

static bool begins_with(Span line, const char *word)
{
    Span first = {0};
    return span_next_word(&line, blanks, &first) && span_is(first, word);
}

// --- Beginning ---

static void greet(ExternalEngine *engine, Text *out)
{
    engine->takes_rules = false;
    text_add(out, "ugi\n");
}

// "option name Game type string default 15x15:k=5"
static bool is_game_option(Span line)
{
    static const char *const words[] = {"option", "name", "Game", "type"};
    Span word = {0};
    for (int i = 0; i < 4; i++)
        if (!span_next_word(&line, blanks, &word) || !span_is(word, words[i]))
            return false;
    return true;
}

static Greeting greeting(ExternalEngine *engine, Span line)
{
    engine->takes_rules = engine->takes_rules || is_game_option(line);
    if (begins_with(line, "ugiok"))
        return GREETING_DONE;
    return begins_with(line, "id") || begins_with(line, "option") ? GREETING_KNOWN : GREETING_OTHER;
}

static bool set_up(ExternalEngine *engine, double deadline)
{
    char rules[RULES_TEXT_SIZE];
    rules_format(&engine->rules, rules);
    if (!engine->takes_rules)
        return external_fail(engine, FAULT_ILLEGAL, "it speaks UGI but has no option 'Game', so it cannot play %s",
                             rules);
    const AgentSettings *settings = &engine->settings;
    text_add(&engine->out, "setoption name Game value %s\n", rules);
    if (settings->threads > 0)
        text_add(&engine->out, "setoption name Threads value %u\n", settings->threads);
    if (settings->memory > 0)
        text_add(&engine->out, "setoption name Hash value %u\n", settings->memory);
    for (size_t i = 0; i + 1 < settings->options.count; i += 2)
        text_add(&engine->out, "setoption name %s value %s\n", settings->options.at[i], settings->options.at[i + 1]);
    text_add(&engine->out, "isready\n");
    return external_send(engine, deadline) && external_await(engine, "readyok", deadline);
}

static bool new_game(ExternalEngine *engine, double deadline)
{
    text_add(&engine->out, "uginewgame\nisready\n");
    return external_send(engine, deadline) && external_await(engine, "readyok", deadline);
}

// --- Asking ---

static bool is_usual_start(const Game *game)
{
    Board empty;
    board_init(&empty, &game->board.rules);
    return game->start.turn == empty.state.turn && game->start.stones_key == empty.state.stones_key;
}

static void add_position(const Game *game, Text *out)
{
    if (is_usual_start(game)) {
        text_add(out, "position startpos");
    } else {
        Game start;
        game_copy(&start, game);
        while (game_undo(&start))
            ;
        text_add(out, "position fen ");
        fen_write(&start.board, out);
    }
    if (game->played > 0) {
        text_add(out, " moves ");
        game_write(game, out);
    }
    text_add(out, "\n");
}

static void ask(ExternalEngine *engine, const Game *game, const Budget *budget, bool knows_turn, Text *out)
{
    (void)engine;
    (void)knows_turn;
    Side side = board_side(&game->board);
    bool has_clock = budget->clock[side] > 0;
    add_position(game, out);
    text_add(out, "go");
    if (has_clock)
        text_add(out, " p1time %lld p2time %lld p1inc %lld p2inc %lld", (long long)external_ms(budget->clock[0]),
                 (long long)external_ms(budget->clock[1]),
                 budget->increment > 0 ? (long long)external_ms(budget->increment) : 0,
                 budget->increment > 0 ? (long long)external_ms(budget->increment) : 0);
    if (budget->nodes > 0)
        text_add(out, " nodes %llu", (unsigned long long)budget->nodes);
    if (budget->depth > 0)
        text_add(out, " depth %u", budget->depth);
    if (budget->seconds > 0 || (!has_clock && budget->nodes == 0 && budget->depth == 0))
        text_add(out, " movetime %lld", (long long)external_reported_ms(budget, side));
    text_add(out, "\n");
}

// --- Answers ---

// Reads cells up to the first word that is not a cell; returns their number.
static unsigned read_cells(const Rules *rules, Span list, Cell *cells, unsigned most, bool *all)
{
    unsigned count = 0;
    Span word = {0};
    *all = true;
    while (count < most && span_next_word(&list, " ,\t", &word)) {
        *all = cell_parse(word, rules, &cells[count], NULL) == STATUS_OK;
        if (!*all)
            break;
        count++;
    }
    *all = *all && !span_next_word(&list, " ,\t", &word);
    return count;
}

// Reads "cp N", "win N", "loss N" or "draw" after the word `score`.
static void read_score(Span *rest, Decision *decision)
{
    Span kind = {0}, number = {0};
    double value = 0;
    if (!span_next_word(rest, blanks, &kind))
        return;
    decision->proven = span_is(kind, "win")    ? PROVEN_WIN
                       : span_is(kind, "loss") ? PROVEN_LOSS
                       : span_is(kind, "draw") ? PROVEN_DRAW
                                               : PROVEN_NOTHING;
    decision->distance = -1;
    decision->unscored = false;
    Span after = *rest;
    if (!span_next_word(&after, blanks, &number) || !span_to_real(number, &value))
        return;
    *rest = after;
    if (decision->proven == PROVEN_NOTHING)
        decision->score = value;
    else if (value >= 0 && value <= RULES_CELLS_MAX)
        decision->distance = (int)value;
}

static void read_number(Span *rest, int64_t most, uint64_t *number)
{
    Span word = {0};
    int64_t value = 0;
    if (span_next_word(rest, blanks, &word) && span_to_int(word, 0, most, &value))
        *number = (uint64_t)value;
}

// Skips unknown words and lines about second-best turns.
static void read_info(const Rules *rules, Span rest, Decision *decision)
{
    Decision reported = {.score = decision->score,
                         .unscored = decision->unscored,
                         .proven = decision->proven,
                         .distance = decision->distance};
    uint64_t depth = decision->depth, nodes = decision->nodes, rank = 1;
    Span word = {0};
    bool all = false;
    while (span_next_word(&rest, blanks, &word) && !span_is(word, "string")) {
        if (span_is(word, "depth"))
            read_number(&rest, INT32_MAX, &depth);
        else if (span_is(word, "nodes"))
            read_number(&rest, INT64_MAX, &nodes);
        else if (span_is(word, "multipv"))
            read_number(&rest, INT32_MAX, &rank);
        else if (span_is(word, "score"))
            read_score(&rest, &reported);
        else if (span_is(word, "pv")) {
            reported.line_count = read_cells(rules, rest, reported.line, DECISION_LINE_MAX, &all);
            rest.length = 0;
        }
    }
    if (rank != 1)
        return;
    decision->depth = (unsigned)depth;
    decision->nodes = nodes;
    decision->score = reported.score;
    decision->unscored = reported.unscored;
    decision->proven = reported.proven;
    decision->distance = reported.distance;
    if (reported.line_count > 0) {
        decision->line_count = reported.line_count;
        memcpy(decision->line, reported.line, reported.line_count * sizeof reported.line[0]);
    }
}

static Answer answer(ExternalEngine *engine, const Game *game, Span line, Decision *decision)
{
    Span rest = line, word = {0}, stones = {0};
    if (!span_next_word(&rest, blanks, &word))
        return ANSWER_OTHER;
    if (span_is(word, "info"))
        read_info(&engine->rules, rest, decision);
    if (!span_is(word, "bestmove"))
        return ANSWER_OTHER;
    bool all = false;
    bool some = span_next_word(&rest, blanks, &stones);
    decision->count = read_cells(&game->board.rules, stones, decision->stones, RULES_CELLS_MAX, &all);
    return some && all ? ANSWER_TURN : ANSWER_WRONG;
}

const ExternalProtocol external_ugi = {
    .name = "UGI",
    .farewell = "quit\n",
    .stop = "stop\n",
    .greet = greet,
    .greeting = greeting,
    .set_up = set_up,
    .new_game = new_game,
    .ask = ask,
    .answer = answer,
};
