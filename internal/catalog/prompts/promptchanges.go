package prompts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

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

// CreatePrompt stores a new version of a prompt, the first one of its name or the next; its number, id and timestamps
// are assigned here. The version gets the label latest in addition to its own, and other versions of the name lose
// these labels. Nil tags leave the tags of the name unchanged. The check may look at other prompts; its errors are
// returned unchanged.
func (c *Catalog) CreatePrompt(
	ctx context.Context, scope domain.ProjectScope, n domain.Prompt, check func(FindPrompt) error, actor domain.Actor,
) (domain.Prompt, error) {
	var created domain.Prompt
	err := promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		newest, kind, err := newestPrompt(ctx, s, scope, n.Name)
		switch {
		case err != nil:
			return err
		case newest > 0 && kind != n.Type:
			return fmt.Errorf("prompt %q has versions of type %s, the new one is of type %s: %w", n.Name, kind, n.Type, ErrPromptType)
		case newest == maxPromptVersion:
			return fmt.Errorf("prompt %q has as many versions as there can be: %w", n.Name, domain.ErrConflict)
		}
		if err := check(func(ctx context.Context, ref domain.PromptReference) (domain.Prompt, error) {
			return readPrompt(ctx, s, scope, ref)
		}); err != nil {
			return err
		}
		n.ID, n.Version = tables.OrderedID(), newest+1
		if err := insertPrompt(ctx, s, scope, n); err != nil {
			return err
		}
		if n.Tags != nil {
			if err := setPromptTags(ctx, s, scope, n.Name, n.Tags); err != nil {
				return err
			}
		}
		if err := setPromptLabels(ctx, s, scope, n.Name, n.Version,
			unique(append(slices.Clone(n.Labels), domain.LatestLabel))); err != nil {
			return err
		}
		if created, err = readPrompt(ctx, s, scope, domain.PromptReference{Name: n.Name, Version: n.Version}); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, tables.KindPrompt, created.ID, nil, promptState(created))
	})
	return created, err
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
	if err := s.Insert(ctx, "prompts (project_id, "+promptColumns+")",
		append([]any{scope.ProjectID()}, promptFields(&n)...)...); err != nil {
		return err
	}
	for position, ref := range n.References {
		label := ref.Label
		if ref.Version != 0 {
			label = ""
		}
		if err := s.Insert(ctx, "prompt_references (parent_id, position, project_id, child_name, child_version, child_label)",
			n.ID, position, scope.ProjectID(), ref.Name, tables.AsOptional(&ref.Version), tables.AsOptional(&label)); err != nil {
			return err
		}
	}
	return nil
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

// LabelPrompt adds labels to a version, before its existing ones. Other versions of the name lose them.
func (c *Catalog) LabelPrompt(
	ctx context.Context, scope domain.ProjectScope, name string, version int, labels []string, actor domain.Actor,
) (domain.Prompt, error) {
	var after domain.Prompt
	err := promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		ref := domain.PromptReference{Name: name, Version: version}
		before, err := readPrompt(ctx, s, scope, ref)
		if err != nil {
			return err
		}
		wanted := unique(append(slices.Clone(labels), before.Labels...))
		if slices.Equal(wanted, before.Labels) {
			after = before
			return nil
		}
		if err := setPromptLabels(ctx, s, scope, name, version, wanted); err != nil {
			return err
		}
		if after, err = readPrompt(ctx, s, scope, ref); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, tables.KindPrompt, after.ID, promptState(before), promptState(after))
	})
	return after, err
}

// DeletePrompt deletes the version of a prompt with the given number or label, or all versions if the reference has
// neither. It returns a *PromptInUse error if other prompts depend on what would be deleted. If the deleted version has
// the label latest, that moves to the highest remaining version.
func (c *Catalog) DeletePrompt(ctx context.Context, scope domain.ProjectScope, ref domain.PromptReference, actor domain.Actor) error {
	return promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		if ref.Version == 0 && ref.Label == "" {
			return deleteAllVersions(ctx, s, scope, ref.Name, actor)
		}
		p, err := readPrompt(ctx, s, scope, ref)
		if err != nil {
			return err
		}
		if err := refuseDependents(ctx, s, scope, p); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM prompts WHERE project_id = ? AND id = ?", scope.ProjectID(), p.ID); err != nil {
			return err
		}
		newest, _, err := newestPrompt(ctx, s, scope, p.Name)
		if err != nil {
			return err
		}
		if newest == 0 {
			if _, err := s.Exec(ctx, "DELETE FROM prompt_tags WHERE project_id = ? AND name = ?", scope.ProjectID(), p.Name); err != nil {
				return err
			}
		} else if slices.Contains(p.Labels, domain.LatestLabel) {
			heir, err := readPrompt(ctx, s, scope, domain.PromptReference{Name: p.Name, Version: newest})
			if err != nil {
				return err
			}
			if err := setPromptLabels(ctx, s, scope, p.Name, newest, append(heir.Labels, domain.LatestLabel)); err != nil {
				return err
			}
		}
		return s.AuditInProject(ctx, scope, actor, tables.KindPrompt, p.ID, promptState(p), nil)
	})
}

func deleteAllVersions(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, actor domain.Actor) error {
	if tables.Unstorable(name) {
		return fmt.Errorf("prompt %q: %w", name, domain.ErrNotFound)
	}
	versions, err := tables.QueryAll(ctx, s, tables.ScanValue[int],
		"SELECT version FROM prompts WHERE project_id = ? AND name = ? ORDER BY version", scope.ProjectID(), name)
	if err != nil {
		return err
	}
	if len(versions) == 0 {
		return fmt.Errorf("prompt %q: %w", name, domain.ErrNotFound)
	}
	if err := refuseIf(ctx, s, scope, name, "r.child_name = ?", name); err != nil {
		return err
	}
	for _, table := range []string{"prompts", "prompt_tags"} {
		if _, err := s.Exec(ctx, "DELETE FROM "+table+" WHERE project_id = ? AND name = ?", scope.ProjectID(), name); err != nil {
			return err
		}
	}
	return s.AuditInProject(ctx, scope, actor, tables.KindPrompt, name, tables.StateOf(map[string]any{"name": name, "versions": versions}),
		nil)
}

// refuseDependents returns an error if other prompts depend on a version, by its number or by a label that no version
// would have after the deletion. The label latest moves to another version, if there is one.
func refuseDependents(ctx context.Context, s tables.Session, scope domain.ProjectScope, p domain.Prompt) error {
	others, err := tables.QueryOne(ctx, s, tables.ScanValue[int],
		"SELECT COUNT(*) FROM prompts WHERE project_id = ? AND name = ? AND version <> ?", scope.ProjectID(), p.Name, p.Version)
	if err != nil {
		return err
	}
	condition, args := "r.child_name = ? AND (r.child_version = ? OR r.child_label IN (SELECT label FROM prompt_labels WHERE project_id "+
		"= ? AND name = ? AND version = ?))",
		[]any{p.Name, p.Version, scope.ProjectID(), p.Name, p.Version}
	if others > 0 {
		condition, args = condition+" AND (r.child_label IS NULL OR r.child_label <> ?)", append(args, domain.LatestLabel)
	}
	return refuseIf(ctx, s, scope, p.Name, condition, args...)
}

// maxDependents is the maximum number of dependents named in an error.
const maxDependents = 20

// refuseIf returns an error that names the prompts whose references match the condition, if there are any.
func refuseIf(ctx context.Context, s tables.Session, scope domain.ProjectScope, name, condition string, args ...any) error {
	dependents, err := tables.QueryAll(ctx, s, func(r tables.Row) (string, error) {
		var (
			name    string
			version int
		)
		err := r.Scan(&name, &version)
		return fmt.Sprintf("%s (version %d)", name, version), err
	}, `SELECT DISTINCT p.name, p.version FROM prompt_references r JOIN prompts p ON p.id = r.parent_id
		WHERE r.project_id = ? AND p.name <> ? AND `+condition+" ORDER BY p.name, p.version LIMIT ?",
		append(append([]any{scope.ProjectID(), name}, args...), maxDependents+1)...)
	if err != nil || len(dependents) == 0 {
		return err
	}
	more := ""
	if len(dependents) > maxDependents {
		dependents, more = dependents[:maxDependents], " and others"
	}
	return &PromptInUse{Name: name, Dependents: strings.Join(dependents, ", ") + more}
}

// PromptInUse is returned when deleting a prompt that other prompts depend on.
type PromptInUse struct{ Name, Dependents string }

func (e *PromptInUse) Error() string {
	return fmt.Sprintf("cannot delete prompt %q: other prompts depend on it: %s", e.Name, e.Dependents)
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

// promptState returns what the audit log records about a version: its identity, and everything that can change. The
// content cannot.
func promptState(p domain.Prompt) json.RawMessage {
	return tables.StateOf(map[string]any{
		"name": p.Name, "version": p.Version, "type": p.Type, "labels": p.Labels, "tags": p.Tags, "commitMessage": p.CommitMessage,
	})
}
