-- How far a job has read what arrives in the event store, as numbers of observations: it has worked on those up to read_to, while the store
-- had reached mark.
ALTER TABLE jobs ADD COLUMN read_to BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN mark BIGINT NOT NULL DEFAULT 0;
