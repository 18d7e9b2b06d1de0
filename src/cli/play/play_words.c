// What play in the terminal says about the game: its rules, its players and its end.
#include "agents/levels.h"
#include "cli/output/draw.h"
#include "cli/play/play_internal.h"
#include "view/json_view.h"

#include <stdio.h>
#include <string.h>

static const char level_prefix[] = "level:n=";

void play_level_text(unsigned level, char text[PLAY_LEVEL_SIZE])
{
    (void)snprintf(text, PLAY_LEVEL_SIZE, "%s%u", level_prefix, level);
}

unsigned session_level(const Rules *rules)
{
    return (levels_count(rules) + 1) / 2;
}

unsigned play_level_of(const Session *session, Side side)
{
    int64_t level = 0;
    Span name = span_of(play_name(session, side));
    size_t length = strlen(level_prefix);
    bool is_level = name.length > length && memcmp(name.at, level_prefix, length) == 0 &&
                    span_to_int((Span){name.at + length, name.length - length}, 1, LEVELS_MAX, &level);
    return is_level ? (unsigned)level : 0;
}

void play_add_name(const Session *session, Side side, Text *text)
{
    unsigned level = play_level_of(session, side);
    if (play_is_you(session, side))
        text_add(text, "you");
    else if (level > 0)
        text_add(text, "level %u", level);
    else
        text_add(text, "%s", play_name(session, side));
}

static const char *preset_name(const Rules *rules)
{
    for (int i = 0; i < rules_preset_count; i++) {
        Rules preset;
        if (rules_parse(span_of(rules_presets[i].text), &preset, NULL) == STATUS_OK && rules_equal(&preset, rules))
            return rules_presets[i].name;
    }
    return NULL;
}

static void add_players(const Session *session, Text *text)
{
    const Rules *rules = &session->file.game.board.rules;
    bool you_first = play_is_you(session, SIDE_FIRST);
    if (!you_first && !play_is_you(session, SIDE_SECOND)) {
        text_add(text, "You play both sides; X begins.");
        return;
    }
    Side other = you_first ? SIDE_SECOND : SIDE_FIRST;
    text_add(text, "You play %s. Your opponent is ", you_first ? "X and begin" : "O; X begins");
    play_add_name(session, other, text);
    if (play_level_of(session, other) > 0)
        text_add(text, " of %u", levels_count(rules));
    text_add(text, ".");
}

static void add_rules(const Rules *rules, Text *text)
{
    const char *name = preset_name(rules);
    if (name != NULL)
        text_add(text, "%s: ", name);
    size_t begin = text->length;
    view_rules_words(rules, text);
    // A line per sentence.
    for (size_t i = begin; i + 1 < text->length; i++)
        if (text->data[i] == '.' && text->data[i + 1] == ' ')
            text->data[i + 1] = '\n';
    text_add(text, "\n");
}

void play_introduce(Session *session)
{
    Text text = {0};
    if (play_game(session)->played == 0)
        add_rules(&play_game(session)->board.rules, &text);
    add_players(session, &text);
    (void)printf("%s\nType 'help' for the commands.\n", text.data);
    text_close(&text);
}

void play_conclude(Session *session)
{
    const Game *game = play_game(session);
    Result result = session->file.result;
    unsigned stones = board_count(&game->board);
    if (session->file.reason[0] != '\0')
        (void)printf("%s: %c wins.\n", session->file.reason, result == RESULT_FIRST ? 'X' : 'O');
    else
        draw_state(game, stdout);
    for (Side side = SIDE_FIRST; side <= SIDE_SECOND; side++) {
        if (!play_is_you(session, side) || result == RESULT_DRAW || session->file.reason[0] != '\0')
            continue;
        bool has_won = result == (side == SIDE_FIRST ? RESULT_FIRST : RESULT_SECOND);
        (void)printf("You %s in %u stone%s.\n", has_won ? "won" : "lost", stones, view_plural(stones));
    }
}
