// The columns of a game. One list makes the statements that add and read games, binds the values, and numbers the
// columns of a row.
#pragma once

#define GAME_AGENT_VALUE "(SELECT id FROM agents WHERE name = ? AND is_foreign = ?)"
#define GAME_OPENING_VALUE "(SELECT id FROM openings WHERE game = ? AND setup = ? AND stones = ?)"
#define GAME_SOURCE_VALUE "(SELECT id FROM sources WHERE name = ?)"

// The columns after the match. hash and copy identify imported games and are not read.
//   X(name, column of the table, value written to it, expression read, code of bind_game that binds the value)
#define GAME_COLUMNS(X)                                                                                                \
    X(NUMBER, "number", "?", "g.number", bind_if(query, is_played, game->number))                                      \
    X(SOURCE, "source_id", GAME_SOURCE_VALUE, "s.name", query_bind_text(query, origin->source))                        \
    X(RULES, "game", "?", "g.game", query_bind_text(query, columns->rules))                                            \
    X(FIRST, "first_id", GAME_AGENT_VALUE, "a.name", bind_agent(query, game->first, record->first, origin))            \
    X(SECOND, "second_id", GAME_AGENT_VALUE, "b.name", bind_agent(query, game->second, record->second, origin))        \
    X(OPENING, "opening_id", GAME_OPENING_VALUE, "o.length", bind_opening(query, columns, opening))                    \
    /* Seeds use all 64 bits; the column has the same bits as a signed number. */                                      \
    X(SEED, "seed", "?", "g.seed", bind_if(query, is_played, (int64_t)game->seed))                                     \
    X(RESULT, "result", "?", "g.result", query_bind_text(query, result_name(record->result)))                          \
    X(FAULT, "fault", "?", "g.fault", query_bind_text(query, fault_name(game->fault)))                                 \
    X(FAULTY, "faulty", "?", "g.faulty", query_bind_text(query, faulty_name(game)))                                    \
    X(STARTED, "started", "?", "g.started", query_bind_id(query, game->started))                                       \
    X(ENDED, "ended", "?", "g.ended", query_bind_id(query, game->ended))                                               \
    X(REASON, "reason", "?", "g.reason", query_bind_text(query, or_else(game->reason, record->reason)))                \
    X(EVENT, "event", "?", "g.event", query_bind_text(query, record->event))                                           \
    X(DATE, "date", "?", "g.date", query_bind_text(query, record->date))                                               \
    X(HASH, "hash", "?", "NULL", query_bind_blob(query, origin->hash))                                                 \
    X(COPY, "copy", "?", "NULL", query_bind_int(query, origin->copy))                                                  \
    X(SETUP, "setup", "?", "g.setup", query_bind_text(query, record->setup != NULL ? columns->setup.data : NULL))      \
    X(STONES, "stones", "?", "g.stones", query_bind_text(query, columns->stones.data))                                 \
    X(TIMES, "times", "?", "g.times", query_bind_text(query, columns->times.length > 0 ? columns->times.data : NULL))  \
    X(KEPT, "kept", "?", "g.kept", query_bind_blob(query, (Span){columns->kept.data, columns->kept.length}))

// The columns of a row of QUERY_GAME and QUERY_GAMES_FROM.
typedef enum {
    GAME_ID,
    GAME_MATCH,
#define GAME_COLUMN_NAME(name, column, value, read, bind) GAME_##name,
    GAME_COLUMNS(GAME_COLUMN_NAME)
#undef GAME_COLUMN_NAME
} GameColumn;

#define GAME_COLUMN_WRITTEN(name, column, value, read, bind) ", " column
#define GAME_COLUMN_VALUE(name, column, value, read, bind) ", " value
#define GAME_COLUMN_READ(name, column, value, read, bind) ", " read

#define GAME_INSERT                                                                                                    \
    "INSERT INTO games (match_id" GAME_COLUMNS(GAME_COLUMN_WRITTEN) ") VALUES (?" GAME_COLUMNS(GAME_COLUMN_VALUE) ")"
#define GAME_SELECT                                                                                                    \
    "SELECT g.id, g.match_id" GAME_COLUMNS(                                                                            \
        GAME_COLUMN_READ) " FROM games g JOIN agents a ON a.id = g.first_id"                                           \
                          " JOIN agents b ON b.id = g.second_id LEFT JOIN openings o ON o.id = g.opening_id"           \
                          " LEFT JOIN sources s ON s.id = g.source_id"
