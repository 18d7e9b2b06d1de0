// The columns of a game. One list makes the statements that add and read games, binds the values, and numbers the
// columns of a row.
#pragma once

#define GAME_AGENT_VALUE "(SELECT id FROM agents WHERE name = ? AND is_foreign = ?)"
#define GAME_OPENING_VALUE "(SELECT id FROM openings WHERE game = ? AND setup = ? AND stones = ?)"
#define GAME_SOURCE_VALUE "(SELECT id FROM sources WHERE name = ?)"

// The source of games that the web board saved. Imported files never have this name (database_import.c).
#define GAME_SAVED_SOURCE "(web board)"
#define GAME_IS_SAVED "source_id = (SELECT id FROM sources WHERE name = '" GAME_SAVED_SOURCE "')"

// The columns after the match. hash and copy identify imported games and are not read. The values are expressions over
// the local variables of game_query in database_games.c, which expands the list; other uses ignore them.
//   X(name, column of the table, SQL of the value written, expression read, values of its parameters)
#define GAME_COLUMNS(X)                                                                                                \
    X(NUMBER, "number", "?", "g.number", value_if(is_played, game->number))                                            \
    X(SOURCE, "source_id", GAME_SOURCE_VALUE, "s.name", value_text(origin->source))                                    \
    X(RULES, "game", "?", "g.game", value_text(columns->rules))                                                        \
    X(FIRST, "first_id", GAME_AGENT_VALUE, "a.name", AGENT_VALUES(first))                                              \
    X(SECOND, "second_id", GAME_AGENT_VALUE, "b.name", AGENT_VALUES(second))                                           \
    X(OPENING, "opening_id", GAME_OPENING_VALUE, "o.length", OPENING_VALUES)                                           \
    /* Seeds use all 64 bits; the column has the same bits as a signed number. */                                      \
    X(SEED, "seed", "?", "g.seed", value_if(is_played, (int64_t)game->seed))                                           \
    X(RESULT, "result", "?", "g.result", value_text(result_name(record->result)))                                      \
    X(FAULT, "fault", "?", "g.fault", value_text(fault_name(game->fault)))                                             \
    X(FAULTY, "faulty", "?", "g.faulty", value_text(faulty_name(game)))                                                \
    X(STARTED, "started", "?", "g.started", value_id(game->started))                                                   \
    X(ENDED, "ended", "?", "g.ended", value_id(game->ended))                                                           \
    X(REASON, "reason", "?", "g.reason", value_text(or_else(game->reason, record->reason)))                            \
    X(EVENT, "event", "?", "g.event", value_text(record->event))                                                       \
    X(DATE, "date", "?", "g.date", value_text(record->date))                                                           \
    X(HASH, "hash", "?", "NULL", value_blob(origin->hash))                                                             \
    X(COPY, "copy", "?", "NULL", value_int(origin->copy))                                                              \
    X(SETUP, "setup", "?", "g.setup", value_text(record->setup != NULL ? columns->setup.data : NULL))                  \
    X(STONES, "stones", "?", "g.stones", value_text(columns->stones.data))                                             \
    X(TIMES, "times", "?", "g.times", value_text(columns->times.length > 0 ? columns->times.data : NULL))              \
    X(KEPT, "kept", "?", "g.kept", value_blob((Span){columns->kept.data, columns->kept.length}))                       \
    X(CHECKSUM, "checksum", "?", "g.checksum", value_int((int64_t)checksum))

// The columns of a row of QUERY_GAME and QUERY_GAMES_FROM.
typedef enum {
    GAME_ID,
    GAME_MATCH,
#define GAME_COLUMN_NAME(name, column, value, read, ...) GAME_##name,
    GAME_COLUMNS(GAME_COLUMN_NAME)
#undef GAME_COLUMN_NAME
} GameColumn;

#define GAME_COLUMN_WRITTEN(name, column, value, read, ...) ", " column
#define GAME_COLUMN_VALUE(name, column, value, read, ...) ", " value
#define GAME_COLUMN_READ(name, column, value, read, ...) ", " read

#define GAME_INSERT                                                                                                    \
    "INSERT INTO games (match_id" GAME_COLUMNS(GAME_COLUMN_WRITTEN) ") VALUES (?" GAME_COLUMNS(GAME_COLUMN_VALUE) ")"
#define GAME_SELECT                                                                                                    \
    "SELECT g.id, g.match_id" GAME_COLUMNS(                                                                            \
        GAME_COLUMN_READ) " FROM games g JOIN agents a ON a.id = g.first_id"                                           \
                          " JOIN agents b ON b.id = g.second_id LEFT JOIN openings o ON o.id = g.opening_id"           \
                          " LEFT JOIN sources s ON s.id = g.source_id"
