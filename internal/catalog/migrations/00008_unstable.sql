CREATE TABLE dashboard_widgets (
    id           TEXT   NOT NULL PRIMARY KEY,
    project_id   TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name         TEXT   NOT NULL,
    description  TEXT   NOT NULL,
    data_view    TEXT   NOT NULL,
    dimensions   TEXT   NOT NULL,
    metrics      TEXT   NOT NULL,
    filters      TEXT   NOT NULL,
    chart_type   TEXT   NOT NULL,
    chart_config TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX dashboard_widgets_project ON dashboard_widgets (project_id, updated_at, id);

CREATE TABLE dashboards (
    id          TEXT   NOT NULL PRIMARY KEY,
    project_id  TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name        TEXT   NOT NULL,
    description TEXT   NOT NULL,
    placements  TEXT   NOT NULL,
    filters     TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX dashboards_project ON dashboards (project_id, updated_at, id);

-- Which widgets the placements of a dashboard name, so that none of them is deleted.
CREATE TABLE dashboard_widget_uses (
    dashboard_id TEXT NOT NULL REFERENCES dashboards (id) ON DELETE CASCADE,
    widget_id    TEXT NOT NULL,
    PRIMARY KEY (dashboard_id, widget_id)
);
CREATE INDEX dashboard_widget_uses_widget ON dashboard_widget_uses (widget_id);

-- The ids of evaluators and rules sort by the time of their making; lists are in that order.
CREATE TABLE evaluators (
    id          TEXT   NOT NULL PRIMARY KEY,
    project_id  TEXT   NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name        TEXT   NOT NULL,
    description TEXT,
    kind        TEXT   NOT NULL,
    version     BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX evaluators_project ON evaluators (project_id, id);
CREATE INDEX evaluators_name ON evaluators (project_id, name);

-- Variables and mapping are beside the definition because rules show them, and prompts can be long.
CREATE TABLE evaluator_versions (
    id           TEXT   NOT NULL PRIMARY KEY,
    evaluator_id TEXT   NOT NULL REFERENCES evaluators (id) ON DELETE CASCADE,
    version      BIGINT NOT NULL,
    definition   TEXT   NOT NULL,
    variables    TEXT   NOT NULL,
    mapping      TEXT,
    created_at   BIGINT NOT NULL,
    UNIQUE (evaluator_id, version)
);

CREATE TABLE evaluation_rules (
    id         TEXT             NOT NULL PRIMARY KEY,
    project_id TEXT             NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT             NOT NULL,
    target     TEXT             NOT NULL,
    enabled    BOOLEAN          NOT NULL,
    sampling   DOUBLE PRECISION NOT NULL,
    filter     TEXT             NOT NULL,
    created_at BIGINT           NOT NULL,
    updated_at BIGINT           NOT NULL
);
CREATE INDEX evaluation_rules_project ON evaluation_rules (project_id, id);
CREATE INDEX evaluation_rules_name ON evaluation_rules (project_id, name);

CREATE TABLE evaluation_rule_evaluators (
    rule_id      TEXT   NOT NULL REFERENCES evaluation_rules (id) ON DELETE CASCADE,
    evaluator_id TEXT   NOT NULL REFERENCES evaluators (id) ON DELETE CASCADE,
    position     BIGINT NOT NULL,
    mapping      TEXT,
    PRIMARY KEY (rule_id, evaluator_id)
);
CREATE INDEX evaluation_rule_evaluators_evaluator ON evaluation_rule_evaluators (evaluator_id);
