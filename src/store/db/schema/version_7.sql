-- Version 7: an index of games by their source, for the saved games of the web board, which are searched in pages.
CREATE INDEX games_by_source ON games (source_id, id) WHERE source_id IS NOT NULL;
