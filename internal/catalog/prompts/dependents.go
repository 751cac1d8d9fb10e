package prompts

import (
	"context"
	"fmt"
	"strings"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// Dependent is a version of a prompt that refers to another prompt.
type Dependent struct {
	Name    string
	Version int
	Latest  bool // the newest version of its name
	// By is the reference.
	By domain.PromptReference
}

func (d Dependent) String() string { return fmt.Sprintf("%s (version %d)", d.Name, d.Version) }

// maxDependents is the maximum number of dependents named in an error.
const maxDependents = 20

// PromptDependents returns the versions of other prompts that refer to a prompt, at most limit.
func (c *Catalog) PromptDependents(ctx context.Context, scope domain.ProjectScope, name string, limit int) ([]Dependent, error) {
	if tables.Unstorable(name) {
		return nil, nil
	}
	return dependents(ctx, c.db.Reader(), scope, name, limit, "r.child_name = ?", name)
}

// dependents returns the other prompts whose references r match the condition.
func dependents(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, limit int, condition string, args ...any,
) ([]Dependent, error) {
	return tables.QueryAll(ctx, s, func(r tables.Row) (d Dependent, err error) {
		var newest int
		err = r.Scan(&d.Name, &d.Version, &d.By.Name, tables.AsOptional(&d.By.Version), tables.AsOptional(&d.By.Label), &newest)
		d.Latest = d.Version == newest
		return d, err
	}, `SELECT DISTINCT p.name, p.version, r.child_name, r.child_version, r.child_label,
		(SELECT MAX(o.version) FROM prompts o WHERE o.project_id = p.project_id AND o.name = p.name)
		FROM prompt_references r JOIN prompts p ON p.id = r.parent_id
		WHERE r.project_id = ? AND p.name <> ? AND `+condition+" ORDER BY p.name, p.version, r.child_version, r.child_label LIMIT ?",
		append(append([]any{scope.ProjectID(), name}, args...), limit)...)
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

// refuseIf returns an error that names the prompts whose references match the condition, if there are any.
func refuseIf(ctx context.Context, s tables.Session, scope domain.ProjectScope, name, condition string, args ...any) error {
	found, err := dependents(ctx, s, scope, name, maxDependents+1, condition, args...)
	if err != nil || len(found) == 0 {
		return err
	}
	return &PromptInUse{Name: name, By: found}
}

// PromptInUse is returned for a change of a prompt that would break other prompts, which depend on it.
type PromptInUse struct {
	Name string
	By   []Dependent
}

func (e *PromptInUse) Error() string {
	return fmt.Sprintf("prompt %q: other prompts depend on it: %s", e.Name, e.Dependents())
}

// Dependents returns the prompts that depend on it as a text.
func (e *PromptInUse) Dependents() string {
	var names []string
	for _, d := range e.By {
		if name := d.String(); len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	if len(names) > maxDependents {
		return strings.Join(names[:maxDependents], ", ") + " and others"
	}
	return strings.Join(names, ", ")
}
