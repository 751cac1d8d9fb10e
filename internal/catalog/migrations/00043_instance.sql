-- The id by which buckets know this installation. A restored copy gets another.
CREATE TABLE instance (
    row_id INTEGER NOT NULL PRIMARY KEY,
    id     TEXT    NOT NULL
);
