-- Version 4: learned winning patterns, in named sets for one rules each. `code` is the text of the canonical symmetric
-- image of a pattern (threats/pattern.h). AUTOINCREMENT: numbers are never reused, even if the newest pattern was
-- removed, because readers of a set ask for the patterns above the last number they saw.
CREATE TABLE patterns (
  id {counted id},
  game {text} NOT NULL,
  set_name {text} NOT NULL,
  tier {int} NOT NULL,
  learned {int} NOT NULL,
  code {text} NOT NULL,
  UNIQUE (game, set_name, code)
){strict};
CREATE INDEX patterns_by_set ON patterns (game, set_name, id);
