-- Version 1. Small columns come before long ones, so that queries for results read little.
--
-- An agent is one of krow's own (its full text) or a name from an imported game (is_foreign). The same name may be
-- both; they are different agents. Unknown times, results and faults are NULL.
{mark}
CREATE TABLE agents (
  id {id},
  name {text} NOT NULL,
  is_foreign {int} NOT NULL CHECK (is_foreign IN (0, 1)),
  UNIQUE (name, is_foreign)
){strict};
CREATE TABLE openings (
  id {id},
  game {text} NOT NULL,
  setup {text} NOT NULL, -- '' for the empty board
  stones {text} NOT NULL,
  length {int} NOT NULL,
  UNIQUE (game, setup, stones)
){strict};
CREATE TABLE matches (
  id {id},
  kind {text} NOT NULL CHECK (kind IN ('match', 'tournament')),
  game {text} NOT NULL,
  spec {text} NOT NULL,
  created {int} NOT NULL,
  finished {int}
){strict};
CREATE TABLE sources (
  id {id},
  name {text} NOT NULL UNIQUE
){strict};
CREATE TABLE games (
  id {id},
  match_id {int} REFERENCES matches (id),
  number {int},
  source_id {int} REFERENCES sources (id),
  game {text} NOT NULL,
  first_id {int} NOT NULL REFERENCES agents (id),
  second_id {int} NOT NULL REFERENCES agents (id),
  opening_id {int} REFERENCES openings (id),
  seed {int},
  result {text} CHECK (result IN ('first', 'second', 'draw')),
  fault {text} CHECK (fault IN ('illegal', 'timeout', 'crash')),
  faulty {text} CHECK (faulty IN ('first', 'second')),
  started {int},
  ended {int},
  reason {text} NOT NULL,
  event {text} NOT NULL,
  date {text} NOT NULL,
  hash {bytes},
  copy {int} NOT NULL,
  setup {text},
  stones {text} NOT NULL,
  times {text},
  kept {bytes},
  UNIQUE (match_id, number),
  CHECK ((match_id IS NULL) = (number IS NULL)),
  CHECK ((match_id IS NULL) = (source_id IS NOT NULL)),
  CHECK ((match_id IS NULL) = (hash IS NOT NULL)),
  CHECK ((fault IS NULL) = (faulty IS NULL))
){strict};
CREATE UNIQUE INDEX games_by_hash ON games (hash, copy) WHERE hash IS NOT NULL;
CREATE INDEX games_by_first ON games (first_id);
CREATE INDEX games_by_second ON games (second_id);
CREATE TABLE rating_lists (
  id {id},
  name {text} NOT NULL,
  game {text} NOT NULL, -- '' for several
  computed {int} NOT NULL
){strict};
CREATE TABLE ratings (
  list_id {int} NOT NULL REFERENCES rating_lists (id),
  agent_id {int} NOT NULL REFERENCES agents (id),
  rating {real} NOT NULL,
  error {real} NOT NULL,
  games {int} NOT NULL,
  PRIMARY KEY (list_id, agent_id)
){strict};
-- For people with an SQL prompt; krow does not use it.
CREATE VIEW game_list AS
 SELECT g.id, g.match_id AS match, g.number, g.game, a.name AS first, b.name AS second, g.result, g.reason,
  g.fault, g.faulty, o.stones AS opening, g.setup, g.stones, g.times, g.event, g.date, s.name AS source,
  {utc}g.started{of ms} AS started, g.ended - g.started AS ms
 FROM games g JOIN agents a ON a.id = g.first_id JOIN agents b ON b.id = g.second_id
 LEFT JOIN openings o ON o.id = g.opening_id LEFT JOIN sources s ON s.id = g.source_id;
