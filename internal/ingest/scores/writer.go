package scores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// Options configures a Writer.
type Options struct {
	Table *store.LockedTable[domain.Score]
	// Config returns a score config, or domain.ErrNotFound if there is none.
	Config func(ctx context.Context, scope domain.ProjectScope, id string) (domain.ScoreConfig, error)
	// Mask, if not nil, changes free text before it is stored.
	Mask func(scope domain.ProjectScope, comment, text, metadata *string)
	// Times limits the times of scores. The zero value allows any time.
	Times domain.TimeWindow
	// Clock returns the current time; nil means time.Now.
	Clock func() time.Time
}

// Writer stores scores. It is safe for concurrent use.
type Writer struct {
	Options
}

// NewWriter returns a writer. It starts no goroutines.
func NewWriter(o Options) *Writer {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Writer{Options: o}
}

// Write stores the valid drafts. If it returns no error, they are durable, and refusals has nil for each stored draft
// and a *decode.Invalid or ErrForeign for each other one. On an error nothing is stored.
func (w *Writer) Write(ctx context.Context, scope domain.ProjectScope, drafts []Draft) (refusals []error, err error) {
	refusals = make([]error, len(drafts))
	batch, err := w.settle(ctx, scope, drafts, refusals)
	if err != nil || len(batch) == 0 {
		return refusals, err
	}
	var ids []string // that may already be stored
	for _, s := range batch {
		if !s.drafts[0].fresh {
			ids = append(ids, s.id)
		}
	}
	release, err := w.Table.Lock(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	defer release()
	stored, err := w.stored(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	now := domain.MicrosOf(w.Clock())
	rows := make([]domain.Score, 0, len(batch))
	for _, s := range batch {
		if before := stored[s.id]; before != nil && s.drafts[0].isForeign(before) {
			for _, n := range s.numbers {
				refusals[n] = ErrForeign
			}
			continue
		}
		row := merge(stored[s.id], s.drafts, now)
		if len(row.Metadata) > maxMetadata {
			for n, d := range s.drafts {
				refusals[s.numbers[n]] = tooMuchMetadata(d, len(row.Metadata))
			}
			continue
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return refusals, nil
	}
	if err := w.Table.Append(ctx, scope, rows); err != nil {
		return nil, fmt.Errorf("cannot store %d scores: %w", len(rows), err)
	}
	return refusals, nil
}

// ErrForeign is returned for a write without a secret to a score that was not written with the same key without its
// secret. The text is shown to clients.
var ErrForeign = errors.New("a score with this id was written by somebody else: without its secret, a key can only change scores that it " +
	"wrote without it")

// isForeign reports whether the write comes without a secret and the stored score was not written with the same key
// without its secret.
func (d *Draft) isForeign(stored *domain.Score) bool {
	return d.BrowserKey != "" && d.BrowserKey != stored.BrowserKey
}

// writes are the writes of one score in a batch, in the order in which the client made them.
type writes struct {
	id      string
	drafts  []*Draft
	numbers []int // of the drafts in the batch
}

// settle checks all drafts against their configs, records refusals, and returns the accepted drafts grouped by id.
func (w *Writer) settle(ctx context.Context, scope domain.ProjectScope, drafts []Draft, refusals []error) ([]*writes, error) {
	configs := w.configsOf(ctx, scope)
	var accepted []int
	now := domain.MicrosOf(w.Clock())
	for n := range drafts {
		refusal, err := configs.settle(&drafts[n])
		if err != nil {
			return nil, err
		}
		if text := w.Times.Refusal(drafts[n].At, now); refusal == nil && text != "" && !drafts[n].Received {
			refusal = &decode.Invalid{Issues: []decode.Issue{decode.Violation(drafts[n].in("timestamp"), text)}}
		}
		if refusals[n] = refusal; refusal == nil {
			accepted = append(accepted, n)
			w.mask(scope, &drafts[n])
		}
	}
	slices.SortStableFunc(accepted, func(a, b int) int { return cmp.Compare(drafts[a].At, drafts[b].At) })
	var batch []*writes
	byID := make(map[string]*writes, len(accepted))
	for _, n := range accepted {
		d := &drafts[n]
		s := byID[d.ID]
		if s == nil {
			s = &writes{id: d.ID}
			byID[d.ID] = s
			batch = append(batch, s)
		}
		s.drafts, s.numbers = append(s.drafts, d), append(s.numbers, n)
	}
	return batch, nil
}

// mask masks free text. Categories are not masked: they are labels chosen by a config or by the client.
func (w *Writer) mask(scope domain.ProjectScope, d *Draft) {
	if w.Mask == nil {
		return
	}
	var none string
	text := &none
	if d.DataType == domain.ScoreText || d.DataType == domain.ScoreCorrection {
		text = &d.Text
	}
	w.Mask(scope, &d.Comment.Text, text, &d.Metadata)
}

// stored returns the stored scores with these ids.
func (w *Writer) stored(ctx context.Context, scope domain.ProjectScope, ids []string) (map[string]*domain.Score, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found := make(map[string]*domain.Score)
	held := memory.NewTally(ctx) // released when the request ends
	for row, err := range w.Table.Lookup(ctx, scope, store.Lookup{IDs: ids, Want: store.WantAll}) {
		if err == nil {
			const perScore = 800
			err = held.Add(int64(perScore + len(row.Comment) + len(row.Metadata) + len(row.StringValue)))
		}
		if err != nil {
			return nil, fmt.Errorf("cannot look up %d scores: %w", len(ids), err)
		}
		s := row.Clone()
		found[s.ID] = &s
	}
	return found, nil
}

func tooMuchMetadata(d *Draft, size int) error {
	return &decode.Invalid{Issues: []decode.Issue{decode.Violation(d.in("metadata"), fmt.Sprintf(
		"The metadata of score %q would have %d bytes, those of earlier writes included; the limit is %d", shortened(d.ID), size,
		maxMetadata))}}
}

// Delete deletes scores. They no longer exist when it returns; ids without a score are ignored.
func (w *Writer) Delete(ctx context.Context, scope domain.ProjectScope, ids []string) error {
	if _, err := w.Table.Delete(ctx, scope, store.Selection{IDs: ids}); err != nil {
		return fmt.Errorf("cannot delete %d scores: %w", len(ids), err)
	}
	return nil
}
