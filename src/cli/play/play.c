// Plays a game in the terminal: draws the board, reads lines of people and lets agents move.
#include "base/clock.h"
#include "cli/interrupt.h"
#include "cli/output/draw.h"
#include "cli/output/output.h"
#include "cli/play/play_internal.h"
#include "cli/play/thinking.h"
#include "match/referee.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static bool has_human(const Session *session)
{
    return session->players[0].is_human || session->players[1].is_human;
}

bool play_is_you(const Session *session, Side side)
{
    return session->players[side].is_human && !session->players[side_other(side)].is_human;
}

static void close_players(Player players[2])
{
    agent_close(&players[0].agent);
    agent_close(&players[1].agent);
}

static Status open_players(const Session *session, const GameFile *file, Player players[2], Error *error)
{
    uint64_t seed = session->changes == 0 ? session->seed : rng_derive(session->seed, 1u + session->changes);
    Status status = STATUS_OK;
    for (int side = 0; side < 2 && status == STATUS_OK; side++) {
        const char *name = side == 0 ? file->first : file->second;
        players[side] =
            (Player){.is_human = strcmp(name, "human") == 0, .rng = rng_make(rng_derive(seed, (uint64_t)side))};
        if (!players[side].is_human)
            status =
                agent_open_with(&players[side].agent, span_of(name), &file->game.board.rules, &session->host, error);
    }
    if (status != STATUS_OK)
        close_players(players);
    return status;
}

Status session_open(Session *session, Error *error)
{
    Status status = open_players(session, &session->file, session->players, error);
    if (status == STATUS_OK && has_human(session))
        prompt_open(&session->prompt);
    return status;
}

Status play_change(Session *session, const GameFile *next, Error *error)
{
    Player players[2] = {0};
    session->changes++;
    Status status = open_players(session, next, players, error);
    if (status != STATUS_OK)
        return status;
    close_players(session->players);
    memcpy(session->players, players, sizeof players);
    session->file = *next;
    session->undone_count = 0;
    session->drawn = UINT_MAX;
    return STATUS_OK;
}

void session_close(Session *session)
{
    close_players(session->players);
    prompt_close(&session->prompt);
    text_close(&session->autosave);
}

void play_keep(Session *session)
{
    Error error = {0};
    // Drops the times of stones that were taken back.
    if (session->file.timed > play_game(session)->played)
        session->file.timed = play_game(session)->played;
    session->file.result = session->file.result != RESULT_NONE && session->file.reason[0] != '\0'
                               ? session->file.result
                               : result_of_board(&play_game(session)->board);
    if (session->autosave.length == 0 || gamefile_save(&session->file, session->autosave.data, &error) == STATUS_OK)
        return;
    (void)fprintf(stderr, "krow play: the game is not being saved: %s\n", error.text);
    text_close(&session->autosave);
}

void play_draw(Session *session)
{
    (void)printf("\n");
    draw_board(play_game(session), draw_style(), stdout);
    session->drawn = play_game(session)->played;
}

// --- Turns of agents ---

Status play_decide(Session *session, Agent *agent, Rng *rng, Decision *decision, Error *error)
{
    AgentTask task = {.budget = session->budget, .rng = rng, .stop = interrupt_flag()};
    Side side = board_side(&play_game(session)->board);
    Text name = {0};
    if (agent == &session->players[side].agent)
        play_add_name(session, side, &name);
    else
        text_add(&name, "%s", agent->kind->name);
    Thinking thinking;
    thinking_begin(&thinking, name.data, session->prompt.editor != NULL && !session->quiet);
    Status status = referee_ask(agent, play_game(session), &task, decision, error);
    thinking_end(&thinking);
    text_close(&name);
    return status;
}

static Status play_agent_turn(Session *session, Error *error)
{
    Decision decision = {0};
    Game *game = play_game(session);
    Side side = board_side(&game->board);
    Player *player = play_mover(session);
    double begin = clock_seconds();
    Status status = play_decide(session, &player->agent, &player->rng, &decision, error);
    if (status != STATUS_OK)
        return status;
    (void)referee_play(game, &decision, NULL);
    session->undone_count = 0;
    if (!session->quiet) {
        Text name = {0};
        play_add_name(session, side, &name);
        (void)printf("%c (%s) plays ", side_letter(side), name.data);
        output_print_cells(decision.stones, decision.count, stdout);
        double seconds = clock_seconds() - begin;
        (void)printf(seconds >= 0.1 ? "  (%.1f s)\n" : "\n", seconds);
        text_close(&name);
    }
    return STATUS_OK;
}

// --- Lines of a person ---

// Reads a line and carries it out. A second Ctrl-C in a row is an error, the end of the input too.
static Status take_line(Session *session, const char *question, unsigned *interrupts, Error *error)
{
    Span line = {0};
    PromptResult result = prompt_read(&session->prompt, question, &line);
    if (result == PROMPT_END)
        return error_set(error, STATUS_IO, "the input ended before the game");
    *interrupts = result == PROMPT_INTERRUPT ? *interrupts + 1 : 0;
    if (*interrupts >= 2)
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    if (result == PROMPT_INTERRUPT)
        (void)printf("Type 'quit' to leave, or press Ctrl-C again; the game is saved.\n");
    else
        play_obey(session, line);
    return STATUS_OK;
}

// A turn of several stones may take several lines.
static Status play_human_line(Session *session, unsigned *interrupts, Error *error)
{
    const Board *board = &play_game(session)->board;
    unsigned left = board_stones_left(board);
    char question[64];
    (void)snprintf(question, sizeof question, "%c to move (%u stone%s)> ", side_letter(board_side(board)), left,
                   left == 1 ? "" : "s");
    return take_line(session, question, interrupts, error);
}

// --- The game ---

static Status play_turn(Session *session, unsigned *interrupts, Error *error)
{
    if (play_mover(session)->is_human) {
        if (session->drawn != play_game(session)->played)
            play_draw(session);
        return play_human_line(session, interrupts, error);
    }
    Status status = play_agent_turn(session, error);
    // Ctrl-C cuts a thought short; without a human player it ends the game.
    if (interrupt_take() && !has_human(session) && status == STATUS_OK)
        status = error_set(error, STATUS_FAILED, "interrupted");
    if (status == STATUS_OK && has_human(session))
        play_keep(session);
    return status;
}

static Status play_to_end(Session *session, Error *error)
{
    unsigned interrupts = 0;
    while (!play_is_over(session)) {
        Status status = play_turn(session, &interrupts, error);
        if (status == STATUS_OK && !session->left)
            continue;
        if (session->autosave.length > 0 && play_game(session)->played > 0)
            (void)fprintf(stderr, "The game is saved; 'krow play --resume' continues it.\n");
        return status;
    }
    play_keep(session);
    if (!session->silent) {
        play_draw(session);
        play_conclude(session);
    }
    return STATUS_OK;
}

// Asks what to do after the end until a game goes on, or the person leaves, which is no error here.
static void ask_at_end(Session *session)
{
    unsigned interrupts = 0;
    if (!session->quiet)
        (void)printf("Type 'rematch', 'swap' for a rematch with the other side, 'review' or 'quit'.\n");
    while (play_is_over(session) && !session->left)
        session->left = take_line(session, "game over> ", &interrupts, NULL) != STATUS_OK || session->left;
}

Status session_run(Session *session, Error *error)
{
    (void)interrupt_catch();
    session->drawn = UINT_MAX;
    bool is_terminal = has_human(session) && session->prompt.editor != NULL;
    if (is_terminal && !session->quiet)
        play_introduce(session);
    Status status = STATUS_OK;
    do {
        status = play_to_end(session, error);
        if (status == STATUS_OK && !session->left && is_terminal)
            ask_at_end(session);
    } while (status == STATUS_OK && !session->left && is_terminal);
    return status;
}
