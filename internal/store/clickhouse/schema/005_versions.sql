-- Skip index of versions, for readers of the rows that arrived since their last read. Existing parts get it when they
-- are merged, or by MATERIALIZE INDEX.

ALTER TABLE observations{local}{on_cluster}
    ADD INDEX IF NOT EXISTS versions_seen version TYPE minmax GRANULARITY 1;

ALTER TABLE scores{local}{on_cluster}
    ADD INDEX IF NOT EXISTS versions_seen version TYPE minmax GRANULARITY 1;
