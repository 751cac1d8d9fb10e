-- Scores refer to configs by id, so configs are archived and never deleted.
CREATE TABLE score_configs (
    id          TEXT    NOT NULL PRIMARY KEY,
    project_id  TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name        TEXT    NOT NULL,
    data_type   TEXT    NOT NULL,
    archived    BOOLEAN NOT NULL,
    description TEXT,
    min_value   DOUBLE PRECISION,
    max_value   DOUBLE PRECISION,
    categories  TEXT,
    created_at  BIGINT  NOT NULL,
    updated_at  BIGINT  NOT NULL
);
CREATE INDEX score_configs_project ON score_configs (project_id, created_at, id);

-- The ids of queues, items and comments sort by the time of their making.
CREATE TABLE annotation_queues (
    id               TEXT   NOT NULL PRIMARY KEY,
    project_id       TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name             TEXT   NOT NULL,
    description      TEXT,
    score_config_ids TEXT   NOT NULL,
    created_at       BIGINT NOT NULL,
    updated_at       BIGINT NOT NULL,
    UNIQUE (project_id, name)
);
CREATE INDEX annotation_queues_project ON annotation_queues (project_id, created_at, id);

-- What an item is about is in the event store, and may be gone from there.
CREATE TABLE annotation_queue_items (
    id           TEXT   NOT NULL PRIMARY KEY,
    queue_id     TEXT   NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
    object_type  TEXT   NOT NULL,
    object_id    TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    completed_at BIGINT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX annotation_queue_items_queue ON annotation_queue_items (queue_id, created_at, id);
CREATE INDEX annotation_queue_items_status ON annotation_queue_items (queue_id, status, created_at, id);

CREATE TABLE annotation_queue_assignments (
    queue_id   TEXT   NOT NULL REFERENCES annotation_queues (id) ON DELETE CASCADE,
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (queue_id, user_id)
);
CREATE INDEX annotation_queue_assignments_user ON annotation_queue_assignments (user_id);

-- A comment outlives its author: the id stays.
CREATE TABLE comments (
    id             TEXT   NOT NULL PRIMARY KEY,
    project_id     TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    object_type    TEXT   NOT NULL,
    object_id      TEXT   NOT NULL,
    content        TEXT   NOT NULL,
    author_user_id TEXT,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL
);
CREATE INDEX comments_project ON comments (project_id, created_at, id);
CREATE INDEX comments_object ON comments (project_id, object_type, object_id, created_at, id);
CREATE INDEX comments_author ON comments (project_id, author_user_id, created_at, id);
