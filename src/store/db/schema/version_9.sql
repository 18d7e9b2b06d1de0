-- Version 9: verification of workers. A unit with `verifies` computes the unit of that number again, by a worker with
-- another label, the name without the process; its results are in `checks`. The verdict of a finished unit is NULL until
-- it has been decided whether it is computed again. Workers in quarantine get no units.
ALTER TABLE jobs ADD COLUMN verify {int}; -- share of the units that are computed again, in millionths; NULL: none
ALTER TABLE workers ADD COLUMN label {text};
ALTER TABLE units ADD COLUMN verifies {int} REFERENCES units (id);
ALTER TABLE units ADD COLUMN verdict {text} CHECK (verdict IN ('unchecked', 'pending', 'agreed', 'again'));
CREATE INDEX units_that_verify ON units (verifies) WHERE verifies IS NOT NULL;
CREATE TABLE checks (
  unit_id {int} NOT NULL REFERENCES units (id),
  number {int} NOT NULL,
  answer {text} NOT NULL,
  PRIMARY KEY (unit_id, number)
){strict};
CREATE TABLE quarantine (
  id {id},
  label {text} NOT NULL UNIQUE,
  since {int} NOT NULL,
  reason {text} NOT NULL
){strict};
