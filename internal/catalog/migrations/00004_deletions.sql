-- Projects that were deleted here and whose events are still to be deleted from the event store. Without foreign keys: the
-- project is gone.
CREATE TABLE project_deletions (
    project_id TEXT   NOT NULL PRIMARY KEY,
    at         BIGINT NOT NULL
);
