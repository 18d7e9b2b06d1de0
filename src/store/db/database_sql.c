// The SQL that both engines share. Only SQL that SQLite and PostgreSQL both understand, except marks such as {int},
// which the drivers replace by their own words; parameters are bound, never written into a text.
#include "store/db/database_game_columns_internal.h"
#include "store/db/database_internal.h"

// Version 1. Small columns stand before the long ones, so that a walk over results reads little.
//
// A name is an agent of ours (its full text) or comes from an imported game: the same name may be both, and they are
// never mixed. Unknown moments, results and faults are NULL.
static const char version_1[] =
    "{mark}"
    "CREATE TABLE agents ("
    "  id {id},"
    "  name {text} NOT NULL,"
    "  is_foreign {int} NOT NULL CHECK (is_foreign IN (0, 1)),"
    "  UNIQUE (name, is_foreign)"
    "){strict};"
    "CREATE TABLE openings ("
    "  id {id},"
    "  game {text} NOT NULL,"
    "  setup {text} NOT NULL," // '' for the empty board
    "  stones {text} NOT NULL,"
    "  length {int} NOT NULL,"
    "  UNIQUE (game, setup, stones)"
    "){strict};"
    "CREATE TABLE matches ("
    "  id {id},"
    "  kind {text} NOT NULL CHECK (kind IN ('match', 'tournament')),"
    "  game {text} NOT NULL,"
    "  spec {text} NOT NULL,"
    "  created {int} NOT NULL,"
    "  finished {int}"
    "){strict};"
    "CREATE TABLE sources ("
    "  id {id},"
    "  name {text} NOT NULL UNIQUE"
    "){strict};"
    "CREATE TABLE games ("
    "  id {id},"
    "  match_id {int} REFERENCES matches (id),"
    "  number {int},"
    "  source_id {int} REFERENCES sources (id),"
    "  game {text} NOT NULL,"
    "  first_id {int} NOT NULL REFERENCES agents (id),"
    "  second_id {int} NOT NULL REFERENCES agents (id),"
    "  opening_id {int} REFERENCES openings (id),"
    "  seed {int},"
    "  result {text} CHECK (result IN ('first', 'second', 'draw')),"
    "  fault {text} CHECK (fault IN ('illegal', 'timeout', 'crash')),"
    "  faulty {text} CHECK (faulty IN ('first', 'second')),"
    "  started {int},"
    "  ended {int},"
    "  reason {text} NOT NULL,"
    "  event {text} NOT NULL,"
    "  date {text} NOT NULL,"
    "  hash {bytes},"
    "  copy {int} NOT NULL,"
    "  setup {text},"
    "  stones {text} NOT NULL,"
    "  times {text},"
    "  kept {bytes},"
    "  UNIQUE (match_id, number),"
    "  CHECK ((match_id IS NULL) = (number IS NULL)),"
    "  CHECK ((match_id IS NULL) = (source_id IS NOT NULL)),"
    "  CHECK ((match_id IS NULL) = (hash IS NOT NULL)),"
    "  CHECK ((fault IS NULL) = (faulty IS NULL))"
    "){strict};"
    "CREATE UNIQUE INDEX games_by_hash ON games (hash, copy) WHERE hash IS NOT NULL;"
    "CREATE INDEX games_by_first ON games (first_id);"
    "CREATE INDEX games_by_second ON games (second_id);"
    "CREATE TABLE rating_lists ("
    "  id {id},"
    "  name {text} NOT NULL,"
    "  game {text} NOT NULL," // '' for several
    "  computed {int} NOT NULL"
    "){strict};"
    "CREATE TABLE ratings ("
    "  list_id {int} NOT NULL REFERENCES rating_lists (id),"
    "  agent_id {int} NOT NULL REFERENCES agents (id),"
    "  rating {real} NOT NULL,"
    "  error {real} NOT NULL,"
    "  games {int} NOT NULL,"
    "  PRIMARY KEY (list_id, agent_id)"
    "){strict};"
    // For people with an SQL prompt; krow does not use it.
    "CREATE VIEW game_list AS"
    " SELECT g.id, g.match_id AS match, g.number, g.game, a.name AS first, b.name AS second, g.result, g.reason,"
    "  g.fault, g.faulty, o.stones AS opening, g.setup, g.stones, g.times, g.event, g.date, s.name AS source,"
    "  {utc}g.started{of ms} AS started, g.ended - g.started AS ms"
    " FROM games g JOIN agents a ON a.id = g.first_id JOIN agents b ON b.id = g.second_id"
    " LEFT JOIN openings o ON o.id = g.opening_id LEFT JOIN sources s ON s.id = g.source_id;";

// Version 2: opening books. A node is a position at a depth, its counts are those of the first player; a link leads
// from a node to one of the next depth by the stones of a turn. The index on to_id is for removing a book: without it
// every node removed would be looked for in all links.
static const char version_2[] = "CREATE TABLE books ("
                                "  id {id},"
                                "  name {text} NOT NULL UNIQUE,"
                                "  game {text} NOT NULL,"
                                "  encoding {text} NOT NULL CHECK (encoding IN ('relative', 'absolute')),"
                                "  is_symmetric {int} NOT NULL CHECK (is_symmetric IN (0, 1)),"
                                "  turns {int} NOT NULL,"
                                "  games {int} NOT NULL,"
                                "  built {int} NOT NULL"
                                "){strict};"
                                "CREATE TABLE book_nodes ("
                                "  id {id},"
                                "  book_id {int} NOT NULL REFERENCES books (id),"
                                "  depth {int} NOT NULL,"
                                "  wins {int} NOT NULL,"
                                "  ties {int} NOT NULL,"
                                "  losses {int} NOT NULL,"
                                "  code {text} NOT NULL,"
                                "  UNIQUE (book_id, depth, code)"
                                "){strict};"
                                "CREATE TABLE book_links ("
                                "  from_id {int} NOT NULL REFERENCES book_nodes (id),"
                                "  to_id {int} NOT NULL REFERENCES book_nodes (id),"
                                "  turn {text} NOT NULL,"
                                "  PRIMARY KEY (from_id, turn)"
                                "){strict};"
                                "CREATE INDEX book_links_by_to ON book_links (to_id);";

// Version 3: what agents count about their own turns, added up over a game. All of a game that reported any, zeros too.
static const char version_3[] = "CREATE TABLE game_counts ("
                                "  game_id {int} NOT NULL REFERENCES games (id),"
                                "  side {text} NOT NULL CHECK (side IN ('first', 'second')),"
                                "  name {text} NOT NULL,"
                                "  value {int} NOT NULL,"
                                "  PRIMARY KEY (game_id, side, name)"
                                "){strict};";

// Version 4: winning patterns that were learned, in named sets for rules each. `code` is the text of the picture that
// comes first among all of a pattern (threats/pattern.h). AUTOINCREMENT: a number is never given twice, also when the
// newest pattern was forgotten, because a reader of a set asks later for what is above the last number it saw.
static const char version_4[] = "CREATE TABLE patterns ("
                                "  id {counted id},"
                                "  game {text} NOT NULL,"
                                "  set_name {text} NOT NULL,"
                                "  tier {int} NOT NULL,"
                                "  learned {int} NOT NULL,"
                                "  code {text} NOT NULL,"
                                "  UNIQUE (game, set_name, code)"
                                "){strict};"
                                "CREATE INDEX patterns_by_set ON patterns (game, set_name, id);";

// Version 5: what a SPRT of a match asks, and who began the match; and games by their rules, so that those of one game
// can be paged through without a look at all.
static const char version_5[] = "ALTER TABLE matches ADD COLUMN sprt {text};"
                                "ALTER TABLE matches ADD COLUMN origin {text};"
                                "CREATE INDEX games_by_game ON games (game);";

// Version 6: work for workers. A job is about the games of a match, or about questions of another kind, whose answers
// are texts. A unit is a range of games or questions. It is cut off a larger one when a worker claims it, so the rows
// of units are as many as were claimed. `token` names the attempt that holds or has finished it; `progress` are turns
// played, `expires` is when the lease ends. `failures` are those of its games so far, which what is cut off it has as
// well; `lost` are those of the row itself. Units that failed too often are 'aside', those of a cancelled job
// 'dropped'.
static const char version_6[] = "CREATE TABLE jobs ("
                                "  id {id},"
                                "  kind {text} NOT NULL CHECK (kind IN ('games', 'solve', 'paper')),"
                                "  match_id {int} REFERENCES matches (id),"
                                "  state {text} NOT NULL CHECK (state IN ('open', 'paused', 'cancelled', 'done')),"
                                "  unit {int} NOT NULL,"
                                "  lease {int} NOT NULL,"
                                "  created {int} NOT NULL,"
                                "  finished {int},"
                                "  build {text} NOT NULL,"
                                "  title {text} NOT NULL,"
                                "  spec {text} NOT NULL,"
                                "  openings {text} NOT NULL,"
                                "  CHECK ((match_id IS NOT NULL) = (kind = 'games')),"
                                "  CHECK ((finished IS NULL) = (state IN ('open', 'paused')))"
                                "){strict};"
                                "CREATE UNIQUE INDEX jobs_that_go_on ON jobs (match_id) WHERE finished IS NULL;"
                                "CREATE TABLE workers ("
                                "  id {id},"
                                "  name {text} NOT NULL,"
                                "  slots {int} NOT NULL,"
                                "  started {int} NOT NULL,"
                                "  seen {int} NOT NULL,"
                                "  ended {int},"
                                "  games {int} NOT NULL,"
                                "  build {text} NOT NULL,"
                                "  words {text} NOT NULL"
                                "){strict};"
                                "CREATE TABLE units ("
                                "  id {id},"
                                "  job_id {int} NOT NULL REFERENCES jobs (id),"
                                "  first_game {int} NOT NULL,"
                                "  games {int} NOT NULL CHECK (games > 0),"
                                "  state {text} NOT NULL CHECK (state IN ('open', 'held', 'done', 'aside', 'dropped')),"
                                "  failures {int} NOT NULL,"
                                "  lost {int} NOT NULL DEFAULT 0,"
                                "  worker_id {int} REFERENCES workers (id),"
                                "  token {int},"
                                "  progress {int} NOT NULL,"
                                "  claimed {int},"
                                "  expires {int},"
                                "  finished {int},"
                                "  reason {text}"
                                "){strict};"
                                "CREATE INDEX units_by_job ON units (job_id, state);"
                                "CREATE INDEX units_that_are_open ON units (job_id, first_game) WHERE state = 'open';"
                                "CREATE INDEX units_that_are_held ON units (expires) WHERE state = 'held';"
                                "CREATE TABLE answers ("
                                "  job_id {int} NOT NULL REFERENCES jobs (id),"
                                "  number {int} NOT NULL,"
                                "  answer {text} NOT NULL,"
                                "  PRIMARY KEY (job_id, number)"
                                "){strict};";

const char *const migrations[] = {version_1, version_2, version_3, version_4, version_5, version_6};
const int migration_count = (int)(sizeof migrations / sizeof migrations[0]);

// What is read of a worker.
#define WORKER_COLUMNS                                                                                                 \
    "w.id, w.name, w.slots, w.build, w.words, w.games, w.started, w.seen, w.ended,"                                    \
    " (SELECT CAST(coalesce(sum(u.games), 0) AS {int}) FROM units u WHERE u.worker_id = w.id AND u.state = 'held'),"   \
    " CASE WHEN w.ended IS NULL AND w.seen > {now} - 60000 THEN 1 ELSE 0 END AS is_alive"

const char *const query_texts[QUERY_COUNT] = {
    [QUERY_BEGIN] = "{begin}",
    [QUERY_BEGIN_TO_READ] = "{begin to read}",
    [QUERY_COMMIT] = "COMMIT",
    [QUERY_ROLLBACK] = "ROLLBACK",
    // These two where many may write: PostgreSQL alone. 1802661751 is "krow".
    [QUERY_LOCK] = "SELECT pg_advisory_xact_lock(1802661751, CAST(? AS INTEGER))",
    [QUERY_NOTIFY] = "SELECT pg_notify(?, '')",
    [QUERY_MATCH_ADD] = "INSERT INTO matches (kind, game, spec, created, finished, sprt, origin)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
    [QUERY_MATCH_FIND] =
        "SELECT id FROM matches WHERE spec = ? AND (? <> 0 OR finished IS NULL) ORDER BY id DESC LIMIT 1",
    [QUERY_MATCH_FINISH] = "UPDATE matches SET finished = coalesce(finished, ?) WHERE id = ? RETURNING id",
    [QUERY_MATCH_IDS] = "SELECT id FROM matches ORDER BY id",
    [QUERY_MATCH_IDS_NEWEST] = "SELECT id FROM matches ORDER BY id DESC LIMIT ?",
    [QUERY_MATCH] = "SELECT kind, game, spec, created, finished, (SELECT count(*) FROM games WHERE match_id = m.id),"
                    " sprt, origin FROM matches m WHERE id = ?",
    [QUERY_AGENT_ADD] = "INSERT INTO agents (name, is_foreign) VALUES (?, ?) ON CONFLICT DO NOTHING",
    [QUERY_SOURCE_ADD] = "INSERT INTO sources (name) VALUES (?) ON CONFLICT DO NOTHING",
    [QUERY_OPENING_ADD] =
        "INSERT INTO openings (game, setup, stones, length) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    [QUERY_GAME_ADD] = GAME_INSERT " ON CONFLICT DO NOTHING RETURNING id",
    [QUERY_GAME] = GAME_SELECT " WHERE g.id = ?",
    [QUERY_GAME_HEAD] = "SELECT g.match_id, g.number, g.game, a.name, b.name, g.result, g.reason, g.event, g.date,"
                        " g.started, g.ended, g.stones"
                        " FROM games g JOIN agents a ON a.id = g.first_id JOIN agents b ON b.id = g.second_id"
                        " WHERE g.id = ?",
    [QUERY_GAME_SCORES] = "SELECT number, result, fault, faulty FROM games WHERE match_id = ? ORDER BY number",
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
    [QUERY_JOB_ADD] = "INSERT INTO jobs (kind, match_id, state, unit, lease, created, build, title, spec, openings)"
                      " VALUES (?, ?, 'open', ?, ?, {now}, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id",
    [QUERY_JOB_FIND] = "SELECT id FROM jobs WHERE match_id = ? AND finished IS NULL",
    [QUERY_JOB_STATE] = "SELECT state FROM jobs WHERE id = ?",
    [QUERY_JOB_FIND_SAME] = "SELECT id FROM jobs WHERE kind = ? AND build = ? AND spec = ? AND openings = ?"
                            " ORDER BY id DESC LIMIT 1",
    [QUERY_JOB_IDS] = "SELECT id FROM jobs ORDER BY id",
    // Those that go on stand first, in the order in which they are played.
    [QUERY_JOB_IDS_NEWEST] = "SELECT id FROM jobs ORDER BY CASE WHEN finished IS NULL THEN 0 ELSE 1 END,"
                             " CASE WHEN finished IS NULL THEN id ELSE -id END LIMIT ?",
    // Not EXISTS, here and below: PostgreSQL makes a join of it that reads all units which are open or held. With an
    // order it reads the first one of an index.
    [QUERY_JOB_NEXT] = "SELECT id FROM jobs j WHERE state = 'open' AND id > ? AND (SELECT u.first_game FROM units u"
                       " WHERE u.job_id = j.id AND u.state = 'open' ORDER BY u.first_game LIMIT 1) IS NOT NULL"
                       " ORDER BY id LIMIT 1",
    [QUERY_JOB] =
        "SELECT j.match_id, j.spec, CASE WHEN ? <> 0 THEN j.openings END, j.build, j.unit, j.lease, m.kind, j.state, "
        "j.created, j.finished,"
        " CAST(coalesce(sum(u.games), 0) AS {int}), CAST(coalesce(sum(u.games) FILTER (WHERE u.state = 'done'), 0) AS"
        " {int}), CAST(coalesce(sum(u.games) FILTER (WHERE u.state = 'held'), 0) AS {int}),"
        " CAST(coalesce(sum(u.games) FILTER (WHERE u.state = 'aside'), 0) AS {int}),"
        " count(*) FILTER (WHERE u.state = 'done'), CAST(coalesce(sum(u.lost), 0) AS {int}),"
        " CAST(coalesce(sum(u.games) FILTER (WHERE u.state = 'done' AND u.finished > {now} - 60000), 0) AS {int}),"
        " (SELECT f.reason FROM units f WHERE f.job_id = j.id AND f.reason IS NOT NULL ORDER BY f.id DESC LIMIT 1),"
        " j.kind, j.title FROM jobs j LEFT JOIN matches m ON m.id = j.match_id LEFT JOIN units u ON u.job_id = j.id "
        "WHERE j.id = ?"
        " GROUP BY j.id, m.id",
    // The state it must be in, or one of two; the state it gets, and whether it ends with that.
    [QUERY_JOB_CHANGE] = "UPDATE jobs SET state = ?, finished = CASE WHEN ? <> 0 THEN {now} ELSE NULL END"
                         " WHERE id = ? AND state IN (?, ?) RETURNING id",
    // 'held' and 'open' are the last of all states in the alphabet.
    [QUERY_JOBS_CLOSE] = "UPDATE jobs SET state = 'done', finished = {now} WHERE finished IS NULL"
                         " AND (SELECT u.state FROM units u WHERE u.job_id = jobs.id AND u.state >= 'held'"
                         " ORDER BY u.state LIMIT 1) IS NULL RETURNING id",
    [QUERY_UNITS_DROP] = "UPDATE units SET state = 'dropped', token = NULL WHERE job_id = ? AND state IN ('open',"
                         " 'held')",
    [QUERY_UNITS_RETRY] = "UPDATE units SET state = 'open', failures = 0 WHERE job_id = ? AND state IN ('aside',"
                          " 'dropped') RETURNING id",
    [QUERY_UNITS_EXPIRE] = "UPDATE units SET state = CASE WHEN failures + 1 >= ? THEN 'aside' ELSE 'open' END,"
                           " failures = failures + 1, lost = lost + 1, token = NULL, reason = 'lost by worker '"
                           " || (SELECT w.name FROM workers w WHERE w.id = units.worker_id)"
                           " WHERE id IN (SELECT e.id FROM units e WHERE e.state = 'held' AND e.expires < {now}{skip"
                           " locked}) RETURNING id",
    [QUERY_UNIT_ADD] = "INSERT INTO units (job_id, first_game, games, state, failures, progress)"
                       " VALUES (?, ?, ?, 'open', ?, 0) RETURNING id",
    // What is left of the job and how many could work on it say how large a unit may be. Of very many open units only
    // some are added up (UNIT_OPEN_MAX): units are small then anyway. The last ten bits of the sum count them. Slots
    // are counted where the worker has not said how many there are.
    [QUERY_UNIT_FIND] =
        "SELECT u.id, u.first_game, u.games, u.failures,"
        " (SELECT j.unit FROM jobs j WHERE j.id = u.job_id), (SELECT j.lease FROM jobs j WHERE j.id = u.job_id),"
        " (SELECT CAST(sum(1024 * o.games + 1) AS {int}) FROM (SELECT games FROM units WHERE job_id = ? AND state = "
        "'open'"
        " LIMIT 512) o), CASE WHEN ? > 0 THEN ? ELSE (SELECT CAST(coalesce(sum(w.slots), 0) AS {int}) FROM workers w"
        " WHERE w.ended IS NULL AND w.seen > {now} - 60000) END,"
        " (SELECT CASE WHEN j.kind = 'games' THEN 2 ELSE 1 END FROM jobs j WHERE j.id = u.job_id)"
        " FROM units u WHERE u.job_id = ? AND u.state = 'open' AND EXISTS (SELECT 1 FROM jobs j"
        " WHERE j.id = u.job_id AND j.state = 'open') ORDER BY u.first_game LIMIT 1{skip locked}",
    [QUERY_UNIT_HELD] = "SELECT id, first_game, games, (SELECT j.lease FROM jobs j WHERE j.id = job_id) FROM units"
                        " WHERE worker_id = ? AND token = ? AND state = 'held'",
    [QUERY_UNIT_TAKE] = "UPDATE units SET state = 'held', worker_id = ?, token = ?, progress = 0, claimed = {now},"
                        " expires = {now} + ? WHERE id = ?",
    [QUERY_UNIT_CUT] = "UPDATE units SET first_game = ?, games = ? WHERE id = ?",
    [QUERY_UNIT_FINISH] = "UPDATE units SET state = 'done', games = ?, lost = lost + ?, finished = {now} WHERE id = ?"
                          " AND token = ? AND state = 'held' RETURNING failures",
    [QUERY_UNIT_RETURN] = "UPDATE units SET state = 'open', token = NULL WHERE id = ? AND token = ? AND state = 'held'"
                          " RETURNING failures",
    [QUERY_UNIT_FAIL] = "UPDATE units SET state = CASE WHEN failures + 1 >= ? THEN 'aside' ELSE 'open' END,"
                        " failures = failures + 1, lost = lost + 1, token = NULL, reason = ? WHERE id = ? AND token = ?"
                        " AND state = 'held' RETURNING failures",
    [QUERY_UNIT_BEAT] = "UPDATE units SET progress = ?, expires = {now} + ? WHERE id = ? AND token = ?"
                        " AND state = 'held' AND progress < ?",
    [QUERY_UNIT_STATE] = "SELECT state FROM units WHERE id = ? AND token = ?",
    [QUERY_WORKER_ADD] = "INSERT INTO workers (name, slots, started, seen, games, build, words)"
                         " VALUES (?, ?, {now}, {now}, 0, ?, '') RETURNING id",
    [QUERY_WORKER_BEAT] = "UPDATE workers SET seen = {now}, games = ?, words = ? WHERE id = ?",
    [QUERY_WORKER_END] = "UPDATE workers SET ended = {now} WHERE id = ?",
    [QUERY_WORKERS] = "SELECT " WORKER_COLUMNS
                      " FROM workers w WHERE ? <> 0 OR (w.ended IS NULL AND w.seen > {now} - 60000) ORDER BY w.id",
    [QUERY_WORKERS_NEWEST] =
        "SELECT " WORKER_COLUMNS
        " FROM workers w WHERE w.seen > {now} - ? ORDER BY is_alive DESC, w.ended IS NOT NULL, w.id DESC LIMIT ?",
    [QUERY_ANSWER_ADD] = "INSERT INTO answers (job_id, number, answer) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
                         " RETURNING number",
    [QUERY_ANSWERS_FROM] = "SELECT number, answer FROM answers WHERE job_id = ? AND number >= ? ORDER BY number"
                           " LIMIT ?",
    [QUERY_GAMES_FROM] = GAME_SELECT " WHERE g.match_id = ? AND g.number >= ? ORDER BY g.number LIMIT ?",
    [QUERY_GAMES_COUNTS_FROM] =
        "SELECT g.number, c.side, c.name, c.value FROM (SELECT id, number FROM games WHERE match_id = ?"
        " AND number >= ? ORDER BY number LIMIT ?) g JOIN game_counts c ON c.game_id = g.id ORDER BY g.number",
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
    if (filter->result != RESULT_NONE)
        text_add(text, " AND g.result = ?");
    if (filter->before != 0)
        text_add(text, " AND g.id < ?");
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
    [FILTERED_COUNT] = {"SELECT count(*) FROM games g WHERE 1 = 1", ""},
    [FILTERED_NEWEST] = {"SELECT g.id FROM games g WHERE 1 = 1", " ORDER BY g.id DESC LIMIT ? OFFSET ?"},
    [FILTERED_STONES] = {"SELECT g.id, g.setup, g.stones FROM games g WHERE 1 = 1", " ORDER BY g.id DESC LIMIT ?"},
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
    Query query = query_prepare(db, text.data);
    text_close(&text);
    if (wanted->match != 0)
        query_bind_int(&query, wanted->match);
    if (wanted->rules != NULL)
        query_bind_rules(&query, wanted->rules);
    for (int side = 0; side < 2 && wanted->agent != NULL; side++)
        query_bind_text(&query, wanted->agent);
    if (wanted->result != RESULT_NONE)
        query_bind_text(&query, result_name(wanted->result));
    if (wanted->before != 0)
        query_bind_int(&query, wanted->before);
    return query;
}
