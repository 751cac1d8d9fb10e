-- One row for each version of a skill. The frontmatter is JSON.
CREATE TABLE skills (
    id             TEXT    NOT NULL PRIMARY KEY,
    project_id     TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name           TEXT    NOT NULL,
    version        INTEGER NOT NULL,
    description    TEXT    NOT NULL,
    frontmatter    TEXT    NOT NULL,
    commit_message TEXT,
    created_by     TEXT    NOT NULL,
    created_at     BIGINT  NOT NULL,
    updated_at     BIGINT  NOT NULL,
    UNIQUE (project_id, name, version)
);

-- A label names one version of a name. The newest version has the label latest without a row here.
CREATE TABLE skill_labels (
    project_id TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    label      TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    PRIMARY KEY (project_id, name, label),
    FOREIGN KEY (project_id, name, version) REFERENCES skills (project_id, name, version) ON DELETE CASCADE
);
CREATE INDEX skill_labels_version ON skill_labels (project_id, name, version);

-- Tags are those of a name, whatever the version.
CREATE TABLE skill_tags (
    project_id TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT    NOT NULL,
    position   INTEGER NOT NULL,
    tag        TEXT    NOT NULL,
    PRIMARY KEY (project_id, name, position)
);
CREATE INDEX skill_tags_tag ON skill_tags (project_id, tag);

-- The contents of files, each once for a project. They are JSON strings: a database cannot keep the character U+0000 otherwise.
CREATE TABLE skill_blobs (
    id         TEXT    NOT NULL PRIMARY KEY,
    project_id TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    hash       TEXT    NOT NULL,
    length     INTEGER NOT NULL,
    content    TEXT    NOT NULL,
    UNIQUE (project_id, hash)
);

CREATE TABLE skill_files (
    id       TEXT    NOT NULL PRIMARY KEY,
    skill_id TEXT    NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    path     TEXT    NOT NULL,
    blob_id  TEXT    NOT NULL REFERENCES skill_blobs (id) ON DELETE CASCADE,
    UNIQUE (skill_id, position)
);
CREATE INDEX skill_files_blob ON skill_files (blob_id);

-- Changes of a project's skills wait for each other at this row.
CREATE TABLE skill_revisions (
    project_id TEXT   NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    revision   BIGINT NOT NULL
);
