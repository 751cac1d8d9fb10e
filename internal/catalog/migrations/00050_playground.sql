-- What people keep for the playground: functions that models may ask for, and schemas of their answers. parameters and schema are JSON.
CREATE TABLE llm_tools (
    id          TEXT   NOT NULL PRIMARY KEY,
    project_id  TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name        TEXT   NOT NULL,
    description TEXT   NOT NULL,
    parameters  TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    UNIQUE (project_id, name)
);
CREATE TABLE llm_schemas (
    id          TEXT   NOT NULL PRIMARY KEY,
    project_id  TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name        TEXT   NOT NULL,
    description TEXT   NOT NULL,
    schema      TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL,
    UNIQUE (project_id, name)
);

-- Saved playgrounds. state is what the page shows, as JSON.
CREATE TABLE playgrounds (
    id         TEXT   NOT NULL PRIMARY KEY,
    project_id TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    state      TEXT   NOT NULL,
    changed_by TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (project_id, name)
);

-- The model of a project where none is chosen; it goes with its connection.
CREATE TABLE default_models (
    project_id    TEXT NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    connection_id TEXT NOT NULL REFERENCES llm_connections (id) ON DELETE CASCADE,
    model         TEXT NOT NULL
);
CREATE INDEX default_models_connection ON default_models (connection_id);
