// krow play: a game in the terminal.
#include "cli/play/play.h"
#include "agents/levels.h"
#include "cli/commands.h"
#include "store/paths.h"
#include "view/json_view.h"

#include <string.h>

typedef struct {
    CommandLine line;
    const char *first, *second, *resume; // NULL: not given
    bool resumes;
    unsigned level;
    uint64_t seed;
    Budget budget;
} PlayArgs;

static Status set_name(char *name, const char *text, Error *error)
{
    int length = snprintf(name, GAMEFILE_NAME_SIZE, "%s", text);
    return length >= 0 && length < GAMEFILE_NAME_SIZE
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "the player '%.40s…' is too long", text);
}

static bool is_human(const char *name)
{
    return strcmp(name, "human") == 0;
}

// Gives the level to the side without a named player; in a resumed game, to the side that is not human.
static Status set_level(const GameFile *file, const char *level, const char **first, const char **second, Error *error)
{
    bool goes_on = file->first[0] != '\0';
    if (*first != NULL && *second != NULL)
        return error_set(error, STATUS_BAD_INPUT, "--level cannot be combined with both --first and --second");
    if (goes_on && *first == NULL && *second == NULL && is_human(file->first) == is_human(file->second))
        return error_set(error, STATUS_BAD_INPUT,
                         "--level: both sides could take it; add --first human or --second human");
    bool first_gets_it = goes_on && *first == NULL && *second == NULL ? !is_human(file->first) : *second != NULL;
    const char **place = first_gets_it ? first : second;
    *place = level;
    return STATUS_OK;
}

// The players of the command line; by default a human against a level of medium strength.
static Status set_players(const PlayArgs *args, GameFile *file, Error *error)
{
    const char *first = args->first, *second = args->second;
    unsigned number = args->level > 0 ? args->level : session_level(&file->game.board.rules);
    char level[GAMEFILE_NAME_SIZE];
    (void)snprintf(level, sizeof level, "level:n=%u", number);
    Status set = args->level > 0 ? set_level(file, level, &first, &second, error) : STATUS_OK;
    if (set != STATUS_OK)
        return set;
    if (file->first[0] == '\0') {
        bool first_is_agent = first != NULL && strcmp(first, "human") != 0;
        first = first != NULL ? first : "human";
        second = second != NULL ? second : first_is_agent ? "human" : level;
    }
    Status status = first != NULL ? set_name(file->first, first, error) : STATUS_OK;
    if (status == STATUS_OK && second != NULL)
        status = set_name(file->second, second, error);
    return status;
}

static Status begin_new(const PlayArgs *args, GameFile *file, Error *error)
{
    static const char *const standard[] = {"gomoku"};
    CommandLine position = args->line;
    if (args->line.word_count == 0) {
        position.words = standard;
        position.word_count = 1;
    }
    Game game;
    Status status = line_position(&position, &game, error);
    if (status == STATUS_OK)
        gamefile_init(file, &game);
    return status;
}

static Status begin_again(const PlayArgs *args, const char *autosave, GameFile *file, Error *error)
{
    if (args->line.word_count > 0 || args->line.board != NULL)
        return error_set(error, STATUS_BAD_INPUT, "--resume reads the game from the file; remove GAME");
    const char *path = args->resume != NULL ? args->resume : autosave;
    if (path == NULL)
        return error_set(error, STATUS_IO, "there is no folder for saved games");
    return gamefile_load(path, file, error);
}

static Status immediate_json(const Session *session, Error *error)
{
    json_t *object = view_position(&session->file.game);
    (void)json_object_set_new(object, "first", json_string(session->file.first));
    (void)json_object_set_new(object, "second", json_string(session->file.second));
    (void)json_object_set_new(object, "seed", json_integer((json_int_t)session->seed));
    return output_json(object, error);
}

static Status play(const PlayArgs *args, Session *session, Error *error)
{
    Error no_folder = {0};
    bool kept = path_of(PATH_STATE, "play.game", &session->autosave, &no_folder) == STATUS_OK;
    Status status = args->resumes ? begin_again(args, kept ? session->autosave.data : NULL, &session->file, error)
                                  : begin_new(args, &session->file, error);
    if (status == STATUS_OK)
        status = set_players(args, &session->file, error);
    session->seed = args->seed;
    session->host = args->line.host;
    if (status == STATUS_OK)
        status = session_open(session, error);
    if (status != STATUS_OK)
        return status;
    bool human = session->players[0].is_human || session->players[1].is_human;
    if (human && args->line.json)
        return error_set(error, STATUS_BAD_INPUT, "--json needs agents on both sides");
    if (human && !kept)
        (void)fprintf(stderr, "krow play: the game will not be saved: %s\n", no_folder.text);
    if (!human || !kept)
        text_close(&session->autosave);
    session->quiet = args->line.quiet || args->line.json;
    session->budget = args->budget;
    session->silent = args->line.json;
    status = session_run(session, error);
    return status == STATUS_OK && args->line.json ? immediate_json(session, error) : status;
}

static Status run(const void *options, Error *error)
{
    const PlayArgs *args = options;
    Session session = {0};
    Status status = play(args, &session, error);
    session_close(&session);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(PlayArgs, first, "first", CLI_TEXT, "AGENT", "Player of X: human or an agent"),
    CLI_OPTION(PlayArgs, second, "second", CLI_TEXT, "AGENT", "Player of O: human or an agent"),
    CLI_OPTION(
        PlayArgs, level, "level", CLI_WHOLE, "N",
        "Play against level N (1 to 10; default: the middle one), which takes the side without --first or --second",
        .min = 1, .max = LEVELS_MAX),
    CLI_OPTION(PlayArgs, resume, "resume", CLI_TEXT, "FILE", "Continue the last game, or the one saved in FILE",
               .may_lack_argument = true, .given = offsetof(PlayArgs, resumes)),
    OPTION_BOARD,
    OPTIONS_OF_TURNS(PlayArgs),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(PlayArgs),
};

const Command command_play = {
    .name = "play",
    .words = "[GAME [MOVES...]]",
    .summary = "Play in the terminal, any mix of people and agents",
    .about = "Without --first and --second you play X against a level of medium strength, or against the --level you "
             "choose; the strongest opponent is --second engine. Without GAME, you play Gomoku. Type 'help' at the "
             "prompt; after the end you can ask for a rematch or a review. The game is saved after every turn: after "
             "Ctrl-C, a "
             "kill or a lost terminal, --resume continues it.\n\nExamples:\n  krow play connect4 --level 3\n  krow "
             "play connect6 --first adjacent\n  krow play gomoku --first human --second human\n  krow play 9x9:k=4,p=2 "
             "--first random --second adjacent --seed 7",
    .options = options,
    .run = run,
};
