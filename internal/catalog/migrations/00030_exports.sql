-- Files that are made of what projects have. Without a reference to the project: they stay until their blobs are noted as unused,
-- which happens when a project is deleted. leased_by is the server that works on one, until leased_until; another takes it over then.
CREATE TABLE exports (
    id           TEXT   NOT NULL PRIMARY KEY,
    project_id   TEXT   NOT NULL,
    source       TEXT   NOT NULL,
    format       TEXT   NOT NULL,
    request      TEXT   NOT NULL,
    state        TEXT   NOT NULL,
    row_count    BIGINT NOT NULL,
    total_rows   BIGINT,
    byte_count   BIGINT NOT NULL,
    error        TEXT   NOT NULL,
    actor_kind   TEXT   NOT NULL,
    actor_id     TEXT   NOT NULL,
    as_of        BIGINT,
    finished_at  BIGINT,
    expires_at   BIGINT,
    leased_by    TEXT,
    leased_until BIGINT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX exports_project ON exports (project_id, created_at);
CREATE INDEX exports_state ON exports (state, created_at);

-- The pieces of a file, in their order.
CREATE TABLE export_parts (
    export_id TEXT   NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
    number    BIGINT NOT NULL,
    blob_key  TEXT   NOT NULL,
    bytes     BIGINT NOT NULL,
    PRIMARY KEY (export_id, number)
);
