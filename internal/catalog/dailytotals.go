package catalog

import (
	"context"
	"errors"
	"slices"
	"strings"

	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const (
	totalKeys    = "day, by_what, is_root, environment, type, level, value"
	totalSums    = "observations, traces, input_tokens, output_tokens, total_tokens, input_cost, output_cost, total_cost, trace_records"
	totalColumns = totalKeys + ", " + totalSums
)

func totalFields(t *domain.DailyTotal) []any {
	return []any{
		&t.Day, &t.By, &t.IsRoot, &t.Environment, &t.Type, &t.Level, &t.Value,
		&t.Observations, &t.Traces, &t.InputTokens, &t.OutputTokens, &t.TotalTokens, &t.InputCost, &t.OutputCost, &t.TotalCost,
		&t.TraceRecords,
	}
}

// TotalsState returns how the daily totals of a project relate to the rows in the event store.
func (c *Catalog) TotalsState(ctx context.Context, scope domain.ProjectScope) (domain.TotalsState, error) {
	state, err := tables.QueryOne(ctx, c.db.Reader(), func(r tables.Row) (s domain.TotalsState, err error) {
		err = r.Scan(&s.Version, tables.AsOptional(&s.Pending), &s.PendingUpTo)
		return s, err
	}, "SELECT version, pending_before, pending_up_to FROM daily_totals_state WHERE project_id = ?", scope.ProjectID())
	if errors.Is(err, domain.ErrNotFound) {
		return domain.TotalsState{}, nil
	}
	return state, err
}

// DailyTotals returns a project's totals of one kind for the days from from to to, which is exclusive. Unless eachDay
// is set, the days are summed up.
func (c *Catalog) DailyTotals(
	ctx context.Context, scope domain.ProjectScope, by string, from, to int64, eachDay bool,
) ([]domain.DailyTotal, error) {
	columns, group := totalColumns, ""
	if !eachDay {
		sums := strings.Split(totalSums, ", ")
		for n, sum := range sums {
			kind := "BIGINT"
			if strings.HasSuffix(sum, "_cost") {
				kind = "DOUBLE PRECISION"
			}
			sums[n] = "CAST(SUM(" + sum + ") AS " + kind + ")"
		}
		keys := strings.TrimPrefix(totalKeys, "day, ")
		columns, group = "MIN(day), "+keys+", "+strings.Join(sums, ", "), " GROUP BY "+keys
	}
	return tables.QueryAll(ctx, c.db.Reader(), tables.ScanInto(totalFields),
		"SELECT "+columns+" FROM daily_totals WHERE project_id = ? AND by_what = ? AND day >= ? AND day < ?"+group,
		scope.ProjectID(), by, from, to)
}

// AddDailyTotals adds the totals of rows before a time, up to row number upTo, that are about to be deleted, and marks
// these rows as pending. It adds all totals or none. Nothing is kept for deleted projects.
func (c *Catalog) AddDailyTotals(
	ctx context.Context, scope domain.ProjectScope, before domain.Micros, upTo int64, totals []domain.DailyTotal,
) error {
	project := scope.ProjectID()
	return leases.Confirmed(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		if err := leases.Confirm(ctx, s); err != nil { // so that two servers do not count the same rows
			return err
		}
		if there, err := s.Exists(ctx, "SELECT id FROM projects WHERE id = ?", project); err != nil || !there {
			return err
		}
		if _, err := s.Exec(ctx, `INSERT INTO daily_totals_state (project_id, version, pending_before, pending_up_to) VALUES (?, 1, ?, ?)
			ON CONFLICT (project_id) DO UPDATE SET version = daily_totals_state.version + 1, pending_before = excluded.pending_before,
			pending_up_to = excluded.pending_up_to`, project, int64(before), upTo); err != nil {
			return err
		}
		byDay := make(map[int64][]domain.DailyTotal)
		for _, t := range totals {
			byDay[t.Day] = append(byDay[t.Day], t)
		}
		for day, list := range byDay {
			known, err := tables.QueryAll(ctx, s, tables.ScanInto(totalFields), "SELECT "+totalColumns+
				" FROM daily_totals WHERE project_id = ? AND day = ?", project, day)
			if err != nil {
				return err
			}
			if err := addTotals(ctx, s, project, domain.FoldTotals(known, sanitized(list))); err != nil {
				return err
			}
		}
		return nil
	}))
}

// DailyTotalsDone records that the pending rows have been deleted.
func (c *Catalog) DailyTotalsDone(ctx context.Context, scope domain.ProjectScope) error {
	return leases.Confirmed(ctx, c.db, c.db.Update(ctx, func(s tables.Session) error {
		if err := leases.Confirm(ctx, s); err != nil {
			return err
		}
		_, err := s.Exec(ctx, "UPDATE daily_totals_state SET version = version + 1, pending_before = NULL WHERE project_id = ?",
			scope.ProjectID())
		return err
	}))
}

// addTotals adds totals to the stored ones.
func addTotals(ctx context.Context, s tables.Session, project string, totals []domain.DailyTotal) error {
	var sums []string
	for sum := range strings.SplitSeq(totalSums, ", ") {
		sums = append(sums, sum+" = daily_totals."+sum+" + excluded."+sum)
	}
	const fields = 17
	one := ", (" + tables.Placeholders(fields) + ")"
	for some := range slices.Chunk(totals, tables.RowsPerStatement) {
		var args []any
		for n := range some {
			args = append(append(args, project), totalFields(&some[n])...)
		}
		if _, err := s.Exec(ctx, "INSERT INTO daily_totals (project_id, "+totalColumns+") VALUES "+strings.Repeat(one, len(some))[2:]+
			" ON CONFLICT (project_id, day, by_what, is_root, environment, type, level, value) DO UPDATE SET "+strings.Join(sums, ", "),
			args...); err != nil {
			return err
		}
	}
	return nil
}

// sanitized makes the strings of totals storable. Strings that the database cannot store may become equal.
func sanitized(totals []domain.DailyTotal) []domain.DailyTotal {
	for n := range totals {
		t := &totals[n]
		for _, text := range []*string{&t.Environment, &t.Type, &t.Level, &t.Value} {
			*text = tables.StorableValue(*text).(string) //nolint:forcetypeassert // a text stays one
		}
	}
	return totals
}
