// Plays a game in the terminal: draws the board, reads commands and lets agents move.
#include "cli/terminal.h"

#include "analysis/explain.h"
#include "base/clock.h"
#include "cli/interrupt.h"
#include "cli/output/output.h"
#include "game/notation.h"
#include "lab/solve/solve.h"
#include "match/referee.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static Game *game_of(Session *session)
{
    return &session->file.game;
}

static Player *player_to_move(Session *session)
{
    return &session->players[board_side(&game_of(session)->board)];
}

static const char *name_of(const Session *session, Side side)
{
    return side == SIDE_FIRST ? session->file.first : session->file.second;
}

static bool has_human(const Session *session)
{
    return session->players[0].is_human || session->players[1].is_human;
}

Status session_open(Session *session, uint64_t seed, Error *error)
{
    for (int side = 0; side < 2; side++) {
        Player *player = &session->players[side];
        const char *name = name_of(session, (Side)side);
        player->is_human = strcmp(name, "human") == 0;
        player->rng = rng_make(rng_derive(seed, (uint64_t)side));
        const Rules *rules = &game_of(session)->board.rules;
        Status status =
            player->is_human ? STATUS_OK : agent_open_with(&player->agent, span_of(name), rules, &session->host, error);
        if (status != STATUS_OK)
            return status;
    }
    if (has_human(session))
        prompt_open(&session->prompt);
    return STATUS_OK;
}

void session_close(Session *session)
{
    agent_close(&session->players[0].agent);
    agent_close(&session->players[1].agent);
    prompt_close(&session->prompt);
    text_close(&session->autosave);
}

// Saves the game, so that a kill or a lost terminal loses at most the stone being typed.
static void keep(Session *session)
{
    Error error = {0};
    // Drops the times of stones that were taken back.
    if (session->file.timed > game_of(session)->played)
        session->file.timed = game_of(session)->played;
    session->file.result = session->file.result != RESULT_NONE && session->file.reason[0] != '\0'
                               ? session->file.result
                               : result_of_board(&game_of(session)->board);
    if (session->autosave.length == 0 || gamefile_save(&session->file, session->autosave.data, &error) == STATUS_OK)
        return;
    (void)fprintf(stderr, "krow play: the game is not being saved: %s\n", error.text);
    text_close(&session->autosave);
}

static void draw(Session *session)
{
    (void)printf("\n");
    draw_board(game_of(session), draw_style(), stdout);
    session->drawn = game_of(session)->played;
}

// --- Turns of agents ---

static Status decide(Session *session, Agent *agent, Rng *rng, Decision *decision, Error *error)
{
    AgentTask task = {.budget = session->budget, .rng = rng, .stop = interrupt_flag()};
    return referee_ask(agent, game_of(session), &task, decision, error);
}

static Status play_agent_turn(Session *session, Error *error)
{
    Decision decision = {0};
    Game *game = game_of(session);
    Side side = board_side(&game->board);
    Player *player = player_to_move(session);
    double begin = clock_seconds();
    Status status = decide(session, &player->agent, &player->rng, &decision, error);
    if (status == STATUS_OK) {
        (void)referee_play(game, &decision, NULL);
        if (!session->quiet) {
            (void)printf("%c (%s) plays ", side_letter(side), name_of(session, side));
            output_print_cells(decision.stones, decision.count, stdout);
            double seconds = clock_seconds() - begin;
            (void)printf(seconds >= 0.1 ? "  (%.1f s)\n" : "\n", seconds);
        }
    }
    return status;
}

// --- Commands of a person ---

typedef enum { HUMAN_GOES_ON, HUMAN_LEAVES } HumanWish;

static void say_help(Session *session)
{
    const Rules *rules = &game_of(session)->board.rules;
    (void)printf("Type a cell such as %s%s, or\n"
                 "  undo       take back your last stone or turn\n"
                 "  hint       suggest a turn, with the reason\n"
                 "%s"
                 "  show       draw the board again\n"
                 "  moves      the game as text\n"
                 "  save FILE  write the game to a file\n"
                 "  resign     resign the game\n"
                 "  quit       leave; 'krow play --resume' continues later\n"
                 "  help       list the commands\n",
                 rules->gravity ? "d1 (or the column alone: d or 4)" : "c3",
                 rules->p > 1 ? ", or all cells of the turn at once" : "",
                 exact_check(rules, NULL) == STATUS_OK
                     ? "  scores     the exact values of the cells, if they can be found\n"
                     : "");
}

// Takes back one stone of the turn in progress; else whole turns, until a person is to move again.
static void take_back(Session *session)
{
    Game *game = game_of(session);
    if (game->played == 0) {
        (void)printf("There is nothing to take back.\n");
        return;
    }
    Side mover = board_side(&game->board);
    bool in_turn = game_side_of(game, game->played - 1u) == mover;
    if (in_turn) {
        (void)game_undo(game);
    } else {
        unsigned played = game->played;
        do {
            for (unsigned stones = game_last_turn(game); stones > 0; stones--)
                (void)game_undo(game);
        } while (game->played > 0 && !player_to_move(session)->is_human);
        if (!player_to_move(session)->is_human) {
            // The game began with an agent's turn: that one stays.
            (void)printf("There is nothing of yours to take back.\n");
            for (unsigned i = game->played; i < played; i++)
                game_play(game, game->stones[i]);
            return;
        }
    }
    keep(session);
    draw(session);
}

static void give_hint(Session *session)
{
    Game *game = game_of(session);
    Agent agent;
    Error error = {0};
    const char *name = agent_best(&game->board.rules)->name;
    Decision decision = {0};
    Status status = agent_open_with(&agent, span_of(name), &game->board.rules, &session->host, &error);
    if (status == STATUS_OK) {
        // A hint must not disturb the random numbers of the game.
        Rng rng = rng_make(board_key(&game->board));
        status = decide(session, &agent, &rng, &decision, &error);
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
        (void)fprintf(stderr, "krow play: %s\n", error.text);
    (void)interrupt_take();
}

// Time limit of exact values, in seconds.
static const double scores_seconds = 5;

static void say_scores(Session *session)
{
    const Game *game = game_of(session);
    Text text = {0};
    Error error = {0};
    Status status = exact_check(&game->board.rules, &error);
    if (status == STATUS_OK)
        status = solve_report(game, scores_seconds, interrupt_flag(), &text, &error);
    if (status == STATUS_OK)
        (void)printf("%s\n", text.data);
    else
        (void)fprintf(stderr, "krow play: %s\n", error.text);
    text_close(&text);
}

static void save(Session *session, Span path)
{
    Text name = {0};
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

static void resign(Session *session)
{
    bool first = board_side(&game_of(session)->board) == SIDE_FIRST;
    session->file.result = first ? RESULT_SECOND : RESULT_FIRST;
    (void)snprintf(session->file.reason, sizeof session->file.reason, "%s resigned", first ? "X" : "O");
}

// Plays one or all cells of the turn; on an error, none of them.
static void play_cells(Session *session, Span line)
{
    Game *game = game_of(session);
    Game trial;
    game_copy(&trial, game);
    unsigned left = board_stones_left(&game->board);
    Error error = {0};
    if (game_read(&trial, line, &error) != STATUS_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        return;
    }
    unsigned stones = (unsigned)(trial.played - game->played);
    if (stones > left) {
        (void)fprintf(stderr, "That is %u stones, but %u %s left in your turn.\n", stones, left,
                      left == 1 ? "is" : "are");
        return;
    }
    game_copy(game, &trial);
    keep(session);
}

static HumanWish obey(Session *session, Span line)
{
    Span rest = line, word = {0};
    if (!span_next_word(&rest, " \t", &word))
        return HUMAN_GOES_ON;
    if (span_is_ignoring_case(word, "quit") || span_is_ignoring_case(word, "exit"))
        return HUMAN_LEAVES;
    if (span_is_ignoring_case(word, "undo"))
        take_back(session);
    else if (span_is_ignoring_case(word, "hint"))
        give_hint(session);
    else if (span_is_ignoring_case(word, "scores") || span_is_ignoring_case(word, "score"))
        say_scores(session);
    else if (span_is_ignoring_case(word, "help") || span_is(word, "?"))
        say_help(session);
    else if (span_is_ignoring_case(word, "show"))
        draw(session);
    else if (span_is_ignoring_case(word, "save"))
        save(session, span_trim(rest));
    else if (span_is_ignoring_case(word, "resign"))
        resign(session);
    else if (span_is_ignoring_case(word, "moves")) {
        Text text = {0};
        game_write(game_of(session), &text);
        (void)printf("%s\n", text.length > 0 ? text.data : "No stones yet.");
        text_close(&text);
    } else
        play_cells(session, line);
    return HUMAN_GOES_ON;
}

// Reads one line; a turn of several stones may take several lines.
static Status play_human_line(Session *session, unsigned *interrupts, Error *error)
{
    const Board *board = &game_of(session)->board;
    unsigned left = board_stones_left(board);
    char question[64];
    (void)snprintf(question, sizeof question, "%c to move (%u stone%s)> ", side_letter(board_side(board)), left,
                   left == 1 ? "" : "s");
    Span line = {0};
    PromptResult result = prompt_read(&session->prompt, question, &line);
    if (result == PROMPT_END)
        return error_set(error, STATUS_IO, "the input ended before the game");
    *interrupts = result == PROMPT_INTERRUPT ? *interrupts + 1 : 0;
    if (*interrupts >= 2)
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    if (result == PROMPT_INTERRUPT) {
        (void)printf("Type 'quit' to leave, or press Ctrl-C again; the game is saved.\n");
        return STATUS_OK;
    }
    session->left = obey(session, line) == HUMAN_LEAVES;
    return STATUS_OK;
}

// --- The game ---

Status session_run(Session *session, Error *error)
{
    (void)interrupt_catch();
    Game *game = game_of(session);
    unsigned interrupts = 0;
    session->drawn = UINT_MAX;
    if (has_human(session) && !session->quiet && session->prompt.editor != NULL)
        (void)printf("You are %s. Type 'help' for the commands.\n",
                     session->players[0].is_human ? session->players[1].is_human ? "both sides" : "X" : "O");
    while (session->file.result == RESULT_NONE && !game_is_over(game)) {
        Status status = STATUS_OK;
        if (player_to_move(session)->is_human) {
            if (session->drawn != game->played)
                draw(session);
            status = play_human_line(session, &interrupts, error);
        } else {
            status = play_agent_turn(session, error);
            // Ctrl-C cuts a thought short; without a human player it ends the game.
            if (interrupt_take() && !has_human(session) && status == STATUS_OK)
                status = error_set(error, STATUS_FAILED, "interrupted");
            if (status == STATUS_OK && has_human(session))
                keep(session);
        }
        if (status != STATUS_OK || session->left) {
            if (session->autosave.length > 0 && game->played > 0)
                (void)fprintf(stderr, "The game is saved; 'krow play --resume' continues it.\n");
            return status;
        }
    }
    keep(session);
    if (session->silent)
        return STATUS_OK;
    draw(session);
    if (session->file.reason[0] != '\0')
        (void)printf("%s: %c wins.\n", session->file.reason, session->file.result == RESULT_FIRST ? 'X' : 'O');
    else
        draw_state(game, stdout);
    return STATUS_OK;
}
