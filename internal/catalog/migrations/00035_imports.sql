-- How far imports are: one row for each table of a source. report is JSON: what was counted, imported and skipped so far.
CREATE TABLE imports (
    source     TEXT    NOT NULL,
    table_name TEXT    NOT NULL,
    position   TEXT    NOT NULL,
    finished   BOOLEAN NOT NULL,
    report     TEXT    NOT NULL,
    updated_at BIGINT  NOT NULL,
    PRIMARY KEY (source, table_name)
);
