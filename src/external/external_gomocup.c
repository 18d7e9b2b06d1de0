// The manager's side of the Gomocup protocol.
#include "external/external_internal.h"

#include "base/clock.h"
#include "external/sandbox.h"

#include <string.h>
#include <strings.h>

static bool begins_with(Span line, const char *word)
{
    size_t length = span_of(word).length;
    return line.length >= length && strncasecmp(line.at, word, length) == 0 &&
           (line.length == length || line.at[length] == ' ' || line.at[length] == '\t' || line.at[length] == ':');
}

bool external_gomocup_can_say(const Rules *rules)
{
    return rules->k == 5 && rules->p == 1 && rules->q == 1 && !rules->gravity;
}

// --- Beginning ---

static void greet(ExternalEngine *engine, Text *out)
{
    const Rules *rules = &engine->rules;
    if (rules->width == rules->height)
        text_add(out, "START %d\n", rules->width);
    else
        text_add(out, "RECTSTART %d,%d\n", rules->width, rules->height);
}

static Greeting greeting(ExternalEngine *engine, Span line)
{
    if (begins_with(line, "OK"))
        return GREETING_DONE;
    if (begins_with(line, "UNKNOWN"))
        return GREETING_KNOWN;
    if (!begins_with(line, "ERROR"))
        return GREETING_OTHER;
    external_note_words(engine, line);
    return GREETING_REFUSED;
}

// Whether a line is never an answer.
static bool is_remark(Span line)
{
    return line.length == 0 || begins_with(line, "MESSAGE") || begins_with(line, "DEBUG") ||
           begins_with(line, "SUGGEST");
}

// Waits until the program has processed all commands: INFO has no answer, but its effects (clearing a table) should not
// use the clock of the first turn. ABOUT has an answer, at least UNKNOWN; a program without one costs a moment.
static bool wait_until_ready(ExternalEngine *engine)
{
    static const double about_seconds = 5;
    double limit = external_start_limit(engine);
    double deadline = clock_seconds() + (limit < about_seconds ? limit : about_seconds);
    Span line = {0};
    ProcessResult result = PROCESS_OK;
    text_add(&engine->out, "ABOUT\n");
    if (!external_send(engine, deadline))
        return false;
    do
        result = external_read_line(engine, deadline, &line);
    while (result == PROCESS_OK && is_remark(span_trim(line)) && clock_seconds() < deadline);
    return true;
}

// The settings of a game; the times follow with each turn if they have changed.
static void send_game(ExternalEngine *engine)
{
    for (int i = 0; i < ENGINE_INFO_KEYS; i++)
        engine->info[i] = -1;
    text_add(&engine->out, "INFO game_type 1\nINFO rule %d\n", engine->rules.exact ? 1 : 0);
}

static bool set_up(ExternalEngine *engine, double deadline)
{
    const AgentSettings *settings = &engine->settings;
    text_add(&engine->out, "INFO max_memory %lld\nINFO thread_num %u\n",
             settings->memory > 0 ? (long long)settings->memory << 20 : SANDBOX_REPORTED_MEMORY,
             settings->threads > 0 ? settings->threads : 1);
    for (size_t i = 0; i + 1 < settings->options.count; i += 2)
        text_add(&engine->out, "INFO %s %s\n", settings->options.at[i], settings->options.at[i + 1]);
    send_game(engine);
    return external_send(engine, deadline) && wait_until_ready(engine);
}

static bool new_game(ExternalEngine *engine, double deadline)
{
    text_add(&engine->out, "RESTART\n");
    if (!external_send(engine, deadline) || !external_await(engine, "OK", deadline))
        return false;
    send_game(engine);
    return external_send(engine, deadline);
}

// --- Asking ---

static void send_info(ExternalEngine *engine, int place, const char *key, int64_t value, Text *out)
{
    if (engine->info[place] == value)
        return;
    engine->info[place] = value;
    text_add(out, "INFO %s %lld\n", key, (long long)value);
}

// `timeout_match` is the time left at the first turn; increments appear only in `time_left`.
static void send_budget(ExternalEngine *engine, const Budget *budget, Side side, Text *out)
{
    bool has_clock = budget->clock[side] > 0;
    send_info(engine, 0, "timeout_turn", external_reported_ms(budget, side), out);
    if (engine->info[1] < 0 || (engine->info[1] > 0) != has_clock)
        send_info(engine, 1, "timeout_match", has_clock ? external_ms(budget->clock[side]) : 0, out);
    send_info(engine, 2, "time_left", has_clock ? external_ms(budget->clock[side]) : INT32_MAX, out);
    if (budget->nodes > 0)
        send_info(engine, 3, "max_node", budget->nodes < INT64_MAX ? (int64_t)budget->nodes : INT64_MAX, out);
    if (budget->depth > 0)
        send_info(engine, 4, "max_depth", budget->depth, out);
}

// Appends a number below 100 without the cost of text_add, which a turn of an engine that does not think would show.
static void add_number(unsigned number, Text *out)
{
    char digits[2] = {(char)('0' + number / 10), (char)('0' + number % 10)};
    text_add_span(out, number < 10 ? (Span){digits + 1, 1} : (Span){digits, 2});
}

static void add_cell(const Rules *rules, Cell cell, Text *out)
{
    add_number(cell_column(cell), out);
    text_add_span(out, span_of(","));
    add_number(rules->height - 1u - cell_row(cell), out);
}

static void add_stone(const Board *board, Cell cell, Side side, Text *out)
{
    add_cell(&board->rules, cell, out);
    text_add(out, ",%d\n", side == board_side(board) ? 1 : 2);
}

// The next cell of a side from `*from` on in a set-up position; CELL_NONE when there is none left.
static Cell next_stone(const Board *board, Side side, unsigned *from)
{
    while (*from < rules_cells(&board->rules)) {
        unsigned i = (*from)++;
        Cell cell = cell_at(i % board->rules.width, i / board->rules.width);
        if (board_stone(board, cell) == (Stone)side)
            return cell;
    }
    return CELL_NONE;
}

// Stones of unknown order, listed alternately.
static void add_set_up_stones(const Board *board, const Board *start, Text *out)
{
    unsigned from[2] = {0, 0};
    for (unsigned done = 0, i = 0; done < board_count(start); i++) {
        Cell cell = next_stone(start, (Side)(i % 2), &from[i % 2]);
        if (cell == CELL_NONE)
            continue;
        add_stone(board, cell, (Side)(i % 2), out);
        done++;
    }
}

static void add_board(const Game *game, Text *out)
{
    Game start;
    game_copy(&start, game);
    while (game_undo(&start))
        ;
    text_add(out, "BOARD\n");
    add_set_up_stones(&game->board, &start.board, out);
    for (unsigned i = 0; i < game->played; i++)
        add_stone(&game->board, game->stones[i], game_side_of(game, i), out);
    text_add(out, "DONE\n");
}

static void ask(ExternalEngine *engine, const Game *game, const Budget *budget, bool knows_turn, Text *out)
{
    send_budget(engine, budget, board_side(&game->board), out);
    if (board_count(&game->board) == 0) {
        text_add(out, "BEGIN\n");
    } else if (knows_turn) {
        text_add_span(out, span_of("TURN "));
        add_cell(&engine->rules, game_last(game), out);
        text_add_span(out, span_of("\n"));
    } else {
        add_board(game, out);
    }
}

// --- Answers ---

// "x,y" with or without blanks around its numbers; a cell far outside is reported as one that no board has.
static bool read_cell(const Rules *rules, Span line, Cell *cell)
{
    Span rest = line, part[2] = {{0}};
    int64_t x = 0, y = 0;
    bool looks_right = span_next_part(&rest, ',', &part[0]) && span_next_part(&rest, ',', &part[1]) &&
                       rest.length == 0 && span_to_int(span_trim(part[0]), INT32_MIN, INT32_MAX, &x) &&
                       span_to_int(span_trim(part[1]), INT32_MIN, INT32_MAX, &y);
    if (!looks_right || x < 0 || y < 0 || x >= rules->width || y >= rules->height)
        return false;
    *cell = cell_at((unsigned)x, (unsigned)(rules->height - 1 - y));
    return true;
}

// name="…", version="…", author="…", country="…"
static bool is_introduction(Span line)
{
    return line.length > 4 && strncasecmp(line.at, "name", 4) == 0 && memchr(line.at, '=', line.length) != NULL;
}

// "+M5" or "-M7": a win or loss in so many stones.
static bool read_mate(Span word, Decision *decision)
{
    int64_t stones = 0;
    if (word.length < 3 || (word.at[0] != '+' && word.at[0] != '-') || (word.at[1] != 'M' && word.at[1] != 'm') ||
        !span_to_int((Span){word.at + 2, word.length - 2}, 0, RULES_CELLS_MAX, &stones))
        return false;
    decision->proven = word.at[0] == '+' ? PROVEN_WIN : PROVEN_LOSS;
    decision->distance = (int)stones;
    return true;
}

// Reads the score of a message such as "MESSAGE Depth 12-18 | Eval 45 | Time 120": engines agree about the word, Eval
// or EV, in front of it.
static void read_message(Span line, Decision *decision)
{
    Span word = {0};
    while (span_next_word(&line, " \t:=|,", &word)) {
        if (!span_is_ignoring_case(word, "eval") && !span_is_ignoring_case(word, "ev"))
            continue;
        Span rest = line, value = {0};
        double score = 0;
        if (!span_next_word(&rest, " \t:=|,", &value))
            return;
        Decision reported = {.proven = PROVEN_NOTHING, .distance = -1};
        if (!read_mate(value, &reported) && !span_to_real(value, &score))
            continue;
        decision->score = score;
        decision->unscored = false;
        decision->proven = reported.proven;
        decision->distance = reported.distance;
    }
}

// An engine may suggest a cell and wait for the manager, who agrees: "SUGGEST x,y" is followed by "PLAY x,y".
static bool agree(ExternalEngine *engine, Span line)
{
    static const double send_seconds = 1;
    Cell cell = CELL_NONE;
    Span suggested = line, word = {0};
    if (!begins_with(line, "SUGGEST") || !span_next_word(&suggested, " \t:", &word) ||
        !read_cell(&engine->rules, suggested, &cell))
        return false;
    text_add(&engine->out, "PLAY ");
    add_cell(&engine->rules, cell, &engine->out);
    text_add(&engine->out, "\n");
    return external_send(engine, clock_seconds() + send_seconds);
}

static Answer answer(ExternalEngine *engine, const Game *game, Span line, Decision *decision)
{
    (void)game;
    if (begins_with(line, "MESSAGE"))
        read_message(line, decision);
    if (agree(engine, line))
        return ANSWER_OTHER;
    // Skips late answers to ABOUT or RESTART.
    if (is_remark(line) || begins_with(line, "OK") || is_introduction(line))
        return ANSWER_OTHER;
    Cell cell = CELL_NONE;
    if (!read_cell(&engine->rules, line, &cell))
        return ANSWER_WRONG;
    decision->stones[0] = cell;
    decision->count = 1;
    return ANSWER_TURN;
}

const ExternalProtocol external_gomocup = {
    .name = "Gomocup",
    .farewell = "END\n",
    .stop = "YXSTOP\n",
    .greet = greet,
    .greeting = greeting,
    .set_up = set_up,
    .new_game = new_game,
    .ask = ask,
    .answer = answer,
};
