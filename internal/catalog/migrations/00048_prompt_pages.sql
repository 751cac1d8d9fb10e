-- A digest of the content and config of a version, by which versions with the same content are recognized; NULL for versions from
-- before this column.
ALTER TABLE prompts ADD COLUMN hash TEXT;

-- Lists of prompts and versions read everything but the content, which may be long.
CREATE INDEX prompts_listed ON prompts (project_id, name, version, type, created_at, created_by);

-- Labels that only administrators of the project may move.
CREATE TABLE protected_prompt_labels (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    label      TEXT NOT NULL,
    PRIMARY KEY (project_id, label)
);

-- When labels other than latest moved. A version is NULL if the label belonged, or belongs, to none.
CREATE TABLE prompt_label_moves (
    id           TEXT   NOT NULL PRIMARY KEY,
    project_id   TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name         TEXT   NOT NULL,
    label        TEXT   NOT NULL,
    from_version INTEGER,
    to_version   INTEGER,
    at           BIGINT NOT NULL,
    actor_kind   TEXT   NOT NULL,
    actor_id     TEXT   NOT NULL
);
CREATE INDEX prompt_label_moves_name ON prompt_label_moves (project_id, name, at, id);

-- Deleted versions, kept for a while so that they can be restored. Those that were deleted together are restored together. tags, labels
-- and refs, the references to other prompts, are JSON.
CREATE TABLE prompt_deletions (
    id         TEXT   NOT NULL PRIMARY KEY,
    project_id TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT   NOT NULL,
    type       TEXT   NOT NULL,
    tags       TEXT   NOT NULL,
    at         BIGINT NOT NULL,
    actor_kind TEXT   NOT NULL,
    actor_id   TEXT   NOT NULL
);
CREATE INDEX prompt_deletions_project ON prompt_deletions (project_id, at, id);
CREATE INDEX prompt_deletions_at ON prompt_deletions (at);

CREATE TABLE deleted_prompts (
    deletion_id    TEXT    NOT NULL REFERENCES prompt_deletions (id) ON DELETE CASCADE,
    id             TEXT    NOT NULL,
    version        INTEGER NOT NULL,
    content        TEXT    NOT NULL,
    config         TEXT    NOT NULL,
    commit_message TEXT,
    created_by     TEXT    NOT NULL,
    created_at     BIGINT  NOT NULL,
    updated_at     BIGINT  NOT NULL,
    hash           TEXT,
    labels         TEXT    NOT NULL,
    refs           TEXT    NOT NULL,
    PRIMARY KEY (deletion_id, version)
);
