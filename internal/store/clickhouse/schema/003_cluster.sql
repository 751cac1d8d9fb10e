-- The distributed table has the same columns.

ALTER TABLE scores{on_cluster} ADD COLUMN IF NOT EXISTS browser_key LowCardinality(String);
