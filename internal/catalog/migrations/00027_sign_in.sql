-- Who is disabled cannot sign in. An address is verified if its owner proved that it is theirs, or if the operator entered it.
ALTER TABLE users ADD COLUMN disabled_at BIGINT;
ALTER TABLE users ADD COLUMN password_changed_at BIGINT;
ALTER TABLE users ADD COLUMN email_verified_at BIGINT;

-- Of tokens only the SHA-256 is kept, in hexadecimal digits.
CREATE TABLE sessions (
    id           TEXT   NOT NULL PRIMARY KEY,
    token_hash   TEXT   NOT NULL UNIQUE,
    user_id      TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at   BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    address      TEXT   NOT NULL,
    client       TEXT   NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE invitations (
    id              TEXT   NOT NULL PRIMARY KEY,
    token_hash      TEXT   NOT NULL UNIQUE,
    organization_id TEXT   NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    project_id      TEXT   REFERENCES projects (id) ON DELETE CASCADE,
    email           TEXT   NOT NULL,
    role            TEXT   NOT NULL,
    project_role    TEXT,
    invited_by      TEXT   REFERENCES users (id) ON DELETE SET NULL,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    UNIQUE (organization_id, email)
);

CREATE TABLE password_resets (
    token_hash TEXT   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX password_resets_user ON password_resets (user_id);

-- What opens the set-up page while nobody can sign in; one for each server that was started.
CREATE TABLE setup_tokens (
    token_hash TEXT   NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL
);
