// krow play: a game in the terminal.
#include "frontends/commands.h"
#include "frontends/output.h"
#include "frontends/session.h"
#include "store/paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static Status set_name(char *name, const char *text, Error *error)
{
    int length = snprintf(name, GAMEFILE_NAME_SIZE, "%s", text);
    return length >= 0 && length < GAMEFILE_NAME_SIZE
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "'%.40s…' is too long for a player", text);
}

static bool is_human(const char *name)
{
    return strcmp(name, "human") == 0;
}

// Gives the level to the side that is not named; in a game that goes on, to the one that is not a person.
static Status set_level(const GameFile *file, const char *level, const char **first, const char **second, Error *error)
{
    bool goes_on = file->first[0] != '\0';
    if (*first != NULL && *second != NULL)
        return error_set(error, STATUS_BAD_INPUT,
                         "--level is for the side that is not named, but --first and --second "
                         "name both");
    if (goes_on && *first == NULL && *second == NULL && is_human(file->first) == is_human(file->second))
        return error_set(error, STATUS_BAD_INPUT, "--level: say with --first or --second human who is not to have it");
    bool first_gets_it = goes_on && *first == NULL && *second == NULL ? !is_human(file->first) : *second != NULL;
    const char **place = first_gets_it ? first : second;
    *place = level;
    return STATUS_OK;
}

// Who plays: what was said, else a person against the strongest agent.
static Status set_players(const Args *args, GameFile *file, Error *error)
{
    const char *best = agent_best(&file->game.board.rules)->name;
    const char *first = args->first, *second = args->second;
    char level[GAMEFILE_NAME_SIZE];
    (void)snprintf(level, sizeof level, "level:n=%u", args->level);
    Status set = args->level > 0 ? set_level(file, level, &first, &second, error) : STATUS_OK;
    if (set != STATUS_OK)
        return set;
    if (file->first[0] == '\0') {
        bool first_is_agent = first != NULL && strcmp(first, "human") != 0;
        first = first != NULL ? first : "human";
        second = second != NULL ? second : first_is_agent ? "human" : best;
    }
    Status status = first != NULL ? set_name(file->first, first, error) : STATUS_OK;
    if (status == STATUS_OK && second != NULL)
        status = set_name(file->second, second, error);
    return status;
}

static Status begin_new(const Args *args, GameFile *file, Error *error)
{
    static const char *standard[] = {"gomoku"};
    Args position = *args;
    if (args->word_count == 0) {
        position.words = standard;
        position.word_count = 1;
    }
    Game game;
    Status status = args_position(&position, &game, error);
    if (status == STATUS_OK)
        gamefile_init(file, &game);
    return status;
}

static Status begin_again(const Args *args, const char *autosave, GameFile *file, Error *error)
{
    if (args->word_count > 0 || args->board != NULL)
        return error_set(error, STATUS_BAD_INPUT, "--resume takes the game from the file; no GAME goes with it");
    const char *path = args->resume != NULL ? args->resume : autosave;
    if (path == NULL)
        return error_set(error, STATUS_IO, "there is no folder in which a game could have been kept");
    return gamefile_load(path, file, error);
}

static Status finish_json(const Session *session, uint64_t seed, Error *error)
{
    json_t *object = output_position(&session->file.game);
    (void)json_object_set_new(object, "first", json_string(session->file.first));
    (void)json_object_set_new(object, "second", json_string(session->file.second));
    (void)json_object_set_new(object, "seed", json_integer((json_int_t)seed));
    return output_json(object, error);
}

static Status play(const Args *args, Session *session, Error *error)
{
    Error no_folder = {0};
    bool kept = path_of_state("play.game", &session->autosave, &no_folder) == STATUS_OK;
    Status status = args->resumes ? begin_again(args, kept ? session->autosave.data : NULL, &session->file, error)
                                  : begin_new(args, &session->file, error);
    if (status == STATUS_OK)
        status = set_players(args, &session->file, error);
    uint64_t seed = args_seed(args);
    session->host = args->host;
    if (status == STATUS_OK)
        status = session_open(session, seed, error);
    if (status != STATUS_OK)
        return status;
    bool human = session->players[0].is_human || session->players[1].is_human;
    if (human && args->json)
        return error_set(error, STATUS_BAD_INPUT, "--json is for games between agents");
    if (human && !kept)
        (void)fprintf(stderr, "krow play: the game will not be kept: %s\n", no_folder.text);
    if (!human || !kept)
        text_close(&session->autosave);
    session->quiet = args->quiet || args->json;
    session->budget = args->budget;
    session->silent = args->json;
    status = session_run(session, error);
    return status == STATUS_OK && args->json ? finish_json(session, seed, error) : status;
}

static Status run(const Args *args, Error *error)
{
    Session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a game");
    Status status = play(args, session, error);
    session_close(session);
    free(session);
    return status;
}

static const struct argp_option options[] = {
    OPTION_FIRST,
    OPTION_SECOND,
    {"level", ARG_LEVEL, "N", 0, "Play against level N, from 1 to 10; the side that is not named has it", 0},
    {"resume", ARG_RESUME, "FILE", OPTION_ARG_OPTIONAL, "Go on with the last game, or with the one saved in FILE", 0},
    OPTION_BOARD,
    OPTION_TIME,
    OPTION_NODES,
    OPTION_DEPTH,
    OPTION_SEED,
    OPTION_BOOKS,
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    OPTION_QUIET,
    {0},
};

const Command command_play = {
    .name = "play",
    .words = "[GAME [MOVES...]]",
    .summary = "Play in the terminal, any mix of people and agents",
    .about = "Without --first and --second you play X against the strongest agent, or against the --level you choose; "
             "without "
             "GAME, Gomoku. Type 'help' at the prompt. The game is kept after every turn: after Ctrl-C, a kill or a "
             "lost terminal, --resume goes on.\n\n"
             "Examples:\n  krow play connect4 --level 3\n  krow play connect6 --first adjacent\n  krow play gomoku "
             "--first human "
             "--second human\n  krow play 9x9:k=4,p=2 --first random --second adjacent --seed 7",
    .options = options,
    .min_words = 0,
    .max_words = INT_MAX,
    .run = run,
};
