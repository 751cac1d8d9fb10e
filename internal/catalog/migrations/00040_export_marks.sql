-- Traces whose marks people changed since the bucket was told of their rows. Planned ones belong to the run that is planned.
CREATE TABLE export_marks (
    project_id TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    trace_id   TEXT    NOT NULL,
    planned    BOOLEAN NOT NULL,
    PRIMARY KEY (project_id, trace_id)
);
