-- Where a change came from; empty for what was recorded before, and where it is not known.
ALTER TABLE audit_log ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE audit_log ADD COLUMN request_id TEXT NOT NULL DEFAULT '';
ALTER TABLE audit_log ADD COLUMN client TEXT NOT NULL DEFAULT '';

-- The log is read newest first, of one organization or of all of them.
DROP INDEX audit_log_organization;
CREATE INDEX audit_log_organization ON audit_log (organization_id, at, id);
CREATE INDEX audit_log_at ON audit_log (at, id);
