-- Which versions the rows of a granule have, for those who read what has arrived since the last time. Parts that are there already get
-- it when they are merged, or by MATERIALIZE INDEX.

ALTER TABLE observations{local}{on_cluster}
    ADD INDEX IF NOT EXISTS versions_seen version TYPE minmax GRANULARITY 1;

ALTER TABLE scores{local}{on_cluster}
    ADD INDEX IF NOT EXISTS versions_seen version TYPE minmax GRANULARITY 1;
