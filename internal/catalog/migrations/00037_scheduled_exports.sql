-- How far the scheduled exports of a project are: up to which writes of the event store its tables were exported, and up to which the
-- run that is planned or under way exports them. A run that was interrupted is repeated with the same bounds.
CREATE TABLE blob_storage_runs (
    project_id           TEXT    NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    leased_by            TEXT,
    leased_until         BIGINT,
    attempts             INTEGER NOT NULL,
    done_observations    BIGINT  NOT NULL,
    done_scores          BIGINT  NOT NULL,
    planned_observations BIGINT,
    planned_scores       BIGINT,
    planned_at           BIGINT,
    row_count            BIGINT  NOT NULL,
    byte_count           BIGINT  NOT NULL
);

-- What was deleted from the event store and not told to the bucket yet. deleted_at is missing while the deletion is under way; planned
-- ones belong to the run that is planned.
CREATE TABLE export_deletions (
    id          TEXT    NOT NULL PRIMARY KEY,
    project_id  TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    table_name  TEXT    NOT NULL,
    row_keys    TEXT    NOT NULL,
    before_time BIGINT  NOT NULL,
    planned     BOOLEAN NOT NULL,
    deleted_at  BIGINT,
    created_at  BIGINT  NOT NULL
);
CREATE INDEX export_deletions_project ON export_deletions (project_id, planned, id);
