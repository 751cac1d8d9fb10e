package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/datadir"
	"almanac/test/programs"
)

// serveOnce starts a server and stops it as soon as it serves. It returns why it did not start, or nothing.
func serveOnce(t *testing.T, data string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var (
		out, log programs.Output
		wg       sync.WaitGroup
		code     int
	)
	ended := make(chan struct{})
	wg.Go(func() {
		defer close(ended)
		code = run(ctx, []string{"serve", "--listen=127.0.0.1:0", "--data", data}, func(string) string { return "" }, &out, &log)
	})
	for serving := false; !serving; serving = strings.Contains(log.String(), "msg=serving") {
		select {
		case <-ended:
			wg.Wait()
			return log.String()
		case <-time.After(time.Millisecond):
		}
	}
	stop()
	wg.Wait()
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, log.String())
	}
	return ""
}

// TestEventsBelongToTheCatalog takes events away, or puts those of another installation there. No server starts, and
// the doctor sees it, until the operator accepts it.
func TestEventsBelongToTheCatalog(t *testing.T) {
	move := func(from, to string) error { return errors.Join(os.RemoveAll(to), os.Rename(from, to)) }
	for _, c := range []struct {
		name    string
		swap    func(data, other string) error
		want    []string
		without string // what is not there afterwards
	}{
		{
			"no events", func(data, _ string) error { return os.RemoveAll(datadir.EventsDir(data)) },
			[]string{"the catalog DATA/catalog.db belongs to the event store", "there are no events in DATA/events"},
			"rows",
		},
		{
			"other events", func(data, other string) error { return move(datadir.EventsDir(other), datadir.EventsDir(data)) },
			[]string{"the catalog DATA/catalog.db belongs to the event store", "DATA/events is the event store", "of another installation"},
			"",
		},
		{
			"other catalog", func(data, other string) error { return move(datadir.CatalogFile(other), datadir.CatalogFile(data)) },
			[]string{"the catalog DATA/catalog.db belongs to the event store", "DATA/events is the event store", "of another installation"},
			"",
		},
		{
			"no scores", func(data, _ string) error { return os.RemoveAll(filepath.Join(datadir.EventsDir(data), "scores")) },
			[]string{"DATA/events/scores is not a part of it: it is missing"},
			"",
		},
		{"no observations", func(data, _ string) error {
			return os.RemoveAll(filepath.Join(datadir.EventsDir(data), "observations"))
		}, []string{"DATA/events/observations is not a part of it: it is missing"}, "rows"},
		{"other observations", func(data, other string) error {
			return move(filepath.Join(datadir.EventsDir(other), "observations"), filepath.Join(datadir.EventsDir(data), "observations"))
		}, []string{"DATA/events/scores is a part of the event store"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := newInstallation(t, true)
			mustRun(t, "projects", "create", "Support", "--id", "p", "--organization", "acme", "--data", data)
			for range 2 {
				if failure := serveOnce(t, data); failure != "" {
					t.Fatal(failure)
				}
			}
			// A copy is the likeliest of all that might be mistaken for the original.
			backup, restored := filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "restored")
			mustRun(t, "backup", backup, "--data", data)
			mustRun(t, "restore", backup, "--data", restored)
			if failure := serveOnce(t, restored); failure != "" {
				t.Fatal(failure)
			}
			if err := c.swap(data, restored); err != nil {
				t.Fatal(err)
			}
			expect := func(what, said string) {
				t.Helper()
				for _, want := range append(c.want, "doctor --accept-loss") {
					if !strings.Contains(said, strings.ReplaceAll(want, "DATA", data)) {
						t.Errorf("%s says %q, which lacks %q", what, said, want)
					}
				}
			}
			expect("serve", serveOnce(t, data))
			stdout, _, code := runHere("doctor", "--data", data)
			if code != 1 || !strings.Contains(stdout, "FAULT") {
				t.Errorf("doctor exits with %d", code)
			}
			expect("doctor", stdout)
			_, stderr, code := runHere("backup", filepath.Join(t.TempDir(), "backup"), "--data", data)
			if code != 1 {
				t.Error("there is a backup of what does not belong together")
			}
			expect("backup", stderr)
			_, stderr, code = runHere("export", "observations", "--data", data)
			if code != 1 {
				t.Error("it is exported")
			}
			expect("export", stderr)

			if stdout, stderr, code = runHere("doctor", "--accept-loss", "--data", data); code != 0 ||
				!strings.Contains(stdout, "accepted: ") {
				t.Errorf("doctor --accept-loss: %d %s%s", code, stdout, stderr)
			}
			if failure := serveOnce(t, data); failure != "" {
				t.Error(failure)
			}
			mustRun(t, "doctor", "--data", data)
			if n := countEvents(t, data); (n == 0) != (c.without == "rows") {
				t.Errorf("%d events", n)
			}
		})
	}
}
