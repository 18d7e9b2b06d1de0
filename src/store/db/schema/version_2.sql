-- Version 2: opening books. A node is a position at a depth, with counts from the first player's view; a link leads
-- from a node to one of the next depth by the stones of a turn. The index on to_id is for removing a book: without it
-- each removed node would need a search of all links.
CREATE TABLE books (
  id {id},
  name {text} NOT NULL UNIQUE,
  game {text} NOT NULL,
  encoding {text} NOT NULL CHECK (encoding IN ('relative', 'absolute')),
  is_symmetric {int} NOT NULL CHECK (is_symmetric IN (0, 1)),
  turns {int} NOT NULL,
  games {int} NOT NULL,
  built {int} NOT NULL
){strict};
CREATE TABLE book_nodes (
  id {id},
  book_id {int} NOT NULL REFERENCES books (id),
  depth {int} NOT NULL,
  wins {int} NOT NULL,
  ties {int} NOT NULL,
  losses {int} NOT NULL,
  code {text} NOT NULL,
  UNIQUE (book_id, depth, code)
){strict};
CREATE TABLE book_links (
  from_id {int} NOT NULL REFERENCES book_nodes (id),
  to_id {int} NOT NULL REFERENCES book_nodes (id),
  turn {text} NOT NULL,
  PRIMARY KEY (from_id, turn)
){strict};
CREATE INDEX book_links_by_to ON book_links (to_id);
