// Package media stores the files attached to traces and dataset items: their metadata is in the catalog, their content
// in a blob store. It also finds files embedded in texts.
package media

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"

	"almanac/internal/blob"
	"almanac/internal/catalog"
	"almanac/internal/catalog/media"
	"almanac/internal/domain"
)

// Library stores media. It is safe for concurrent use.
//
// Every upload gets a blob with its own key, which is recorded as unused before it is written and assigned to the
// medium once it is complete. So no crash leaves an unrecorded blob behind, and removing one can never hit a newer one.
type Library struct {
	Catalog *catalog.Catalog
	Blobs   blob.Store

	retried string // the last blob that Sweep tried to remove again
}

// ErrContent means that the content does not have the announced length or hash.
var ErrContent = errors.New("these are not the bytes that were announced")

// Receive stores the content of an announced medium. It must have the announced length and hash; otherwise nothing is
// stored.
func (l *Library) Receive(ctx context.Context, scope domain.ProjectScope, m domain.Medium, body io.Reader) error {
	m.BlobKey = domain.NewID()
	if err := l.Catalog.BeginBlobs(ctx, m.BlobKey); err != nil {
		return err
	}
	hash := sha256.New()
	err := l.Blobs.Put(ctx, m.BlobKey, io.TeeReader(body, hash), m.ContentLength)
	switch {
	case errors.Is(err, blob.ErrLength):
		err = fmt.Errorf("%w: %w", ErrContent, err)
	case err == nil && base64.StdEncoding.EncodeToString(hash.Sum(nil)) != m.SHA256:
		err = fmt.Errorf("%w: their SHA-256 hash is another one", ErrContent)
	}
	if err == nil {
		err = l.Catalog.StoreMedium(ctx, scope, m)
	}
	if err != nil {
		// If this fails as well, Sweep does it later.
		_ = l.remove(context.WithoutCancel(ctx), []string{m.BlobKey})
	}
	return err
}

// Open returns the content of a medium.
func (l *Library) Open(ctx context.Context, m *domain.Medium) (*Content, error) {
	content, err := l.Blobs.Open(ctx, m.BlobKey, m.ContentLength)
	if err != nil {
		return nil, err
	}
	return newContent(content, m), nil
}

// Extracted is a file extracted from a text.
type Extracted struct {
	ContentType string
	SHA256      string
	Data        []byte
	Link        domain.MediumLink
}

// Keep stores files extracted from texts: all of them, or none on error.
func (l *Library) Keep(ctx context.Context, scope domain.ProjectScope, files []Extracted) error {
	// A medium that is already stored may be deleted just before it gets its new link. Then it is written after all.
	const attempts = 3
	for attempt := 1; ; attempt++ {
		err := l.keep(ctx, scope, files)
		if !errors.Is(err, domain.ErrConflict) || attempt == attempts {
			return err
		}
	}
}

func (l *Library) keep(ctx context.Context, scope domain.ProjectScope, files []Extracted) error {
	kept, data := byHash(files)
	ids := make([]string, len(kept))
	for n := range kept {
		ids[n] = kept[n].Medium.ID
	}
	stored, err := l.Catalog.StoredMedia(ctx, scope, ids)
	if err != nil {
		return err
	}
	var keys []string
	for n := range kept {
		if _, ok := stored[kept[n].Medium.ID]; !ok {
			kept[n].Medium.BlobKey = domain.NewID()
			keys = append(keys, kept[n].Medium.BlobKey)
		}
	}
	if len(keys) > 0 {
		if err := l.Catalog.BeginBlobs(ctx, keys...); err != nil {
			return err
		}
	}
	for n := range kept {
		if m := &kept[n].Medium; m.BlobKey != "" && err == nil {
			err = l.Blobs.Put(ctx, m.BlobKey, bytes.NewReader(data[m.ID]), m.ContentLength)
		}
	}
	if err == nil {
		err = l.Catalog.KeepMedia(ctx, scope, kept)
	}
	if err != nil && len(keys) > 0 {
		_ = l.remove(context.WithoutCancel(ctx), keys) // if this fails as well, Sweep does it later
	}
	return err
}

// byHash returns each file once with all its links, ordered by id, and the contents by id.
func byHash(files []Extracted) (kept []media.KeptMedium, data map[string][]byte) {
	data = make(map[string][]byte, len(files))
	at := make(map[string]int, len(files))
	for _, f := range files {
		id := domain.MediaID(f.SHA256)
		n, known := at[id]
		if !known {
			n = len(kept)
			at[id], data[id] = n, f.Data
			kept = append(kept, media.KeptMedium{Medium: domain.Medium{
				ID: id, SHA256: f.SHA256, ContentType: f.ContentType, ContentLength: int64(len(f.Data)),
			}})
		}
		kept[n].Links = append(kept[n].Links, f.Link)
	}
	// Concurrent calls lock the same media in the same order.
	slices.SortFunc(kept, func(a, b media.KeptMedium) int { return cmp.Compare(a.Medium.ID, b.Medium.ID) })
	return kept, data
}

// ForgetTraces deletes media that were attached to these deleted traces and to nothing else.
func (l *Library) ForgetTraces(ctx context.Context, scope domain.ProjectScope, traceIDs []string) error {
	if err := l.Catalog.ForgetMediaOfTraces(ctx, scope, traceIDs); err != nil {
		return err
	}
	if _, err := l.sweepSome(ctx); err != nil {
		return err
	}
	// A client that repeats a deletion is done with it. Others must not notice, and Sweep reports what fails.
	const some = 20
	keys, err := l.Catalog.GivenUpBlobs(ctx, "", some)
	if err == nil {
		_, err = l.tryRemove(ctx, keys)
	}
	return err
}

// sweepSize is the number of blobs removed in one step.
const sweepSize = 200

// Sweep removes all blobs that nothing refers to. Those that cannot be removed are tried again after all others, some at
// a time. It must not be called concurrently.
func (l *Library) Sweep(ctx context.Context) error {
	for {
		found, err := l.sweepSome(ctx)
		if err != nil {
			return errors.Join(err, l.retry(ctx))
		}
		if found < sweepSize {
			return l.retry(ctx)
		}
	}
}

// sweepSome removes some blobs that became unused. It returns how many it found.
func (l *Library) sweepSome(ctx context.Context) (int, error) {
	keys, err := l.Catalog.UnusedBlobs(ctx, sweepSize)
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	unused, err := l.Catalog.GiveUpBlobs(ctx, keys)
	if err != nil {
		return 0, err
	}
	return len(keys), l.remove(ctx, unused)
}

// retry removes blobs that could not be removed before. After a failure, it goes on behind them the next time: the same
// ones must not keep all others.
func (l *Library) retry(ctx context.Context) error {
	for {
		keys, err := l.Catalog.GivenUpBlobs(ctx, l.retried, sweepSize)
		if err != nil {
			return err
		}
		if l.retried = ""; len(keys) == sweepSize {
			l.retried = keys[sweepSize-1]
		}
		if err := l.remove(ctx, keys); err != nil || l.retried == "" {
			return err
		}
	}
}

// remove removes blobs. Those that cannot be removed stay recorded as unused.
func (l *Library) remove(ctx context.Context, keys []string) error {
	return errors.Join(l.tryRemove(ctx, keys))
}

// tryRemove is remove, but returns the failure to remove a blob apart from that to record it.
func (l *Library) tryRemove(ctx context.Context, keys []string) (stays, err error) {
	var removed []string
	for _, key := range keys {
		if err := l.Blobs.Remove(ctx, key); err != nil {
			stays = err
			continue
		}
		removed = append(removed, key)
	}
	return stays, l.Catalog.BlobsRemoved(ctx, removed)
}
