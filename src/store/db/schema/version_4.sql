-- Version 4: winning patterns that were learned, in named sets for rules each. `code` is the text of the picture that
-- comes first among all of a pattern (threats/pattern.h). AUTOINCREMENT: a number is never given twice, also when the
-- newest pattern was forgotten, because a reader of a set asks later for what is above the last number it saw.
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
