-- Experiments that the server runs: each item of a dataset, as of a time, is answered by a model. plan is JSON. done and failed count calls of
-- the model, one for each item and repetition, of which total are to be made; unpriced are those without a known cost. leased_by is the
-- server that works on the run, until leased_until; unfinished is how often a server began to work on it since a call last ended.
CREATE TABLE experiment_runs (
    id             TEXT             NOT NULL PRIMARY KEY,
    project_id     TEXT             NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    dataset_id     TEXT             NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    name           TEXT             NOT NULL,
    connection     TEXT             NOT NULL,
    model          TEXT             NOT NULL,
    prompt_name    TEXT             NOT NULL,
    prompt_version BIGINT           NOT NULL,
    plan           TEXT             NOT NULL,
    as_of          BIGINT           NOT NULL,
    state          TEXT             NOT NULL,
    error          TEXT             NOT NULL,
    total          BIGINT           NOT NULL,
    done           BIGINT           NOT NULL,
    failed         BIGINT           NOT NULL,
    unpriced       BIGINT           NOT NULL,
    cost           DOUBLE PRECISION NOT NULL,
    input_tokens   BIGINT           NOT NULL,
    output_tokens  BIGINT           NOT NULL,
    actor_kind     TEXT             NOT NULL,
    actor_id       TEXT             NOT NULL,
    started_at     BIGINT,
    finished_at    BIGINT,
    created_at     BIGINT           NOT NULL,
    updated_at     BIGINT           NOT NULL,
    leased_by      TEXT,
    leased_until   BIGINT,
    unfinished     BIGINT           NOT NULL DEFAULT 0,
    UNIQUE (dataset_id, name)
);
CREATE INDEX experiment_runs_project ON experiment_runs (project_id, created_at);

-- The calls that have begun: a call is begun, done or failed. begun is how often it has begun without an end.
CREATE TABLE experiment_run_calls (
    run_id     TEXT   NOT NULL REFERENCES experiment_runs (id) ON DELETE CASCADE,
    item_id    TEXT   NOT NULL,
    repetition BIGINT NOT NULL,
    state      TEXT   NOT NULL,
    begun      BIGINT NOT NULL,
    PRIMARY KEY (run_id, item_id, repetition)
);
