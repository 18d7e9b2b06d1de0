// krow: every k-in-a-row game. This file finds the command and turns its status into the exit status.
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/output/console.h"
#include "lab/books.h"
#include "lab/learn/pattern_sets.h"
#include "store/charset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_list(FILE *out, const Command *const *list)
{
    for (int i = 0; list[i] != NULL; i++)
        (void)fprintf(out, "  %-12s %s\n", list[i]->name, list[i]->summary);
}

static void print_help(FILE *out)
{
    (void)fprintf(out, "Usage: krow COMMAND [ARGUMENTS]\n"
                       "Every k-in-a-row game: tic-tac-toe, Connect Four, Gomoku, Connect6 and all between.\n\n"
                       "Commands:\n");
    print_list(out, commands);
    (void)fprintf(out, "  %-12s %s\n", "help", "Explain a command");
    (void)fprintf(out, "\n"
                       "A GAME is a preset (krow games) or WxH:k=K[,p=P][,q=Q][,gravity][,exact].\n"
                       "MOVES are cells such as 'h8 i9 j10'; with gravity also columns, '4453'.\n"
                       "'krow COMMAND --help' explains a command, 'man krow' everything.\n");
}

static void print_parts(FILE *out, const Command *word)
{
    (void)fprintf(out, "Usage: krow %s COMMAND [ARGUMENTS]\n%s.\n\nCommands:\n", word->name, word->summary);
    print_list(out, word->parts);
    (void)fprintf(out, "\n%s\n'krow %s COMMAND --help' explains one.\n", word->about, word->name);
}

// `word` is "" or the group of the command, with a blank in front.
static int unknown_command(const Command *const *list, const char *word, const char *name)
{
    const char *similar = command_similar(list, name), *game = list == commands ? game_similar(name) : NULL;
    (void)fprintf(stderr, "krow%s: there is no command '%s'", word, name);
    if (game != NULL && strcmp(game, name) == 0)
        (void)fprintf(stderr, "; to play the game, type 'krow play %s'", game);
    else if (similar != NULL)
        (void)fprintf(stderr, "; did you mean '%s'?", similar);
    else if (game != NULL)
        (void)fprintf(stderr, "; did you mean 'krow play %s'?", game);
    (void)fprintf(stderr, "\nTry 'krow%s --help'.\n", word);
    return 2;
}

// Results may still be in the buffer; a full disk must not look like success.
static int finish(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "krow: the output could not be written\n");
        return status == 0 ? 1 : status;
    }
    return status;
}

// A message of an agent, in any thread.
static void warn(void *reporter, const char *text)
{
    reporter_note(reporter, "%s", text);
}

// Agents of every command may use the opening books and the learned patterns of the database, which is opened when one
// of them is first needed.
static Status run_with_database(const Command *command, CommandLine *line, Error *error)
{
    Books books;
    PatternSets sets;
    books_open(&books, line->db);
    pattern_sets_open(&sets, line->db);
    line->host.books = books_lent(&books);
    line->host.patterns = pattern_sets_lent(&sets);
    line->host.warn = warn;
    line->host.warn_context = line->reporter;
    Status status = command->run(line, error);
    pattern_sets_close(&sets);
    books_close(&books);
    return status;
}

// Bytes of a damaged file in a message must not reach the terminal.
static void complain(const char *name, const Error *error)
{
    char clean[3 * sizeof error->text];
    utf8_clean(span_of(error->text), clean, sizeof clean);
    (void)fprintf(stderr, "%s: %s\n", name, clean);
}

// `word` as above; argv[0] is the name of the command.
static int run(const Command *command, const char *word, int argc, char **argv)
{
    char name[64];
    (void)snprintf(name, sizeof name, "krow%s %s", word, command->name);
    argv[0] = name;
    ParsedCommand parsed;
    options_read(command, argc, argv, &parsed);
    Error error = {0};
    Console console;
    CommandLine *line = parsed.options;
    line->reporter = console_open(&console, line->quiet);
    Status status = run_with_database(command, line, &error);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        complain(name, &error);
    options_close(&parsed);
    return finish(status_exit(status));
}

static bool is_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0 || strcmp(text, "-?") == 0;
}

// argv[0] is the name of the group.
static int run_part(const Command *word, int argc, char **argv)
{
    char in_front[32];
    (void)snprintf(in_front, sizeof in_front, " %s", word->name);
    bool asks_help = argc > 1 && is_help(argv[1]);
    if (argc < 2 || asks_help) {
        print_parts(asks_help ? stdout : stderr, word);
        return finish(asks_help ? 0 : 2);
    }
    const Command *part = command_find(word->parts, argv[1]);
    return part != NULL ? run(part, in_front, argc - 1, argv + 1) : unknown_command(word->parts, in_front, argv[1]);
}

static int run_command(int argc, char **argv)
{
    const Command *command = command_find(commands, argv[0]);
    if (command == NULL)
        return unknown_command(commands, "", argv[0]);
    return command->parts != NULL ? run_part(command, argc, argv) : run(command, "", argc, argv);
}

// `krow help COMMAND` and `krow help WORD COMMAND` ask the command itself.
static int help(int argc, char **argv)
{
    if (argc == 0 || is_help(argv[0])) {
        print_help(stdout);
        return finish(0);
    }
    const Command *command = command_find(commands, argv[0]);
    int words = argc > 1 && command != NULL && command->parts != NULL ? 2 : 1;
    char ask[] = "--help";
    char *asking[4] = {argv[0], words == 2 ? argv[1] : ask, ask, NULL};
    asking[words + 1] = NULL;
    return run_command(words + 1, asking);
}

int main(int argc, char **argv)
{
    json_set_alloc_funcs(memory_malloc, free);
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        (void)printf("krow " KROW_VERSION "\n");
        return finish(0);
    }
    if (strcmp(argv[1], "help") == 0 || is_help(argv[1]))
        return help(argc - 2, argv + 2);
    return run_command(argc - 1, argv + 1);
}
