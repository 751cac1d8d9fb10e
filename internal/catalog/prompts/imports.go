package prompts

import (
	"context"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const skippedPromptType = "the prompt already has versions of another type here"

// ImportPrompt stores a version of a prompt, and moves its labels to it. The versions of a name must be imported in
// ascending order.
func ImportPrompt(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.Prompt) (tables.ImportOutcome, error) {
	project := scope.ProjectID()
	if err := promptTables.lock(ctx, s, scope); err != nil {
		return tables.Imported, err
	}
	newest, kind, err := newestPrompt(ctx, s, scope, n.Name)
	if err != nil {
		return tables.Imported, err
	}
	if newest > 0 && kind != n.Type {
		return tables.ImportSkipped(skippedPromptType), nil
	}
	taken, err := s.Exists(ctx, "SELECT id FROM prompts WHERE project_id = ? AND name = ? AND version = ? AND id <> ?", project, n.Name,
		n.Version, n.ID)
	if err != nil || taken {
		return tables.ImportSkipped(tables.SkippedNameTaken), err
	}
	insert, outcome, err := tables.DecideImport(ctx, s, scope, "prompts", n.ID, tables.Millis(n.UpdatedAt))
	if err != nil || outcome != nil {
		return tables.OrImported(outcome), err
	}
	s.Note(tables.Change{Kind: tables.KindPrompt, ProjectID: project})
	if insert {
		err = storePrompt(ctx, s, scope, n)
	} else { // the content never changes
		_, err = s.Exec(ctx, "UPDATE prompts SET updated_at = ? WHERE id = ?", tables.Millis(n.UpdatedAt), n.ID)
	}
	if err != nil {
		return tables.Imported, err
	}
	if n.Tags != nil && n.Version >= newest {
		if err := promptTables.replaceTags(ctx, s, scope, n.Name, n.Tags); err != nil {
			return tables.Imported, err
		}
	}
	labels := n.Labels
	if n.Version > newest { // every prompt has this label, whatever the source says
		labels = unique(append(slices.Clone(labels), domain.LatestLabel))
	}
	return tables.Imported, promptTables.moveLabels(ctx, s, scope, n.Name, n.Version, labels)
}
