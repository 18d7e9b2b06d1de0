-- Version 3: what agents count about their own turns, added up over a game. All of a game that reported any, zeros too.
CREATE TABLE game_counts (
  game_id {int} NOT NULL REFERENCES games (id),
  side {text} NOT NULL CHECK (side IN ('first', 'second')),
  name {text} NOT NULL,
  value {int} NOT NULL,
  PRIMARY KEY (game_id, side, name)
){strict};
