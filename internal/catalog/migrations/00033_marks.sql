-- What people say of a trace outweighs what its spans say, also those that arrive later. NULL says nothing.
CREATE TABLE trace_marks (
    project_id TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    trace_id   TEXT   NOT NULL,
    public     BOOLEAN,
    bookmarked BOOLEAN,
    tags       TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (project_id, trace_id)
);

-- Where in a text a comment belongs; NULL if it is about the whole thing.
ALTER TABLE comments ADD COLUMN anchor TEXT;
