-- Which key wrote a score without its secret, so that browsers can change their own scores and no others.

ALTER TABLE scores{local}{on_cluster} ADD COLUMN IF NOT EXISTS browser_key LowCardinality(String);
