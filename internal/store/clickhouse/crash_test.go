package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/test/chtest"
)

// acknowledged is what writers were told is kept: the number of the last version of each row.
type acknowledged struct {
	mu   sync.Mutex
	sure map[string]int
	// perhaps are versions that were sent and neither acknowledged nor refused for sure.
	perhaps map[string][]int
}

func (a *acknowledged) note(id string, version int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err == nil {
		a.sure[id] = version
		delete(a.perhaps, id)
		return
	}
	a.perhaps[id] = append(a.perhaps[id], version)
}

func (a *acknowledged) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.sure)
}

// TestKilledUnderLoad kills the engine again and again while rows are written, moved in time and written again. What was
// acknowledged is there afterwards, each row once, and the store goes on without being opened again.
func TestKilledUnderLoad(t *testing.T) {
	server := chtest.StartOwn(t)
	s := openTest(t, server, "test_killed", Options{Patience: 20 * time.Second})
	defer s.Close()
	scope := domain.OfProject("p")
	a := &acknowledged{sure: map[string]int{}, perhaps: map[string][]int{}}
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	for w := range 3 {
		writing.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				// Every third write is of a row that is there already, mostly at another time.
				id := fmt.Sprint("row ", w, " ", n)
				if n%3 == 2 {
					id = fmt.Sprint("row ", w, " ", n-2)
				}
				row := domain.Observation{
					TraceID: "t", ID: id, StartTime: domain.Micros(1_700_000_000_000_000 + int64(n%5)*40*86_400_000_000), InputTokens: int64(n),
					Input: strings.Repeat("input ", 100),
				}
				// Not the context of the writers: a batch that is on its way ends in time by itself.
				a.note(id, n, s.observations.Append(t.Context(), scope, []domain.Observation{row}))
			}
		})
	}
	for range 3 {
		before := a.count()
		for deadline := time.Now().Add(30 * time.Second); a.count() < before+5; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("nothing is acknowledged any more")
			}
		}
		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	writing.Wait()
	a.check(t, s, scope)
}

// check reads everything, in order and by name.
func (a *acknowledged) check(t *testing.T, s *Store, scope domain.ProjectScope) {
	t.Helper()
	scanned, looked := map[string]int{}, map[string]int{}
	var ids []string
	for id := range a.sure {
		ids = append(ids, id)
	}
	for row, err := range s.observations.Scan(t.Context(), scope, store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := scanned[row.ID]; twice {
			t.Errorf("%s is there twice", row.ID)
		}
		scanned[strings.Clone(row.ID)] = int(row.InputTokens)
	}
	for row, err := range s.observations.Lookup(t.Context(), scope, store.Lookup{IDs: ids}) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := looked[row.ID]; twice {
			t.Errorf("%s is found twice", row.ID)
		}
		looked[strings.Clone(row.ID)] = int(row.InputTokens)
	}
	for id, version := range a.sure {
		for how, found := range map[string]map[string]int{"scanned": scanned, "looked up": looked} {
			got, ok := found[id]
			switch {
			case !ok:
				t.Errorf("%s was acknowledged and is lost when it is %s", id, how)
			case got != version && len(a.perhaps[id]) == 0:
				t.Errorf("%s has version %d when it is %s, acknowledged was %d", id, got, how, version)
			}
		}
	}
	t.Logf("%d rows were acknowledged, %d are there", len(a.sure), len(scanned))
}

// TestUnreachable stops the engine: writes and reads fail in time and with the right kind, and go on when it is back.
func TestUnreachable(t *testing.T) {
	server := chtest.StartOwn(t)
	s := openTest(t, server, "test_unreachable", Options{Patience: 300 * time.Millisecond, Memory: 1 << 20})
	defer s.Close()
	scope := domain.OfProject("p")
	row := func(id string) []domain.Observation {
		return []domain.Observation{{TraceID: "t", ID: id, StartTime: 1_700_000_000_000_000}}
	}
	if err := s.observations.Append(t.Context(), scope, row("before")); err != nil {
		t.Fatal(err)
	}
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	var waiting sync.WaitGroup
	for i := range 5 {
		waiting.Go(func() {
			began := time.Now()
			err := s.observations.Append(t.Context(), scope, row(fmt.Sprint("meanwhile ", i)))
			if !errors.Is(err, store.ErrBusy) || time.Since(began) > 5*time.Second {
				t.Errorf("Append to a dead server: %v after %s", err, time.Since(began))
			}
		})
	}
	waiting.Wait()
	for _, err := range s.observations.Scan(t.Context(), scope, store.Query[domain.Observation]{}) {
		if !errors.Is(err, store.ErrBusy) {
			t.Errorf("Scan of a dead server: %v", err)
		}
	}
	if _, err := s.observations.Delete(t.Context(), scope, store.Selection{All: true}); !errors.Is(err, store.ErrBusy) {
		t.Errorf("Delete on a dead server: %v", err)
	}
	if got := s.Stats(); got.Observations.Rows != 0 { // nobody asked before
		t.Errorf("Stats of a dead server: %+v", got)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		err := s.observations.Append(t.Context(), scope, row("after"))
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	var ids []string
	for row, err := range s.observations.Scan(t.Context(), scope, store.Query[domain.Observation]{}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, strings.Clone(row.ID))
	}
	if got := strings.Join(ids, " "); got != "before after" {
		t.Errorf("there are %q, want those that were acknowledged: before and after", got)
	}
}

// TestSlow has an engine that takes requests and does not answer them: whoever waits is told in time, and the row is there
// once when the engine goes on, whatever became of the tries.
func TestSlow(t *testing.T) {
	server := chtest.StartOwn(t)
	s := openTest(t, server, "test_slow", Options{Patience: 300 * time.Millisecond})
	defer s.Close()
	scope := domain.OfProject("p")
	rows := []domain.Observation{{TraceID: "t", ID: "a", StartTime: 1_700_000_000_000_000}}
	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	err := s.observations.Append(t.Context(), scope, rows)
	if err := server.Resume(); err != nil {
		t.Fatal(err)
	}
	if err == nil || time.Since(began) > 5*time.Second {
		t.Errorf("Append to a server that does not answer: %v after %s", err, time.Since(began))
	}
	patient, err := Open(t.Context(), s.client.address, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer patient.Close()
	for range 2 {
		if err := patient.observations.Append(t.Context(), scope, rows); err != nil {
			t.Fatal(err)
		}
	}
	if got := patient.Stats().Observations; got.Rows != 1 || got.Superseded == 0 {
		t.Errorf("after the same row was appended again and again: %+v", got)
	}
}
