-- The distributed table has the same columns.

ALTER TABLE observations{on_cluster} ADD COLUMN IF NOT EXISTS inherited LowCardinality(String);
