-- last_write is the time of the newest version of an item. It only grows, by a millisecond at least, so that each version has a
-- time of its own. active_items counts what the list of the dataset shows.
CREATE TABLE datasets (
    id                     TEXT   NOT NULL PRIMARY KEY,
    project_id             TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name                   TEXT   NOT NULL,
    description            TEXT,
    metadata               TEXT,
    input_schema           TEXT,
    expected_output_schema TEXT,
    last_write             BIGINT NOT NULL,
    active_items           BIGINT NOT NULL,
    created_at             BIGINT NOT NULL,
    updated_at             BIGINT NOT NULL,
    UNIQUE (project_id, name)
);
CREATE INDEX datasets_project ON datasets (project_id, created_at DESC, id);

-- Each write of an item adds a row, which is valid until the next one; it is never changed but for the end of its time. A
-- deletion is a version, too, so that of every id there was exactly one row is valid now, and no other dataset can take it.
CREATE TABLE dataset_item_versions (
    project_id            TEXT   NOT NULL,
    item_id               TEXT   NOT NULL,
    valid_from            BIGINT NOT NULL,
    valid_to              BIGINT,
    dataset_id            TEXT   NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    status                TEXT   NOT NULL,
    input                 TEXT,
    expected_output       TEXT,
    metadata              TEXT,
    source_trace_id       TEXT,
    source_observation_id TEXT,
    PRIMARY KEY (project_id, item_id, valid_from)
);
CREATE UNIQUE INDEX dataset_items ON dataset_item_versions (project_id, item_id) WHERE valid_to IS NULL;
CREATE INDEX dataset_items_project ON dataset_item_versions (project_id, valid_from DESC, item_id)
    WHERE valid_to IS NULL AND status = 'ACTIVE';
CREATE INDEX dataset_items_dataset ON dataset_item_versions (project_id, dataset_id, valid_from DESC, item_id)
    WHERE valid_to IS NULL AND status = 'ACTIVE';
CREATE INDEX dataset_items_trace ON dataset_item_versions (project_id, source_trace_id, valid_from DESC, item_id)
    WHERE valid_to IS NULL AND status = 'ACTIVE' AND source_trace_id IS NOT NULL;
CREATE INDEX dataset_items_observation ON dataset_item_versions (project_id, source_observation_id, valid_from DESC, item_id)
    WHERE valid_to IS NULL AND status = 'ACTIVE' AND source_observation_id IS NOT NULL;
CREATE INDEX dataset_item_versions_dataset ON dataset_item_versions (project_id, dataset_id, valid_from DESC, item_id, valid_to, status);

-- The id follows from the project, the dataset and the name. last_link is to links what last_write is to items.
CREATE TABLE dataset_runs (
    id          TEXT   NOT NULL PRIMARY KEY,
    dataset_id  TEXT   NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    name        TEXT   NOT NULL,
    description TEXT,
    metadata    TEXT,
    last_link   BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX dataset_runs_dataset ON dataset_runs (dataset_id, created_at DESC, id);

-- Without foreign keys to items and traces: a link outlives both.
CREATE TABLE dataset_run_items (
    run_id         TEXT   NOT NULL REFERENCES dataset_runs (id) ON DELETE CASCADE,
    item_id        TEXT   NOT NULL,
    trace_id       TEXT   NOT NULL,
    observation_id TEXT,
    created_at     BIGINT NOT NULL,
    PRIMARY KEY (run_id, item_id)
);
CREATE INDEX dataset_run_items_run ON dataset_run_items (run_id, created_at DESC, item_id);
