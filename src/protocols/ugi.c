// UGI, a protocol like UCI for any game, with one command per line. docs/ugi.md describes krow's dialect. Errors
// are lines "info string error: …"; every `go` is answered by exactly one `bestmove`.
#include "game/fen.h"
#include "game/notation.h"
#include "protocols/engine.h"

#include <math.h>

typedef struct {
    bool is_set_up; // rules and game are set
    bool is_broken; // the last position was refused: nothing to search
    unsigned lines; // best turns to report
    Rules rules;
    Game game;
} Ugi;

// Limits of what a manager may request; an agent takes at most its own maximum.
enum { SIZE_MAX_THREADS = 64, SIZE_MAX_MEGABYTES = 65536 };

static const char blanks[] = " \t";
static const char default_game[] = "gomoku";

static void say_error(Engine *engine, const Error *error)
{
    engine_say(engine, "info string error: %s", error->text);
}

static void on_ugi(Ugi *ugi, Engine *engine, Span arguments)
{
    (void)ugi;
    (void)arguments;
    engine_say(engine, "id name krow " KROW_VERSION);
    engine_say(engine, "id author the krow authors");
    engine_say(engine, "option name Game type string default %s", default_game);
    engine_say(engine, "option name Agent type string default %s", engine_agent_name(engine));
    engine_say(engine, "option name Seed type spin default %llu min 0 max %lld", (unsigned long long)engine->seed,
               (long long)INT64_MAX);
    engine_say(engine, "option name Overhead type spin default %lld min 0 max 10000", llround(engine->overhead * 1000));
    engine_say(engine, "option name Threads type spin default 1 min 1 max %d", SIZE_MAX_THREADS);
    engine_say(engine, "option name Hash type spin default 64 min 1 max %d", SIZE_MAX_MEGABYTES);
    engine_say(engine, "option name MultiPV type spin default 1 min 1 max %d", ENGINE_LINES_MAX);
    engine_say(engine, "option name Ponder type check default %s", engine->ponders ? "true" : "false");
    engine_say(engine, "ugiok");
}

// Opens the agent here, where all options are known and no clock runs, and reports a failure.
static void on_isready(Ugi *ugi, Engine *engine, Span arguments)
{
    (void)arguments;
    Error error = {0};
    if (engine_prepare(engine, &ugi->rules, &error) != STATUS_OK)
        say_error(engine, &error);
    engine_say(engine, "readyok");
}

static void on_uginewgame(Ugi *ugi, Engine *engine, Span arguments)
{
    (void)arguments;
    engine_new_game(engine);
    game_init(&ugi->game, &ugi->rules);
    ugi->is_broken = false;
}

// --- Options ---

static Status set_game(Ugi *ugi, Span value, Error *error)
{
    Rules rules;
    Status status = rules_parse(value, &rules, error);
    // After refused rules, the previous rules must not be used.
    ugi->is_broken = status != STATUS_OK;
    if (status == STATUS_OK) {
        ugi->rules = rules;
        game_init(&ugi->game, &rules);
    }
    return status;
}

typedef enum {
    UGI_GAME,
    UGI_AGENT,
    UGI_SEED,
    UGI_OVERHEAD,
    UGI_THREADS,
    UGI_HASH,
    UGI_MULTIPV,
    UGI_PONDER,
    UGI_OPTIONS
} UgiOption;

static const struct {
    const char *name;
    int64_t min, max; // of a whole number; 0 and 0: a text
} ugi_options[UGI_OPTIONS] = {
    [UGI_GAME] = {"Game", 0, 0},
    [UGI_AGENT] = {"Agent", 0, 0},
    [UGI_SEED] = {"Seed", 0, INT64_MAX},
    [UGI_OVERHEAD] = {"Overhead", 0, 10000}, // milliseconds
    [UGI_THREADS] = {"Threads", 1, SIZE_MAX_THREADS},
    [UGI_HASH] = {"Hash", 1, SIZE_MAX_MEGABYTES},
    [UGI_MULTIPV] = {"MultiPV", 1, ENGINE_LINES_MAX},
    [UGI_PONDER] = {"Ponder", 0, 0},
};

static Status set_option(Ugi *ugi, Engine *engine, UgiOption option, Span value, Error *error)
{
    int64_t min = ugi_options[option].min, max = ugi_options[option].max, number = 0;
    if (max > 0 && !span_to_int(value, min, max, &number))
        return error_set(error, STATUS_BAD_INPUT, "%s is a whole number from %lld to %lld, not '%.*s'",
                         ugi_options[option].name, (long long)min, (long long)max, SPAN_PRINT(value));
    if (option == UGI_GAME)
        return set_game(ugi, value, error);
    if (option == UGI_PONDER && !span_is(value, "true") && !span_is(value, "false"))
        return error_set(error, STATUS_BAD_INPUT, "Ponder must be true or false, not '%.*s'", SPAN_PRINT(value));
    if (option == UGI_PONDER)
        engine->ponders = span_is(value, "true");
    else if (option == UGI_AGENT)
        engine_set_agent(engine, value);
    else if (option == UGI_SEED)
        engine_set_seed(engine, (uint64_t)number);
    else if (option == UGI_OVERHEAD)
        engine->overhead = (double)number / 1000;
    else if (option == UGI_THREADS)
        engine_set_threads(engine, (uint64_t)number);
    else if (option == UGI_HASH)
        engine_set_memory(engine, (uint64_t)number);
    else if (option == UGI_MULTIPV)
        ugi->lines = (unsigned)number;
    return STATUS_OK;
}

// setoption name N value V. Names are one word and case-insensitive, as in UCI.
static void on_setoption(Ugi *ugi, Engine *engine, Span arguments)
{
    Error error = {0};
    Span value = arguments, name_word = {0}, name = {0}, value_word = {0};
    bool right = span_next_word(&value, blanks, &name_word) && span_is(name_word, "name") &&
                 span_next_word(&value, blanks, &name) && span_next_word(&value, blanks, &value_word) &&
                 span_is(value_word, "value");
    value = span_trim(value);
    Status status = STATUS_BAD_INPUT;
    UgiOption option = UGI_GAME;
    while (option < UGI_OPTIONS && !span_is_ignoring_case(name, ugi_options[option].name))
        option++;
    if (!right)
        status = error_set(&error, STATUS_BAD_INPUT, "use 'setoption name NAME value VALUE'");
    else if (option == UGI_OPTIONS)
        status = error_set(&error, STATUS_BAD_INPUT, "there is no option '%.*s'; 'ugi' lists them", SPAN_PRINT(name));
    else
        status = set_option(ugi, engine, option, value, &error);
    if (status != STATUS_OK)
        say_error(engine, &error);
}

// --- Positions ---

// Cuts off the text up to and including the word "moves".
static Span before_moves(Span *rest)
{
    Span all = *rest, word = {0};
    while (span_next_word(rest, blanks, &word))
        if (span_is(word, "moves"))
            return (Span){all.at, (size_t)(word.at - all.at)};
    return all;
}

static Status read_position(Ugi *ugi, Span arguments, Game *game, Error *error)
{
    Span rest = arguments, word = {0};
    (void)span_next_word(&rest, blanks, &word);
    Span place = span_trim(before_moves(&rest));
    Status status = STATUS_OK;
    if (span_is(word, "fen"))
        status = fen_read(place, &ugi->rules, game, error);
    else if (span_is(word, "startpos") && place.length == 0)
        game_init(game, &ugi->rules);
    else
        status = error_set(error, STATUS_BAD_INPUT,
                           "use 'position startpos [moves ...]' or 'position fen ROWS SIDE LEFT [moves ...]'");
    return status == STATUS_OK ? game_read(game, rest, error) : status;
}

static void on_position(Ugi *ugi, Engine *engine, Span arguments)
{
    Error error = {0};
    Game game;
    ugi->is_broken = read_position(ugi, arguments, &game, &error) != STATUS_OK;
    if (!ugi->is_broken) {
        game_copy(&ugi->game, &game);
        return;
    }
    error_prefix(&error, "position: ");
    say_error(engine, &error);
}

// --- Thinking ---

// The limits of a `go`, times in seconds.
typedef struct {
    bool infinite, limited;
    double time[2], increment[2], movetime;
    uint64_t nodes;
    unsigned depth;
} GoLimits;

static bool take_limit(GoLimits *limits, Span word, int64_t number)
{
    double seconds = (double)number / 1000;
    if (span_is(word, "p1time"))
        limits->time[0] = seconds;
    else if (span_is(word, "p2time"))
        limits->time[1] = seconds;
    else if (span_is(word, "p1inc"))
        limits->increment[0] = seconds;
    else if (span_is(word, "p2inc"))
        limits->increment[1] = seconds;
    else if (span_is(word, "movetime"))
        limits->movetime = seconds;
    else if (span_is(word, "nodes"))
        limits->nodes = number > 0 ? (uint64_t)number : 1;
    else if (span_is(word, "depth"))
        limits->depth = (unsigned)(number < 1 ? 1 : number < RULES_CELLS_MAX ? number : RULES_CELLS_MAX);
    else
        return false;
    return true;
}

// Reports and skips unknown words, since the manager waits for a move.
static GoLimits read_limits(Engine *engine, Span arguments)
{
    GoLimits limits = {.time = {INFINITY, INFINITY}, .movetime = INFINITY};
    Span rest = arguments, word = {0}, value = {0};
    while (span_next_word(&rest, blanks, &word)) {
        if (span_is(word, "infinite")) {
            limits.infinite = true;
            continue;
        }
        GoLimits probe = limits;
        int64_t number = 0;
        if (!take_limit(&probe, word, 0))
            engine_say(engine, "info string error: go: unknown word '%.*s'", SPAN_PRINT(word));
        else if (!span_next_word(&rest, blanks, &value) || !span_to_int(value, INT64_MIN, INT64_MAX, &number))
            engine_say(engine, "info string error: go: %.*s needs a whole number", SPAN_PRINT(word));
        else
            limits.limited |= take_limit(&limits, word, number);
    }
    return limits;
}

static void say_info(void *context, Engine *engine, const Decision *found, bool is_final)
{
    (void)context;
    (void)is_final;
    Text info = {0};
    engine_describe(engine, found, &info);
    engine_say(engine, "info %s", info.data);
    text_close(&info);
}

static EngineSearch search_of(const Ugi *ugi, const Engine *engine, const GoLimits *limits)
{
    const Board *board = &ugi->game.board;
    EngineSearch search = {.endless = limits->infinite, .lines = ugi->lines, .report = say_info};
    if (limits->infinite)
        return search;
    Budget *budget = &search.budget;
    *budget = engine->budget;
    if (!limits->limited) {
        if (budget->seconds <= 0 && budget->nodes == 0 && budget->depth == 0)
            budget->seconds = ENGINE_SECONDS_DEFAULT;
        return search;
    }
    Side side = board_side(board);
    EngineTime time = {limits->movetime, limits->time[side], limits->increment[side], engine->overhead};
    double seconds = engine_allot(&time, board);
    budget->seconds = isfinite(seconds) ? seconds : 0;
    for (int i = 0; i < 2; i++)
        if (isfinite(limits->time[i]))
            budget->clock[i] = fmax(limits->time[i], ENGINE_SECONDS_AT_ONCE);
    budget->increment = fmax(limits->increment[side], 0);
    budget->nodes = limits->nodes > 0 ? limits->nodes : budget->nodes;
    budget->depth = limits->depth > 0 ? limits->depth : budget->depth;
    return search;
}

static void say_best(Engine *engine)
{
    const Decision *decision = &engine->decision;
    Text best = {0};
    cell_write_list(&best, decision->stones, decision->count, ",");
    engine_say(engine, "bestmove %s", best.length > 0 ? best.data : "none");
    text_close(&best);
}

static void on_go(Ugi *ugi, Engine *engine, Span arguments)
{
    GoLimits limits = read_limits(engine, arguments);
    EngineSearch search = search_of(ugi, engine, &limits);
    Error error = {0};
    Status status = STATUS_FAILED;
    if (ugi->is_broken)
        status = error_set(&error, STATUS_BAD_INPUT, "there is no position to search");
    if (ugi->is_broken || game_is_over(&ugi->game)) {
        if (limits.infinite)
            engine_wait(engine);
    } else {
        status = engine_think(engine, &ugi->game, &search, &error);
    }
    if (status == STATUS_OK) {
        say_best(engine);
        engine_ponder(engine, &ugi->game);
        return;
    }
    if (error.text[0] != '\0')
        say_error(engine, &error);
    engine_say(engine, "bestmove none");
}

static void on_query(Ugi *ugi, Engine *engine, Span arguments)
{
    const Board *board = &ugi->game.board;
    static const char *const winners[] = {"draw", "p1win", "p2win"};
    if (ugi->is_broken)
        engine_say(engine, "response none");
    else if (span_is(arguments, "gameover"))
        engine_say(engine, "response %s", board_is_over(board) ? "true" : "false");
    else if (span_is(arguments, "p1turn"))
        engine_say(engine, "response %s", board_side(board) == SIDE_FIRST ? "true" : "false");
    else if (span_is(arguments, "result"))
        engine_say(engine, "response %s", board_is_over(board) ? winners[board_winner(board)] : "none");
    else
        engine_say(engine, "info string error: query gameover, p1turn or result, not '%.*s'", SPAN_PRINT(arguments));
}

// --- Lines ---

static const struct {
    const char *name;
    void (*run)(Ugi *ugi, Engine *engine, Span arguments); // NULL: acted on arrival
} ugi_commands[] = {
    {"ugi", on_ugi},
    {"isready", on_isready},
    {"setoption", on_setoption},
    {"uginewgame", on_uginewgame},
    {"position", on_position},
    {"go", on_go},
    {"query", on_query},
    {"stop", NULL},
    {"quit", NULL},
};

static LineKind kind(Span line)
{
    Span word = span_trim(line);
    return span_is(word, "quit")      ? LINE_QUIT
           : span_is(word, "stop")    ? LINE_STOP
           : span_is(word, "isready") ? LINE_READY
                                      : LINE_PLAIN;
}

static void handle(void *state, Engine *engine, Span line)
{
    Ugi *ugi = state;
    if (!ugi->is_set_up) {
        (void)rules_parse(span_of(default_game), &ugi->rules, NULL);
        game_init(&ugi->game, &ugi->rules);
        ugi->is_set_up = true;
    }
    if (line.length >= ENGINE_LINE_MAX) {
        // It may have been a position; the previous one must not be used instead.
        ugi->is_broken = true;
        engine_say(engine, "info string error: a line of more than %d characters", ENGINE_LINE_MAX - 1);
        return;
    }
    Span arguments = line, word = {0};
    (void)span_next_word(&arguments, blanks, &word);
    for (size_t i = 0; i < sizeof ugi_commands / sizeof ugi_commands[0]; i++)
        if (span_is(word, ugi_commands[i].name)) {
            if (ugi_commands[i].run != NULL)
                ugi_commands[i].run(ugi, engine, span_trim(arguments));
            return;
        }
    engine_say(engine, "info string error: unknown command '%.*s'", SPAN_PRINT(word));
}

const EngineProtocol engine_ugi = {
    .name = "ugi",
    .ready = "readyok",
    .kind = kind,
    .state_size = sizeof(Ugi),
    .handle = handle,
};
