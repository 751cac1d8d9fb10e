-- How many of the observations of a total stand for a whole trace: older questions leave these out.
ALTER TABLE daily_totals ADD COLUMN trace_records BIGINT NOT NULL DEFAULT 0;
