-- The key that wrote a score without its secret, so that browsers can change only their own scores.

ALTER TABLE scores{local}{on_cluster} ADD COLUMN IF NOT EXISTS browser_key LowCardinality(String);
