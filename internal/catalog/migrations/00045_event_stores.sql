-- The event stores in data directories that belong to this catalog: one, or one of each server that shares the catalog.
CREATE TABLE event_stores (
    id TEXT NOT NULL PRIMARY KEY
);
