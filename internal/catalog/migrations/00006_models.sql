-- Another text after each change of the project's models, so that every process notices the change at little cost.
ALTER TABLE projects ADD COLUMN models_revision TEXT NOT NULL DEFAULT '';

CREATE TABLE models (
    id               TEXT   NOT NULL PRIMARY KEY,
    project_id       TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name             TEXT   NOT NULL,
    match_pattern    TEXT   NOT NULL,
    start_date       BIGINT,
    unit             TEXT   NOT NULL,
    tokenizer_id     TEXT   NOT NULL,
    tokenizer_config TEXT,
    tiers            TEXT   NOT NULL,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    UNIQUE (project_id, name)
);

-- What is sealed is encrypted with a key that is not in the database.
CREATE TABLE llm_connections (
    id                  TEXT    NOT NULL PRIMARY KEY,
    project_id          TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    provider            TEXT    NOT NULL,
    adapter             TEXT    NOT NULL,
    sealed_secret       TEXT    NOT NULL,
    display_secret      TEXT    NOT NULL,
    base_url            TEXT,
    custom_models       TEXT    NOT NULL,
    with_default_models BOOLEAN NOT NULL,
    sealed_headers      TEXT,
    header_names        TEXT    NOT NULL,
    config              TEXT,
    created_at          BIGINT  NOT NULL,
    updated_at          BIGINT  NOT NULL,
    UNIQUE (project_id, provider)
);
CREATE INDEX llm_connections_project ON llm_connections (project_id, created_at DESC, id);

-- A project has one at most. The columns behind field_groups say how far its exports are.
CREATE TABLE blob_storage_integrations (
    project_id        TEXT    NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    type              TEXT    NOT NULL,
    bucket_name       TEXT    NOT NULL,
    endpoint          TEXT,
    region            TEXT    NOT NULL,
    access_key_id     TEXT,
    sealed_secret     TEXT,
    prefix            TEXT    NOT NULL,
    export_frequency  TEXT    NOT NULL,
    enabled           BOOLEAN NOT NULL,
    force_path_style  BOOLEAN NOT NULL,
    file_type         TEXT    NOT NULL,
    export_mode       TEXT    NOT NULL,
    export_start_date BIGINT,
    compressed        BOOLEAN NOT NULL,
    export_source     TEXT    NOT NULL,
    field_groups      TEXT,
    run_started_at    BIGINT,
    next_sync_at      BIGINT,
    last_sync_at      BIGINT,
    last_error        TEXT,
    last_error_at     BIGINT,
    created_at        BIGINT  NOT NULL,
    updated_at        BIGINT  NOT NULL
);
