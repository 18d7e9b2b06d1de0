// Files of games with scores.
#include "engine/train/scored_games.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "game/rules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 8, CHECKSUM = 4, PER_STONE = 4 };

static const size_t FILE_MOST = (size_t)16 << 30;

// --- Numbers ---

static unsigned get16(const char *at)
{
    return (unsigned)(uint8_t)at[0] | (unsigned)(uint8_t)at[1] << 8;
}

static uint32_t get32(const char *at)
{
    return get16(at) | (uint32_t)get16(at + 2) << 16;
}

static void put16(Text *text, unsigned number)
{
    char bytes[2] = {(char)(number & 0xff), (char)(number >> 8 & 0xff)};
    text_add_span(text, (Span){bytes, sizeof bytes});
}

// --- Writing ---

void scored_games_header(const Rules *rules, Span source, Text *text)
{
    char game[RULES_TEXT_SIZE];
    Span line = {0};
    rules_format(rules, game);
    text_add(text, "krow scored games %d\nrules %s\n", SCORED_VERSION, game);
    while (span_next_part(&source, '\n', &line))
        text_add(text, "source %.*s\n", (int)line.length, line.at);
    text_add(text, "\n");
}

void scored_games_add(const ScoredGame *game, Text *text)
{
    size_t begin = text->length;
    char head[4] = {(char)game->width, (char)game->height, (char)game->doubled, 0};
    text_add_span(text, (Span){head, sizeof head});
    put16(text, game->count);
    put16(text, game->opening);
    for (unsigned i = 0; i < game->count; i++)
        put16(text, cell_row(game->stones[i]) * game->width + cell_column(game->stones[i]));
    for (unsigned i = 0; i < game->count; i++)
        put16(text, (uint16_t)game->scores[i]);
    uint32_t sum = checksum_crc32((Span){text->data + begin, text->length - begin});
    put16(text, sum & 0xffff);
    put16(text, sum >> 16);
}

Status scored_games_append(const char *path, size_t size, Span games, Error *error)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool done = fd >= 0 && ftruncate(fd, (off_t)size) == 0 && lseek(fd, 0, SEEK_END) >= 0;
    while (done && games.length > 0) {
        ssize_t written = write(fd, games.at, games.length);
        done = written > 0 || (written < 0 && errno == EINTR);
        if (written > 0)
            games = (Span){games.at + written, games.length - (size_t)written};
    }
    done = done && fsync(fd) == 0;
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && done) {
        done = false;
        reason = errno;
    }
    return done ? STATUS_OK : error_set(error, STATUS_IO, "cannot write %s: %s", path, strerror(reason));
}

// --- Reading ---

static Status read_header(ScoredGames *games, Span *content, Error *error)
{
    char first[40];
    Span line = {0}, key = {0};
    bool has_rules = false;
    (void)snprintf(first, sizeof first, "krow scored games %d", SCORED_VERSION);
    if (!span_next_part(content, '\n', &line) || !span_is(line, first))
        return error_set(error, STATUS_BAD_INPUT, "not a file of scored games: the first line is not '%s'", first);
    for (unsigned number = 2; span_next_part(content, '\n', &line) && line.length > 0; number++) {
        Status status = STATUS_OK;
        Span rest = line;
        (void)span_next_word(&rest, " ", &key);
        rest = span_trim(rest);
        if (span_is(key, "rules")) {
            status = rules_parse(rest, &games->rules, error);
            has_rules = true;
        } else if (span_is(key, "source")) {
            text_add(&games->source, "%.*s\n", (int)rest.length, rest.at);
        } else {
            status = error_set(error, STATUS_BAD_INPUT, "unknown line '%.*s'", SPAN_PRINT(line));
        }
        if (status != STATUS_OK) {
            error_prefix(error, "line %u: ", number);
            return status;
        }
    }
    return has_rules ? STATUS_OK : error_set(error, STATUS_BAD_INPUT, "the line 'rules' is missing");
}

// The size of the game at the beginning of `rest`; 0 if it is cut off.
static size_t game_size(Span rest)
{
    if (rest.length < HEAD)
        return 0;
    size_t size = HEAD + (size_t)PER_STONE * get16(rest.at + 4) + CHECKSUM;
    return size <= rest.length ? size : 0;
}

// Whether the game can be played by the rules: each stone on another cell of the board.
static bool is_sound(const Rules *rules, Span game)
{
    Rules own = *rules;
    own.width = (uint8_t)game.at[0];
    own.height = (uint8_t)game.at[1];
    unsigned count = get16(game.at + 4), opening = get16(game.at + 6);
    if (rules_check(&own, NULL) != STATUS_OK || (uint8_t)game.at[2] > 2 || opening > count || count > rules_cells(&own))
        return false;
    Board board;
    board_init(&board, &own);
    for (unsigned i = 0; i < count; i++) {
        unsigned cell = get16(game.at + HEAD + 2 * (size_t)i);
        if (cell >= board.cells || !board_is_legal(&board, cell_at(cell % own.width, cell / own.width)))
            return false;
        board_play(&board, cell_at(cell % own.width, cell / own.width));
    }
    return true;
}

Status scored_games_parse(ScoredGames *games, Span content, Error *error)
{
    *games = (ScoredGames){0};
    Span rest = content;
    Status status = read_header(games, &rest, error);
    size_t begin = content.length - rest.length, size;
    while (status == STATUS_OK && (size = game_size(rest)) > 0) {
        Span game = {rest.at, size};
        if (checksum_crc32((Span){game.at, size - CHECKSUM}) != get32(game.at + size - CHECKSUM) ||
            !is_sound(&games->rules, game)) {
            status = error_set(error, STATUS_BAD_INPUT, "game %u is damaged", games->count + 1);
            break;
        }
        games->at = array_grow(games->at, &games->capacity, games->count + 1, sizeof *games->at);
        games->at[games->count++] = games->data.length;
        text_add_span(&games->data, game);
        rest = (Span){rest.at + size, rest.length - size};
    }
    games->was_cut = rest.length > 0;
    games->file_size = begin + games->data.length;
    if (status != STATUS_OK)
        scored_games_close(games);
    return status;
}

Status scored_games_read(ScoredGames *games, const char *path, Error *error)
{
    Text content = {0};
    *games = (ScoredGames){0};
    Status status = file_read(path, FILE_MOST, &content, error);
    if (status == STATUS_OK) {
        status = scored_games_parse(games, (Span){content.data, content.length}, error);
        if (status != STATUS_OK)
            error_prefix(error, "%s: ", path);
    }
    text_close(&content);
    return status;
}

void scored_games_close(ScoredGames *games)
{
    text_close(&games->source);
    text_close(&games->data);
    free(games->at);
    *games = (ScoredGames){0};
}

void scored_games_get(const ScoredGames *games, unsigned number, ScoredGame *game)
{
    const char *at = games->data.data + games->at[number];
    game->width = (uint8_t)at[0];
    game->height = (uint8_t)at[1];
    game->doubled = (uint8_t)at[2];
    game->count = (uint16_t)get16(at + 4);
    game->opening = (uint16_t)get16(at + 6);
    for (unsigned i = 0; i < game->count; i++) {
        unsigned cell = get16(at + HEAD + 2 * (size_t)i);
        game->stones[i] = cell_at(cell % game->width, cell / game->width);
        game->scores[i] = (int16_t)(uint16_t)get16(at + HEAD + 2 * ((size_t)game->count + i));
    }
}
