package prompts

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// Copy says which prompts are copied to where.
type Copy struct {
	// From is a project and Selection a prompt or a folder in it.
	From      domain.ProjectScope
	Selection VersionSelection
	// Rename returns the name of the copy of a prompt.
	Rename func(string) string
	// Rewrite returns the content of a copy, with references to copied prompts replaced by those to their copies; nil
	// leaves the content as it is.
	Rewrite    func(domain.Prompt) domain.Prompt
	KeepLabels bool
	CreatedBy  string
	DryRun     bool
	Check      func(domain.Prompt, FindPrompt) error
}

// CopiedPrompt is a prompt that was copied.
type CopiedPrompt struct {
	From, To string
	Versions []int // of the copy
}

// NamesTaken is returned if there are prompts with the names that copies would have.
type NamesTaken struct{ Names []string }

func (e *NamesTaken) Error() string { return fmt.Sprintf("%d names are taken", len(e.Names)) }

// CopyPrompts copies prompts to names that must be free, in the same project or another. All versions keep their
// numbers; a single one becomes the first.
func (c *Catalog) CopyPrompts(
	ctx context.Context, scope domain.ProjectScope, o Copy, limit int, by Editor,
) (copied []CopiedPrompt, err error) {
	refs, err := c.selected(ctx, o.From, o.Selection)
	if err != nil {
		return nil, err
	}
	switch {
	case len(refs) == 0:
		return nil, fmt.Errorf("prompts to copy: %w", domain.ErrNotFound)
	case len(refs) > limit:
		return nil, &TooManyVersions{len(refs), limit}
	}
	err = promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		if err := refuseTaken(ctx, s, scope, refs, o.Rename); err != nil {
			return err
		}
		var stored []domain.Prompt
		for _, ref := range refs {
			p, err := readPrompt(ctx, s, o.From, ref)
			if errors.Is(err, domain.ErrNotFound) {
				continue // deleted concurrently
			}
			if err != nil {
				return err
			}
			to := o.Rename(ref.Name)
			if last := len(copied) - 1; last < 0 || copied[last].From != ref.Name {
				copied = append(copied, CopiedPrompt{From: ref.Name, To: to})
			}
			n, err := o.store(ctx, s, scope, p, to, by)
			if err != nil {
				return err
			}
			last := &copied[len(copied)-1]
			last.Versions = append(last.Versions, n.Version)
			n.Text, n.Messages = "", nil // only the references matter below
			stored = append(stored, n)
		}
		// When all are there, since they may refer to each other.
		for _, n := range stored {
			whole, err := readPrompt(ctx, s, scope, domain.PromptReference{Name: n.Name, Version: n.Version})
			if err != nil {
				return err
			}
			if err := o.Check(whole, func(ctx context.Context, ref domain.PromptReference) (domain.Prompt, error) {
				return readPrompt(ctx, s, scope, ref)
			}); err != nil {
				return err
			}
		}
		if o.DryRun {
			return ErrDryRun
		}
		for _, prompt := range copied {
			if err := s.AuditInProject(ctx, scope, by.Actor, tables.KindPrompt, prompt.To, nil, tables.StateOf(map[string]any{
				"name": prompt.To, "versions": prompt.Versions, "copiedFrom": prompt.From, "copiedFromProject": o.From.ProjectID(),
				"labels": o.KeepLabels,
			})); err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, ErrDryRun) {
		err = nil
	}
	return copied, err
}

// refuseTaken returns an error if a prompt has the name that a copy would get.
func refuseTaken(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, refs []domain.PromptReference, rename func(string) string,
) error {
	var names []string
	for n, ref := range refs {
		if n == 0 || refs[n-1].Name != ref.Name {
			names = append(names, rename(ref.Name))
		}
	}
	var taken []string
	for some := range slices.Chunk(names, tables.RowsPerStatement) {
		q := tables.SQL("SELECT DISTINCT name FROM prompts WHERE project_id = ?", scope.ProjectID()).And(tables.In("name", some))
		found, err := tables.QueryAll(ctx, s, tables.ScanValue[string], q.Text, q.Args...)
		if err != nil {
			return err
		}
		taken = append(taken, found...)
	}
	if len(taken) > 0 {
		slices.Sort(taken)
		return &NamesTaken{taken}
	}
	return nil
}

// store stores the copy of a version.
func (o *Copy) store(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, p domain.Prompt, to string, by Editor,
) (domain.Prompt, error) {
	if o.Rewrite != nil {
		p = o.Rewrite(p)
	}
	p.ID, p.Name, p.CreatedBy = tables.OrderedID(), to, o.CreatedBy
	if !o.Selection.Every {
		p.Version = 1
	}
	newest := slices.Contains(p.Labels, domain.LatestLabel) || !o.Selection.Every
	var labels []string
	if o.KeepLabels {
		labels = slices.DeleteFunc(slices.Clone(p.Labels), func(label string) bool { return label == domain.LatestLabel })
	}
	if err := refuseProtected(ctx, s, scope, by, labels); err != nil {
		return p, err
	}
	if err := insertPrompt(ctx, s, scope, p); err != nil {
		return p, err
	}
	if err := promptTables.replaceTags(ctx, s, scope, to, p.Tags); err != nil {
		return p, err
	}
	if newest {
		labels = append(labels, domain.LatestLabel)
	}
	_, err := recordMoves(ctx, s, scope, to, by.Actor, func() error {
		return promptTables.moveLabels(ctx, s, scope, to, p.Version, labels)
	})
	return p, err
}
