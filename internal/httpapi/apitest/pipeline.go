package apitest

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/internal/domain"
	"almanac/internal/ingest"
	"almanac/internal/ingest/otlp"
	"almanac/internal/ingest/pricing"
	"almanac/internal/store"
	"almanac/test/failing"
)

// MemoryTable receives the exports of scenarios. It maps the project, trace id and span id of each row to its name.
type MemoryTable struct {
	mu   sync.Mutex
	Rows map[string]string
	Fail error
	// failures, if set, also makes it fail.
	failures *failing.Switch
}

// Append keeps the names of rows, or fails if it is told to.
func (m *MemoryTable) Append(_ context.Context, scope domain.ProjectScope, rows []domain.Observation) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Fail != nil {
		return m.Fail
	}
	if m.failures != nil {
		if err := m.failures.Call("pipeline: append"); err != nil {
			return err
		}
	}
	if m.Rows == nil {
		m.Rows = make(map[string]string)
	}
	for n := range rows {
		m.Rows[scope.ProjectID()+"/"+rows[n].TraceID+"/"+rows[n].ID] = strings.Clone(rows[n].Name)
	}
	return nil
}

// Names returns the names of all rows.
func (m *MemoryTable) Names() []string { return slices.Sorted(maps.Values(m.Rows)) }

var defaultPrices = sync.OnceValues(pricing.Default)

// NewPipeline returns a pipeline that writes to a table, with the default prices.
func NewPipeline(
	t testing.TB, table ingest.Table, registry prometheus.Registerer, log *slog.Logger, change func(*ingest.Options),
) *ingest.Pipeline {
	t.Helper()
	prices, err := defaultPrices()
	if err != nil {
		t.Fatal(err)
	}
	o := ingest.Options{
		Table: table, Prices: prices, Limits: otlp.DefaultLimits(), MaxExport: 1 << 20, Memory: 16 << 20, Wait: 10 * time.Millisecond,
		Metrics: registry, Log: log,
	}
	if change != nil {
		change(&o)
	}
	return ingest.New(o)
}

// StoredScores returns the scores of a project by id.
func (f *Fixture) StoredScores(t *testing.T, project string, ids ...string) map[string]domain.Score {
	t.Helper()
	found := make(map[string]domain.Score)
	for s, err := range f.Store.Scores().Lookup(t.Context(), domain.OfProject(project), store.Lookup{IDs: ids, Want: store.WantAll}) {
		if err != nil {
			t.Fatal(err)
		}
		kept := s.Clone() // the row belongs to the store
		found[kept.ID] = kept
	}
	return found
}
