-- Work of the server that recurs and has no table of its own, such as retention. A job is due by the clock of the database; leased_by is
-- the server that works on it, until leased_until; unfinished is how often it was begun since it last came to an end.
CREATE TABLE jobs (
    id           TEXT   NOT NULL PRIMARY KEY,
    kind         TEXT   NOT NULL,
    due_at       BIGINT NOT NULL,
    started_at   BIGINT,
    finished_at  BIGINT,
    failures     BIGINT NOT NULL,
    error        TEXT   NOT NULL,
    leased_by    TEXT,
    leased_until BIGINT,
    unfinished   BIGINT NOT NULL
);
