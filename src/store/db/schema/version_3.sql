-- Version 3: counts that agents report about their turns, summed over a game, including zeros.
CREATE TABLE game_counts (
  game_id {int} NOT NULL REFERENCES games (id),
  side {text} NOT NULL CHECK (side IN ('first', 'second')),
  name {text} NOT NULL,
  value {int} NOT NULL,
  PRIMARY KEY (game_id, side, name)
){strict};
