package prompts

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// Editor is who changes prompts.
type Editor struct {
	domain.Actor
	// MovesProtected is set if they may give and take protected labels.
	MovesProtected bool
}

// ProtectedLabels is returned for a change of protected labels by somebody who may not move them.
type ProtectedLabels struct{ Labels []string }

func (e *ProtectedLabels) Error() string {
	return "these labels are protected: " + strings.Join(e.Labels, ", ")
}

// ProtectedPromptLabels returns the project's protected labels, sorted.
func (c *Catalog) ProtectedPromptLabels(ctx context.Context, scope domain.ProjectScope) ([]string, error) {
	return protectedLabels(ctx, c.db.Reader(), scope)
}

func protectedLabels(ctx context.Context, s tables.Session, scope domain.ProjectScope) ([]string, error) {
	labels, err := tables.QueryAll(ctx, s, tables.ScanValue[string], "SELECT label FROM protected_prompt_labels WHERE project_id = ?",
		scope.ProjectID())
	slices.Sort(labels)
	return labels, err
}

// refuseProtected returns an error if one of the labels is protected and the editor may not move it.
func refuseProtected(ctx context.Context, s tables.Session, scope domain.ProjectScope, by Editor, labels []string) error {
	if by.MovesProtected || len(labels) == 0 {
		return nil
	}
	protected, err := protectedLabels(ctx, s, scope)
	if err != nil {
		return err
	}
	refused := slices.DeleteFunc(slices.Clone(labels), func(label string) bool { return !slices.Contains(protected, label) })
	if len(refused) > 0 {
		return &ProtectedLabels{refused}
	}
	return nil
}

// PromptLabel is a label with the number of prompts that have it.
type PromptLabel struct {
	Label   string
	Prompts int
}

// PromptLabels returns the labels of the project's prompts except latest, sorted, at most limit.
func (c *Catalog) PromptLabels(ctx context.Context, scope domain.ProjectScope, limit int) ([]PromptLabel, error) {
	found, err := tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (l PromptLabel, err error) {
		err = r.Scan(&l.Label, &l.Prompts)
		return l, err
	}, "SELECT label, COUNT(*) FROM prompt_labels WHERE project_id = ? AND label <> ? GROUP BY label ORDER BY COUNT(*) DESC, label LIMIT ?",
		scope.ProjectID(), domain.LatestLabel, limit)
	slices.SortFunc(found, func(a, b PromptLabel) int { return strings.Compare(a.Label, b.Label) })
	return found, err
}

// PromptTags returns the tags of the project's prompts, sorted, at most limit: those of most prompts.
func (c *Catalog) PromptTags(ctx context.Context, scope domain.ProjectScope, limit int) ([]string, error) {
	found, err := tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string],
		"SELECT tag FROM prompt_tags WHERE project_id = ? GROUP BY tag ORDER BY COUNT(*) DESC, tag LIMIT ?", scope.ProjectID(), limit)
	slices.Sort(found)
	return found, err
}

// ProtectPromptLabels replaces the project's protected labels.
func (c *Catalog) ProtectPromptLabels(ctx context.Context, scope domain.ProjectScope, labels []string, actor domain.Actor) error {
	wanted := unique(labels)
	slices.Sort(wanted)
	return promptTables.change(ctx, c.db, scope, func(s tables.Session) error {
		before, err := protectedLabels(ctx, s, scope)
		if err != nil || slices.Equal(before, wanted) {
			return err
		}
		if _, err := s.Exec(ctx, "DELETE FROM protected_prompt_labels WHERE project_id = ?", scope.ProjectID()); err != nil {
			return err
		}
		rows := make([][]any, len(wanted))
		for n, label := range wanted {
			rows[n] = []any{scope.ProjectID(), label}
		}
		if err := s.InsertRows(ctx, "protected_prompt_labels (project_id, label)", rows); err != nil {
			return err
		}
		state := func(labels []string) map[string]any { return map[string]any{"protected": domain.NotNil(labels)} }
		return s.AuditInProject(ctx, scope, actor, "promptLabels", scope.ProjectID(), tables.StateOf(state(before)),
			tables.StateOf(state(wanted)))
	})
}

// LabelMove is a moment at which a label moved. A version is 0 if the label belonged, or then belonged, to none.
type LabelMove struct {
	ID       string
	At       time.Time
	Label    string
	From, To int
	Actor    domain.Actor
}

// LabelMoves returns the moments at which labels of a prompt moved, newest first.
func (c *Catalog) LabelMoves(
	ctx context.Context, scope domain.ProjectScope, name string, after *tables.Position, limit int,
) (moves []LabelMove, err error) {
	if tables.Unstorable(name) {
		return nil, nil
	}
	list := tables.NewestFirst[LabelMove]{
		Session: c.db.Reader(), At: "at", ID: "id", LastIDFirst: true, After: after,
		Query: tables.SQL(`SELECT id, at, label, from_version, to_version, actor_kind, actor_id
			FROM prompt_label_moves WHERE project_id = ? AND name = ?`, scope.ProjectID(), name),
		Scan: func(r tables.Row) (m LabelMove, err error) {
			err = r.Scan(&m.ID, tables.AsTime(&m.At), &m.Label, tables.AsOptional(&m.From), tables.AsOptional(&m.To), &m.Actor.Kind,
				&m.Actor.ID)
			return m, err
		},
		Position: func(m *LabelMove) tables.Position { return tables.Position{At: m.At, ID: m.ID} },
	}
	for m, err := range list.Read(ctx, 0, limit) {
		if err != nil {
			return nil, err
		}
		moves = append(moves, *m)
	}
	return moves, nil
}

// promptLabelsOf returns the versions of a name by their labels, including latest.
func promptLabelsOf(ctx context.Context, s tables.Session, scope domain.ProjectScope, name string) (map[string]int, error) {
	return tables.QueryMap(ctx, s, func(r tables.Row) (label string, version int, err error) {
		err = r.Scan(&label, &version)
		return label, version, err
	}, "SELECT label, version FROM prompt_labels WHERE project_id = ? AND name = ?", scope.ProjectID(), name)
}

// recordMoves runs a change and records which labels of a name it moved, in alphabetical order.
func recordMoves(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, name string, actor domain.Actor, change func() error,
) ([]LabelMove, error) {
	before, err := promptLabelsOf(ctx, s, scope, name)
	if err != nil {
		return nil, err
	}
	if err := change(); err != nil {
		return nil, err
	}
	after, err := promptLabelsOf(ctx, s, scope, name)
	if err != nil {
		return nil, err
	}
	all := maps.Clone(before)
	maps.Copy(all, after)
	delete(all, domain.LatestLabel)
	var (
		moves []LabelMove
		rows  [][]any
	)
	for _, label := range slices.Sorted(maps.Keys(all)) {
		m := LabelMove{ID: tables.OrderedID(), At: s.Now(), Label: label, From: before[label], To: after[label], Actor: actor}
		if m.From == m.To {
			continue
		}
		moves = append(moves, m)
		rows = append(rows, []any{
			m.ID, scope.ProjectID(), name, label, tables.AsOptional(&m.From), tables.AsOptional(&m.To), tables.AsTime(&m.At),
			actor.Kind, actor.ID,
		})
	}
	if err := s.InsertRows(ctx, "prompt_label_moves (id, project_id, name, label, from_version, to_version, at, actor_kind, actor_id)",
		rows); err != nil {
		return nil, fmt.Errorf("cannot record %d moves of labels: %w", len(rows), err)
	}
	return moves, nil
}

// difference returns the labels that are in exactly one of two lists.
func difference(a, b []string) []string {
	var only []string
	for _, label := range a {
		if !slices.Contains(b, label) {
			only = append(only, label)
		}
	}
	for _, label := range b {
		if !slices.Contains(a, label) {
			only = append(only, label)
		}
	}
	return only
}
