-- When the rows of a granule arrived, for those who wait for new ones. Parts that are there already get it when they are merged, or by
-- MATERIALIZE INDEX.

ALTER TABLE observations{local}{on_cluster}
    ADD INDEX IF NOT EXISTS updated_at_seen updated_at TYPE minmax GRANULARITY 1;
