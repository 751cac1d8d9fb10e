package analytics

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
	"almanac/test/failing"
)

// TestTooLarge checks what clients are told when the store gives up.
func TestTooLarge(t *testing.T) {
	const advice = "Ask for less: a shorter time range"
	for _, c := range []struct {
		name, view, want string
	}{
		{
			"groups", "observations", "The answer would take more than 100000 groups, or too much memory. " + advice +
				", a coarser granularity, or dimensions with fewer values.",
		},
		{"traces", "traces", "More than 500000 traces would have to be looked at. " + advice + "."},
	} {
		t.Run(c.name, func(t *testing.T) {
			query, err := ReadQuery(q(c.view, "count_count", "name", ""), V1)
			if err != nil {
				t.Fatal(err)
			}
			failure := fmt.Errorf("aggregating: %w", store.ErrTooLarge)
			e := &Engine{Store: &failing.Refusing{
				Store:  storetest.NewModel(),
				Answer: func(store.AggregateQuery[domain.Observation], *store.Groups) error { return failure },
			}}
			_, err = e.Answer(t.Context(), project, query)
			var tooLarge *TooLarge
			if !errors.As(err, &tooLarge) || tooLarge.Message != c.want {
				t.Errorf("%v", err)
			}
			failure = errors.New("broken")
			if _, err := e.Answer(t.Context(), project, query); !errors.Is(err, failure) {
				t.Errorf("another error became %v", err)
			}
		})
	}
}

// TestCanceled checks that every way of running a query stops when the client has disconnected.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := engines(t)["row by row"]
	cancel()
	for _, question := range []string{
		q("observations", "count_count", "name", ""), q("observations", "sum_costByType", "", ""),
		q("observations", "sum_countScores", "", ""),
		q("observations", "count_count", "traceName", ""), q("traces", "count_count", "", ""),
		q("scores-numeric", "count_count", "name", ""),
		q("scores-numeric", "count_count", "traceName observationName", ""),
	} {
		query, err := ReadQuery(question, V1)
		if strings.Contains(question, "ByType") {
			query, err = ReadQuery(question, V2)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Answer(ctx, project, query); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", question, err)
		}
	}
	if _, err := e.Daily(ctx, project, new(DailyQuery)); !errors.Is(err, context.Canceled) {
		t.Errorf("daily: %v", err)
	}
}

// TestCollectBounds checks that grouping respects the bounds of its query.
func TestCollectBounds(t *testing.T) {
	rows := func(count int) iter.Seq2[*domain.Score, error] {
		return func(yield func(*domain.Score, error) bool) {
			for n := range count {
				if !yield(&domain.Score{ID: fmt.Sprintf("score-%06d", n), Value: domain.FloatOf(float64(n))}, nil) {
					return
				}
			}
		}
	}
	at := func(s *domain.Score) domain.Micros { return s.Timestamp }
	id, value := filter.ScoreColumn("id"), filter.ScoreColumn("value")
	type measure = store.Measure[domain.Score]
	for _, c := range []struct {
		name  string
		query store.AggregateQuery[domain.Score]
		rows  int
		large bool
	}{
		{"few groups", store.AggregateQuery[domain.Score]{GroupBy: []*filter.Column[domain.Score]{id}}, 100, false},
		{"many groups", store.AggregateQuery[domain.Score]{GroupBy: []*filter.Column[domain.Score]{id}}, 101, true},
		{
			"few values",
			store.AggregateQuery[domain.Score]{Measures: []measure{{Function: store.Quantile, Column: value, Quantile: 0.5}}},
			1000, false,
		},
		{
			"many values", store.AggregateQuery[domain.Score]{
				Measures: []measure{{Function: store.Quantile, Column: value, Quantile: 0.5}},
			}, 100_000, true,
		},
		{
			"many different texts",
			store.AggregateQuery[domain.Score]{Measures: []measure{{Function: store.Distinct, Column: id}}},
			100_000, true,
		},
		{
			"many different numbers",
			store.AggregateQuery[domain.Score]{Measures: []measure{{Function: store.Distinct, Column: value}}},
			100_000, true,
		},
	} {
		c.query.MaxGroups, c.query.MaxBytes = 100, 64<<10
		_, err := store.GroupRows(t.Context(), rows(c.rows), at, c.query)
		if errors.Is(err, store.ErrTooLarge) != c.large {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
