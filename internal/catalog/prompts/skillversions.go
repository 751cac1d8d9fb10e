package prompts

import (
	"context"
	"time"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// SkillVersion is a version of a skill without its files.
type SkillVersion struct {
	ID, Description string
	Version         int
	CreatedAt       time.Time
	CreatedBy       string
	CommitMessage   *string
	Labels          []string
	Files           int
}

// SkillVersions returns versions of a skill, newest first, with numbers lower than before unless that is 0.
func (c *Catalog) SkillVersions(ctx context.Context, scope domain.ProjectScope, name string, before, limit int) ([]SkillVersion, error) {
	if tables.Unstorable(name) {
		return nil, nil
	}
	s := c.db.Reader()
	newest, err := newestSkill(ctx, s, scope, name)
	if err != nil {
		return nil, err
	}
	q := tables.SQL(`SELECT k.id, k.version, k.description, k.created_at, k.created_by, k.commit_message,
		(SELECT COUNT(*) FROM skill_files f WHERE f.skill_id = k.id)
		FROM skills k WHERE k.project_id = ? AND k.name = ?`, scope.ProjectID(), name).And(tables.If(before > 0, "k.version < ?", before))
	versions, err := tables.QueryAll(ctx, s, func(r tables.Row) (v SkillVersion, err error) {
		err = r.Scan(&v.ID, &v.Version, &v.Description, tables.AsTime(&v.CreatedAt), &v.CreatedBy, &v.CommitMessage, &v.Files)
		return v, err
	}, q.Text+" ORDER BY k.version DESC LIMIT ?", append(q.Args, limit)...)
	for n := range versions {
		if err != nil {
			return nil, err
		}
		v := &versions[n]
		if v.Labels, err = skillTables.labels(ctx, s, scope, name, v.Version); v.Version == newest {
			v.Labels = append(v.Labels, domain.LatestLabel)
		}
	}
	return versions, err
}
