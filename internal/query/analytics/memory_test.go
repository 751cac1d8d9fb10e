package analytics

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/limits/memory"
	"almanac/internal/store/storetest"
)

// TestQuestionsTakeMemory checks that memory for joins and groups is reserved from the lease first, for all kinds of
// queries.
func TestQuestionsTakeMemory(t *testing.T) {
	const traces, tag = 500, 1000
	s := storetest.NewModel()
	var rows []domain.Observation
	var scores []domain.Score
	for n := range traces {
		id := fmt.Sprintf("trace-%04d", n)
		rows = append(rows, domain.Observation{
			TraceID: id, ID: "o", Name: "root", Model: id, StartTime: after(int64(n)), EndTime: after(int64(n) + 1),
			Tags: []string{id + strings.Repeat("t", tag)},
		})
		scores = append(scores, domain.Score{
			ID: id, TraceID: id, ObservationID: "o", Name: id + strings.Repeat("n", tag), DataType: domain.ScoreNumeric,
			Value: domain.FloatOf(1), Timestamp: after(int64(n)),
		})
	}
	keep(t, s, rows, scores)
	for name, ask := range map[string]func(*Engine, *memory.Lease) error{
		"groups of the store": asks(t, "scores-numeric", "count_count", "name"),
		"groups of rows":      asks(t, "traces", "count_count", "tags"),
		"different values":    asks(t, "traces", "uniq_uniqueUserIds count_count", "id"),
		"traces":              asks(t, "traces", "count_count", ""),
		"rows and traces":     asks(t, "observations", "count_count", "traceName"),
		"rows and scores":     asks(t, "observations", "sum_countScores", ""),
		"scores and rows":     asks(t, "scores-numeric", "count_count", "traceName observationName"),
		"a row for every hour": asks(t, "observations", "count_count", "",
			`"timeDimension":{"granularity":"minute"},"fromTimestamp":"2026-03-01T00:00:00Z","toTimestamp":"2026-03-04T00:00:00Z"`),
		"days": func(e *Engine, l *memory.Lease) error {
			_, err := e.Daily(memory.With(t.Context(), l), project, new(DailyQuery))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := &Engine{Store: s, tracesAtOnce: traces}
			budget := memory.NewBudget(memory.Sizes{Shared: 8 << 20}, 0)
			lease := budget.Lease("")
			if err := ask(e, lease); err != nil {
				t.Fatal(err)
			}
			lease.Release()
			if budget.Held() != 0 {
				t.Errorf("%d bytes are lost", budget.Held())
			}

			var large *TooLarge
			if err := ask(e, memory.NewBudget(memory.Sizes{Shared: 40 << 10}, 0).Lease("")); !errors.As(err, &large) &&
				!errors.Is(err, memory.ErrTooLarge) {
				t.Errorf("with too little memory for anybody: %v", err)
			}

			if err := budget.Lease("").Grow(t.Context(), 8<<20-40<<10); err != nil {
				t.Fatal(err)
			}
			if err := ask(e, budget.Lease("")); !errors.Is(err, memory.ErrBusy) {
				t.Errorf("beside others that hold it: %v", err)
			}
		})
	}
}

// asks returns a function that runs a query with the memory of a lease.
func asks(t *testing.T, view, metrics, dimensions string, more ...string) func(*Engine, *memory.Lease) error {
	t.Helper()
	query, err := ReadQuery(q(view, metrics, dimensions, strings.Join(more, ",")), V1)
	if err != nil {
		t.Fatal(err)
	}
	return func(e *Engine, l *memory.Lease) error {
		_, err := e.Answer(memory.With(t.Context(), l), project, query)
		return err
	}
}
