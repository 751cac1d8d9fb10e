package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

// reopened is a store that survives being closed, as one on disk does.
type reopened struct{ *storetest.Model }

func (reopened) Close() error { return nil }

func TestRun(t *testing.T) {
	model := storetest.NewModel()
	open := func(string, int64) (store.Store, error) { return reopened{model}, nil }
	var out strings.Builder
	pictures := t.TempDir()
	args := []string{
		"store", "-rows", "2000", "-clickhouse", "-queries", "-load", "500", "-runs", "2", "-limit", "1s",
		"-dir", t.TempDir(), "-batch", "100", "-text", "1", "-scores", "1000", "-json", filepath.Join(pictures, "figures.json"),
		"-svg", pictures,
	}
	if err := run(t.Context(), args, &out, io.Discard, open); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{
		"command   store -rows 2000", "load average", "rows/s", "CPU µs per row", "ack max, ms", "bytes per row on disk", "beyond it, idle",
		"open again, ms", "q1 ", "q9 ", "q10 ", "while 500 rows/s come in", "ratio", "s1 ", "s8 ",
		"asks it over HTTP",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, out.String())
		}
	}
	for name, want := range map[string]string{
		"figures.json": `"label": "q9 distinct users by day"`, "queries.svg": "on ClickHouse, 2,000 rows",
		"ingest.svg": "bytes per row on disk",
	} {
		if text, err := os.ReadFile(filepath.Join(pictures, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q: %v, %s", name, want, err, text)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	open := func(string, int64) (store.Store, error) { return reopened{storetest.NewModel()}, nil }
	used := t.TempDir()
	if err := os.MkdirAll(filepath.Join(used, "store", "segments"), 0o750); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name string
		args string
		open func(string, int64) (store.Store, error)
		want string
	}{
		{"nothing to do", "-rows 0", open, "nothing to measure"},
		{"unknown mode", "-mode images", open, "unknown mode"},
		{"negative", "-load -1", open, "must be positive"},
		{"no rows for ClickHouse", "-rows 0 -clickhouse", open, "-clickhouse-rows must be set"},
		{"data of another run", "-rows 500 -dir " + used, open, "is not empty"},
		{"store fails", "-rows 500", func(string, int64) (store.Store, error) { return nil, errors.New("no luck") }, "no luck"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"store", "-text", "1", "-dir", t.TempDir()}, strings.Fields(c.args)...)
			err := run(t.Context(), args, io.Discard, io.Discard, c.open)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
