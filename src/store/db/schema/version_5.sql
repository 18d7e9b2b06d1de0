-- Version 5: the SPRT settings of a match, and who started it; and an index of games by rules, so that pages of one
-- game do not scan all games.
ALTER TABLE matches ADD COLUMN sprt {text};
ALTER TABLE matches ADD COLUMN origin {text};
CREATE INDEX games_by_game ON games (game);
