-- Skip index of arrival times, for clients that wait for new rows. Existing parts get it when they are merged, or by
-- MATERIALIZE INDEX.

ALTER TABLE observations{local}{on_cluster}
    ADD INDEX IF NOT EXISTS updated_at_seen updated_at TYPE minmax GRANULARITY 1;
