-- Version 5: what a SPRT of a match asks, and who began the match; and games by their rules, so that those of one game
-- can be paged through without a look at all.
ALTER TABLE matches ADD COLUMN sprt {text};
ALTER TABLE matches ADD COLUMN origin {text};
CREATE INDEX games_by_game ON games (game);
