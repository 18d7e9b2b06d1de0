// krow: every k-in-a-row game. This file finds the command and turns its status into the exit status.
#include "frontends/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(FILE *out)
{
    (void)fprintf(out, "Usage: krow COMMAND [ARGUMENTS]\n"
                       "Every k-in-a-row game: tic-tac-toe, Connect Four, Gomoku, Connect6 and all between.\n\n"
                       "Commands:\n");
    for (int i = 0; i < command_count; i++)
        (void)fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    (void)fprintf(out, "  %-10s %s\n", "help", "Explain a command");
    (void)fprintf(out, "\n"
                       "A GAME is a preset (krow games) or WxH:k=K[,p=P][,q=Q][,gravity][,exact].\n"
                       "MOVES are cells such as 'h8 i9 j10'; with gravity also columns, '4453'.\n"
                       "'krow COMMAND --help' explains a command, 'man krow' everything.\n");
}

static int unknown_command(const char *name)
{
    const char *similar = command_similar(name);
    (void)fprintf(stderr, "krow: there is no command '%s'", name);
    if (similar != NULL)
        (void)fprintf(stderr, "; did you mean '%s'?", similar);
    (void)fprintf(stderr, "\nTry 'krow --help'.\n");
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

static int run(const Command *command, int argc, char **argv)
{
    char name[64];
    (void)snprintf(name, sizeof name, "krow %s", command->name);
    argv[0] = name;
    argp_err_exit_status = 2;
    Args args;
    args_parse(command, argc, argv, &args);
    Error error = {0};
    Status status = command->run(&args, &error);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        (void)fprintf(stderr, "%s: %s\n", name, error.text);
    free(args.words);
    return finish(status_exit(status));
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return 2;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        (void)printf("krow " KROW_VERSION "\n");
        return finish(0);
    }
    bool asks_help = strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if (asks_help && argc == 2) {
        print_help(stdout);
        return finish(0);
    }
    const Command *command = command_find(asks_help ? argv[2] : name);
    if (command == NULL)
        return unknown_command(asks_help ? argv[2] : name);
    if (asks_help) {
        char help[] = "--help";
        char *help_argv[] = {argv[0], help, NULL};
        return run(command, 2, help_argv);
    }
    return run(command, argc - 1, argv + 1);
}
