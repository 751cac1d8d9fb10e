-- One row for each version of a prompt. The content is JSON: a string or a list of messages.
CREATE TABLE prompts (
    id             TEXT    NOT NULL PRIMARY KEY,
    project_id     TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name           TEXT    NOT NULL,
    version        INTEGER NOT NULL,
    type           TEXT    NOT NULL,
    content        TEXT    NOT NULL,
    config         TEXT    NOT NULL,
    commit_message TEXT,
    created_by     TEXT    NOT NULL,
    created_at     BIGINT  NOT NULL,
    updated_at     BIGINT  NOT NULL,
    UNIQUE (project_id, name, version)
);

-- A label names one version of a name. Positions keep the order in which a version got its labels.
CREATE TABLE prompt_labels (
    project_id TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    label      TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    PRIMARY KEY (project_id, name, label),
    FOREIGN KEY (project_id, name, version) REFERENCES prompts (project_id, name, version) ON DELETE CASCADE
);
CREATE INDEX prompt_labels_version ON prompt_labels (project_id, name, version);
CREATE INDEX prompt_labels_label ON prompt_labels (project_id, label);

-- Tags are those of a name, whatever the version.
CREATE TABLE prompt_tags (
    project_id TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT    NOT NULL,
    position   INTEGER NOT NULL,
    tag        TEXT    NOT NULL,
    PRIMARY KEY (project_id, name, position)
);
CREATE INDEX prompt_tags_tag ON prompt_tags (project_id, tag);

-- Which prompts a version names in its content, by version or by label.
CREATE TABLE prompt_references (
    parent_id     TEXT    NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    project_id    TEXT    NOT NULL,
    child_name    TEXT    NOT NULL,
    child_version INTEGER,
    child_label   TEXT,
    PRIMARY KEY (parent_id, position)
);
CREATE INDEX prompt_references_child ON prompt_references (project_id, child_name);

-- Every change of a project's prompts increments its revision first: changes wait for each other there, and other servers
-- notice by it that what they remember is out of date.
CREATE TABLE prompt_revisions (
    project_id TEXT   NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    revision   BIGINT NOT NULL
);
