package media

import (
	"context"
	"fmt"
	"slices"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// ForgetMediaOfTraces removes the media links of deleted traces. Media that are linked to nothing else are deleted, and
// their blobs become unused.
func (c *Catalog) ForgetMediaOfTraces(ctx context.Context, scope domain.ProjectScope, traceIDs []string) error {
	for some := range slices.Chunk(traceIDs, tables.MaxListed) {
		for more := true; more; {
			var err error
			if more, err = c.forgetSomeMedia(ctx, scope, some); err != nil {
				return fmt.Errorf("cannot delete the media of %d traces: %w", len(traceIDs), err)
			}
		}
	}
	return nil
}

// forgetSomeMedia removes the links to some media of the traces, and reports whether there were any.
func (c *Catalog) forgetSomeMedia(ctx context.Context, scope domain.ProjectScope, traceIDs []string) (bool, error) {
	where := tables.SQL("FROM media_of_traces WHERE project_id = ?", scope.ProjectID()).And(tables.In("trace_id", traceIDs))
	// Most traces have no media. Reading first avoids a write for them.
	linked, err := tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string], "SELECT DISTINCT media_id "+where.Text+
		" ORDER BY media_id LIMIT ?",
		append(slices.Clone(where.Args), tables.MaxListed)...)
	if err != nil || len(linked) == 0 {
		return false, err
	}
	// Delete only the links to these media. A medium linked since then can only be found by its link, in the next round.
	where = where.And(tables.In("media_id", linked))
	return true, c.db.Update(ctx, func(s tables.Session) error {
		if _, err := s.Exec(ctx, "DELETE "+where.Text, where.Args...); err != nil {
			return err
		}
		return deleteUnlinked(ctx, s, scope, linked)
	})
}

// deleteUnlinked deletes those of the given media that are no longer linked to anything.
func deleteUnlinked(ctx context.Context, s tables.Session, scope domain.ProjectScope, ids []string) error {
	project := scope.ProjectID()
	for _, id := range ids {
		// This locks the row. A concurrent link was either made before, and the next statement sees it, or it waits and
		// then finds no medium.
		if _, err := s.Exec(ctx, "UPDATE media SET linked_at = linked_at WHERE project_id = ? AND id = ?", project, id); err != nil {
			return err
		}
		unlinked, err := tables.QueryAll(ctx, s, scanMedium, "SELECT "+mediumColumns+` FROM media WHERE project_id = ? AND id = ?
			AND NOT EXISTS (SELECT 1 FROM media_of_traces l WHERE l.project_id = media.project_id AND l.media_id = media.id)
			AND NOT EXISTS (SELECT 1 FROM media_of_dataset_items l WHERE l.project_id = media.project_id AND l.media_id = media.id)`,
			project, id)
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

func deleteMedium(ctx context.Context, s tables.Session, scope domain.ProjectScope, m domain.Medium) error {
	if m.Stored() {
		if err := NoteUnused(ctx, s, s.Now(), m.BlobKey); err != nil {
			return err
		}
	}
	_, err := s.Exec(ctx, "DELETE FROM media WHERE project_id = ? AND id = ?", scope.ProjectID(), m.ID)
	return err
}

// ForgetMediaOfProject deletes all media of a deleted project.
func (c *Catalog) ForgetMediaOfProject(ctx context.Context, scope domain.ProjectScope) error {
	for {
		var found []domain.Medium
		err := c.db.Update(ctx, func(s tables.Session) (err error) {
			found, err = tables.QueryAll(ctx, s, scanMedium, "SELECT "+mediumColumns+" FROM media WHERE project_id = ? ORDER BY id LIMIT ?",
				scope.ProjectID(), tables.MaxListed)
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

// TracesWithMedia returns, in ascending order, at most limit ids of traces that got media before a time, starting after
// the id in after.
func (c *Catalog) TracesWithMedia(
	ctx context.Context, scope domain.ProjectScope, before time.Time, after string, limit int,
) ([]string, error) {
	return tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string],
		`SELECT DISTINCT trace_id FROM media_of_traces WHERE project_id = ? AND trace_id > ? AND created_at < ?
		ORDER BY trace_id LIMIT ?`, scope.ProjectID(), after, tables.Millis(before), limit)
}

// UnusedBlobs returns the keys of blobs that may be removed and were not given up yet. A removal time too far in the
// future was written by a clock that has since been set back, so these blobs are returned as well.
func (c *Catalog) UnusedBlobs(ctx context.Context, limit int) ([]string, error) {
	now := c.db.Now()
	return tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string], `SELECT blob_key FROM unused_blobs
		WHERE remove_after > 0 AND (remove_after <= ? OR remove_after > ?) ORDER BY remove_after, blob_key LIMIT ?`,
		tables.Millis(now), tables.Millis(now.Add(maxWriting+tables.MaxAhead)), limit)
}

// GiveUpBlobs makes sure that unused blobs can no longer be assigned to media, and returns those that are still unused:
// they can be removed. They may include a blob still being written, if that takes very long or if the clock jumps.
func (c *Catalog) GiveUpBlobs(ctx context.Context, keys []string) (unused []string, err error) {
	err = c.db.Update(ctx, func(s tables.Session) error {
		for _, key := range keys {
			changed, err := s.Exec(ctx, "UPDATE unused_blobs SET remove_after = 0 WHERE blob_key = ?", key)
			if err != nil {
				return fmt.Errorf("cannot release an unused blob: %w", err)
			}
			if changed > 0 {
				unused = append(unused, key)
			}
		}
		return nil
	})
	return unused, err
}

// GivenUpBlobs returns the keys of blobs that were given up but not removed, in ascending order, starting after a key.
func (c *Catalog) GivenUpBlobs(ctx context.Context, after string, limit int) ([]string, error) {
	return tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string],
		"SELECT blob_key FROM unused_blobs WHERE remove_after = 0 AND blob_key > ? ORDER BY blob_key LIMIT ?", after, limit)
}

// BlobsRemoved records that blobs have been removed.
func (c *Catalog) BlobsRemoved(ctx context.Context, keys []string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		for _, key := range keys {
			if _, err := s.Exec(ctx, "DELETE FROM unused_blobs WHERE blob_key = ?", key); err != nil {
				return err
			}
		}
		return nil
	})
}
