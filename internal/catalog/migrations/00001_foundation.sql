CREATE TABLE organizations (
    id         TEXT   NOT NULL PRIMARY KEY,
    name       TEXT   NOT NULL,
    metadata   TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

CREATE TABLE projects (
    id              TEXT   NOT NULL PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    name            TEXT   NOT NULL,
    metadata        TEXT   NOT NULL,
    retention_days  BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    UNIQUE (organization_id, name)
);

-- An organization key has no project. The secret is stored as a salted hash only.
CREATE TABLE api_keys (
    id              TEXT   NOT NULL PRIMARY KEY,
    organization_id TEXT   NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    project_id      TEXT            REFERENCES projects (id) ON DELETE CASCADE,
    public_key      TEXT   NOT NULL UNIQUE,
    secret_hash     TEXT   NOT NULL,
    display_secret  TEXT   NOT NULL,
    note            TEXT,
    permissions     TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT,
    last_used_at    BIGINT
);
CREATE INDEX api_keys_project ON api_keys (project_id, created_at);
CREATE INDEX api_keys_organization ON api_keys (organization_id, created_at);

CREATE TABLE users (
    id            TEXT   NOT NULL PRIMARY KEY,
    email         TEXT   NOT NULL UNIQUE,
    name          TEXT   NOT NULL,
    password_hash TEXT   NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);

CREATE TABLE organization_memberships (
    organization_id TEXT   NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id         TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role            TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX organization_memberships_user ON organization_memberships (user_id);

CREATE TABLE project_memberships (
    project_id TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_memberships_user ON project_memberships (user_id);

-- Without foreign keys: the record of a deletion outlives what was deleted.
CREATE TABLE audit_log (
    id              TEXT   NOT NULL PRIMARY KEY,
    at              BIGINT NOT NULL,
    organization_id TEXT   NOT NULL,
    project_id      TEXT   NOT NULL,
    actor_kind      TEXT   NOT NULL,
    actor_id        TEXT   NOT NULL,
    action          TEXT   NOT NULL,
    resource_kind   TEXT   NOT NULL,
    resource_id     TEXT   NOT NULL,
    state_before    TEXT,
    state_after     TEXT
);
CREATE INDEX audit_log_organization ON audit_log (organization_id, at);
