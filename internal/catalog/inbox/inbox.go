// Package inbox has the table of what people are told: comments that mention them, and exports of theirs that have ended.
// Entries are written in the transaction of their cause, and go with it.
package inbox

import (
	"context"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// Mentioned makes a comment's entries those of the people whom it mentions now. Those who were told already are not told
// again, and nobody is told of themselves. People who cannot see the project are left out.
func Mentioned(ctx context.Context, s tables.Session, scope domain.ProjectScope, c *domain.Comment, traceID string) error {
	mentioned := domain.Mentions(c.Content)
	gone := tables.SQL("DELETE FROM inbox WHERE comment_id = ?", c.ID)
	for _, id := range mentioned {
		gone = gone.And(tables.SQL("user_id <> ?", id))
	}
	if _, err := s.Exec(ctx, gone.Text, gone.Args...); err != nil {
		return err
	}
	for _, id := range mentioned {
		if c.AuthorUserID != nil && *c.AuthorUserID == id {
			continue
		}
		known, err := s.Exists(ctx, "SELECT id FROM inbox WHERE user_id = ? AND comment_id = ?", id, c.ID)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		if err := put(ctx, s, scope, id, "comment_id", c.ID, traceID); err != nil {
			return err
		}
	}
	return nil
}

// Ended tells a person that an export of theirs has ended, in the place of what they were told of it before.
func Ended(ctx context.Context, s tables.Session, scope domain.ProjectScope, userID, exportID string) error {
	if err := Forgotten(ctx, s, exportID); err != nil {
		return err
	}
	return put(ctx, s, scope, userID, "export_id", exportID, "")
}

// Forgotten removes what was told of an export.
func Forgotten(ctx context.Context, s tables.Session, exportID string) error {
	_, err := s.Exec(ctx, "DELETE FROM inbox WHERE export_id = ?", exportID)
	return err
}

// Left removes the entries of a person in the projects of an organization, which they have left.
func Left(ctx context.Context, s tables.Session, scope domain.OrganizationScope, userID string) error {
	_, err := s.Exec(ctx, "DELETE FROM inbox WHERE user_id = ? AND project_id IN (SELECT id FROM projects WHERE organization_id = ?)",
		userID, scope.OrganizationID())
	return err
}

// put adds an entry if the person can see the project, and removes entries that are too old or too many.
func put(ctx context.Context, s tables.Session, scope domain.ProjectScope, userID, column, subject, traceID string) error {
	may, err := s.Exists(ctx, `SELECT p.id `+access+` WHERE p.id = ? AND m.user_id = ? AND COALESCE(pm.role, m.role) <> ?`,
		scope.ProjectID(), userID, domain.RoleNone)
	if err != nil || !may {
		return err
	}
	now := s.Now()
	if err := s.Insert(ctx, "inbox (id, user_id, project_id, "+column+", trace_id, created_at)", tables.OrderedID(), userID,
		scope.ProjectID(), subject, traceID, tables.Millis(now)); err != nil {
		return err
	}
	if _, err := s.Exec(ctx, "DELETE FROM inbox WHERE created_at < ?", tables.Millis(now.Add(-domain.InboxLife))); err != nil {
		return err
	}
	_, err = s.Exec(ctx, `DELETE FROM inbox WHERE id IN (
		SELECT id FROM inbox WHERE user_id = ? ORDER BY id DESC LIMIT 1000 OFFSET ?)`, userID, domain.MaxInbox)
	return err
}

// access are the projects p that people can see by memberships m in effect, with roles pm of their own.
const access = `FROM organization_memberships m
	JOIN organization_people op ON op.organization_id = m.organization_id AND op.user_id = m.user_id AND op.accepted_at IS NOT NULL
	JOIN projects p ON p.organization_id = m.organization_id
	LEFT JOIN project_memberships pm ON pm.project_id = p.id AND pm.user_id = m.user_id`

// Catalog is the part of the catalog for what people are told.
type Catalog struct{ db *tables.DB }

// New returns this part of the catalog stored in a database.
func New(db *tables.DB) *Catalog { return &Catalog{db} }

// visible returns the condition of a person's entries that their roles allow them to see now.
func (c *Catalog) visible(userID string) tables.Condition {
	q := tables.SQL("i.user_id = ? AND i.created_at >= ?", userID, tables.Millis(c.db.Now().Add(-domain.InboxLife)))
	role := "p.role"
	comments, exports := tables.In(role, rolesWith(domain.CommentsRead)), tables.In(role, rolesWith(domain.ExportsWrite))
	return q.And(tables.SQL("(i.comment_id IS NOT NULL AND "+comments.Text+" OR i.export_id IS NOT NULL AND "+exports.Text+")",
		append(append([]any{}, comments.Args...), exports.Args...)...))
}

const fromVisible = ` FROM inbox i JOIN (SELECT p.id, p.name, m.user_id, COALESCE(pm.role, m.role) AS role ` + access + `) p
	ON p.id = i.project_id AND p.user_id = i.user_id `

func rolesWith(permission domain.Permission) []string {
	var names []string
	for _, name := range domain.AllRoleNames() {
		if domain.Role(name).InProject().Has(permission) {
			names = append(names, name)
		}
	}
	return names
}

// Entries returns a person's entries, newest first: those before an entry, if one is given.
func (c *Catalog) Entries(ctx context.Context, userID, before string, limit int) ([]domain.InboxEntry, error) {
	q := tables.SQL(`SELECT i.id, i.project_id, p.name, i.created_at, i.read_at, COALESCE(c.id, ''), COALESCE(c.object_type, ''),
		COALESCE(c.object_id, ''), i.trace_id, COALESCE(c.content, ''),
		COALESCE((SELECT CASE WHEN u.name <> '' THEN u.name ELSE u.email END FROM users u WHERE u.id = c.author_user_id), ''),
		COALESCE(e.id, ''), COALESCE(e.source, ''), COALESCE(e.format, ''), COALESCE(e.state, ''), COALESCE(e.error, ''),
		COALESCE(e.row_count, 0), COALESCE(v.name, ''), COALESCE(v.version, 0)` + fromVisible + `
		LEFT JOIN comments c ON c.id = i.comment_id LEFT JOIN exports e ON e.id = i.export_id
		LEFT JOIN prompts v ON c.object_type = 'PROMPT' AND v.id = c.object_id AND v.project_id = i.project_id
		WHERE TRUE`)
	q = q.And(c.visible(userID)).And(tables.If(before != "", "i.id < ?", before))
	return tables.QueryAll(ctx, c.db.Reader(), scanEntry, q.Text+" ORDER BY i.id DESC LIMIT ?", append(q.Args, limit)...)
}

func scanEntry(r tables.Row) (e domain.InboxEntry, err error) {
	var comment domain.InboxComment
	var export domain.InboxExport
	err = r.Scan(&e.ID, &e.ProjectID, &e.ProjectName, tables.AsTime(&e.CreatedAt), tables.AsOptionalTime(&e.ReadAt), &comment.ID,
		&comment.ObjectType, &comment.ObjectID, &comment.TraceID, &comment.Content, &comment.AuthorName, &export.ID, &export.Table,
		&export.Format, &export.State, &export.Error, &export.Rows, &comment.Prompt, &comment.Version)
	if comment.ID != "" {
		e.Comment = &comment
	} else {
		e.Export = &export
	}
	return e, err
}

// Unread returns how many of a person's entries they have not read.
func (c *Catalog) Unread(ctx context.Context, userID string) (int, error) {
	q := tables.SQL("SELECT COUNT(*)" + fromVisible + "WHERE i.read_at IS NULL").And(c.visible(userID))
	return tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[int], q.Text, q.Args...)
}

// Read marks entries of a person as read: those with the ids, or, if there are none, all up to one, the newest that they saw.
func (c *Catalog) Read(ctx context.Context, userID string, ids []string, upTo string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		q := tables.SQL("UPDATE inbox SET read_at = ? WHERE user_id = ? AND read_at IS NULL", tables.Millis(s.Now()), userID)
		if ids != nil {
			q = q.And(tables.In("id", ids))
		} else {
			q = q.And(tables.SQL("id <= ?", upTo))
		}
		_, err := s.Exec(ctx, q.Text, q.Args...)
		return err
	})
}
