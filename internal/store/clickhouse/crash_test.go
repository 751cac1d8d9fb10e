package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/test/chtest"
)

// acknowledged records the last acknowledged version of each row.
type acknowledged struct {
	mu   sync.Mutex
	sure map[string]int
	// perhaps are versions that were sent but neither acknowledged nor definitely refused.
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

// TestKilledUnderLoad kills the server repeatedly while rows are written, moved in time and rewritten. Acknowledged
// rows must exist afterwards, each exactly once, and the store must continue without being reopened.
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
				// Every third write is to an existing row, mostly at a different time.
				id := fmt.Sprint("row ", w, " ", n)
				if n%3 == 2 {
					id = fmt.Sprint("row ", w, " ", n-2)
				}
				rows := make([]domain.Observation, 10)
				for i := range rows {
					rows[i] = domain.Observation{
						TraceID: "t", ID: fmt.Sprint(id, " ", i),
						StartTime:   domain.Micros(1_700_000_000_000_000 + int64((n+i)%5)*40*86_400_000_000),
						InputTokens: int64(n), Input: strings.Repeat("input ", 100),
					}
				}
				// Not the writers' context: a batch in progress has its own deadline.
				err := s.observations.Append(t.Context(), scope, rows)
				for i := range rows {
					a.note(rows[i].ID, n, err)
				}
			}
		})
	}
	for range 3 {
		before := a.count()
		for deadline := time.Now().Add(30 * time.Second); a.count() < before+100; time.Sleep(5 * time.Millisecond) {
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

// check reads everything, by scanning and by looking up ids.
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

// TestUnreachable kills the server: writes and reads fail in time with the right error kind, and work again when it is
// back.
func TestUnreachable(t *testing.T) {
	server := chtest.StartOwn(t)
	s := openTest(t, server, "test_unreachable", Options{Patience: time.Second, Memory: 1 << 20})
	defer s.Close()
	scope := domain.OfProject("p")
	row := func(id string) []domain.Observation {
		return []domain.Observation{{TraceID: "t", ID: id, StartTime: 1_700_000_000_000_000}}
	}
	appendSoon(t, s, scope, row("before"))
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
	if got := s.Stats(); got.Observations.Rows != 0 { // never requested before
		t.Errorf("Stats of a dead server: %+v", got)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	appendSoon(t, s, scope, row("after"))
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

// TestPatienceIsKept appends to a server that does not respond while another append is being inserted: waiting for it
// and being inserted must not take up to the limit each.
func TestPatienceIsKept(t *testing.T) {
	server := chtest.StartOwn(t)
	const patience = 3 * time.Second
	s := openTest(t, server, "test_patience", Options{Patience: patience})
	defer s.Close()
	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Resume(); err != nil {
			t.Error(err)
		}
	}()
	var work sync.WaitGroup
	for i := range 4 {
		work.Go(func() {
			time.Sleep(time.Duration(i) * patience / 20)
			began := time.Now()
			row := domain.Observation{TraceID: "t", ID: strconv.Itoa(i), StartTime: 1_700_000_000_000_000}
			err := s.observations.Append(t.Context(), domain.OfProject("p"), []domain.Observation{row})
			if took := time.Since(began); took > patience*3/2 || !errors.Is(err, store.ErrBusy) && !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("append %d to a server that does not answer: %v after %s, promised are %s", i, err, took, patience)
			}
		})
	}
	work.Wait()
}

// appendSoon appends rows, retrying until it succeeds or times out.
func appendSoon(t *testing.T, s *Store, scope domain.ProjectScope, rows []domain.Observation) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		err := s.observations.Append(t.Context(), scope, rows)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// TestSlow uses a server that accepts requests but does not respond: the caller gets an error in time, and the row
// exists once after the server resumes, whatever happened to the attempts.
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
