// Every SQL text of krow, and nothing else. Only what SQLite and PostgreSQL both understand, but for the types of the
// tables and the view; parameters are bound, never written into a text.
#include "store/database_internal.h"

// Version 1. Small columns stand before the long ones, so that a walk over results reads little.
//
// A name is an agent of ours (its full text) or comes from an imported game: the same name may be both, and they are
// never mixed. Unknown moments, results and faults are NULL.
static const char version_1[] =
    "PRAGMA application_id = 1802661751;" // "krow"
    "CREATE TABLE agents ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL,"
    "  is_foreign INTEGER NOT NULL CHECK (is_foreign IN (0, 1)),"
    "  UNIQUE (name, is_foreign)"
    ") STRICT;"
    "CREATE TABLE openings ("
    "  id INTEGER PRIMARY KEY,"
    "  game TEXT NOT NULL,"
    "  setup TEXT NOT NULL," // '' for the empty board
    "  stones TEXT NOT NULL,"
    "  length INTEGER NOT NULL,"
    "  UNIQUE (game, setup, stones)"
    ") STRICT;"
    "CREATE TABLE matches ("
    "  id INTEGER PRIMARY KEY,"
    "  kind TEXT NOT NULL CHECK (kind IN ('match', 'tournament')),"
    "  game TEXT NOT NULL,"
    "  spec TEXT NOT NULL,"
    "  created INTEGER NOT NULL,"
    "  finished INTEGER"
    ") STRICT;"
    "CREATE TABLE sources ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL UNIQUE"
    ") STRICT;"
    "CREATE TABLE games ("
    "  id INTEGER PRIMARY KEY,"
    "  match_id INTEGER REFERENCES matches (id),"
    "  number INTEGER,"
    "  source_id INTEGER REFERENCES sources (id),"
    "  game TEXT NOT NULL,"
    "  first_id INTEGER NOT NULL REFERENCES agents (id),"
    "  second_id INTEGER NOT NULL REFERENCES agents (id),"
    "  opening_id INTEGER REFERENCES openings (id),"
    "  seed INTEGER,"
    "  result TEXT CHECK (result IN ('first', 'second', 'draw')),"
    "  fault TEXT CHECK (fault IN ('illegal', 'timeout', 'crash')),"
    "  faulty TEXT CHECK (faulty IN ('first', 'second')),"
    "  started INTEGER,"
    "  ended INTEGER,"
    "  reason TEXT NOT NULL,"
    "  event TEXT NOT NULL,"
    "  date TEXT NOT NULL,"
    "  hash BLOB,"
    "  copy INTEGER NOT NULL,"
    "  setup TEXT,"
    "  stones TEXT NOT NULL,"
    "  times TEXT,"
    "  kept BLOB,"
    "  UNIQUE (match_id, number),"
    "  CHECK ((match_id IS NULL) = (number IS NULL)),"
    "  CHECK ((match_id IS NULL) = (source_id IS NOT NULL)),"
    "  CHECK ((match_id IS NULL) = (hash IS NOT NULL)),"
    "  CHECK ((fault IS NULL) = (faulty IS NULL))"
    ") STRICT;"
    "CREATE UNIQUE INDEX games_by_hash ON games (hash, copy) WHERE hash IS NOT NULL;"
    "CREATE INDEX games_by_first ON games (first_id);"
    "CREATE INDEX games_by_second ON games (second_id);"
    "CREATE TABLE rating_lists ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL,"
    "  game TEXT NOT NULL," // '' for several
    "  computed INTEGER NOT NULL"
    ") STRICT;"
    "CREATE TABLE ratings ("
    "  list_id INTEGER NOT NULL REFERENCES rating_lists (id),"
    "  agent_id INTEGER NOT NULL REFERENCES agents (id),"
    "  rating REAL NOT NULL,"
    "  error REAL NOT NULL,"
    "  games INTEGER NOT NULL,"
    "  PRIMARY KEY (list_id, agent_id)"
    ") STRICT;"
    // For people with an SQL prompt; krow does not use it.
    "CREATE VIEW game_list AS"
    " SELECT g.id, g.match_id AS match, g.number, g.game, a.name AS first, b.name AS second, g.result, g.reason,"
    "  g.fault, g.faulty, o.stones AS opening, g.setup, g.stones, g.times, g.event, g.date, s.name AS source,"
    "  datetime(g.started / 1000, 'unixepoch') AS started, g.ended - g.started AS ms"
    " FROM games g JOIN agents a ON a.id = g.first_id JOIN agents b ON b.id = g.second_id"
    " LEFT JOIN openings o ON o.id = g.opening_id LEFT JOIN sources s ON s.id = g.source_id;";

// Version 2: opening books. A node is a position at a depth, its counts are those of the first player; a link leads
// from a node to one of the next depth by the stones of a turn. The index on to_id is for removing a book: without it
// every node removed would be looked for in all links.
static const char version_2[] = "CREATE TABLE books ("
                                "  id INTEGER PRIMARY KEY,"
                                "  name TEXT NOT NULL UNIQUE,"
                                "  game TEXT NOT NULL,"
                                "  encoding TEXT NOT NULL CHECK (encoding IN ('relative', 'absolute')),"
                                "  is_symmetric INTEGER NOT NULL CHECK (is_symmetric IN (0, 1)),"
                                "  turns INTEGER NOT NULL,"
                                "  games INTEGER NOT NULL,"
                                "  built INTEGER NOT NULL"
                                ") STRICT;"
                                "CREATE TABLE book_nodes ("
                                "  id INTEGER PRIMARY KEY,"
                                "  book_id INTEGER NOT NULL REFERENCES books (id),"
                                "  depth INTEGER NOT NULL,"
                                "  wins INTEGER NOT NULL,"
                                "  ties INTEGER NOT NULL,"
                                "  losses INTEGER NOT NULL,"
                                "  code TEXT NOT NULL,"
                                "  UNIQUE (book_id, depth, code)"
                                ") STRICT;"
                                "CREATE TABLE book_links ("
                                "  from_id INTEGER NOT NULL REFERENCES book_nodes (id),"
                                "  to_id INTEGER NOT NULL REFERENCES book_nodes (id),"
                                "  turn TEXT NOT NULL,"
                                "  PRIMARY KEY (from_id, turn)"
                                ") STRICT;"
                                "CREATE INDEX book_links_by_to ON book_links (to_id);";

// Version 3: what agents count about their own turns, added up over a game. All of a game that told any, zeros too.
static const char version_3[] = "CREATE TABLE game_counts ("
                                "  game_id INTEGER NOT NULL REFERENCES games (id),"
                                "  side TEXT NOT NULL CHECK (side IN ('first', 'second')),"
                                "  name TEXT NOT NULL,"
                                "  value INTEGER NOT NULL,"
                                "  PRIMARY KEY (game_id, side, name)"
                                ") STRICT;";

// Version 4: winning patterns that were learned, in named sets for rules each. `code` is the text of the picture that
// comes first among all of a pattern (analysis/pattern.h). AUTOINCREMENT: a number is never given twice, also when the
// newest pattern was forgotten, because whoever has read a set asks later for what is above the last number it saw.
static const char version_4[] = "CREATE TABLE patterns ("
                                "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
                                "  game TEXT NOT NULL,"
                                "  set_name TEXT NOT NULL,"
                                "  tier INTEGER NOT NULL,"
                                "  learned INTEGER NOT NULL,"
                                "  code TEXT NOT NULL,"
                                "  UNIQUE (game, set_name, code)"
                                ") STRICT;"
                                "CREATE INDEX patterns_by_set ON patterns (game, set_name, id);";

const char *const migrations[] = {version_1, version_2, version_3, version_4};
const int migration_count = (int)(sizeof migrations / sizeof migrations[0]);

const char *const query_texts[QUERY_COUNT] = {
    // IMMEDIATE: a transaction that first reads and then wants to write could not wait for another writer.
    [QUERY_BEGIN] = "BEGIN IMMEDIATE",
    [QUERY_BEGIN_TO_READ] = "BEGIN",
    [QUERY_COMMIT] = "COMMIT",
    [QUERY_ROLLBACK] = "ROLLBACK",
    [QUERY_MATCH_ADD] = "INSERT INTO matches (kind, game, spec, created, finished) VALUES (?, ?, ?, ?, ?) RETURNING id",
    [QUERY_MATCH_FIND] =
        "SELECT id FROM matches WHERE spec = ? AND (? <> 0 OR finished IS NULL) ORDER BY id DESC LIMIT 1",
    [QUERY_MATCH_FINISH] = "UPDATE matches SET finished = coalesce(finished, ?) WHERE id = ? RETURNING id",
    [QUERY_MATCH_IDS] = "SELECT id FROM matches ORDER BY id",
    [QUERY_MATCH] = "SELECT kind, game, spec, created, finished, (SELECT count(*) FROM games WHERE match_id = m.id)"
                    " FROM matches m WHERE id = ?",
    [QUERY_AGENT_ADD] = "INSERT INTO agents (name, is_foreign) VALUES (?, ?) ON CONFLICT DO NOTHING",
    [QUERY_SOURCE_ADD] = "INSERT INTO sources (name) VALUES (?) ON CONFLICT DO NOTHING",
    [QUERY_OPENING_ADD] =
        "INSERT INTO openings (game, setup, stones, length) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [QUERY_GAME_ADD] =
        "INSERT INTO games (match_id, number, source_id, game, first_id, second_id, opening_id, seed, result, fault,"
        " faulty, started, ended, reason, event, date, hash, copy, setup, stones, times, kept) VALUES (?, ?,"
        " (SELECT id FROM sources WHERE name = ?), ?, (SELECT id FROM agents WHERE name = ? AND is_foreign = ?),"
        " (SELECT id FROM agents WHERE name = ? AND is_foreign = ?),"
        " (SELECT id FROM openings WHERE game = ? AND setup = ? AND stones = ?),"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id",
    [QUERY_GAME_NUMBERS] = "SELECT number FROM games WHERE match_id = ? ORDER BY number",
    [QUERY_GAME] = "SELECT g.match_id, g.number, s.name, g.game, a.name, b.name, o.length, g.seed, g.result, g.fault,"
                   " g.faulty, g.started, g.ended, g.reason, g.event, g.date, g.setup, g.stones, g.times, g.kept"
                   " FROM games g JOIN agents a ON a.id = g.first_id JOIN agents b ON b.id = g.second_id"
                   " LEFT JOIN openings o ON o.id = g.opening_id LEFT JOIN sources s ON s.id = g.source_id"
                   " WHERE g.id = ?",
    [QUERY_GAME_COUNT_ADD] = "INSERT INTO game_counts (game_id, side, name, value) VALUES (?, ?, ?, ?)",
    [QUERY_GAME_COUNTS] = "SELECT side, name, value FROM game_counts WHERE game_id = ?",
    [QUERY_RATING_LIST_ADD] = "INSERT INTO rating_lists (name, game, computed) VALUES (?, ?, ?) RETURNING id",
    [QUERY_RATING_ADD] = "INSERT INTO ratings (list_id, agent_id, rating, error, games)"
                         " VALUES (?, (SELECT id FROM agents WHERE name = ? AND is_foreign = ?), ?, ?, ?)",
    [QUERY_RATING_LIST] = "SELECT id, computed FROM rating_lists WHERE name = ? AND game = ? ORDER BY id DESC LIMIT 1",
    [QUERY_RATINGS] = "SELECT a.name, a.is_foreign, r.rating, r.error, r.games FROM ratings r"
                      " JOIN agents a ON a.id = r.agent_id WHERE r.list_id = ?"
                      " ORDER BY r.rating DESC, a.name, a.is_foreign",
    [QUERY_BOOK_ADD] = "INSERT INTO books (name, game, encoding, is_symmetric, turns, games, built)"
                       " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
    [QUERY_BOOK_EXTEND] = "UPDATE books SET games = games + ?, built = ? WHERE name = ? AND game = ? AND encoding = ?"
                          " AND is_symmetric = ? AND turns = ? RETURNING id",
    // Adds to the counts of a node that is there already.
    [QUERY_BOOK_NODE_ADD] =
        "INSERT INTO book_nodes (book_id, depth, wins, ties, losses, code) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (book_id, depth, code) DO UPDATE SET wins = book_nodes.wins + excluded.wins,"
        " ties = book_nodes.ties + excluded.ties, losses = book_nodes.losses + excluded.losses RETURNING id",
    [QUERY_BOOK_LINK_ADD] = "INSERT INTO book_links (from_id, to_id, turn) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    [QUERY_BOOK_LINKS_REMOVE] = "DELETE FROM book_links WHERE from_id IN (SELECT n.id FROM book_nodes n"
                                " JOIN books b ON b.id = n.book_id WHERE b.name = ?)",
    [QUERY_BOOK_NODES_REMOVE] = "DELETE FROM book_nodes WHERE book_id IN (SELECT id FROM books WHERE name = ?)",
    [QUERY_BOOK_REMOVE] = "DELETE FROM books WHERE name = ? RETURNING id",
    [QUERY_BOOK_BY_NAME] =
        "SELECT name, game, encoding, is_symmetric, turns, games, built, id FROM books WHERE name = ?",
    [QUERY_BOOK_BY_RULES] = "SELECT name, game, encoding, is_symmetric, turns, games, built, id FROM books"
                            " WHERE game = ? ORDER BY built DESC, id DESC LIMIT 1",
    [QUERY_BOOK_NAMES] = "SELECT name FROM books ORDER BY name",
    [QUERY_BOOK_SIZE] = "SELECT (SELECT count(*) FROM book_nodes WHERE book_id = b.id), (SELECT count(*)"
                        " FROM book_links l JOIN book_nodes n ON n.id = l.from_id WHERE n.book_id = b.id)"
                        " FROM books b WHERE b.name = ?",
    [QUERY_BOOK_NODES] = "SELECT id, depth, wins, ties, losses, code FROM book_nodes WHERE book_id = ? ORDER BY id",
    [QUERY_BOOK_LINKS] = "SELECT l.from_id, l.to_id, l.turn FROM book_links l JOIN book_nodes n ON n.id = l.from_id"
                         " WHERE n.book_id = ? ORDER BY l.from_id, l.turn",
    // One statement, so that a book that is replaced meanwhile is seen as it was or as it is.
    [QUERY_BOOK_LOOK_UP] =
        "SELECT n.wins, n.ties, n.losses, l.turn, c.wins, c.ties, c.losses FROM books b"
        " JOIN book_nodes n ON n.book_id = b.id LEFT JOIN book_links l ON l.from_id = n.id"
        " LEFT JOIN book_nodes c ON c.id = l.to_id WHERE b.name = ? AND b.game = ? AND b.encoding = ?"
        " AND b.is_symmetric = ? AND n.depth = ? AND n.code = ? ORDER BY l.turn",
    [QUERY_PATTERN_ADD] = "INSERT INTO patterns (game, set_name, tier, learned, code) VALUES (?, ?, ?, ?, ?)",
    [QUERY_PATTERNS] = "SELECT id, tier, learned, code FROM patterns WHERE game = ? AND set_name = ? AND id > ?"
                       " ORDER BY id",
    // A number of 0 is any, and so is a tier below 0.
    [QUERY_PATTERNS_FORGET] = "DELETE FROM patterns WHERE game = ? AND set_name = ? AND (? = 0 OR id = ?)"
                              " AND (? < 0 OR tier = ?) RETURNING id",
    [QUERY_PATTERN_SETS] = "SELECT game, set_name, tier, count(*), max(learned) FROM patterns"
                           " GROUP BY game, set_name, tier ORDER BY game, set_name, tier",
};

// The condition of a filter: fixed pieces, so that an index is used where one helps.
static void add_conditions(Text *text, const DatabaseFilter *filter)
{
    if (filter->match != 0)
        text_add(text, " AND g.match_id = ?");
    if (filter->rules != NULL)
        text_add(text, " AND g.game = ?");
    if (filter->agent != NULL)
        text_add(text, " AND (g.first_id IN (SELECT id FROM agents WHERE name = ?)"
                       " OR g.second_id IN (SELECT id FROM agents WHERE name = ?))");
    if (filter->origin != DATABASE_ALL)
        text_add(text, " AND g.match_id IS %s", filter->origin == DATABASE_PLAYED ? "NOT NULL" : "NULL");
}

static const struct {
    const char *head, *tail;
} filtered_texts[] = {
    [FILTERED_IDS] = {"SELECT g.id FROM games g WHERE 1 = 1", " ORDER BY g.id"},
    [FILTERED_PAIRS] =
        {"SELECT a.name, a.is_foreign, b.name, b.is_foreign,"
         " count(*) FILTER (WHERE g.result = 'first'), count(*) FILTER (WHERE g.result = 'draw'),"
         " count(*) FILTER (WHERE g.result = 'second'),"
         " count(*) FILTER (WHERE g.fault = 'illegal' AND g.faulty = 'first'),"
         " count(*) FILTER (WHERE g.fault = 'timeout' AND g.faulty = 'first'),"
         " count(*) FILTER (WHERE g.fault = 'crash' AND g.faulty = 'first'),"
         " count(*) FILTER (WHERE g.fault = 'illegal' AND g.faulty = 'second'),"
         " count(*) FILTER (WHERE g.fault = 'timeout' AND g.faulty = 'second'),"
         " count(*) FILTER (WHERE g.fault = 'crash' AND g.faulty = 'second')"
         " FROM games g JOIN agents a ON a.id = g.first_id JOIN agents b ON b.id = g.second_id WHERE 1 = 1",
         " GROUP BY a.id, b.id"},
};

Query query_filtered(Database *db, FilteredName name, const DatabaseFilter *filter)
{
    static const DatabaseFilter everything = {0};
    const DatabaseFilter *wanted = filter != NULL ? filter : &everything;
    bool by_number = name == FILTERED_IDS && wanted->match != 0;
    Text text = {0};
    text_add(&text, "%s", filtered_texts[name].head);
    add_conditions(&text, wanted);
    text_add(&text, "%s", by_number ? " ORDER BY g.number" : filtered_texts[name].tail);
    Query query = query_prepare(db, text.failed ? NULL : text.data);
    text_close(&text);
    if (wanted->match != 0)
        query_bind_int(&query, wanted->match);
    if (wanted->rules != NULL)
        query_bind_rules(&query, wanted->rules);
    for (int side = 0; side < 2 && wanted->agent != NULL; side++)
        query_bind_text(&query, wanted->agent);
    return query;
}
