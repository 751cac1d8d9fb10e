package prompts

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// The highest version number of a prompt, and the maximum number of labels of one version.
const (
	maxPromptVersion = 1<<31 - 1
	maxPromptLabels  = 1000
)

// Errors for changes that conflict with the stored prompts. Their messages are shown to clients.
var (
	// ErrPromptType means that a new version has a different type than the existing ones.
	ErrPromptType = errors.New("the versions of a prompt are all of one type")
	// ErrPromptLabels means that a version would have too many labels.
	ErrPromptLabels = fmt.Errorf("a version of a prompt has at most %d labels", maxPromptLabels)
)

// FindPrompt looks up a prompt of the project.
type FindPrompt func(ctx context.Context, ref domain.PromptReference) (domain.Prompt, error)

// Conditions are what a client expects when it adds a version.
type Conditions struct {
	// Base is the number that the newest version must have, or 0 if the name must be new. Nil accepts any.
	Base *int
	// SkipUnchanged stores nothing if the newest version has the same content and config.
	SkipUnchanged bool
}

// StaleBase is returned if the newest version is another than the client expected; it is 0 if there is none.
type StaleBase struct{ Newest int }

func (e *StaleBase) Error() string { return fmt.Sprintf("the newest version is %d", e.Newest) }

// CheckPrompt decides whether a version may be stored. It may look at other prompts; its errors are returned unchanged.
type CheckPrompt func(FindPrompt) error

// CreatePrompt stores a new version of a prompt, the first one of its name or the next; its number, id and timestamps
// are assigned here. The version gets the label latest in addition to its own, and other versions of the name lose
// these labels. Nil tags leave the tags of the name unchanged.
func (c *Catalog) CreatePrompt(
	ctx context.Context, scope domain.ProjectScope, n domain.Prompt, check CheckPrompt, by Editor,
) (domain.Prompt, error) {
	created, _, err := c.AddPromptVersion(ctx, scope, n, Conditions{}, check, by)
	return created, err
}

// AddPromptVersion is CreatePrompt under conditions. It returns the newest version instead, as unchanged, if nothing
// was to be stored.
func (c *Catalog) AddPromptVersion(
	ctx context.Context, scope domain.ProjectScope, n domain.Prompt, expected Conditions, check CheckPrompt, by Editor,
) (created domain.Prompt, unchanged bool, err error) {
	err = promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		created, unchanged, err = addVersion(ctx, s, scope, n, expected, check, by)
		return err
	})
	return created, unchanged, err
}

// addVersion stores a new version in a transaction. It writes nothing before the last error that is not the database's.
func addVersion(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.Prompt, expected Conditions, check CheckPrompt, by Editor,
) (created domain.Prompt, unchanged bool, err error) {
	newest, kind, err := newestPrompt(ctx, s, scope, n.Name)
	switch {
	case err != nil:
		return created, false, err
	case expected.Base != nil && *expected.Base != newest:
		return created, false, &StaleBase{newest}
	case newest > 0 && kind != n.Type:
		return created, false, fmt.Errorf("prompt %q has versions of type %s, the new one is of type %s: %w", n.Name, kind, n.Type,
			ErrPromptType)
	case newest == maxPromptVersion:
		return created, false, fmt.Errorf("prompt %q has as many versions as there can be: %w", n.Name, domain.ErrConflict)
	case len(n.Labels) >= maxPromptLabels:
		return created, false, ErrPromptLabels
	}
	var previous *domain.Prompt
	if newest > 0 {
		p, err := readPrompt(ctx, s, scope, domain.PromptReference{Name: n.Name, Version: newest})
		if err != nil {
			return created, false, err
		}
		if expected.SkipUnchanged && contentHash(&p) == contentHash(&n) {
			return p, true, nil
		}
		previous = &p
	}
	if err := refuseProtected(ctx, s, scope, by, n.Labels); err != nil {
		return created, false, err
	}
	if err := check(func(ctx context.Context, ref domain.PromptReference) (domain.Prompt, error) {
		return readPrompt(ctx, s, scope, ref)
	}); err != nil {
		return created, false, err
	}
	n.ID, n.Version = tables.OrderedID(), newest+1
	if err := insertPrompt(ctx, s, scope, n); err != nil {
		return created, false, err
	}
	if n.Tags != nil {
		if err := setPromptTags(ctx, s, scope, n.Name, n.Tags); err != nil {
			return created, false, err
		}
	}
	if _, err := recordMoves(ctx, s, scope, n.Name, by.Actor, func() error {
		return setPromptLabels(ctx, s, scope, n.Name, n.Version, unique(append(slices.Clone(n.Labels), domain.LatestLabel)))
	}); err != nil {
		return created, false, err
	}
	if created, err = readPrompt(ctx, s, scope, domain.PromptReference{Name: n.Name, Version: n.Version}); err != nil {
		return created, false, err
	}
	return created, false, auditVersion(ctx, s, scope, by.Actor, previous, created)
}

// newestPrompt returns the highest version of a name and its type, or 0 if there is none.
func newestPrompt(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string) (version int, kind string, err error) {
	newest, err := tables.Optional(tables.QueryOne(ctx, s, func(r tables.Row) (p domain.Prompt, err error) {
		err = r.Scan(&p.Version, &p.Type)
		return p, err
	}, "SELECT version, type FROM prompts WHERE project_id = ? AND name = ? ORDER BY version DESC LIMIT 1", scope.ProjectID(), name))
	if err != nil || newest == nil {
		return 0, "", err
	}
	return newest.Version, newest.Type, nil
}

func insertPrompt(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.Prompt) error {
	n.CreatedAt = s.Now()
	n.UpdatedAt = n.CreatedAt
	return storePrompt(ctx, s, scope, n)
}

// storePrompt stores a version as it is, without its labels and tags.
func storePrompt(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.Prompt) error {
	if err := s.Insert(ctx, "prompts (project_id, hash, "+promptColumns+")",
		append([]any{scope.ProjectID(), contentHash(&n)}, promptFields(&n)...)...); err != nil {
		return err
	}
	return storeReferences(ctx, s, scope, n.ID, n.References)
}

// storeReferences stores the references of a version to other prompts.
func storeReferences(ctx context.Context, s tables.Session, scope domain.ProjectScope, id string, refs []domain.PromptReference) error {
	rows := make([][]any, len(refs))
	for position, ref := range refs {
		label := ref.Label
		if ref.Version != 0 {
			label = ""
		}
		rows[position] = []any{
			id, position, scope.ProjectID(), ref.Name, tables.AsOptional(&ref.Version), tables.AsOptional(&label),
		}
	}
	return s.InsertRows(ctx, "prompt_references (parent_id, position, project_id, child_name, child_version, child_label)", rows)
}

// setPromptTags replaces the tags of a name, unless they are the same.
func setPromptTags(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, tags []string) error {
	before, err := promptTables.tags(ctx, s, scope, name)
	if err != nil || slices.Equal(before, tags) {
		return err
	}
	return promptTables.setTags(ctx, s, scope, name, tags)
}

// setPromptLabels replaces the labels of a version. It returns ErrPromptLabels if there are too many.
func setPromptLabels(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, version int, labels []string) error {
	if len(labels) > maxPromptLabels {
		return ErrPromptLabels
	}
	return promptTables.setLabels(ctx, s, scope, name, version, labels)
}

// unique returns the list without duplicates, keeping the first of each.
func unique(list []string) []string {
	kept := make([]string, 0, len(list))
	for _, item := range list {
		if !slices.Contains(kept, item) {
			kept = append(kept, item)
		}
	}
	return kept
}
