-- How much a project keeps, in bytes; 0 is no limit.
ALTER TABLE projects ADD COLUMN max_bytes BIGINT NOT NULL DEFAULT 0;

-- What is left of days whose observations were deleted for their age or for want of space: sums, one row for each value of by_what,
-- which says what value is: model, name, user, trace (its name), or nothing for level. Days count from 1970.
CREATE TABLE daily_totals (
    project_id    TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    day           BIGINT  NOT NULL,
    by_what       TEXT    NOT NULL,
    is_root       BOOLEAN NOT NULL,
    environment   TEXT    NOT NULL,
    type          TEXT    NOT NULL,
    level         TEXT    NOT NULL,
    value         TEXT    NOT NULL,
    observations  BIGINT  NOT NULL,
    traces        BIGINT  NOT NULL,
    input_tokens  BIGINT  NOT NULL,
    output_tokens BIGINT  NOT NULL,
    total_tokens  BIGINT  NOT NULL,
    input_cost    DOUBLE PRECISION NOT NULL,
    output_cost   DOUBLE PRECISION NOT NULL,
    total_cost    DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (project_id, day, by_what, is_root, environment, type, level, value)
);

-- How far deletions are. While pending_before is set, rows before it, in microseconds since 1970, are in the totals and may still be
-- in the event store: reads leave them out there, and the next deletion begins with them. version changes with every write.
CREATE TABLE daily_totals_state (
    project_id     TEXT   NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    version        BIGINT NOT NULL,
    pending_before BIGINT
);
