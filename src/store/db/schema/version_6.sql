-- Version 6: work for workers. A job has the games of a match, or questions of another kind, whose answers are texts.
-- A unit is a range of games or questions. It is cut off a larger unit when a worker claims it, so there is one row
-- per claim. `token` identifies the attempt that holds or has finished it; `progress` is the number of turns played,
-- `expires` the end of the lease. `failures` counts the failures of its games, and is inherited by units cut off from
-- it; `lost` counts those of the row itself. Units that failed too often are 'aside', those of a cancelled job
-- 'dropped'.
CREATE TABLE jobs (
  id {id},
  kind {text} NOT NULL CHECK (kind IN ('games', 'solve', 'paper')),
  match_id {int} REFERENCES matches (id),
  state {text} NOT NULL CHECK (state IN ('open', 'paused', 'cancelled', 'done')),
  unit {int} NOT NULL,
  lease {int} NOT NULL,
  created {int} NOT NULL,
  finished {int},
  build {text} NOT NULL,
  title {text} NOT NULL,
  spec {text} NOT NULL,
  openings {text} NOT NULL,
  CHECK ((match_id IS NOT NULL) = (kind = 'games')),
  CHECK ((finished IS NULL) = (state IN ('open', 'paused')))
){strict};
CREATE UNIQUE INDEX jobs_that_go_on ON jobs (match_id) WHERE finished IS NULL;
CREATE TABLE workers (
  id {id},
  name {text} NOT NULL,
  slots {int} NOT NULL,
  started {int} NOT NULL,
  seen {int} NOT NULL,
  ended {int},
  games {int} NOT NULL,
  build {text} NOT NULL,
  words {text} NOT NULL
){strict};
CREATE TABLE units (
  id {id},
  job_id {int} NOT NULL REFERENCES jobs (id),
  first_game {int} NOT NULL,
  games {int} NOT NULL CHECK (games > 0),
  state {text} NOT NULL CHECK (state IN ('open', 'held', 'done', 'aside', 'dropped')),
  failures {int} NOT NULL,
  lost {int} NOT NULL DEFAULT 0,
  worker_id {int} REFERENCES workers (id),
  token {int},
  progress {int} NOT NULL,
  claimed {int},
  expires {int},
  finished {int},
  reason {text}
){strict};
CREATE INDEX units_by_job ON units (job_id, state);
CREATE INDEX units_that_are_open ON units (job_id, first_game) WHERE state = 'open';
CREATE INDEX units_that_are_held ON units (expires) WHERE state = 'held';
CREATE TABLE answers (
  job_id {int} NOT NULL REFERENCES jobs (id),
  number {int} NOT NULL,
  answer {text} NOT NULL,
  PRIMARY KEY (job_id, number)
){strict};
