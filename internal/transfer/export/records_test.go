package export

import (
	"testing"

	"almanac/internal/domain"
	"almanac/internal/query/explore"
)

// TestTraceRecordsAreNoObservations: the lists of the web application count the observations of a session and of a user
// as their exported files do, which is without the row that stands for the trace of an older client.
func TestTraceRecordsAreNoObservations(t *testing.T) {
	w := newWorld(t)
	at := domain.Micros(1_800_000_000_000_000)
	rows := []domain.Observation{
		{
			TraceID: "t", ID: domain.TraceRecordID("t"), StartTime: at, Source: domain.SourceIngestionTrace, SessionID: "s", UserID: "u",
			Level: "ERROR",
		},
		{TraceID: "t", ID: "o", StartTime: at + 1000, Source: domain.SourceIngestion, SessionID: "s", UserID: "u", Level: "ERROR"},
	}
	if err := w.store.Observations().Append(t.Context(), w.scope, rows); err != nil {
		t.Fatal(err)
	}
	reader := &Reader{Catalog: w.catalog, Store: w.store, Scope: w.scope}
	for table, kind := range map[string]explore.EntityKind{Sessions: explore.Sessions, Users: explore.Users} {
		listed, _, err := reader.explorer().Entities(t.Context(), &explore.Selection{}, &explore.EntityQuery{
			Kind: kind, Order: explore.Order{Column: "lastSeen"}, Limit: 10,
		})
		if err != nil || len(listed) != 1 {
			t.Fatalf("%s: %v, %v", table, listed, err)
		}
		exported, err := reader.Open(t.Context(), &Request{Table: table, Format: JSONL})
		if err != nil {
			t.Fatal(err)
		}
		figures := make(map[string]int64)
		if err := exported.rows(t.Context(), func(row []Value) error {
			for n, c := range exported.Columns {
				figures[c.Name] = row[n].Int
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		observations := figures["countObservations"] + figures["totalCount"] // each table has one of them
		if o := listed[0]; o.Observations != 1 || int64(o.Observations) != observations || o.Errors != 1 || figures["errorCount"] != 1 {
			t.Errorf("%s: listed with %d observations and %d errors, exported with %d and %d", table, o.Observations, o.Errors,
				observations, figures["errorCount"])
		}
	}
}
