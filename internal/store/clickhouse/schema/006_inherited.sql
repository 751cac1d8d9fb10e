-- Which values of a row are those of its trace, because the client sent none.

ALTER TABLE observations{local}{on_cluster} ADD COLUMN IF NOT EXISTS inherited LowCardinality(String);
