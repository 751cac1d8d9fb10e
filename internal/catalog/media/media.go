package media

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const mediumColumns = "id, sha256, content_type, content_length, created_at, blob_key, stored_at, uploaded_at, upload_status, upload_error"

func scanMedium(r tables.Row) (m domain.Medium, err error) {
	err = r.Scan(&m.ID, &m.SHA256, &m.ContentType, &m.ContentLength, tables.AsTime(&m.CreatedAt), tables.AsOptional(&m.BlobKey),
		tables.AsOptionalTime(&m.StoredAt), tables.AsOptionalTime(&m.UploadedAt), tables.AsOptional(&m.UploadStatus),
		tables.AsOptional(&m.UploadError))
	return m, err
}

// Medium returns a medium of the project, whether its bytes are stored or not.
func (c *Catalog) Medium(ctx context.Context, scope domain.ProjectScope, id string) (domain.Medium, error) {
	return readMedium(ctx, c.db.Reader(), scope, id)
}

func readMedium(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string) (domain.Medium, error) {
	m, err := tables.QueryOne(ctx, s, scanMedium, "SELECT "+mediumColumns+" FROM media WHERE project_id = ? AND id = ?",
		scope.ProjectID(), id)
	return m, tables.WithSubject(err, "media", id)
}

// MediaAfter returns the media of the project with stored bytes that follow the given id, in ascending order of ids. It
// returns a limited number of them.
func (c *Catalog) MediaAfter(ctx context.Context, scope domain.ProjectScope, id string) ([]domain.Medium, error) {
	const limit = 500
	return tables.QueryAll(ctx, c.db.Reader(), scanMedium, "SELECT "+mediumColumns+
		" FROM media WHERE project_id = ? AND id > ? AND blob_key IS NOT NULL ORDER BY id LIMIT ?", scope.ProjectID(), id, limit)
}

// TracesOfMedium returns the ids of traces to which a medium of the project is linked, at most limit.
func (c *Catalog) TracesOfMedium(ctx context.Context, scope domain.ProjectScope, id string, limit int) ([]string, error) {
	if tables.Unstorable(id) {
		return nil, nil
	}
	return tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string], `SELECT DISTINCT trace_id FROM media_of_traces
		WHERE project_id = ? AND media_id = ? ORDER BY trace_id LIMIT ?`, scope.ProjectID(), id, limit)
}

// StoredMedia returns the media among ids whose bytes are stored, by id.
func (c *Catalog) StoredMedia(ctx context.Context, scope domain.ProjectScope, ids []string) (map[string]domain.Medium, error) {
	return StoredMedia(ctx, c.db.Reader(), scope, ids)
}

// StoredMedia is like the method of the same name, but reads in a session.
func StoredMedia(ctx context.Context, s tables.Session, scope domain.ProjectScope, ids []string) (map[string]domain.Medium, error) {
	found := make(map[string]domain.Medium, len(ids))
	for some := range slices.Chunk(ids, tables.MaxListed) {
		q := tables.SQL("SELECT "+mediumColumns+" FROM media WHERE project_id = ? AND blob_key IS NOT NULL",
			scope.ProjectID()).And(tables.In("id", some))
		part, err := tables.QueryMap(ctx, s, func(r tables.Row) (string, domain.Medium, error) {
			m, err := scanMedium(r)
			return m.ID, m, err
		}, q.Text, q.Args...)
		if err != nil {
			return nil, fmt.Errorf("cannot read %d media: %w", len(ids), err)
		}
		maps.Copy(found, part)
	}
	return found, nil
}

// ErrOtherHash means that the id already belongs to a medium with other bytes.
var ErrOtherHash = errors.New("the id belongs to media with another hash")

// AnnounceMedium links a medium, creating it if there is none with its id; its bytes are stored later. It returns the
// stored medium.
func (c *Catalog) AnnounceMedium(
	ctx context.Context, scope domain.ProjectScope, m domain.Medium, link domain.MediumLink,
) (domain.Medium, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (found domain.Medium, err error) {
		if err := holdMedium(ctx, s, scope, m); err != nil {
			return found, err
		}
		if found, err = readMedium(ctx, s, scope, m.ID); err != nil {
			return found, err
		}
		if found.SHA256 != m.SHA256 {
			return found, fmt.Errorf("media %s: %w", m.ID, ErrOtherHash)
		}
		return found, linkMedium(ctx, s, scope, m.ID, link)
	})
}

// holdMedium creates a medium if there is none with its id, and locks it against deletion until the transaction ends.
func holdMedium(ctx context.Context, s tables.Session, scope domain.ProjectScope, m domain.Medium) error {
	now := tables.Millis(s.Now())
	_, err := s.Exec(ctx, `INSERT INTO media (project_id, id, sha256, content_type, content_length, created_at, linked_at)
		VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, id) DO UPDATE SET linked_at = excluded.linked_at`,
		scope.ProjectID(), m.ID, m.SHA256, m.ContentType, m.ContentLength, now, now)
	return err
}

func linkMedium(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string, l domain.MediumLink) error {
	table, owner, part := "media_of_traces (project_id, trace_id, observation_id", l.TraceID, l.ObservationID
	if l.DatasetItemID != "" {
		table, owner, part = "media_of_dataset_items (project_id, dataset_id, dataset_item_id", l.DatasetID, l.DatasetItemID
	}
	_, err := s.Exec(ctx, "INSERT INTO "+table+", field, media_id, created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		scope.ProjectID(), owner, part, l.Field, id, tables.Millis(s.Now()))
	return err
}

// UnknownMediaError is returned for references to media that do not exist or whose bytes are not stored.
type UnknownMediaError struct{ IDs []string }

func (e *UnknownMediaError) Error() string { return "unknown media: " + strings.Join(e.IDs, ", ") }

// LinkItemMedia links the media that an item refers to, all of which must have their bytes stored.
func LinkItemMedia(ctx context.Context, s tables.Session, scope domain.ProjectScope, item domain.DatasetItem, media []ItemMedium) error {
	if len(media) == 0 {
		return nil
	}
	ids := make([]string, len(media))
	for n, m := range media {
		ids[n] = m.ID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids { // lock them against deletion until the item is stored
		if _, err := s.Exec(ctx, "UPDATE media SET linked_at = ? WHERE project_id = ? AND id = ?", tables.Millis(s.Now()),
			scope.ProjectID(), id); err != nil {
			return err
		}
	}
	stored, err := StoredMedia(ctx, s, scope, ids)
	if err != nil {
		return err
	}
	if unknown := slices.DeleteFunc(ids, func(id string) bool { _, ok := stored[id]; return ok }); len(unknown) > 0 {
		return &UnknownMediaError{unknown}
	}
	for _, m := range media {
		link := domain.MediumLink{DatasetID: item.DatasetID, DatasetItemID: item.ID, Field: m.Field}
		if err := linkMedium(ctx, s, scope, m.ID, link); err != nil {
			return err
		}
	}
	return nil
}

// maxWriting is the maximum time for writing a blob. After that it is removed.
const maxWriting = 3 * time.Hour

// BeginBlobs records that blobs are about to be written. Those that are not assigned to a medium are removed some hours
// later.
func (c *Catalog) BeginBlobs(ctx context.Context, keys ...string) error {
	return c.db.Update(ctx, func(s tables.Session) error { return NoteUnused(ctx, s, s.Now().Add(maxWriting), keys...) })
}

// NoteUnused records that blobs may be removed after a time.
func NoteUnused(ctx context.Context, s tables.Session, after time.Time, keys ...string) error {
	for _, key := range keys {
		if _, err := s.Exec(ctx, `INSERT INTO unused_blobs (blob_key, remove_after) VALUES (?, ?)
			ON CONFLICT (blob_key) DO UPDATE SET remove_after = excluded.remove_after`, key, tables.Millis(after)); err != nil {
			return fmt.Errorf("cannot mark a blob as unused: %w", err)
		}
	}
	return nil
}

// StoreMedium records that the bytes of a medium are in the blob it names. If the bytes were stored before, the new
// blob stays unused. It returns domain.ErrNotFound if the medium was not announced or has been deleted since, and
// domain.ErrConflict if the blob was given up.
func (c *Catalog) StoreMedium(ctx context.Context, scope domain.ProjectScope, m domain.Medium) error {
	return c.db.Update(ctx, func(s tables.Session) error { return storeMedium(ctx, s, scope, m) })
}

func storeMedium(ctx context.Context, s tables.Session, scope domain.ProjectScope, m domain.Medium) error {
	// The first statement locks the row, so that the later of two concurrent uploads sees the earlier one.
	changed, err := s.Exec(ctx,
		"UPDATE media SET content_type = ?, content_length = ?, stored_at = ? WHERE project_id = ? AND id = ? AND sha256 = ?",
		m.ContentType, m.ContentLength, tables.Millis(s.Now()), scope.ProjectID(), m.ID, m.SHA256)
	if err := tables.WithSubject(tables.OrNotFound(changed, err), "media", m.ID); err != nil {
		return err
	}
	before, err := readMedium(ctx, s, scope, m.ID)
	if err != nil {
		return err
	}
	if before.Stored() { // the bytes are the same, and somebody may be reading the stored ones
		return NoteUnused(ctx, s, s.Now(), m.BlobKey)
	}
	if _, err := s.Exec(ctx, "UPDATE media SET blob_key = ? WHERE project_id = ? AND id = ?", m.BlobKey, scope.ProjectID(),
		m.ID); err != nil {
		return err
	}
	changed, err = s.Exec(ctx, "DELETE FROM unused_blobs WHERE blob_key = ? AND remove_after > 0", m.BlobKey)
	if err == nil && changed == 0 {
		return fmt.Errorf("the blob of media %s took too long to write and was given up: %w", m.ID, domain.ErrConflict)
	}
	return err
}

// KeptMedium is a medium with its bytes in a blob, and its links.
type KeptMedium struct {
	Medium domain.Medium
	Links  []domain.MediumLink
}

// KeepMedia creates media from blobs that are already written. If the bytes of a medium were stored before, its new
// blob stays unused. Media without a blob must already be stored; otherwise KeepMedia returns domain.ErrConflict and
// stores nothing.
func (c *Catalog) KeepMedia(ctx context.Context, scope domain.ProjectScope, media []KeptMedium) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		for _, kept := range media {
			m := kept.Medium
			if err := holdMedium(ctx, s, scope, m); err != nil {
				return err
			}
			found, err := readMedium(ctx, s, scope, m.ID)
			switch {
			case err != nil:
				return err
			case found.SHA256 != m.SHA256:
				return fmt.Errorf("media %s: %w", m.ID, ErrOtherHash)
			case !found.Stored() && m.BlobKey == "":
				return fmt.Errorf("media %s were deleted meanwhile: %w", m.ID, domain.ErrConflict)
			case !found.Stored():
				err = storeMedium(ctx, s, scope, m)
			case m.BlobKey != "":
				err = NoteUnused(ctx, s, s.Now(), m.BlobKey)
			}
			if err != nil {
				return err
			}
			for _, link := range kept.Links {
				if err := linkMedium(ctx, s, scope, m.ID, link); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// MediumUpload is a client's report about an upload.
type MediumUpload struct {
	At     time.Time
	Status int
	Error  string
	Millis *int64
}

// Succeeded reports whether the client says that the upload succeeded.
func (u *MediumUpload) Succeeded() bool { return UploadSucceeded(u.Status) }

// UploadSucceeded reports whether an HTTP status of an upload means success.
func UploadSucceeded(status int) bool { return status == http.StatusOK || status == http.StatusCreated }

// ReportUpload stores a client's report about the upload of a medium. A report of success is rejected with
// domain.ErrConflict if the bytes have not arrived, and changes nothing: it would hide an earlier report of failure.
func (c *Catalog) ReportUpload(ctx context.Context, scope domain.ProjectScope, id string, u MediumUpload) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		changed, err := s.Exec(ctx,
			"UPDATE media SET uploaded_at = ?, upload_status = ?, upload_error = ?, upload_millis = ? WHERE project_id = ? AND id = ?",
			tables.Millis(u.At), u.Status, u.Error, u.Millis, scope.ProjectID(), id)
		if err := tables.WithSubject(tables.OrNotFound(changed, err), "media", id); err != nil || !u.Succeeded() {
			return err
		}
		if m, err := readMedium(ctx, s, scope, id); err != nil || m.Stored() {
			return err
		}
		return fmt.Errorf("the bytes of media %s have not arrived: %w", id, domain.ErrConflict)
	})
}

// ItemMedium is a medium that a field of an item refers to.
type ItemMedium struct{ ID, Field string }
