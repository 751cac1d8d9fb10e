-- Runs are also known from the spans of experiments. What began before a run was deleted does not bring it back.
CREATE TABLE dataset_run_deletions (
    run_id     TEXT   NOT NULL PRIMARY KEY,
    dataset_id TEXT   NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    at         BIGINT NOT NULL
);
CREATE INDEX dataset_run_deletions_dataset ON dataset_run_deletions (dataset_id);
