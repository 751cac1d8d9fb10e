package prompts

import (
	"context"
	"errors"
	"strings"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// PromptHead is the newest version of a prompt without its content.
type PromptHead struct {
	Name, Type string
	Version    int
	CreatedAt  time.Time
	CreatedBy  string
}

// HeadFilter selects prompts; zero fields match everything.
type HeadFilter struct {
	// Folder is a folder, and Name a whole name.
	Folder, Name string
	// VersionID is the id of a version that the prompt has.
	VersionID string
	// Search matches parts of names and tags or, if InContent is set, of the content of the newest version. It ignores
	// case, at least that of ASCII letters.
	Search           string
	InContent        bool
	Type, Label, Tag string
}

// like returns a text as a pattern of LIKE that matches everything that contains it.
func like(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}

// keysOfMessages is what every stored chat prompt may contain beside what people wrote.
const keysOfMessages = `[{"role":"","content":"","placeholder":""},{"role":""}]`

// PromptHeads returns the prompts that match the filter, in no order. There is one row for each name, so the result
// takes some memory where there are many; it is accounted for.
func (c *Catalog) PromptHeads(ctx context.Context, scope domain.ProjectScope, f HeadFilter) ([]PromptHead, error) {
	if tables.Unstorable(f.Folder, f.Name, f.VersionID, f.Search, f.Type, f.Label, f.Tag) {
		return nil, nil
	}
	s := c.db.Reader()
	q := tables.SQL(`SELECT l.name, p.version, p.type, p.created_at, p.created_by FROM prompt_labels l
		JOIN prompts p ON p.project_id = l.project_id AND p.name = l.name AND p.version = l.version
		WHERE l.project_id = ? AND l.label = ?`, scope.ProjectID(), domain.LatestLabel).
		And(tables.If(f.Name != "", "l.name = ?", f.Name)).
		And(tables.If(f.VersionID != "",
			"EXISTS (SELECT 1 FROM prompts v WHERE v.project_id = l.project_id AND v.name = l.name AND v.id = ?)", f.VersionID)).
		And(tables.If(f.Folder != "", "SUBSTR(l.name, 1, ?) = ?", len([]rune(f.Folder))+1, f.Folder+"/")).
		And(tables.If(f.Type != "", "p.type = ?", f.Type)).
		And(tables.If(f.Label != "",
			"EXISTS (SELECT 1 FROM prompt_labels o WHERE o.project_id = l.project_id AND o.name = l.name AND o.label = ?)", f.Label)).
		And(tables.If(f.Tag != "",
			"EXISTS (SELECT 1 FROM prompt_tags t WHERE t.project_id = l.project_id AND t.name = l.name AND t.tag = ?)", f.Tag))
	text := strings.ToLower(f.Search)
	inJSON := strings.Trim(tables.TextOf(text), `"`)
	switch {
	case text == "":
	case f.InContent:
		q = q.And(tables.SQL(`LOWER(p.content) LIKE ? ESCAPE '\'`, like(inJSON)))
	default:
		q = q.And(tables.SQL(`(LOWER(l.name) LIKE ? ESCAPE '\' OR EXISTS (SELECT 1 FROM prompt_tags t
			WHERE t.project_id = l.project_id AND t.name = l.name AND LOWER(t.tag) LIKE ? ESCAPE '\'))`, like(text), like(text)))
	}
	heads, err := tables.QueryAll(ctx, s, func(r tables.Row) (h PromptHead, err error) {
		err = r.Scan(&h.Name, &h.Version, &h.Type, tables.AsTime(&h.CreatedAt), &h.CreatedBy)
		return h, err
	}, q.Text, q.Args...)
	if err != nil || !f.InContent || text == "" || !strings.Contains(keysOfMessages, inJSON) {
		return heads, err
	}
	return c.withText(ctx, s, scope, heads, text)
}

// withText returns the prompts in whose messages a text occurs. It may be a part of the keys as well, which do not count.
func (c *Catalog) withText(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, heads []PromptHead, text string,
) (kept []PromptHead, err error) {
	s, release := s.ScopedMemory(ctx)
	defer release()
	for _, h := range heads {
		release()
		p, err := readPrompt(ctx, s, scope, domain.PromptReference{Name: h.Name, Version: h.Version})
		if errors.Is(err, domain.ErrNotFound) {
			continue // deleted concurrently
		}
		if err != nil {
			return nil, err
		}
		found := strings.Contains(strings.ToLower(p.Text), text)
		for _, m := range p.Messages {
			found = found || strings.Contains(strings.ToLower(m.Role+"\n"+m.Content+"\n"+m.Placeholder), text)
		}
		if found {
			kept = append(kept, h)
		}
	}
	return kept, nil
}

// PromptMarks are the labels and tags of a prompt.
type PromptMarks struct {
	Labels map[string]int // versions by label
	Tags   []string
}

// PromptMarks returns the labels and tags of prompts by their names.
func (c *Catalog) PromptMarks(ctx context.Context, scope domain.ProjectScope, names []string) (map[string]*PromptMarks, error) {
	s := c.db.Reader()
	marks := make(map[string]*PromptMarks, len(names))
	if len(names) == 0 {
		return marks, nil
	}
	for _, name := range names {
		marks[name] = &PromptMarks{Labels: map[string]int{}, Tags: []string{}}
	}
	q := tables.SQL("SELECT name, label, version FROM prompt_labels WHERE project_id = ?", scope.ProjectID()).And(tables.In("name", names))
	if _, err := tables.QueryAll(ctx, s, func(r tables.Row) (none struct{}, err error) {
		var (
			name, label string
			version     int
		)
		if err = r.Scan(&name, &label, &version); err == nil {
			marks[name].Labels[label] = version
		}
		return none, err
	}, q.Text, q.Args...); err != nil {
		return nil, err
	}
	q = tables.SQL("SELECT name, tag FROM prompt_tags WHERE project_id = ?", scope.ProjectID()).And(tables.In("name", names))
	if _, err := tables.QueryAll(ctx, s, func(r tables.Row) (none struct{}, err error) {
		var name, tag string
		if err = r.Scan(&name, &tag); err == nil {
			marks[name].Tags = append(marks[name].Tags, tag)
		}
		return none, err
	}, q.Text+" ORDER BY name, position", q.Args...); err != nil {
		return nil, err
	}
	return marks, nil
}

// Authors returns the names of users by their ids; those without a name are absent.
func (c *Catalog) Authors(ctx context.Context, ids []string) (map[string]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q := tables.SQL("SELECT id, name FROM users WHERE name <> ''").And(tables.In("id", unique(ids)))
	return tables.QueryMap(ctx, c.db.Reader(), func(r tables.Row) (id, name string, err error) {
		err = r.Scan(&id, &name)
		return id, name, err
	}, q.Text, q.Args...)
}
