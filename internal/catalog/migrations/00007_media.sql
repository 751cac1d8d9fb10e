-- Files that belong to traces and items of datasets. Without a reference to the project: they stay until their bytes are
-- removed, which happens some time after a project was deleted. blob_key is where the bytes are, once they are there; the
-- columns that begin with upload_ are what the client says about it.
CREATE TABLE media (
    project_id     TEXT   NOT NULL,
    id             TEXT   NOT NULL,
    sha256         TEXT   NOT NULL,
    content_type   TEXT   NOT NULL,
    content_length BIGINT NOT NULL,
    created_at     BIGINT NOT NULL,
    linked_at      BIGINT NOT NULL,
    blob_key       TEXT,
    stored_at      BIGINT,
    uploaded_at    BIGINT,
    upload_status  BIGINT,
    upload_error   TEXT,
    upload_millis  BIGINT,
    PRIMARY KEY (project_id, id)
);

-- Where media belong. An empty observation_id stands for the trace itself.
CREATE TABLE media_of_traces (
    project_id     TEXT   NOT NULL,
    trace_id       TEXT   NOT NULL,
    observation_id TEXT   NOT NULL,
    field          TEXT   NOT NULL,
    media_id       TEXT   NOT NULL,
    created_at     BIGINT NOT NULL,
    PRIMARY KEY (project_id, trace_id, observation_id, field, media_id)
);
CREATE INDEX media_of_traces_media ON media_of_traces (project_id, media_id);

CREATE TABLE media_of_dataset_items (
    project_id      TEXT   NOT NULL,
    dataset_id      TEXT   NOT NULL,
    dataset_item_id TEXT   NOT NULL,
    field           TEXT   NOT NULL,
    media_id        TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    PRIMARY KEY (project_id, dataset_id, dataset_item_id, field, media_id)
);
CREATE INDEX media_of_dataset_items_media ON media_of_dataset_items (project_id, media_id);

-- Keys of blobs that nothing refers to, and from when on they may be removed. One that is being written is here, too, until
-- it is whole: a crash leaves nothing behind that nobody knows of.
CREATE TABLE unused_blobs (
    blob_key     TEXT   NOT NULL PRIMARY KEY,
    remove_after BIGINT NOT NULL
);
CREATE INDEX unused_blobs_due ON unused_blobs (remove_after);

-- The key that addresses of media are signed with: one row, made at the first start.
CREATE TABLE media_signing_key (
    id     BIGINT NOT NULL PRIMARY KEY,
    secret TEXT   NOT NULL
);
