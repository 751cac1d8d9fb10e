package blobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"almanac/internal/catalog/rows"
	"almanac/internal/domain"
)

// ForgetMediaOfTraces says that traces are gone. Media that belonged to them and to nothing else are deleted; their blobs are
// unused from then on.
func (c *Catalog) ForgetMediaOfTraces(ctx context.Context, scope domain.ProjectScope, traceIDs []string) error {
	for some := range slices.Chunk(traceIDs, rows.MaxListed) {
		for more := true; more; {
			var err error
			if more, err = c.forgetSomeMedia(ctx, scope, some); err != nil {
				return fmt.Errorf("cannot delete the media of %d traces: %w", len(traceIDs), err)
			}
		}
	}
	return nil
}

// forgetSomeMedia forgets some media of traces, and reports whether there were any.
func (c *Catalog) forgetSomeMedia(ctx context.Context, scope domain.ProjectScope, traceIDs []string) (bool, error) {
	where := rows.SQL("FROM media_of_traces WHERE project_id = ?", scope.ProjectID()).And(rows.In("trace_id", traceIDs))
	// Most traces have none. Looking first spares them a write.
	linked, err := rows.QueryAll(ctx, c.db.Reader(), rows.ScanValue[string], "SELECT DISTINCT media_id "+where.Text+" ORDER BY media_id LIMIT ?",
		append(slices.Clone(where.Args), rows.MaxListed)...)
	if err != nil || len(linked) == 0 {
		return false, err
	}
	// The links of no others: one that was made since then is the only way to its medium.
	where = where.And(rows.In("media_id", linked))
	return true, c.db.Update(ctx, func(s rows.Session) error {
		if _, err := s.Exec(ctx, "DELETE "+where.Text, where.Args...); err != nil {
			return err
		}
		return deleteUnlinked(ctx, s, scope, linked)
	})
}

// deleteUnlinked deletes those of some media that belong nowhere any more.
func deleteUnlinked(ctx context.Context, s rows.Session, scope domain.ProjectScope, ids []string) error {
	project := scope.ProjectID()
	for _, id := range ids {
		// This locks the row. Whoever links the medium meanwhile did so before, which the next statement sees, or waits and then
		// finds no medium.
		if _, err := s.Exec(ctx, "UPDATE media SET linked_at = linked_at WHERE project_id = ? AND id = ?", project, id); err != nil {
			return err
		}
		unlinked, err := rows.QueryAll(ctx, s, scanMedium, "SELECT "+mediumColumns+` FROM media WHERE project_id = ? AND id = ?
			AND NOT EXISTS (SELECT 1 FROM media_of_traces l WHERE l.project_id = media.project_id AND l.media_id = media.id)
			AND NOT EXISTS (SELECT 1 FROM media_of_dataset_items l WHERE l.project_id = media.project_id AND l.media_id = media.id)`, project, id)
		if err != nil {
			return err
		}
		for _, m := range unlinked {
			if err := deleteMedium(ctx, s, scope, m); err != nil {
				return err
			}
		}
	}
	return nil
}

func deleteMedium(ctx context.Context, s rows.Session, scope domain.ProjectScope, m domain.Medium) error {
	if m.Stored() {
		if err := NoteUnused(ctx, s, s.Now(), m.BlobKey); err != nil {
			return err
		}
	}
	_, err := s.Exec(ctx, "DELETE FROM media WHERE project_id = ? AND id = ?", scope.ProjectID(), m.ID)
	return err
}

// ForgetMediaOfProject deletes all media of a project that is gone.
func (c *Catalog) ForgetMediaOfProject(ctx context.Context, scope domain.ProjectScope) error {
	for {
		var found []domain.Medium
		err := c.db.Update(ctx, func(s rows.Session) (err error) {
			found, err = rows.QueryAll(ctx, s, scanMedium, "SELECT "+mediumColumns+" FROM media WHERE project_id = ? ORDER BY id LIMIT ?", scope.ProjectID(), rows.MaxListed)
			if err != nil {
				return err
			}
			for _, m := range found {
				if err := deleteMedium(ctx, s, scope, m); err != nil {
					return err
				}
			}
			if len(found) > 0 {
				return nil
			}
			for _, table := range []string{"media_of_traces", "media_of_dataset_items"} {
				if _, err := s.Exec(ctx, "DELETE FROM "+table+" WHERE project_id = ?", scope.ProjectID()); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("cannot delete the media of project %s: %w", scope.ProjectID(), err)
		}
		if len(found) == 0 {
			return nil
		}
	}
}

// TracesWithMedia returns ids of traces that got media before a time, in their order, following the one that after names.
func (c *Catalog) TracesWithMedia(ctx context.Context, scope domain.ProjectScope, before time.Time, after string, limit int) ([]string, error) {
	return rows.QueryAll(ctx, c.db.Reader(), rows.ScanValue[string], `SELECT DISTINCT trace_id FROM media_of_traces WHERE project_id = ? AND trace_id > ? AND created_at < ?
		ORDER BY trace_id LIMIT ?`, scope.ProjectID(), after, rows.Millis(before), limit)
}

// UnusedBlobs returns keys of blobs that may be removed. A time that is further ahead than any can be was noted by a clock that
// has been set back since.
func (c *Catalog) UnusedBlobs(ctx context.Context, limit int) ([]string, error) {
	now := c.db.Now()
	return rows.QueryAll(ctx, c.db.Reader(), rows.ScanValue[string], "SELECT blob_key FROM unused_blobs WHERE remove_after <= ? OR remove_after > ? ORDER BY remove_after, blob_key LIMIT ?",
		rows.Millis(now), rows.Millis(now.Add(maxWriting+rows.MaxAhead)), limit)
}

// GiveUpBlobs makes sure that unused blobs can no longer become a medium's, and returns those of them that have not: they can be
// removed. A blob that is being written may be among them, if it takes very long or if the clock jumps.
func (c *Catalog) GiveUpBlobs(ctx context.Context, keys []string) (unused []string, err error) {
	err = c.db.Update(ctx, func(s rows.Session) error {
		for _, key := range keys {
			changed, err := s.Exec(ctx, "UPDATE unused_blobs SET remove_after = 0 WHERE blob_key = ?", key)
			if err != nil {
				return fmt.Errorf("cannot give up an unused blob: %w", err)
			}
			if changed > 0 {
				unused = append(unused, key)
			}
		}
		return nil
	})
	return unused, err
}

// BlobsRemoved notes that blobs are gone.
func (c *Catalog) BlobsRemoved(ctx context.Context, keys []string) error {
	return c.db.Update(ctx, func(s rows.Session) error {
		for _, key := range keys {
			if _, err := s.Exec(ctx, "DELETE FROM unused_blobs WHERE blob_key = ?", key); err != nil {
				return err
			}
		}
		return nil
	})
}
