// What a person types during a game in the terminal: stones, or one of the commands listed at the end.
#include "agents/levels.h"
#include "analysis/explain.h"
#include "base/memory.h"
#include "cli/interrupt.h"
#include "cli/output/analyze_text.h"
#include "cli/output/console.h"
#include "cli/output/output.h"
#include "cli/output/review_text.h"
#include "cli/play/play_internal.h"
#include "game/notation.h"
#include "lab/solve/solve.h"
#include "view/json_view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complain(const Error *error)
{
    (void)fprintf(stderr, "%s\n", error->text);
}

// --- Taking back and playing again ---

static void take_back_stone(Session *session)
{
    session->undone[session->undone_count++] = game_last(play_game(session));
    (void)game_undo(play_game(session));
}

static void play_again_stone(Session *session)
{
    game_play(play_game(session), session->undone[--session->undone_count]);
}

// Continues a game that is over, at its last position.
static void reopen(Session *session)
{
    session->file.result = RESULT_NONE;
    session->file.reason[0] = '\0';
}

// Takes back one stone of the turn in progress; else whole turns, until a person is to move again. A resignation is
// taken back alone.
static void undo(Session *session, Span rest)
{
    (void)rest;
    Game *game = play_game(session);
    bool had_resigned = session->file.result != RESULT_NONE && !game_is_over(game);
    if (had_resigned && play_mover(session)->is_human) {
        reopen(session);
    } else if (game->played == 0) {
        (void)printf("There is nothing to take back.\n");
        return;
    } else if (!game_is_over(game) && game_side_of(game, game->played - 1u) == board_side(&game->board)) {
        take_back_stone(session);
    } else {
        unsigned undone = session->undone_count;
        do {
            for (unsigned stones = game_last_turn(game); stones > 0; stones--)
                take_back_stone(session);
        } while (game->played > 0 && !play_mover(session)->is_human);
        if (!play_mover(session)->is_human) {
            // The game began with an agent's turn: that one stays.
            (void)printf("There is nothing of yours to take back.\n");
            while (session->undone_count > undone)
                play_again_stone(session);
            return;
        }
        reopen(session);
    }
    play_keep(session);
    play_draw(session);
}

// Plays the stones of one turn again, and those of the agents after it.
static void redo(Session *session, Span rest)
{
    (void)rest;
    if (session->undone_count == 0) {
        (void)printf("There is nothing to play again.\n");
        return;
    }
    Game *game = play_game(session);
    Side side = board_side(&game->board);
    while (session->undone_count > 0 && !game_is_over(game) && board_side(&game->board) == side)
        play_again_stone(session);
    while (session->undone_count > 0 && !game_is_over(game) && !play_mover(session)->is_human)
        play_again_stone(session);
    play_keep(session);
    if (!play_is_over(session))
        play_draw(session);
}

// --- Other games and players ---

static bool confirms(Session *session)
{
    Span answer = {0};
    if (play_is_over(session) || play_game(session)->played == 0)
        return true;
    return prompt_read(&session->prompt, "The game is not over. Leave it? (yes or no)> ", &answer) == PROMPT_LINE &&
           answer.length > 0 && (answer.at[0] == 'y' || answer.at[0] == 'Y');
}

static void change(Session *session, const GameFile *next)
{
    Error error = {0};
    if (play_change(session, next, &error) != STATUS_OK) {
        complain(&error);
        return;
    }
    play_keep(session);
    if (!session->quiet)
        play_introduce(session);
}

// The same players in a game that begins with `start`.
static GameFile *begin_file(const Session *session, const Game *start)
{
    GameFile *next = memory_new(1, sizeof *next);
    gamefile_init(next, start);
    memcpy(next->first, session->file.first, sizeof next->first);
    memcpy(next->second, session->file.second, sizeof next->second);
    return next;
}

static void exchange_names(GameFile *file)
{
    char first[GAMEFILE_NAME_SIZE];
    memcpy(first, file->first, sizeof first);
    memcpy(file->first, file->second, sizeof first);
    memcpy(file->second, first, sizeof first);
}

// Levels that the rules do not have become the default level.
static void fit_levels(const Session *session, GameFile *file)
{
    const Rules *rules = &file->game.board.rules;
    char *const names[2] = {file->first, file->second};
    for (Side side = SIDE_FIRST; side <= SIDE_SECOND; side++)
        if (play_level_of(session, side) > levels_count(rules))
            play_level_text(session_level(rules), names[side]);
}

static void start_from(Session *session, const Game *start, bool swaps)
{
    GameFile *next = begin_file(session, start);
    fit_levels(session, next);
    if (swaps)
        exchange_names(next);
    change(session, next);
    free(next);
}

static void start_again(Session *session, bool swaps)
{
    Game start;
    game_copy(&start, play_game(session));
    while (game_undo(&start)) {
    }
    start_from(session, &start, swaps);
}

static void begin_new(Session *session, Span rest)
{
    Rules rules = play_game(session)->board.rules;
    Error error = {0};
    Span name = span_trim(rest);
    if (name.length > 0 && rules_parse(name, &rules, &error) != STATUS_OK) {
        complain(&error);
        return;
    }
    if (!confirms(session))
        return;
    Game start;
    game_init(&start, &rules);
    start_from(session, &start, false);
}

static void rematch(Session *session, Span rest)
{
    (void)rest;
    if (confirms(session))
        start_again(session, false);
}

// Changes sides, during a game from the present position.
static void swap(Session *session, Span rest)
{
    (void)rest;
    if (!play_is_you(session, SIDE_FIRST) && !play_is_you(session, SIDE_SECOND)) {
        (void)fprintf(stderr, "Both sides are people.\n");
        return;
    }
    if (play_is_over(session)) {
        start_again(session, true);
        return;
    }
    GameFile *next = memory_new(1, sizeof *next);
    *next = session->file;
    exchange_names(next);
    change(session, next);
    free(next);
}

static void set_level(Session *session, Span rest)
{
    const Rules *rules = &play_game(session)->board.rules;
    Span word = span_trim(rest);
    int64_t level = 0;
    Side agent = session->players[SIDE_FIRST].is_human ? SIDE_SECOND : SIDE_FIRST;
    if (session->players[agent].is_human)
        (void)fprintf(stderr, "Both sides are people; 'new' and --level start a game against a level.\n");
    else if (!span_to_int(word, 1, levels_count(rules), &level))
        (void)fprintf(stderr, "This game has levels 1 to %u: level N\n", levels_count(rules));
    else {
        GameFile *next = memory_new(1, sizeof *next);
        *next = session->file;
        play_level_text((unsigned)level, agent == SIDE_FIRST ? next->first : next->second);
        change(session, next);
        free(next);
    }
}

// --- Questions ---

static void hint(Session *session, Span rest)
{
    (void)rest;
    Game *game = play_game(session);
    Agent agent;
    Error error = {0};
    const char *name = agent_best(&game->board.rules)->name;
    Decision decision = {0};
    Status status = agent_open_with(&agent, span_of(name), &game->board.rules, &session->host, &error);
    if (status == STATUS_OK) {
        // A hint must not disturb the random numbers of the game.
        Rng rng = rng_make(board_key(&game->board));
        status = play_decide(session, &agent, &rng, &decision, &error);
        if (status == STATUS_OK) {
            Text reason = {0};
            explain_decision(game, &decision, "\n", &reason);
            (void)printf("krow would play ");
            output_print_cells(decision.stones, decision.count, stdout);
            (void)printf("\n%s\n", reason.data);
            text_close(&reason);
        }
        agent_close(&agent);
    }
    if (status != STATUS_OK)
        complain(&error);
    (void)interrupt_take();
}

// Time limits, in seconds.
static const double scores_seconds = 5, analyze_seconds = 3;

static void scores(Session *session, Span rest)
{
    (void)rest;
    const Game *game = play_game(session);
    Text text = {0};
    Error error = {0};
    Status status = exact_check(&game->board.rules, &error);
    if (status == STATUS_OK)
        status = solve_report(game, scores_seconds, interrupt_flag(), &text, &error);
    if (status == STATUS_OK)
        (void)printf("%s\n", text.data);
    else
        complain(&error);
    text_close(&text);
    (void)interrupt_take();
}

static void analyze_position(Session *session, Span rest)
{
    double seconds = analyze_seconds;
    Span word = span_trim(rest);
    if (word.length > 0 && (!span_to_real(word, &seconds) || seconds <= 0 || seconds > 86400)) {
        (void)fprintf(stderr, "'%.*s' is not a number of seconds: analyze [SECONDS]\n", SPAN_PRINT(word));
        return;
    }
    Live live = {.quiet = session->prompt.editor == NULL};
    AnalyzeOptions options = {
        .budget.seconds = seconds,
        .host = &session->host,
        .watch = live_watch(&live),
        .stop = interrupt_flag(),
    };
    Analysis analysis;
    Error error = {0};
    if (analyze(&analysis, &options, play_game(session), &error) == STATUS_OK)
        analyze_print(&analysis, true);
    else
        complain(&error);
    analyze_close(&analysis);
    (void)interrupt_take();
}

static void review_game_so_far(Session *session, Span rest)
{
    (void)rest;
    const Game *game = play_game(session);
    Console console;
    Reporter *reporter = console_open(&console, session->prompt.editor == NULL);
    Review review = {0};
    Error error = {0};
    if (game->played == 0)
        (void)printf("No stones yet.\n");
    else if (review_search(&review, game, reporter, interrupt_flag(), &error) == STATUS_OK)
        review_print(&review);
    else
        complain(&error);
    review_close(&review);
    (void)interrupt_take();
}

static void show(Session *session, Span rest)
{
    (void)rest;
    play_draw(session);
}

static void moves(Session *session, Span rest)
{
    (void)rest;
    Text text = {0};
    game_write(play_game(session), &text);
    (void)printf("%s\n", text.length > 0 ? text.data : "No stones yet.");
    text_close(&text);
}

// --- The end ---

static void save(Session *session, Span rest)
{
    Text name = {0};
    Span path = span_trim(rest);
    const char *home = getenv("HOME");
    if (path.length >= 2 && path.at[0] == '~' && path.at[1] == '/' && home != NULL) {
        text_add(&name, "%s", home);
        path = (Span){path.at + 1, path.length - 1};
    }
    text_add_span(&name, path);
    Error error = {0};
    if (path.length == 0)
        (void)fprintf(stderr, "A file name is needed: save FILE\n");
    else if (gamefile_save(&session->file, name.data, &error) != STATUS_OK)
        (void)fprintf(stderr, "Not saved: %s\n", error.text);
    else
        (void)printf("Saved in %s; 'krow play --resume=%s' continues from there.\n", name.data, name.data);
    text_close(&name);
}

static void resign(Session *session, Span rest)
{
    (void)rest;
    bool first = board_side(&play_game(session)->board) == SIDE_FIRST;
    session->file.result = first ? RESULT_SECOND : RESULT_FIRST;
    (void)snprintf(session->file.reason, sizeof session->file.reason, "%s resigned", first ? "X" : "O");
}

static void quit(Session *session, Span rest)
{
    (void)rest;
    session->left = true;
}

// --- The list ---

typedef enum { DURING_GAME = 1, AFTER_GAME = 2, ALWAYS = DURING_GAME | AFTER_GAME } CommandTime;

typedef struct {
    const char *name, *alias, *argument, *help; // alias: NULL: none
    CommandTime time;
    void (*run)(Session *session, Span rest);
} PlayCommand;

static void help(Session *session, Span rest);

static const PlayCommand commands_at_prompt[] = {
    {"undo", NULL, "", "take back your last stone or turn", ALWAYS, undo},
    {"redo", NULL, "", "play again what was taken back", DURING_GAME, redo},
    {"hint", NULL, "", "suggest a turn, with the reason", DURING_GAME, hint},
    {"analyze", "analyse", "[SECONDS]", "the best turns, wins and threats", DURING_GAME, analyze_position},
    {"scores", "score", "", "the exact values of the cells, if they can be found", DURING_GAME, scores},
    {"review", NULL, "", "the mistakes so far", ALWAYS, review_game_so_far},
    {"show", NULL, "", "draw the board again", ALWAYS, show},
    {"moves", NULL, "", "the game as text", ALWAYS, moves},
    {"level", NULL, "N", "let level N play on as your opponent", ALWAYS, set_level},
    {"swap", NULL, "", "change sides", ALWAYS, swap},
    {"rematch", NULL, "", "start again with the same players", ALWAYS, rematch},
    {"new", NULL, "[GAME]", "start another game", ALWAYS, begin_new},
    {"save", NULL, "FILE", "write the game to a file", ALWAYS, save},
    {"resign", NULL, "", "resign the game", DURING_GAME, resign},
    {"quit", "exit", "", "leave; 'krow play --resume' continues later", ALWAYS, quit},
    {"help", "?", "", "list the commands", ALWAYS, help},
};
enum { COMMANDS = sizeof commands_at_prompt / sizeof commands_at_prompt[0] };

static CommandTime time_of(Session *session)
{
    return play_is_over(session) ? AFTER_GAME : DURING_GAME;
}

static void help(Session *session, Span rest)
{
    (void)rest;
    const Rules *rules = &play_game(session)->board.rules;
    CommandTime now = time_of(session);
    if (now == DURING_GAME)
        (void)printf("Type a cell such as %s%s, or\n", rules->gravity ? "d1 (or the column alone: d or 4)" : "c3",
                     rules->p > 1 ? ", or all cells of the turn at once" : "");
    for (int i = 0; i < COMMANDS; i++) {
        const PlayCommand *command = &commands_at_prompt[i];
        bool suits = command->run != scores || exact_check(rules, NULL) == STATUS_OK;
        int blanks = 18 - (int)(strlen(command->name) + strlen(command->argument));
        if ((command->time & now) != 0 && suits)
            (void)printf("  %s %s%*s%s\n", command->name, command->argument, blanks, "", command->help);
    }
}

// A line that is no turn: a word of letters may be a mistyped command.
static void complain_about(Span line, const Error *error)
{
    Span word = {0};
    bool is_word = span_next_word(&line, " \t", &word) && word.length > 1;
    for (size_t i = 0; i < word.length; i++)
        is_word = is_word && ((word.at[i] >= 'a' && word.at[i] <= 'z') || (word.at[i] >= 'A' && word.at[i] <= 'Z'));
    if (is_word)
        (void)fprintf(stderr, "'%.*s' is neither a command nor a cell; type 'help'\n", SPAN_PRINT(word));
    else
        complain(error);
}

// Plays one or all cells of the turn; on an error, none of them.
static void play_cells(Session *session, Span line)
{
    Game *game = play_game(session);
    Game trial;
    game_copy(&trial, game);
    unsigned left = board_stones_left(&game->board);
    Error error = {0};
    if (game_read(&trial, line, &error) != STATUS_OK) {
        complain_about(line, &error);
        return;
    }
    unsigned stones = (unsigned)(trial.played - game->played);
    if (stones > left) {
        (void)fprintf(stderr, "That is %u stones, but %u %s left in your turn.\n", stones, left,
                      left == 1 ? "is" : "are");
        return;
    }
    game_copy(game, &trial);
    session->undone_count = 0;
    play_keep(session);
}

void play_obey(Session *session, Span line)
{
    Span rest = line, word = {0};
    if (!span_next_word(&rest, " \t", &word))
        return;
    for (int i = 0; i < COMMANDS; i++) {
        const PlayCommand *command = &commands_at_prompt[i];
        if (!span_is_ignoring_case(word, command->name) &&
            (command->alias == NULL || !span_is_ignoring_case(word, command->alias)))
            continue;
        if ((command->time & time_of(session)) != 0)
            command->run(session, rest);
        else
            (void)fprintf(stderr, "The game is over; '%s' needs a game in progress. Type 'help' for the commands.\n",
                          command->name);
        return;
    }
    if (play_is_over(session))
        (void)fprintf(stderr, "The game is over. Type 'rematch' to play again, or 'help' for the commands.\n");
    else
        play_cells(session, line);
}
