package prompts

import (
	"context"
	"errors"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// The outcomes of an entry of a batch.
const (
	EntryCreated   = "created"
	EntryUnchanged = "unchanged" // the newest version has the same content and config
	EntrySkipped   = "skipped"   // there is a prompt of that name
	EntryFailed    = "failed"
)

// BatchResult is what became of an entry of a batch, in its place.
type BatchResult struct {
	Outcome string
	Version int
	Err     error // why it failed
}

// Refused is an error of CheckPrompt that concerns the prompt, and not the database.
type Refused struct{ Message string }

func (e *Refused) Error() string { return e.Message }

// ErrDryRun ends the transaction of a dry run without storing anything.
var ErrDryRun = errors.New("dry run")

// Batch is a batch of new versions.
type Batch struct {
	Entries []domain.Prompt
	// SkipExisting leaves prompts alone that exist before the batch.
	SkipExisting bool
	DryRun       bool
	Check        func(domain.Prompt, FindPrompt) error
}

// AddPrompts adds versions of prompts in one transaction. Entries that cannot be stored do not keep others from being
// stored. Entries may refer to others that follow them.
func (c *Catalog) AddPrompts(ctx context.Context, scope domain.ProjectScope, b Batch, by Editor) ([]BatchResult, error) {
	results := make([]BatchResult, len(b.Entries))
	err := promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		existed := make(map[string]bool)
		for _, n := range b.Entries {
			if _, known := existed[n.Name]; known {
				continue
			}
			newest, _, err := newestPrompt(ctx, s, scope, n.Name)
			if err != nil {
				return err
			}
			existed[n.Name] = newest > 0
		}
		left := make([]int, len(b.Entries))
		for n := range left {
			left[n] = n
		}
		// Those that fail are tried again as long as others succeed: they may refer to them.
		for progress := true; progress && len(left) > 0; {
			progress = false
			var failed []int
			waiting := make(map[string]bool) // the versions of a name stay in order
			for _, n := range left {
				entry := b.Entries[n]
				if b.SkipExisting && existed[entry.Name] {
					results[n] = BatchResult{Outcome: EntrySkipped}
					continue
				}
				if waiting[entry.Name] {
					failed = append(failed, n)
					continue
				}
				result, err := b.add(ctx, s, scope, entry, by)
				if err != nil {
					return err
				}
				if results[n] = result; result.Err != nil {
					failed, waiting[entry.Name] = append(failed, n), true
					continue
				}
				progress = true
			}
			left = failed
		}
		for _, n := range left {
			if results[n].Err == nil {
				results[n] = BatchResult{Outcome: EntryFailed, Err: &Refused{"an earlier entry of the same name failed"}}
			}
		}
		if b.DryRun {
			return ErrDryRun
		}
		return nil
	})
	if errors.Is(err, ErrDryRun) {
		err = nil
	}
	return results, err
}

// add stores one entry. The error is that of the database; others are part of the result.
func (b *Batch) add(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.Prompt, by Editor) (BatchResult, error) {
	created, unchanged, err := addVersion(ctx, s, scope, n, Conditions{SkipUnchanged: true},
		func(find FindPrompt) error { return b.Check(n, find) }, by)
	if ofEntry(err) {
		return BatchResult{Outcome: EntryFailed, Err: err}, nil
	}
	outcome := EntryCreated
	if unchanged {
		outcome = EntryUnchanged
	}
	return BatchResult{Outcome: outcome, Version: created.Version}, err
}

// ofEntry reports whether an error concerns one entry of a batch, and was found before anything was written for it.
func ofEntry(err error) bool {
	_, refused := errors.AsType[*Refused](err)
	_, protected := errors.AsType[*ProtectedLabels](err)
	return refused || protected || errors.Is(err, ErrPromptType) || errors.Is(err, ErrPromptLabels) || errors.Is(err, domain.ErrConflict)
}
