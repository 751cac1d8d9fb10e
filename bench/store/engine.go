package main

import (
	"context"
	"math"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// engine is what is measured: a store. Its queries are listed in queries.go. All of them read
// their results to the end.
type engine interface {
	append(ctx context.Context, project string, rows []domain.Observation) error
	// flush moves everything to its final place.
	flush(ctx context.Context) error
	close() error
	// count returns the number of rows.
	count(ctx context.Context) (int64, error)
	// disk returns the size of the data on disk, in bytes.
	disk(ctx context.Context) (int64, error)
	// process returns the process that the engine runs in.
	process() process

	newest(ctx context.Context, project string, limit int, want store.Want) (answer, error)
	trace(ctx context.Context, project, id string, want store.Want) (answer, error)
	matching(ctx context.Context, project string, m match) (answer, error)
	withMetadata(ctx context.Context, project, key, value string, limit int) (answer, error)
	withWord(ctx context.Context, project, word string, limit int) (answer, error)
	after(ctx context.Context, project string, p store.Position, limit int) (answer, error)
	costByModelAndHour(ctx context.Context, project string) (answer, error)
	usersByDay(ctx context.Context, project string) (answer, error)
	deleteTraces(ctx context.Context, project string, ids []string) (int, error)
}

// match holds the conditions of the query with several conditions.
type match struct {
	from, to    domain.Micros
	types       []string
	models      []string
	tags        []string
	aboveMillis int64 // latency
	limit       int
}

// answer summarizes the result of a query, so that all of it has to be read and engines can be compared.
type answer struct {
	rows  int     // or groups
	bytes int64   // of the strings of the requested rows
	sum   float64 // of the values of groups
}

// add counts a row.
func (a *answer) add(o *domain.Observation, want store.Want) {
	a.rows++
	a.bytes += int64(len(o.TraceID) + len(o.ID) + len(o.ParentID) + len(o.Type) + len(o.Name) + len(o.Model) + len(o.UserID))
	for _, tag := range o.Tags {
		a.bytes += int64(len(tag))
	}
	if want&store.WantIO != 0 {
		a.bytes += int64(len(o.Input) + len(o.Output))
	}
	if want&store.WantMetadata != 0 {
		a.bytes += int64(len(o.Metadata))
	}
	if want&store.WantStatus != 0 {
		a.bytes += int64(len(o.StatusMessage))
	}
	if want&store.WantUsage != 0 {
		a.bytes += int64(len(o.Usage) + len(o.Cost))
	}
	if want&store.WantDetails != 0 {
		a.bytes += int64(len(o.ModelParameters) + len(o.ToolCalls))
	}
	if want&store.WantTrace != 0 {
		a.bytes += int64(len(o.TraceInput) + len(o.TraceOutput) + len(o.TraceMetadata))
	}
}

// same reports whether two engines found the same. Sums of the same numbers in a different order differ slightly.
func (a answer) same(b answer) bool {
	return a.rows == b.rows && a.bytes == b.bytes && math.Abs(a.sum-b.sum) <= 1e-9*math.Abs(a.sum)
}

const (
	hourMillis = 60 * 60 * 1000
	dayMillis  = 24 * hourMillis
)
