package people

import (
	"context"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const sessionColumns = "id, user_id, created_at, last_seen_at, expires_at, address, client"

func sessionFields(s *domain.Session) []any {
	return []any{
		&s.ID, &s.UserID, tables.AsTime(&s.CreatedAt), tables.AsTime(&s.LastSeenAt), tables.AsTime(&s.ExpiresAt), &s.Address, &s.Client,
	}
}

// maxSessions is the maximum number of sessions of a user. A further one ends the oldest.
const maxSessions = 100

// NewSession is the input of StartSession. It contains only hashes of tokens.
type NewSession struct {
	UserID     string
	TokenHash  string
	Replaces   string    // hash of the browser's previous token; empty for none
	At         time.Time // the current time
	ExpiresAt  time.Time
	IdleBefore time.Time // sessions not used since then are removed
	Method     string    // how the user signed in, for the audit log
}

// StartSession stores a new session of a user. It returns domain.ErrNotFound if the user does not exist or is disabled.
func (c *Catalog) StartSession(ctx context.Context, n NewSession) (domain.Session, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (started domain.Session, err error) {
		now, origin := tables.FromMillis(tables.Millis(n.At)), domain.OriginOf(ctx)
		account, err := readAccount(ctx, s, "id", n.UserID)
		if err != nil {
			return started, err
		}
		if account.DisabledAt != nil {
			return started, tables.WithSubject(domain.ErrNotFound, "user", n.UserID)
		}
		if _, err := s.Exec(ctx, "DELETE FROM sessions WHERE token_hash = ? OR expires_at <= ? OR last_seen_at <= ?", n.Replaces,
			tables.Millis(now), tables.Millis(n.IdleBefore)); err != nil {
			return started, err
		}
		if _, err := s.Exec(ctx, `DELETE FROM sessions WHERE user_id = ? AND id NOT IN
			(SELECT id FROM sessions WHERE user_id = ? ORDER BY created_at DESC, id LIMIT ?)`, n.UserID, n.UserID,
			maxSessions-1); err != nil {
			return started, err
		}
		started = domain.Session{
			ID: domain.NewID(), UserID: n.UserID, CreatedAt: now, LastSeenAt: now, ExpiresAt: tables.FromMillis(tables.Millis(n.ExpiresAt)),
			Address: origin.Address, Client: origin.Client,
		}
		if err := s.Insert(ctx, "sessions ("+sessionColumns+", token_hash)", append(sessionFields(&started), n.TokenHash)...); err != nil {
			return started, err
		}
		return started, auditUser(ctx, s, n.UserID, domain.AuditEntry{
			Actor: userActor(n.UserID), ResourceKind: tables.KindSession, ResourceID: started.ID,
			After: tables.StateOf(map[string]any{"userId": n.UserID, "email": account.Email, "method": n.Method}),
		})
	})
}

func userActor(id string) domain.Actor { return domain.Actor{Kind: "user", ID: id} }

// SessionByToken returns a session and its account. It does not check whether the session has expired.
func (c *Catalog) SessionByToken(ctx context.Context, tokenHash string) (found domain.Session, account domain.Account, err error) {
	s := c.db.Reader()
	if found, err = tables.QueryOne(ctx, s, tables.ScanInto(sessionFields), "SELECT "+sessionColumns+" FROM sessions WHERE token_hash = ?",
		tokenHash); err != nil {
		return found, account, err
	}
	account, err = readAccount(ctx, s, "id", found.UserID)
	return found, account, err
}

// Sessions returns the sessions of a user, the most recently used first.
func (c *Catalog) Sessions(ctx context.Context, userID string) ([]domain.Session, error) {
	return tables.QueryAll(ctx, c.db.Reader(), tables.ScanInto(sessionFields),
		"SELECT "+sessionColumns+" FROM sessions WHERE user_id = ? ORDER BY last_seen_at DESC, id", userID)
}

// EndSession ends a session of a user.
func (c *Catalog) EndSession(ctx context.Context, userID, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		ended, err := s.Exec(ctx, "DELETE FROM sessions WHERE user_id = ? AND id = ?", userID, id)
		if err := tables.OrNotFound(ended, err); err != nil {
			return tables.WithSubject(err, "session", id)
		}
		return auditUser(ctx, s, userID, domain.AuditEntry{
			Actor: actor, ResourceKind: tables.KindSession, ResourceID: id, Before: tables.StateOf(map[string]any{"userId": userID}),
		})
	})
}

// EndSessions ends all sessions of a user except one, and returns how many it ended.
func (c *Catalog) EndSessions(ctx context.Context, userID, but string, actor domain.Actor) (ended int, err error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (int, error) {
		ids, err := tables.QueryAll(ctx, s, tables.ScanValue[string], "SELECT id FROM sessions WHERE user_id = ? AND id <> ?", userID, but)
		if err != nil {
			return 0, err
		}
		for _, id := range ids {
			if err := auditUser(ctx, s, userID, domain.AuditEntry{
				Actor: actor, ResourceKind: tables.KindSession, ResourceID: id, Before: tables.StateOf(map[string]any{"userId": userID}),
			}); err != nil {
				return 0, err
			}
		}
		return len(ids), endSessions(ctx, s, userID, but)
	})
}

// endSessions ends all sessions of a user except one, as part of a change that is audited itself.
func endSessions(ctx context.Context, s tables.Session, userID, but string) error {
	s.Note(tables.Change{Kind: tables.KindSession})
	_, err := s.Exec(ctx, "DELETE FROM sessions WHERE user_id = ? AND id <> ?", userID, but)
	return err
}

// RecordSeen stores when sessions were last used, by session id. Sessions that have ended are ignored.
func (c *Catalog) RecordSeen(ctx context.Context, seen map[string]time.Time) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		for id, at := range seen {
			if _, err := s.Exec(ctx, "UPDATE sessions SET last_seen_at = ? WHERE id = ? AND last_seen_at < ?", tables.Millis(at), id,
				tables.Millis(at)); err != nil {
				return err
			}
		}
		return nil
	})
}

// RecordFailedSignIn records in the audit log that somebody failed to sign in as a user.
func (c *Catalog) RecordFailedSignIn(ctx context.Context, user domain.User) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		return auditUser(ctx, s, user.ID, domain.AuditEntry{
			Actor: domain.Actor{Kind: "anonymous"}, ResourceKind: "failedSignIn", ResourceID: user.ID,
			After: tables.StateOf(map[string]any{"email": user.Email}),
		})
	})
}

// maxAudited is the maximum number of organizations whose audit logs record a change of a user's account.
const maxAudited = 100

// auditUser writes an entry about a user's account, with the address of the client, to the audit log of each
// organization in which they have a role in effect: others have no business knowing. If there is none, it writes one
// entry without an organization.
func auditUser(ctx context.Context, s tables.Session, userID string, e domain.AuditEntry) error {
	organizations, err := tables.QueryAll(ctx, s, tables.ScanValue[string], `SELECT m.organization_id FROM organization_memberships m`+
		inEffect+`
		WHERE m.user_id = ? AND (m.role <> ? OR EXISTS (SELECT 1 FROM project_memberships pm JOIN projects p ON p.id = pm.project_id
			WHERE pm.user_id = m.user_id AND p.organization_id = m.organization_id AND pm.role <> ?))
		ORDER BY m.organization_id LIMIT ?`, userID, domain.RoleNone, domain.RoleNone, maxAudited)
	if err != nil {
		return err
	}
	if len(organizations) == 0 {
		organizations = []string{""}
	}
	for _, id := range organizations {
		e.OrganizationID = id
		if err := s.Audit(ctx, e); err != nil {
			return err
		}
	}
	return nil
}
