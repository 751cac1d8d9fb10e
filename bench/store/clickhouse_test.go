package main

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/domain"
	"almanac/internal/store"
)

func openEngine(ctx context.Context, t *testing.T, o clickhouseOptions) *clickhouse {
	t.Helper()
	c, err := openClickHouse(ctx, t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// TestClickHouseKeepsEverything guards against a baseline that leaves out fields and so appears cheaper.
func TestClickHouseKeepsEverything(t *testing.T) {
	ctx := t.Context()
	c := openEngine(ctx, t, clickhouseOptions{})
	full, empty := everything(t), domain.Observation{TraceID: "t2", ID: "o2", StartTime: 1}
	object := full
	object.TraceID, object.Metadata = "t3", `{"a\n\"b":"x","c":[1,{"d":null}],"e":1.50}`
	if err := c.append(ctx, "p", []domain.Observation{full, empty, object}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, column := range wanted(store.WantAll) {
		names = append(names, column.name)
	}
	for _, want := range []domain.Observation{full, empty, object} {
		body, err := c.answer(ctx, "p", "SELECT "+strings.Join(names, ", "), " AND trace_id = '"+want.TraceID+"'", nil)
		if err != nil {
			t.Fatal(err)
		}
		var got domain.Observation
		r := rowReader{rest: body}
		for _, column := range wanted(store.WantAll) {
			r.field(column.name, column.field(&got))
		}
		if r.err != nil || r.more() {
			t.Fatalf("%v, %d bytes left", r.err, len(r.rest))
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if _, err := c.ask(ctx, "SELECT nonsense", nil); err == nil || !strings.Contains(err.Error(), "UNKNOWN_IDENTIFIER") {
		t.Errorf("a wrong query: %v", err)
	}
	if cpu, memory := c.process().cpuTime(), c.process().anonymousMemory(); cpu <= 0 || memory < 1<<20 {
		t.Errorf("the engine took %v and %d bytes", cpu, memory)
	}
}

// TestRowReader checks that a truncated response is an error and nothing worse.
func TestRowReader(t *testing.T) {
	row := everything(t)
	row.Metadata = `{"a":1}`
	encoded := appendClickHouseRow(nil, "p", &row)
	for cut := range encoded {
		r := rowReader{rest: encoded[:cut]}
		var project string
		var number int64
		r.field("", &project)
		r.field("", &number)
		r.field("", &number)
		var got domain.Observation
		for _, c := range columns {
			r.field(c.name, c.field(&got))
		}
		if r.err == nil {
			t.Fatalf("%d of %d bytes were enough", cut, len(encoded))
		}
	}
}
