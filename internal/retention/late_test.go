package retention

import (
	"testing"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
	"almanac/test/failing"
)

// appendOne stores a row that is the given number of days old.
func appendOne(t *testing.T, to store.Store, id string, days int, cost float64) {
	t.Helper()
	row := domain.Observation{
		TraceID: id, ID: id, Type: "GENERATION", Name: id, Model: id, UserID: id, Level: "ERROR",
		StartTime: domain.MicrosOf(time.Now().AddDate(0, 0, -days)), TotalCost: domain.FloatOf(cost),
	}
	if err := to.Observations().Append(t.Context(), domain.OfProject("ever"), []domain.Observation{row}); err != nil {
		t.Fatal(err)
	}
}

// sums returns the sums over all totals of a kind.
func (j *Job) sums(t *testing.T, by string) (observations int64, cost float64) {
	t.Helper()
	totals, err := j.Catalog.DailyTotals(t.Context(), domain.OfProject("ever"), by, 0, 1<<40, true)
	if err != nil {
		t.Fatal(err)
	}
	for n := range totals {
		observations, cost = observations+totals[n].Observations, cost+totals[n].TotalCost
	}
	return observations, cost
}

// TestRowsThatComeBetweenSumsAndDeletion adds rows to days that are being deleted before each call to the store, while
// each call of a deletion fails in turn and is retried: in any order, the rows are in all totals once, and none is
// left.
func TestRowsThatComeBetweenSumsAndDeletion(t *testing.T) {
	template := newTemplate(t)
	cut := domain.MicrosOf(time.Now().AddDate(0, 0, -3))
	for at, calls := 0, 1; at < calls; at++ {
		failures := new(failing.Switch)
		for failed := "none yet"; failed != ""; {
			model := storetest.NewModel()
			appendOne(t, model, "early", 5, 1)
			beset := &failing.Interleaved{Store: failures.Store(model), At: at, Happen: func() {
				appendOne(t, model, "late", 5, 2)
				appendOne(t, model, "late, and older", 8, 4) // of a day without rows so far
			}}
			w := newFailingJob(t, template, failures)
			w.Store = beset
			failures.Arm()
			_, _, err := w.expire(t.Context(), "ever", cut)
			if failed = failures.Disarm(); (err != nil) != (failed != "") {
				t.Fatalf("a failure of %q is answered with %v", failed, err)
			}
			for _, then := range []store.Store{beset, model} {
				w.Store = then
				if _, _, err := w.expire(t.Context(), "ever", cut); err != nil {
					t.Fatal(err)
				}
			}
			calls = max(calls, beset.Calls)
			if beset.Calls <= at {
				continue // it did not get that far
			}
			for _, kind := range totalsKinds {
				if n, cost := w.sums(t, kind.by); n != 3 || cost != 7 {
					t.Errorf("rows came before call %d, and %q failed: by %s there are %d rows of %v in all, want 3 of 7", at, failed,
						kind.by, n, cost)
				}
			}
			if left := w.left(t, "ever"); len(left) != 0 {
				t.Errorf("rows came before call %d, and %q failed: %q are left", at, failed, left)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// unsettled is a store in which a row becomes visible late, with a number below the mark.
type unsettled struct {
	*storetest.Model
	settle func()
}

func (u unsettled) Mark() store.Mark {
	mark := u.Model.Mark()
	mark.Observations++
	return mark
}

func (u unsettled) VisibilityDelay() time.Duration {
	u.settle()
	return time.Millisecond
}

// TestRowsThatSettle counts rows that were not yet visible when the mark was taken.
func TestRowsThatSettle(t *testing.T) {
	j := newFailingJob(t, newTemplate(t), new(failing.Switch))
	model, settled := storetest.NewModel(), false
	appendOne(t, model, "early", 5, 1)
	j.Store = unsettled{model, func() {
		if !settled {
			settled = true
			appendOne(t, model, "on its way", 8, 2)
		}
	}}
	if _, _, err := j.expire(t.Context(), "ever", domain.MicrosOf(time.Now().AddDate(0, 0, -3))); err != nil {
		t.Fatal(err)
	}
	if n, cost := j.sums(t, domain.TotalsByModel); n != 2 || cost != 3 {
		t.Errorf("there are %d rows of %v in all, want 2 of 3", n, cost)
	}
}
