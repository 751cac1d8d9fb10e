package tenants

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// KindLimits is the kind of changes to limits.
const KindLimits = "limits"

const limitColumns = "level, subject_id, requests_per_minute, requests_per_day, spans_per_minute, spans_per_day, bytes_per_minute, " +
	"bytes_per_day"

func scanLimits(r tables.Row) (subject domain.LimitSubject, l domain.Limits, err error) {
	err = r.Scan(&subject.Level, &subject.ID, &l[domain.RequestsPerMinute], &l[domain.RequestsPerDay],
		&l[domain.SpansPerMinute], &l[domain.SpansPerDay], &l[domain.BytesPerMinute], &l[domain.BytesPerDay])
	return subject, l, err
}

// Limits returns all limits set in the instance, for the server that enforces them.
func (c *Catalog) Limits(ctx context.Context) (map[domain.LimitSubject]domain.Limits, error) {
	return tables.QueryMap(ctx, c.db.Reader(), scanLimits, "SELECT "+limitColumns+" FROM usage_limits")
}

// LimitOwner identifies the owner of limits within an organization: the organization itself, one of its projects, or a
// key of that project.
type LimitOwner struct{ ProjectID, KeyID string }

// subject returns the subject whose usage is counted.
func (o LimitOwner) subject(scope domain.OrganizationScope) domain.LimitSubject {
	switch {
	case o.KeyID != "":
		return domain.LimitSubject{Level: domain.LevelKey, ID: o.KeyID}
	case o.ProjectID != "":
		return domain.LimitSubject{Level: domain.LevelProject, ID: o.ProjectID}
	}
	return domain.LimitSubject{Level: domain.LevelOrganization, ID: scope.OrganizationID()}
}

// LimitSubject returns the subject under which the usage of an owner is counted. It returns domain.ErrNotFound if the
// owner is not part of the organization.
func (c *Catalog) LimitSubject(ctx context.Context, scope domain.OrganizationScope, owner LimitOwner) (domain.LimitSubject, error) {
	return limitSubject(ctx, c.db.Reader(), scope, owner)
}

func limitSubject(ctx context.Context, s tables.Session, scope domain.OrganizationScope, owner LimitOwner) (domain.LimitSubject, error) {
	var err error
	switch {
	case owner.KeyID != "":
		_, err = tables.QueryOne(ctx, s, tables.ScanValue[string],
			"SELECT id FROM api_keys WHERE organization_id = ? AND project_id = ? AND id = ?",
			scope.OrganizationID(), owner.ProjectID, owner.KeyID)
		err = tables.WithSubject(err, "key", owner.KeyID)
	case owner.ProjectID != "":
		_, err = ProjectOf(ctx, s, scope, owner.ProjectID)
	default:
		_, err = readOrganization(ctx, s, scope)
	}
	return owner.subject(scope), err
}

// SetLimits replaces the limits of an organization, of one of its projects, or of a key of a project, and returns their
// subject.
func (c *Catalog) SetLimits(
	ctx context.Context, scope domain.OrganizationScope, owner LimitOwner, limits domain.Limits, actor domain.Actor,
) (subject domain.LimitSubject, err error) {
	err = c.db.Update(ctx, func(s tables.Session) error {
		if subject, err = limitSubject(ctx, s, scope, owner); err != nil {
			return err
		}
		replaced, err := tables.QueryMap(ctx, s, scanLimits, "DELETE FROM usage_limits WHERE level = ? AND subject_id = ? RETURNING "+
			limitColumns, subject.Level, subject.ID)
		if err != nil {
			return err
		}
		if limits != (domain.Limits{}) {
			values := []any{subject.Level, subject.ID}
			for _, n := range limits {
				values = append(values, n)
			}
			values = append(values, scope.OrganizationID(), tables.AsOptional(&owner.ProjectID), tables.AsOptional(&owner.KeyID))
			if err := s.Insert(ctx, "usage_limits ("+limitColumns+", organization_id, project_id, api_key_id)", values...); err != nil {
				return fmt.Errorf("cannot set the limits of %s %s: %w", subject.Level, subject.ID, err)
			}
		}
		return s.Audit(ctx, domain.AuditEntry{
			OrganizationID: scope.OrganizationID(), ProjectID: owner.ProjectID, Actor: actor, ResourceKind: KindLimits,
			ResourceID: string(subject.Level) + "/" + subject.ID, Before: limitState(replaced[subject]), After: limitState(limits),
		})
	})
	return subject, err
}

func limitState(limits domain.Limits) json.RawMessage {
	state := make(map[string]any)
	for limit, n := range limits {
		if n != 0 {
			state[domain.Limit(limit).String()] = n
		}
	}
	return tables.StateOf(state)
}

const usageColumns = "level, subject_id, minute, minute_requests, minute_spans, minute_bytes, day, day_requests, day_spans, day_bytes"

func scanUsage(r tables.Row) (subject domain.LimitSubject, u domain.Usage, err error) {
	err = r.Scan(&subject.Level, &subject.ID, &u.Minute, &u.InMinute[0], &u.InMinute[1], &u.InMinute[2], &u.Day, &u.InDay[0], &u.InDay[1],
		&u.InDay[2])
	return subject, u, err
}

// UsageSince returns the usage counted on the given day and later.
func (c *Catalog) UsageSince(ctx context.Context, day int64) (map[domain.LimitSubject]domain.Usage, error) {
	return tables.QueryMap(ctx, c.db.Reader(), scanUsage, "SELECT "+usageColumns+" FROM usage_counts WHERE day >= ?", day)
}

// addUsage returns a statement that adds to the counts of the stored minute and day, replaces those of earlier ones,
// and ignores additions to earlier ones.
func addUsage() string {
	var sets []string
	for _, window := range []string{"minute", "day"} {
		for _, unit := range []string{"requests", "spans", "bytes"} {
			column := window + "_" + unit
			sets = append(sets, fmt.Sprintf(`%[1]s = CASE WHEN usage_counts.%[2]s = excluded.%[2]s THEN usage_counts.%[1]s + excluded.%[1]s
				WHEN usage_counts.%[2]s < excluded.%[2]s THEN excluded.%[1]s ELSE usage_counts.%[1]s END`, column, window))
		}
		sets = append(sets,
			fmt.Sprintf("%[1]s = CASE WHEN usage_counts.%[1]s < excluded.%[1]s THEN excluded.%[1]s ELSE usage_counts.%[1]s END", window))
	}
	return "INSERT INTO usage_counts (" + usageColumns +
		") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (level, subject_id) DO UPDATE SET " +
		strings.Join(sets, ", ") + " RETURNING " + usageColumns
}

// AddUsage adds to the stored usage and returns the sums. Additions for a minute or day earlier than the stored one are
// dropped. Stored usage of minutes after latest was written by a clock that was ahead, and is dropped as well.
func (c *Catalog) AddUsage(
	ctx context.Context, latest int64, more map[domain.LimitSubject]domain.Usage,
) (map[domain.LimitSubject]domain.Usage, error) {
	sums := make(map[domain.LimitSubject]domain.Usage, len(more))
	statement := addUsage()
	err := c.db.Update(ctx, func(s tables.Session) error {
		if _, err := s.Exec(ctx, "DELETE FROM usage_counts WHERE minute > ?", latest); err != nil {
			return fmt.Errorf("cannot discard usage recorded by a wrong clock: %w", err)
		}
		newest := int64(0)
		for _, subject := range inOrder(more) { // a fixed order avoids deadlocks between servers
			u := more[subject]
			sum, err := tables.QueryMap(ctx, s, scanUsage, statement, subject.Level, subject.ID,
				u.Minute, u.InMinute[0], u.InMinute[1], u.InMinute[2], u.Day, u.InDay[0], u.InDay[1], u.InDay[2])
			if err != nil {
				return fmt.Errorf("cannot add to the usage of %s %s: %w", subject.Level, subject.ID, err)
			}
			sums[subject] = sum[subject]
			newest = max(newest, u.Day)
		}
		_, err := s.Exec(ctx, "DELETE FROM usage_counts WHERE day < ?", newest-1)
		return err
	})
	return sums, err
}

func inOrder(usage map[domain.LimitSubject]domain.Usage) []domain.LimitSubject {
	return slices.SortedFunc(maps.Keys(usage), func(a, b domain.LimitSubject) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.ID, b.ID))
	})
}
