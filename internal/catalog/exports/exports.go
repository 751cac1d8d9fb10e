package exports

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/catalog/inbox"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/media"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// KindExport is the kind of changes to exports.
const KindExport = "export"

// Limits of a project's exports.
const (
	// MaxOpenExports is the maximum number of queued and running exports.
	MaxOpenExports = 10
	// MaxRunningExports is the maximum number of exports of a project that run at the same time, fewer than a server
	// runs: the exports of one project do not delay those of others.
	MaxRunningExports = 2
	// maxExports is the maximum number of exports that are kept. The oldest are deleted.
	maxExports = 100
	// exportMemory is how long a finished export is kept, even after its file has expired.
	exportMemory = 30 * 24 * time.Hour
)

const exportColumns = "id, source, format, request, state, row_count, total_rows, byte_count, error, actor_kind, actor_id, as_of, " +
	"finished_at, expires_at, created_at, updated_at"

const selectExport = "SELECT " + exportColumns + ", " + tables.ActorName + " FROM exports WHERE "

func exportFields(e *domain.Export) []any {
	return []any{
		&e.ID, &e.Table, &e.Format, tables.AsRaw(&e.Request), &e.State, &e.Rows, &e.Total, &e.Bytes, &e.Error, &e.Actor.Kind, &e.Actor.ID,
		tables.AsOptionalTime(&e.AsOf), tables.AsOptionalTime(&e.FinishedAt), tables.AsOptionalTime(&e.ExpiresAt),
		tables.AsTime(&e.CreatedAt), tables.AsTime(&e.UpdatedAt),
	}
}

func scanExport(r tables.Row) (e domain.Export, err error) {
	err = r.Scan(append(exportFields(&e), &e.ActorName)...)
	return e, err
}

func exportState(e *domain.Export) map[string]any {
	return map[string]any{"table": e.Table, "format": e.Format, "state": e.State, "request": e.Request}
}

// Exports returns the project's exports, newest first.
func (c *Catalog) Exports(ctx context.Context, scope domain.ProjectScope) ([]domain.Export, error) {
	return tables.QueryAll(ctx, c.db.Reader(), scanExport, selectExport+"project_id = ? ORDER BY created_at DESC, id DESC LIMIT ?",
		scope.ProjectID(), maxExports)
}

// Export returns an export of the project.
func (c *Catalog) Export(ctx context.Context, scope domain.ProjectScope, id string) (domain.Export, error) {
	return readExport(ctx, c.db.Reader(), scope, id)
}

func readExport(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) (domain.Export, error) {
	e, err := tables.QueryOne(ctx, s, scanExport, selectExport+"id = ? AND project_id = ?", id, scope.ProjectID())
	return e, tables.WithSubject(err, "export", id)
}

// CreateExport queues an export. It returns domain.ErrConflict if too many are open. The oldest finished exports are
// deleted if there are too many.
func (c *Catalog) CreateExport(ctx context.Context, scope domain.ProjectScope, n domain.Export, actor domain.Actor) (domain.Export, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Export, error) {
		if err := s.LockProject(ctx, scope); err != nil { // so that concurrent new exports are counted
			return n, err
		}
		if err := checkOpenExports(ctx, s, scope); err != nil {
			return n, err
		}
		old, err := tables.QueryAll(ctx, s, tables.ScanValue[string],
			`SELECT id FROM exports WHERE project_id = ? AND state NOT IN ('queued', 'running')
			ORDER BY created_at DESC, id DESC LIMIT 1000 OFFSET ?`, scope.ProjectID(), maxExports-MaxOpenExports)
		if err != nil {
			return n, err
		}
		for _, id := range old {
			if err := removeExport(ctx, s, id); err != nil {
				return n, err
			}
		}
		now := s.Now()
		n.ID, n.State, n.Actor, n.CreatedAt, n.UpdatedAt = tables.OrderedID(), domain.ExportQueued, actor, now, now
		if err := s.Insert(ctx, "exports (project_id, "+exportColumns+")",
			append([]any{scope.ProjectID()}, exportFields(&n)...)...); err != nil {
			return n, err
		}
		created, err := readExport(ctx, s, scope, n.ID)
		if err != nil {
			return n, err
		}
		return created, s.AuditInProject(ctx, scope, actor, KindExport, n.ID, nil, tables.StateOf(exportState(&created)))
	})
}

// CancelExport cancels an export; it returns domain.ErrConflict if the export is finished.
func (c *Catalog) CancelExport(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) (domain.Export, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Export, error) {
		// Writing first locks the row.
		if _, err := s.Exec(ctx, "UPDATE exports SET id = id WHERE id = ? AND project_id = ?", id, scope.ProjectID()); err != nil {
			return domain.Export{}, err
		}
		before, err := readExport(ctx, s, scope, id)
		if err != nil {
			return before, err
		}
		if !before.Open() {
			return before, fmt.Errorf("export %s is finished: %w", id, domain.ErrConflict)
		}
		if err := errors.Join(exportLeases.Free(ctx, s, id), endExport(ctx, s, id, domain.ExportCancelled, "")); err != nil {
			return before, err
		}
		after, err := readExport(ctx, s, scope, id)
		if err != nil {
			return after, err
		}
		return after,
			s.AuditInProject(ctx, scope, actor, KindExport, id, tables.StateOf(exportState(&before)), tables.StateOf(exportState(&after)))
	})
}

// DeleteExport deletes an export with its file. If the export is running, it stops.
func (c *Catalog) DeleteExport(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := readExport(ctx, s, scope, id)
		if err != nil {
			return err
		}
		if err := removeExport(ctx, s, id); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, KindExport, id, tables.StateOf(exportState(&before)), nil)
	})
}

func removeExport(ctx context.Context, s tables.Session, id string) error {
	if err := dropParts(ctx, s, id); err != nil {
		return err
	}
	_, err := s.Exec(ctx, "DELETE FROM exports WHERE id = ?", id)
	return err
}

// dropParts marks the parts of a file as unused blobs.
func dropParts(ctx context.Context, s tables.Session, id string) error {
	// Writing first locks the row: a part added concurrently is either seen here, or finds its export deleted.
	if _, err := s.Exec(ctx, "UPDATE exports SET id = id WHERE id = ?", id); err != nil {
		return err
	}
	keys, err := tables.QueryAll(ctx, s, tables.ScanValue[string], "SELECT blob_key FROM export_parts WHERE export_id = ?", id)
	if err != nil {
		return err
	}
	if err := media.NoteUnused(ctx, s, s.Now(), keys...); err != nil {
		return err
	}
	_, err = s.Exec(ctx, "DELETE FROM export_parts WHERE export_id = ?", id)
	return err
}

// ForgetExports deletes the exports of a deleted project.
func ForgetExports(ctx context.Context, s tables.Session, projectID string) error {
	ids, err := tables.QueryAll(ctx, s, tables.ScanValue[string], "SELECT id FROM exports WHERE project_id = ?", projectID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := removeExport(ctx, s, id); err != nil {
			return fmt.Errorf("cannot delete the exports of project %s: %w", projectID, err)
		}
	}
	return nil
}

// ExportParts returns the parts of the file of an export, in order.
func (c *Catalog) ExportParts(ctx context.Context, scope domain.ProjectScope, id string) ([]domain.ExportPart, error) {
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (p domain.ExportPart, err error) {
		err = r.Scan(&p.BlobKey, &p.Bytes)
		return p, err
	}, `SELECT p.blob_key, p.bytes FROM export_parts p JOIN exports e ON e.id = p.export_id
		WHERE e.id = ? AND e.project_id = ? ORDER BY p.number`, id, scope.ProjectID())
}

// ExportDownloaded records the download of an export's file in the audit log.
func (c *Catalog) ExportDownloaded(ctx context.Context, scope domain.ProjectScope, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		organization, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT organization_id FROM projects WHERE id = ?",
			scope.ProjectID())
		if err != nil {
			return tables.WithSubject(err, "project", scope.ProjectID())
		}
		return s.Audit(ctx, domain.AuditEntry{
			OrganizationID: organization, ProjectID: scope.ProjectID(), Actor: actor, Action: tables.ActionDownload,
			ResourceKind: KindExport, ResourceID: id,
		})
	})
}

// ExportLease is an export that is leased to a server.
type ExportLease struct {
	domain.Export
	ProjectID string
	lease     *leases.Lease
}

// unfinishedExport is the error of an export that waits for a person.
const unfinishedExport = "The server was stopped twice while it made this file, perhaps because of it. Export less at a time, or request " +
	"it again to retry."

// exportLeases are the leases of exports. The oldest export of the projects with the fewest running is next.
var exportLeases = leases.Table{
	Name: "exports", Key: "id", From: "exports", Still: openExport, Tenant: "project_id", MaxOfTenant: MaxRunningExports,
	Since: "created_at",
	GiveUp: func(ctx context.Context, s tables.Session, id string) error {
		return endExport(ctx, s, id, domain.ExportFailed, unfinishedExport)
	},
}

// openExport is the condition of exports that are queued or running.
const openExport = "state IN ('queued', 'running')"

// ClaimExport leases the next export to a server; it returns nil if there is none. An export whose server was killed
// starts over.
func (c *Catalog) ClaimExport(ctx context.Context, by leases.Server) (*ExportLease, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (*ExportLease, error) {
		now, err := leases.Now(ctx, s)
		if err != nil {
			return nil, err
		}
		at := tables.Millis(s.Now())
		l, err := exportLeases.Claim(ctx, s, by, now, tables.SQL(openExport),
			tables.SQL("state = 'running', as_of = ?, updated_at = ?, row_count = 0, byte_count = 0, total_rows = NULL", at, at))
		if err != nil || l == nil {
			return nil, err
		}
		if err := dropParts(ctx, s, l.ID); err != nil {
			return nil, err
		}
		project, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT project_id FROM exports WHERE id = ?", l.ID)
		if err != nil {
			return nil, err
		}
		e, err := tables.QueryOne(ctx, s, scanExport, selectExport+"id = ?", l.ID)
		return &ExportLease{e, project, l}, err
	})
}

// endExport records that an export has ended without a file.
func endExport(ctx context.Context, s tables.Session, id, state, failure string) error {
	if err := dropParts(ctx, s, id); err != nil {
		return err
	}
	project, err := tables.QueryOne(ctx, s, tables.ScanValue[string], "SELECT project_id FROM exports WHERE id = ?", id)
	if err != nil {
		return err
	}
	s.Note(tables.Change{Kind: KindExport, ProjectID: project})
	now := tables.Millis(s.Now())
	if _, err = s.Exec(ctx, "UPDATE exports SET state = ?, error = ?, finished_at = ?, updated_at = ? WHERE id = ?", state, failure,
		now, now, id); err != nil || state == domain.ExportCancelled {
		return err // whoever cancels an export knows
	}
	return tellEnded(ctx, s, id)
}

// tellEnded tells the person who requested an export that it has ended.
func tellEnded(ctx context.Context, s tables.Session, id string) error {
	e, err := tables.QueryOne(ctx, s, func(r tables.Row) (e ExportLease, err error) {
		err = r.Scan(&e.ProjectID, &e.Actor.Kind, &e.Actor.ID)
		return e, err
	}, "SELECT project_id, actor_kind, actor_id FROM exports WHERE id = ?", id)
	if err != nil || e.Actor.Kind != "user" {
		return err
	}
	return inbox.Ended(ctx, s, domain.OfProject(e.ProjectID), e.Actor.ID, id) //nolint:forbidigo // the project of the export
}

// RenewExport stores the progress of an export and extends its lease.
func (c *Catalog) RenewExport(ctx context.Context, l *ExportLease) error {
	return l.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error { return renewExport(ctx, s, l) }))
}

func renewExport(ctx context.Context, s tables.Session, l *ExportLease) error {
	return l.lease.Renew(ctx, s, tables.SQL("updated_at = ?, row_count = ?, total_rows = ?, byte_count = ?", tables.Millis(s.Now()), l.Rows,
		l.Total, l.Bytes))
}

// AddExportPart appends a written blob to the file as its next part.
func (c *Catalog) AddExportPart(ctx context.Context, l *ExportLease, number int, part domain.ExportPart) error {
	return l.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		if err := renewExport(ctx, s, l); err != nil { // also locks the row
			return err
		}
		changed, err := s.Exec(ctx, "DELETE FROM unused_blobs WHERE blob_key = ? AND remove_after > 0", part.BlobKey)
		if err == nil && changed == 0 {
			return errors.New("a part of the file took too long to write and was discarded")
		}
		if err != nil {
			return err
		}
		return s.Insert(ctx, "export_parts (export_id, number, blob_key, bytes)", l.ID, number, part.BlobKey, part.Bytes)
	}))
}

// FinishExport records that an export is done, or why it failed. The parts of a failed export are removed.
func (c *Catalog) FinishExport(ctx context.Context, l *ExportLease, failure string) error {
	return l.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		now := s.Now()
		if err := l.lease.End(ctx, s, tables.SQL("row_count = ?, total_rows = ?, byte_count = ?", l.Rows, l.Total, l.Bytes)); err != nil {
			return err
		}
		if failure != "" {
			return endExport(ctx, s, l.ID, domain.ExportFailed, failure)
		}
		s.Note(tables.Change{Kind: KindExport, ProjectID: l.ProjectID})
		if _, err := s.Exec(ctx, "UPDATE exports SET state = 'done', finished_at = ?, updated_at = ?, expires_at = ? WHERE id = ?",
			tables.Millis(now), tables.Millis(now), tables.Millis(now.Add(domain.ExportLife)), l.ID); err != nil {
			return err
		}
		return tellEnded(ctx, s, l.ID)
	}))
}

// ReleaseExport requeues an export that a server abandons because it is shutting down. The server that claims it next
// starts over.
func (c *Catalog) ReleaseExport(ctx context.Context, l *ExportLease) error {
	return leases.Released(l.lease.Lived(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		return l.lease.End(ctx, s, tables.SQL("state = 'queued'"))
	})))
}

// ExpireExports removes files that can no longer be downloaded, and deletes exports that finished long ago.
func (c *Catalog) ExpireExports(ctx context.Context) error {
	now := c.db.Now()
	hasExpired := tables.SQL("state = 'done' AND expires_at <= ?", tables.Millis(now))
	expired, err := tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string],
		`SELECT id FROM exports WHERE `+hasExpired.Text+`
		AND EXISTS (SELECT 1 FROM export_parts p WHERE p.export_id = exports.id) ORDER BY id LIMIT ?`,
		append(hasExpired.Args, tables.MaxListed)...)
	if err != nil {
		return err
	}
	isOld := tables.SQL("finished_at <= ?", tables.Millis(now.Add(-exportMemory)))
	old, err := tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string],
		"SELECT id FROM exports WHERE "+isOld.Text+" ORDER BY id LIMIT ?", append(isOld.Args, tables.MaxListed)...)
	if err != nil || len(expired)+len(old) == 0 {
		return err
	}
	return c.db.Update(ctx, func(s tables.Session) error {
		for _, id := range expired {
			if still, err := stillExport(ctx, s, id, hasExpired); err != nil {
				return err
			} else if !still {
				continue
			}
			if err := dropParts(ctx, s, id); err != nil {
				return err
			}
		}
		for _, id := range old {
			if still, err := stillExport(ctx, s, id, isOld); err != nil {
				return err
			} else if !still {
				continue
			}
			if err := removeExport(ctx, s, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// stillExport locks an export for the rest of the transaction and reports whether it meets a condition: since it was
// found, somebody may have requested it again.
func stillExport(ctx context.Context, s tables.Session, id string, where tables.Condition) (bool, error) {
	changed, err := s.Exec(ctx, "UPDATE exports SET updated_at = updated_at WHERE id = ? AND "+where.Text,
		slices.Concat([]any{id}, where.Args)...)
	return changed > 0, err
}
