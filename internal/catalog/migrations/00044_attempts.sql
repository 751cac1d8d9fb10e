-- How often work was begun since it last came to an end, whatever that was: work that took its server with it twice waits for a person.
ALTER TABLE exports ADD COLUMN unfinished BIGINT NOT NULL DEFAULT 0;
ALTER TABLE blob_storage_runs ADD COLUMN unfinished BIGINT NOT NULL DEFAULT 0;
