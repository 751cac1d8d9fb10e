-- Of the rows before pending_before those whose numbers are larger came when the totals had been added up, and stay.
ALTER TABLE daily_totals_state ADD COLUMN pending_up_to BIGINT NOT NULL DEFAULT 9223372036854775807;
