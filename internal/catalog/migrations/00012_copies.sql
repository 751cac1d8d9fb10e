-- A catalog that is being filled from another one has a row here until a server is started on it.
CREATE TABLE copies (
    started_at BIGINT NOT NULL PRIMARY KEY
);
