package prompts

import (
	"context"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// LabelPrompt adds labels to a version, before its existing ones. Other versions of the name lose them.
func (c *Catalog) LabelPrompt(
	ctx context.Context, scope domain.ProjectScope, name string, version int, labels []string, by Editor,
) (domain.Prompt, error) {
	after, _, err := c.relabel(ctx, scope, name, version, by, func(_ tables.Session, before domain.Prompt) ([]string, error) {
		return unique(append(slices.Clone(labels), before.Labels...)), nil
	})
	return after, err
}

// SetPromptLabels replaces the labels of a version other than latest. Other versions of the name lose them. It returns a
// *PromptInUse error if other prompts refer to a label that no version would have any more.
func (c *Catalog) SetPromptLabels(
	ctx context.Context, scope domain.ProjectScope, name string, version int, labels []string, by Editor,
) (domain.Prompt, []LabelMove, error) {
	return c.relabel(ctx, scope, name, version, by, func(s tables.Session, before domain.Prompt) ([]string, error) {
		wanted := unique(slices.Clone(labels))
		if slices.Contains(before.Labels, domain.LatestLabel) {
			wanted = append(wanted, domain.LatestLabel)
		}
		for _, label := range before.Labels {
			if slices.Contains(wanted, label) {
				continue
			}
			if err := refuseIf(ctx, s, scope, name, "r.child_name = ? AND r.child_label = ?", name, label); err != nil {
				return nil, err
			}
		}
		return wanted, nil
	})
}

// relabel replaces the labels of a version by those that choose returns. It returns the version and what moved.
func (c *Catalog) relabel(
	ctx context.Context, scope domain.ProjectScope, name string, version int, by Editor,
	choose func(tables.Session, domain.Prompt) ([]string, error),
) (after domain.Prompt, moves []LabelMove, err error) {
	err = promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		ref := domain.PromptReference{Name: name, Version: version}
		before, err := readPrompt(ctx, s, scope, ref)
		if err != nil {
			return err
		}
		wanted, err := choose(s, before)
		if err != nil {
			return err
		}
		if slices.Equal(wanted, before.Labels) {
			after = before
			return nil
		}
		if err := refuseProtected(ctx, s, scope, by, difference(wanted, before.Labels)); err != nil {
			return err
		}
		if moves, err = recordMoves(ctx, s, scope, name, by.Actor, func() error {
			return setPromptLabels(ctx, s, scope, name, version, wanted)
		}); err != nil {
			return err
		}
		if after, err = readPrompt(ctx, s, scope, ref); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, by.Actor, tables.KindPrompt, after.ID, withMoves(before, moves, LabelMove.from),
			withMoves(after, moves, LabelMove.to))
	})
	return after, moves, err
}

func (m LabelMove) from() int { return m.From }
func (m LabelMove) to() int   { return m.To }

// withMoves returns what the audit log records about a version and about which versions the moved labels belong to; 0
// is none.
func withMoves(p domain.Prompt, moves []LabelMove, version func(LabelMove) int) []byte {
	state := promptFieldsOf(&p)
	versions := make(map[string]int, len(moves))
	for _, m := range moves {
		versions[m.Label] = version(m)
	}
	state["labelVersions"] = versions
	return tables.StateOf(state)
}

// SetPromptTags replaces the tags of a name, which belong to all its versions. It returns the newest version.
func (c *Catalog) SetPromptTags(
	ctx context.Context, scope domain.ProjectScope, name string, tags []string, actor domain.Actor,
) (after domain.Prompt, err error) {
	err = promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		ref := domain.PromptReference{Name: name, Label: domain.LatestLabel}
		before, err := readPrompt(ctx, s, scope, ref)
		if err != nil {
			return err
		}
		if tags = unique(tags); slices.Equal(tags, before.Tags) {
			after = before
			return nil
		}
		if err := promptTables.setTags(ctx, s, scope, name, tags); err != nil {
			return err
		}
		if after, err = readPrompt(ctx, s, scope, ref); err != nil {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, tables.KindPrompt, after.ID, promptState(before), promptState(after))
	})
	return after, err
}
