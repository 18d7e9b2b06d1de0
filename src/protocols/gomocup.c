// The Gomocup protocol: one command and one answer per line. docs/protocols.md describes krow's support.
#include "protocols/gomocup.h"

#include <math.h>
#include <string.h>

enum { SIDE_MIN = 5, TIME_UNLIMITED = INT32_MAX };

static const char blanks[] = " \t";

// --- Settings ---

static double seconds_of(int64_t milliseconds)
{
    return milliseconds >= TIME_UNLIMITED ? INFINITY : (double)milliseconds / 1000;
}

// Megabytes for tables if the whole program may use this many bytes. Reserves 40 megabytes, or half of the memory if
// that is less, for everything else.
static uint64_t table_megabytes(int64_t bytes)
{
    const uint64_t rest = 40;
    uint64_t megabytes = bytes > 0 ? (uint64_t)bytes >> 20 : 0;
    uint64_t tables = megabytes > 2 * rest ? megabytes - rest : (megabytes + 1) / 2;
    return bytes > 0 && tables == 0 ? 1 : tables;
}

// Keys of INFO whose value is a number.
typedef enum {
    INFO_TURN,
    INFO_MATCH,
    INFO_LEFT,
    INFO_RULE,
    INFO_DEPTH,
    INFO_NODES,
    INFO_MEMORY,
    INFO_TABLE, // kilobytes, a key of Yixin
    INFO_THREADS,
    INFO_DETAIL,    // 0 to 3, a key of Yixin
    INFO_GAME_TYPE, // ignored
    INFO_KEYS,
} InfoKey;

static const struct {
    const char *name;
    int64_t min;
} info_keys[INFO_KEYS] = {
    [INFO_TURN] = {"timeout_turn", 0},           [INFO_MATCH] = {"timeout_match", 0},
    [INFO_LEFT] = {"time_left", INT64_MIN},      [INFO_RULE] = {"rule", 0},
    [INFO_DEPTH] = {"max_depth", INT64_MIN},     [INFO_NODES] = {"max_node", INT64_MIN},
    [INFO_MEMORY] = {"max_memory", INT64_MIN},   [INFO_TABLE] = {"hash_size", INT64_MIN},
    [INFO_THREADS] = {"thread_num", INT64_MIN},  [INFO_DETAIL] = {"show_detail", 0},
    [INFO_GAME_TYPE] = {"game_type", INT64_MIN},
};

static void set_info(Gomocup *gomocup, Engine *engine, InfoKey key, int64_t value)
{
    uint64_t natural = value > 0 ? (uint64_t)value : 0;
    if (key == INFO_TURN) {
        gomocup->turn = seconds_of(value);
        gomocup->has_turn = true;
    } else if (key == INFO_MATCH)
        gomocup->match = gomocup->left = value == 0 ? INFINITY : seconds_of(value);
    else if (key == INFO_LEFT)
        gomocup->left = seconds_of(value);
    else if (key == INFO_RULE)
        gomocup->rule = value;
    else if (key == INFO_DEPTH)
        gomocup->max_depth = natural < RULES_CELLS_MAX ? (unsigned)natural : RULES_CELLS_MAX;
    else if (key == INFO_NODES)
        gomocup->max_nodes = natural;
    else if (key == INFO_MEMORY)
        engine_set_memory(engine, table_megabytes(value));
    else if (key == INFO_TABLE)
        engine_set_memory(engine, (natural + 1023) >> 10);
    else if (key == INFO_THREADS)
        engine_set_threads(engine, natural);
    else if (key == INFO_DETAIL)
        gomocup->detail = (unsigned)natural & (DETAIL_REALTIME | DETAIL_LINES);
}

// INFO has no answer except for errors. Other keys (evaluate, folder, and unknown ones) are skipped.
static void on_info(Gomocup *gomocup, Engine *engine, Span arguments)
{
    Span key = {0}, value = arguments;
    (void)span_next_word(&value, blanks, &key);
    value = span_trim(value);
    InfoKey i = INFO_TURN;
    while (i < INFO_KEYS && !span_is_ignoring_case(key, info_keys[i].name))
        i++;
    if (i == INFO_KEYS)
        return;
    int64_t number = 0;
    Error error = {0};
    if (!span_to_int(value, info_keys[i].min, INT64_MAX, &number)) {
        engine_say(engine, "ERROR INFO %s needs a whole number%s, not '%.*s'", info_keys[i].name,
                   info_keys[i].min == 0 ? " from 0 on" : "", SPAN_PRINT(value));
        return;
    }
    set_info(gomocup, engine, i, number);
    if (i == INFO_RULE && gomocup_check_rule(gomocup, &error) != STATUS_OK)
        engine_say(engine, "ERROR %s", error.text);
}

// --- Games ---

static void on_restart(Gomocup *gomocup, Engine *engine, Span arguments)
{
    (void)arguments;
    gomocup->count = 0;
    gomocup->left = gomocup->match;
    engine_new_game(engine);
    Error error = {0};
    Status status = gomocup_check(gomocup, &error);
    Rules rules = gomocup_rules(gomocup);
    if (status == STATUS_OK)
        status = engine_prepare(engine, &rules, &error);
    if (status == STATUS_OK)
        engine_say(engine, "OK");
    else
        engine_say(engine, "ERROR %s", error.text);
}

static void start(Gomocup *gomocup, Engine *engine, Span width, Span height, const char *usage)
{
    int64_t w = 0, h = 0;
    if (!span_to_int(span_trim(width), SIDE_MIN, RULES_SIDE_MAX, &w) ||
        !span_to_int(span_trim(height), SIDE_MIN, RULES_SIDE_MAX, &h)) {
        engine_say(engine, "ERROR %s, each side from %d to %d", usage, SIDE_MIN, RULES_SIDE_MAX);
        return;
    }
    gomocup->width = (uint8_t)w;
    gomocup->height = (uint8_t)h;
    gomocup->started = true;
    on_restart(gomocup, engine, (Span){0});
}

static void on_start(Gomocup *gomocup, Engine *engine, Span arguments)
{
    start(gomocup, engine, arguments, arguments, "START takes the size of the board");
}

static void on_rectstart(Gomocup *gomocup, Engine *engine, Span arguments)
{
    Span height = arguments, width = {0};
    (void)span_next_part(&height, ',', &width);
    start(gomocup, engine, width, height, "RECTSTART takes WIDTH,HEIGHT");
}

// --- Turns ---

typedef enum { ANSWER_PLAY, ANSWER_SUGGEST } AnswerKind;

// Searches for the engine's next stone and plays it, or only suggests it.
static void answer_with(Gomocup *gomocup, Engine *engine, AnswerKind kind, unsigned lines)
{
    Error error = {0};
    Game game;
    Status status = gomocup_check(gomocup, &error);
    if (status == STATUS_OK)
        status = gomocup_position(gomocup, true, &game, &error);
    if (status == STATUS_OK)
        status = gomocup_think(gomocup, engine, &game, &(GomocupSearch){.share = 1, .lines = lines, .reports = true},
                               &error);
    if (status != STATUS_OK) {
        engine_say(engine, "ERROR %s", error.text);
        return;
    }
    char text[16];
    gomocup_format(gomocup, engine->decision.stones[0], text);
    if (kind == ANSWER_SUGGEST) {
        engine_say(engine, "SUGGEST %s", text);
        return;
    }
    gomocup_add(gomocup, engine->decision.stones[0], true);
    engine_say(engine, "%s", text);
    engine_ponder(engine, &game);
}

static void answer(Gomocup *gomocup, Engine *engine)
{
    answer_with(gomocup, engine, engine->suggests ? ANSWER_SUGGEST : ANSWER_PLAY, 1);
}

// Reads a cell of a command after checking the board.
static bool take_cell(Gomocup *gomocup, Engine *engine, Span text, GomocupCell want, Cell *cell)
{
    Error error = {0};
    Status status = gomocup_check(gomocup, &error);
    if (status == STATUS_OK)
        status = gomocup_cell(gomocup, text, want, cell, &error);
    if (status != STATUS_OK)
        engine_say(engine, "ERROR %s", error.text);
    return status == STATUS_OK;
}

static void on_begin(Gomocup *gomocup, Engine *engine, Span arguments)
{
    (void)arguments;
    if (gomocup->count > 0)
        engine_say(engine, "ERROR BEGIN is for an empty board; use TURN or BOARD to continue a game");
    else
        answer(gomocup, engine);
}

static void on_turn(Gomocup *gomocup, Engine *engine, Span arguments)
{
    Cell cell = CELL_NONE;
    if (!take_cell(gomocup, engine, arguments, CELL_FREE, &cell))
        return;
    gomocup_add(gomocup, cell, false);
    answer(gomocup, engine);
}

static void on_suggest(Gomocup *gomocup, Engine *engine, Span arguments)
{
    (void)arguments;
    answer_with(gomocup, engine, ANSWER_SUGGEST, 1);
}

// Plays and reports the best turns. Like other engines, accepts more than there are.
static void on_nbest(Gomocup *gomocup, Engine *engine, Span arguments)
{
    int64_t number = 0;
    if (span_to_int(arguments, 1, INT64_MAX, &number))
        answer_with(gomocup, engine, ANSWER_PLAY, number < ENGINE_LINES_MAX ? (unsigned)number : ENGINE_LINES_MAX);
    else
        engine_say(engine, "ERROR YXNBEST takes the number of best turns, not '%.*s'", SPAN_PRINT(arguments));
}

// The manager chooses the engine's stone.
static void on_play(Gomocup *gomocup, Engine *engine, Span arguments)
{
    Cell cell = CELL_NONE;
    if (!take_cell(gomocup, engine, arguments, CELL_FREE, &cell))
        return;
    char text[16];
    gomocup_add(gomocup, cell, true);
    gomocup_format(gomocup, cell, text);
    engine_say(engine, "%s", text);
}

static void on_takeback(Gomocup *gomocup, Engine *engine, Span arguments)
{
    Cell cell = CELL_NONE;
    if (!take_cell(gomocup, engine, arguments, CELL_TAKEN, &cell))
        return;
    unsigned at = (unsigned)gomocup_find(gomocup, cell);
    gomocup->count--;
    memmove(&gomocup->stones[at], &gomocup->stones[at + 1], (gomocup->count - at) * sizeof gomocup->stones[0]);
    engine_say(engine, "OK");
}

// --- Lists of stones ---

static void begin_list(Gomocup *gomocup, GomocupList list)
{
    gomocup->list = list;
    gomocup->count = 0;
    gomocup->list_failed = gomocup_check(gomocup, &gomocup->list_error) != STATUS_OK;
}

// "x,y,colour" of BOARD and YXBOARD, "x,y" of SWAP2BOARD. Only the first error is reported, at DONE.
static void take_stone(Gomocup *gomocup, Span line)
{
    if (gomocup->list_failed)
        return;
    Span place = line, colour = {0};
    const char *comma = memrchr(line.at, ',', line.length);
    if (gomocup->list != LIST_SWAP2 && comma != NULL) {
        place.length = (size_t)(comma - line.at);
        colour = span_trim((Span){comma + 1, line.length - place.length - 1});
    }
    Cell cell = CELL_NONE;
    Status status = gomocup_cell(gomocup, place, CELL_FREE, &cell, &gomocup->list_error);
    bool own = gomocup->list == LIST_SWAP2 || span_is(colour, "1");
    if (status == STATUS_OK && !own && !span_is(colour, "2"))
        status = error_set(&gomocup->list_error, STATUS_BAD_INPUT,
                           "'%.*s': a stone is X,Y,1 (own) or X,Y,2 (the opponent's)", SPAN_PRINT(line));
    if (status == STATUS_OK)
        gomocup_add(gomocup, cell, own);
    gomocup->list_failed = status != STATUS_OK;
}

static void on_done(Gomocup *gomocup, Engine *engine, Span arguments)
{
    (void)arguments;
    GomocupList list = gomocup->list;
    gomocup->list = LIST_NONE;
    if (list == LIST_NONE) {
        engine_say(engine, "ERROR DONE without BOARD, YXBOARD or SWAP2BOARD before it");
    } else if (gomocup->list_failed) {
        gomocup->count = 0;
        engine_say(engine, "ERROR %s", gomocup->list_error.text);
    } else if (list == LIST_SWAP2) {
        gomocup_swap2(gomocup, engine);
    } else if (list == LIST_BOARD) {
        answer(gomocup, engine);
    }
}

// --- Lines ---

static void on_about(Gomocup *gomocup, Engine *engine, Span arguments)
{
    (void)gomocup;
    (void)arguments;
    engine_say(engine, "name=\"krow\", version=\"" KROW_VERSION "\", author=\"the krow authors\", country=\"none\"");
}

static void on_show_info(Gomocup *gomocup, Engine *engine, Span arguments)
{
    (void)arguments;
    gomocup_show_info(gomocup, engine);
}

static void on_hash_clear(Gomocup *gomocup, Engine *engine, Span arguments)
{
    (void)gomocup;
    (void)arguments;
    engine_clear_tables(engine);
    engine_say(engine, "MESSAGE the tables are empty");
}

typedef enum { TAKES_NOTHING, TAKES_ARGUMENTS } Takes;

static const struct GomocupCommand {
    const char *name;
    void (*run)(Gomocup *gomocup, Engine *engine, Span arguments); // NULL: begins a list, or acted on arrival
    Takes takes;
    GomocupList list;
} gomocup_commands[] = {
    {"START", on_start, TAKES_ARGUMENTS, LIST_NONE},
    {"RECTSTART", on_rectstart, TAKES_ARGUMENTS, LIST_NONE},
    {"RESTART", on_restart, TAKES_NOTHING, LIST_NONE},
    {"BEGIN", on_begin, TAKES_NOTHING, LIST_NONE},
    {"TURN", on_turn, TAKES_ARGUMENTS, LIST_NONE},
    {"BOARD", NULL, TAKES_NOTHING, LIST_BOARD},
    {"DONE", on_done, TAKES_NOTHING, LIST_NONE},
    {"INFO", on_info, TAKES_ARGUMENTS, LIST_NONE},
    {"TAKEBACK", on_takeback, TAKES_ARGUMENTS, LIST_NONE},
    {"PLAY", on_play, TAKES_ARGUMENTS, LIST_NONE},
    {"SWAP2BOARD", NULL, TAKES_NOTHING, LIST_SWAP2},
    {"SUGGEST", on_suggest, TAKES_NOTHING, LIST_NONE},
    {"YXBOARD", NULL, TAKES_NOTHING, LIST_YXBOARD},
    {"YXNBEST", on_nbest, TAKES_ARGUMENTS, LIST_NONE},
    {"YXSHOWINFO", on_show_info, TAKES_NOTHING, LIST_NONE},
    {"YXHASHCLEAR", on_hash_clear, TAKES_NOTHING, LIST_NONE},
    {"ABOUT", on_about, TAKES_NOTHING, LIST_NONE},
    {"END", NULL, TAKES_NOTHING, LIST_NONE},
    {"YXSTOP", NULL, TAKES_NOTHING, LIST_NONE},
};

static const struct GomocupCommand *find_command(Span word)
{
    for (size_t i = 0; i < sizeof gomocup_commands / sizeof gomocup_commands[0]; i++)
        if (span_is_ignoring_case(word, gomocup_commands[i].name))
            return &gomocup_commands[i];
    return NULL;
}

static LineKind kind(Span line)
{
    Span word = span_trim(line);
    return span_is_ignoring_case(word, "END")      ? LINE_QUIT
           : span_is_ignoring_case(word, "YXSTOP") ? LINE_STOP
                                                   : LINE_PLAIN;
}

// A list ended by another command. INFO does not end it: it has no answer and changes no stones.
static void leave_list(Gomocup *gomocup, Engine *engine, const struct GomocupCommand *command)
{
    bool is_acted = command->run == NULL && command->list == LIST_NONE;
    if (gomocup->list == LIST_NONE || command->run == on_done || command->run == on_info || is_acted)
        return;
    gomocup->list = LIST_NONE;
    gomocup->count = 0;
    engine_say(engine, "ERROR a list of stones ends with DONE, not with %s", command->name);
}

static void handle(void *state, Engine *engine, Span line)
{
    Gomocup *gomocup = state;
    if (!gomocup->has_times)
        gomocup->turn = gomocup->match = gomocup->left = INFINITY;
    gomocup->has_times = true;
    Span arguments = line, word = {0};
    (void)span_next_word(&arguments, blanks, &word);
    arguments = span_trim(arguments);
    const struct GomocupCommand *command = find_command(word);
    if (line.length >= ENGINE_LINE_MAX) {
        engine_say(engine, "ERROR a line of more than %d characters", ENGINE_LINE_MAX - 1);
    } else if (command != NULL) {
        leave_list(gomocup, engine, command);
        if (command->takes == TAKES_NOTHING && arguments.length > 0)
            engine_say(engine, "ERROR %s: unexpected argument '%.*s'", command->name, SPAN_PRINT(arguments));
        else if (command->list != LIST_NONE)
            begin_list(gomocup, command->list);
        else if (command->run != NULL)
            command->run(gomocup, engine, arguments);
    } else if (gomocup->list != LIST_NONE) {
        take_stone(gomocup, line);
    } else {
        engine_say(engine, "UNKNOWN command '%.*s'", SPAN_PRINT(word));
    }
}

const EngineProtocol engine_gomocup = {
    .name = "gomocup",
    .ready = "",
    .kind = kind,
    .state_size = sizeof(Gomocup),
    .handle = handle,
};
