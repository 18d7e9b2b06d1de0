-- Version 8: checksums, so that changes behind krow's back are found: of a game with its names, opening and counts, of a
-- book with its nodes and links, of a pattern. NULL in rows of older versions, which cannot be checked.
ALTER TABLE games ADD COLUMN checksum {int};
ALTER TABLE books ADD COLUMN checksum {int};
ALTER TABLE patterns ADD COLUMN checksum {int};
