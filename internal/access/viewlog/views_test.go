package viewlog

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"almanac/internal/catalog"
	"almanac/internal/domain"
)

type recorder struct {
	*Log
	now     time.Time
	written []string
	since   time.Time
	err     error
	dropped int
	lines   strings.Builder
}

func newRecorder() *recorder {
	r := &recorder{now: time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)}
	r.Log = New(Options{
		Record: func(_ context.Context, views []catalog.View, since time.Time) error {
			if r.err != nil {
				return r.err
			}
			r.since = since
			for _, v := range views {
				r.written = append(r.written, v.UserID+" "+v.Kind+" "+v.ID)
			}
			return nil
		},
		Log: slog.New(slog.NewTextHandler(&r.lines, nil)), Dropped: func(count int) { r.dropped += count },
	})
	r.Log.now = func() time.Time { return r.now }
	return r
}

func view(user, id string) catalog.View {
	return catalog.View{Scope: domain.OfProject("p"), UserID: user, Kind: "trace", ID: id}
}

func TestViewsOnceAnHour(t *testing.T) {
	r := newRecorder()
	for _, v := range []catalog.View{view("ada", "t1"), view("ada", "t1"), view("bob", "t1"), view("ada", "t2")} {
		r.Add(v)
	}
	r.write(t.Context())
	r.now = r.now.Add(once - time.Second)
	r.Add(view("ada", "t1"))
	r.write(t.Context())
	r.now = r.now.Add(time.Second)
	r.Add(view("ada", "t1"))
	r.write(t.Context())
	if got, want := strings.Join(r.written, ", "), "ada trace t1, bob trace t1, ada trace t2, ada trace t1"; got != want ||
		!r.since.Equal(r.now.Add(-once)) {
		t.Errorf("written: %s since %s, want %s", got, r.since, want)
	}
}

// TestViewsThatCannotBeWritten checks that views wait, up to a limit, and that those beyond it are counted and logged.
func TestViewsThatCannotBeWritten(t *testing.T) {
	r := newRecorder()
	r.err = errors.New("the disk is full")
	for n := range maxWaiting + 3 {
		r.Add(view("ada", strconv.Itoa(n)))
	}
	r.write(t.Context())
	if r.dropped != 3 || !strings.Contains(r.lines.String(), `msg="views are missing from the audit log" views=3`) {
		t.Errorf("%d dropped, log %s", r.dropped, r.lines.String())
	}
	r.err = nil
	r.Add(view("ada", "0")) // is already waiting
	r.write(t.Context())
	if len(r.written) != maxWaiting || r.dropped != 3 {
		t.Errorf("%d written, %d dropped", len(r.written), r.dropped)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	r.Add(view("bob", "last"))
	r.Run(ended)
	if last := r.written[len(r.written)-1]; last != "bob trace last" {
		t.Errorf("the last one is %s", last)
	}
	r.err = errors.New("gone")
	r.Add(view("bob", "lost"))
	r.Run(ended)
	if r.dropped != 4 {
		t.Errorf("%d dropped at the end, want 4", r.dropped)
	}
}

// TestViewsForgotten checks that the number of remembered views is limited.
func TestViewsForgotten(t *testing.T) {
	r := newRecorder()
	for n := range maxKnown + 10 {
		r.Add(view("ada", strconv.Itoa(n)))
		if n%maxWaiting == 0 {
			r.write(t.Context())
		}
	}
	if len(r.known) > maxKnown || len(r.known) < 10 {
		t.Errorf("%d are remembered", len(r.known))
	}
}

// TestViewsKeepOnlyIDs: the id of an object is part of a URL, which may be long and is not kept with it.
func TestViewsKeepOnlyIDs(t *testing.T) {
	r := newRecorder()
	url := "t1?" + strings.Repeat("x", 60_000)
	r.Add(view("ada", url[:2]))
	for key := range r.known {
		if kept := r.waiting[0].ID; kept != "t1" || key.id != "t1" || unsafe.StringData(kept) == unsafe.StringData(url) ||
			unsafe.StringData(key.id) == unsafe.StringData(url) {
			t.Errorf("%q and %q are kept with their URL", kept, key.id)
		}
	}
}
