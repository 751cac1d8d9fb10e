-- Limits that were set for an organization, a project or a key, and what each of them has used. 0 stands for no limit of its own.
CREATE TABLE usage_limits (
    level               TEXT   NOT NULL,
    subject_id          TEXT   NOT NULL,
    organization_id     TEXT   NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    project_id          TEXT   REFERENCES projects (id) ON DELETE CASCADE,
    api_key_id          TEXT   REFERENCES api_keys (id) ON DELETE CASCADE,
    requests_per_minute BIGINT NOT NULL,
    requests_per_day    BIGINT NOT NULL,
    spans_per_minute    BIGINT NOT NULL,
    spans_per_day       BIGINT NOT NULL,
    bytes_per_minute    BIGINT NOT NULL,
    bytes_per_day       BIGINT NOT NULL,
    PRIMARY KEY (level, subject_id)
);

-- Minutes and days are numbers since 1970, in UTC. One row for each that used something lately; old ones are removed.
CREATE TABLE usage_counts (
    level           TEXT   NOT NULL,
    subject_id      TEXT   NOT NULL,
    minute          BIGINT NOT NULL,
    minute_requests BIGINT NOT NULL,
    minute_spans    BIGINT NOT NULL,
    minute_bytes    BIGINT NOT NULL,
    day             BIGINT NOT NULL,
    day_requests    BIGINT NOT NULL,
    day_spans       BIGINT NOT NULL,
    day_bytes       BIGINT NOT NULL,
    PRIMARY KEY (level, subject_id)
);
