-- What people are told: a comment that mentions them, or a file that they asked for and that is done. An entry is about either and goes
-- with it. trace_id is the trace of an observation that was commented on.
CREATE TABLE inbox (
    id         TEXT   NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    project_id TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    comment_id TEXT   REFERENCES comments (id) ON DELETE CASCADE,
    export_id  TEXT   REFERENCES exports (id) ON DELETE CASCADE,
    trace_id   TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    read_at    BIGINT,
    UNIQUE (user_id, comment_id),
    UNIQUE (user_id, export_id)
);
CREATE INDEX inbox_user ON inbox (user_id, id);
CREATE INDEX inbox_created ON inbox (created_at);
CREATE INDEX inbox_project ON inbox (project_id);
CREATE INDEX inbox_comment ON inbox (comment_id);
CREATE INDEX inbox_export ON inbox (export_id);
