package catalog_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// reviewed is a project with an annotation queue and two people.
type reviewed struct {
	*testing.T
	*catalogtest.Catalog
	scope domain.ProjectScope
	queue string
	items []string // oldest first
}

func onBothReviewed(t *testing.T, items int, test func(r *reviewed)) {
	t.Helper()
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		_, p := catalogtest.Seed(t, c, "mine")
		r := &reviewed{T: t, Catalog: c, scope: domain.OfProject(p.ID)}
		for _, user := range []string{"ada", "bob"} {
			newUser(t, c, user, "mine", domain.RoleMember)
		}
		q, err := c.AnnotationQueues.Create(t.Context(), r.scope, domain.AnnotationQueue{
			Name: "queue", ScoreConfigIDs: []string{newConfig(t, c, r.scope)},
		}, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		r.queue = q.ID
		for n := range items {
			i, err := c.CreateAnnotationItem(t.Context(), r.scope, domain.AnnotationItem{
				QueueID: q.ID, ObjectType: domain.ObjectTrace, ObjectID: fmt.Sprint("t", n), Status: domain.AnnotationPending,
			}, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			r.items = append(r.items, i.ID)
		}
		test(r)
	})
}

func (r *reviewed) by(user string) catalog.Reviewer {
	return catalog.Reviewer{Scope: r.scope, QueueID: r.queue, UserID: user}
}

// next returns the number of the next item of somebody; -1 if there is none.
func (r *reviewed) next(by catalog.Reviewer, skipped bool) int {
	r.Helper()
	item, err := r.NextItem(r.Context(), by, skipped)
	if err != nil {
		r.Fatal(err)
	}
	if item == nil {
		return -1
	}
	if item.LeasedBy == nil || *item.LeasedBy != by.UserID {
		r.Errorf("the item of %s is leased by %v", by.UserID, item.LeasedBy)
	}
	return slices.Index(r.items, item.ID)
}

func (r *reviewed) wantNext(by catalog.Reviewer, skipped bool, want int) {
	r.Helper()
	if got := r.next(by, skipped); got != want {
		r.Errorf("%s gets item %d, want %d", by.UserID, got, want)
	}
}

func (r *reviewed) complete(by catalog.Reviewer, n int, comment *string) error {
	return r.CompleteItem(r.Context(), by, r.items[n], comment, "", domain.Actor{Kind: "user", ID: by.UserID})
}

func (r *reviewed) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func TestNobodyGetsTheItemOfSomebodyElse(t *testing.T) {
	onBothReviewed(t, 40, func(r *reviewed) {
		var (
			mu    sync.Mutex
			wg    sync.WaitGroup
			taken = make(map[int]string)
		)
		for n := range 4 {
			by := r.by([]string{"ada", "bob", "cid", "dan"}[n])
			newUserIfNone(r, by.UserID)
			wg.Go(func() {
				for {
					item, err := r.NextItem(r.Context(), by, false)
					if err != nil {
						r.Error(err)
						return
					}
					if item == nil {
						return
					}
					at := slices.Index(r.items, item.ID)
					mu.Lock()
					if other, known := taken[at]; known {
						r.Errorf("%s and %s got item %d", other, by.UserID, at)
					}
					taken[at] = by.UserID
					mu.Unlock()
					if err := r.complete(by, at, nil); err != nil {
						r.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		p, err := r.QueueProgress(r.Context(), r.by("ada"))
		if want := (catalog.Progress{Completed: 40}); p != want || err != nil || len(taken) != 40 {
			r.Errorf("%+v, %d taken, %v", p, len(taken), err)
		}
	})
}

func newUserIfNone(r *reviewed, id string) {
	if id != "ada" && id != "bob" {
		newUser(r.T, r.Catalog, id, "mine", domain.RoleMember)
	}
}

func TestLeasesOfItems(t *testing.T) {
	onBothReviewed(t, 3, func(r *reviewed) {
		ada, bob := r.by("ada"), r.by("bob")
		r.wantNext(ada, false, 0)
		r.wantNext(ada, false, 0) // the page was loaded again
		r.wantNext(bob, false, 1)
		if p, err := r.QueueProgress(r.Context(), ada); p != (catalog.Progress{Pending: 3, Taken: 1}) || err != nil {
			r.Errorf("%+v, %v", p, err)
		}
		if _, err := r.OpenItem(r.Context(), bob, r.items[0]); !errors.Is(err, catalog.ErrItemTaken) {
			r.Errorf("opening the item of somebody else: %v", err)
		}
		if err := r.complete(bob, 0, nil); !errors.Is(err, catalog.ErrItemTaken) {
			r.Errorf("completing the item of somebody else: %v", err)
		}
		r.must(r.ReleaseItem(r.Context(), bob, r.items[0])) // has no effect
		r.must(r.ReleaseItem(r.Context(), bob, r.items[1]))
		if _, err := r.OpenItem(r.Context(), bob, r.items[0]); !errors.Is(err, catalog.ErrItemTaken) {
			r.Errorf("after somebody else released it: %v", err)
		}
		r.wantNext(bob, false, 1)

		// A browser that crashed does not keep an item, and whoever had it learns that.
		crashed := catalog.Reviewer{Scope: r.scope, QueueID: r.queue, UserID: "ada", Life: time.Millisecond}
		_, err := r.OpenItem(r.Context(), crashed, r.items[2])
		r.must(err)
		r.must(r.ReleaseItem(r.Context(), ada, r.items[0]))
		_, err = r.OpenItem(r.Context(), crashed, r.items[0])
		r.must(err)
		if r.DB.SQL.Clock == "" {
			later := r.DB.Now().Add(time.Second)
			r.DB.Now = func() time.Time { return later }
		} else {
			time.Sleep(20 * time.Millisecond) // the clock of the database
		}
		r.must(r.complete(bob, 1, nil))
		r.wantNext(bob, false, 0)
		if _, err := r.KeepItem(r.Context(), ada, r.items[0]); !errors.Is(err, catalog.ErrItemTaken) {
			r.Errorf("renewing an item that somebody else has: %v", err)
		}
		if err := r.complete(ada, 0, nil); !errors.Is(err, catalog.ErrItemTaken) {
			r.Errorf("completing it late: %v", err)
		}
		// Nobody has taken the other one, so it can still be completed.
		if _, err := r.KeepItem(r.Context(), ada, r.items[2]); err != nil {
			r.Errorf("renewing late: %v", err)
		}
		r.must(r.complete(ada, 2, nil))
	})
}

func TestCompletionsAreRepeated(t *testing.T) {
	onBothReviewed(t, 2, func(r *reviewed) {
		ada, bob := r.by("ada"), r.by("bob")
		comments := func() (texts []string) {
			found, _, err := r.Comments.Page(r.Context(), r.scope, tables.Page{Limit: 10})
			r.must(err)
			for _, c := range found {
				texts = append(texts, c.ObjectID+" "+*c.AuthorUserID+" "+c.Content)
			}
			return texts
		}
		want := func(want ...string) {
			r.Helper()
			if got := comments(); !slices.Equal(got, want) {
				r.Errorf("comments %q, want %q", got, want)
			}
		}
		r.wantNext(ada, false, 0)
		for range 2 {
			_, err := r.KeepItem(r.Context(), ada, r.items[0])
			r.must(err)
			r.must(r.complete(ada, 0, new("first")))
		}
		want("t0 ada first")
		r.must(r.complete(ada, 0, new("second")))
		r.must(r.complete(ada, 0, nil))
		want("t0 ada second")
		if text, err := r.ReviewComment(r.Context(), ada, r.items[0]); text != "second" || err != nil {
			r.Errorf("%q, %v", text, err)
		}
		if text, err := r.ReviewComment(r.Context(), bob, r.items[0]); text != "" || err != nil {
			r.Errorf("of somebody else: %q, %v", text, err)
		}

		item, err := r.OpenItem(r.Context(), bob, r.items[0])
		r.must(err)
		if item.Status != domain.AnnotationCompleted || item.CompletedBy == nil || *item.CompletedBy != "ada" {
			r.Errorf("a completed item that is opened again: %+v", item)
		}
		if err := r.complete(ada, 0, new("late")); !errors.Is(err, catalog.ErrItemTaken) {
			r.Errorf("a repetition while somebody else has it: %v", err)
		}
		r.must(r.complete(bob, 0, new("mine")))
		if err := r.complete(ada, 0, new("late")); !errors.Is(err, catalog.ErrItemTaken) {
			r.Errorf("a repetition after somebody else completed it: %v", err)
		}
		want("t0 ada second", "t0 bob mine")
		r.must(r.complete(bob, 0, new("")))
		want("t0 ada second")

		// A key that completes the item ends the lease.
		r.wantNext(ada, false, 1)
		_, err = r.SetAnnotationStatus(r.Context(), r.scope, r.queue, r.items[1], domain.AnnotationCompleted, catalogtest.Tester)
		r.must(err)
		if _, err := r.KeepItem(r.Context(), ada, r.items[1]); !errors.Is(err, catalog.ErrItemTaken) {
			r.Errorf("after a key completed it: %v", err)
		}
	})
}

func TestItemsAreSkipped(t *testing.T) {
	onBothReviewed(t, 2, func(r *reviewed) {
		ada, bob := r.by("ada"), r.by("bob")
		now := r.DB.Now()
		r.DB.Now = func() time.Time { return now }
		r.wantNext(ada, false, 0)
		r.must(r.SkipItem(r.Context(), ada, r.items[0], "too long"))
		r.wantNext(bob, false, 0) // who has not skipped it
		r.wantNext(ada, false, 1)
		now = now.Add(time.Second)
		r.must(r.SkipItem(r.Context(), ada, r.items[1], ""))
		r.wantNext(ada, false, -1)
		r.wantNext(ada, true, 1) // the other one is open
		r.must(r.SkipItem(r.Context(), bob, r.items[0], "me too"))
		now = now.Add(time.Second)
		r.must(r.SkipItem(r.Context(), ada, r.items[1], "still"))
		r.wantNext(ada, true, 0)
		if p, err := r.QueueProgress(r.Context(), ada); p != (catalog.Progress{Pending: 2, Skipped: 2}) || err != nil {
			r.Errorf("%+v, %v", p, err)
		}
		list, err := r.BrowseQueue(r.Context(), ada, catalog.ItemQuery{Limit: 10})
		r.must(err)
		if len(list) != 2 || len(list[0].Skips) != 1 || list[0].Skips[0] != (catalog.Skip{UserID: "ada", Reason: "still"}) ||
			len(list[1].Skips) != 2 || list[1].LeasedBy == nil || *list[1].LeasedBy != "ada" {
			r.Errorf("items %+v", list)
		}
		r.must(r.complete(ada, 0, nil))
		r.wantNext(ada, true, 1)
		item, err := r.OpenItem(r.Context(), ada, r.items[1])
		r.must(err)
		if item.SkipReason == nil || *item.SkipReason != "still" {
			r.Errorf("the reason is %v", item.SkipReason)
		}
		catalogtest.WantError(r.T, "skipping an unknown item", r.SkipItem(r.Context(), ada, "nope", ""), domain.ErrNotFound)
	})
}

func TestReviewsStayInTheirProject(t *testing.T) {
	onBothReviewed(t, 1, func(r *reviewed) {
		_, other := catalogtest.Seed(r.T, r.Catalog, "theirs")
		stranger := catalog.Reviewer{Scope: domain.OfProject(other.ID), QueueID: r.queue, UserID: "ada"}
		elsewhere := catalog.Reviewer{Scope: r.scope, QueueID: "other", UserID: "ada"}
		for _, by := range []catalog.Reviewer{stranger, elsewhere} {
			_, err := r.NextItem(r.Context(), by, false)
			catalogtest.WantError(r.T, "the next item", err, domain.ErrNotFound)
			_, err = r.OpenItem(r.Context(), by, r.items[0])
			catalogtest.WantError(r.T, "opening", err, domain.ErrNotFound)
			_, err = r.KeepItem(r.Context(), by, r.items[0])
			catalogtest.WantError(r.T, "renewing", err, domain.ErrNotFound)
			catalogtest.WantError(r.T, "skipping", r.SkipItem(r.Context(), by, r.items[0], ""), domain.ErrNotFound)
			catalogtest.WantError(r.T, "completing", r.complete(by, 0, nil), domain.ErrNotFound)
			_, err = r.QueueProgress(r.Context(), by)
			catalogtest.WantError(r.T, "the progress", err, domain.ErrNotFound)
			if list, err := r.BrowseQueue(r.Context(), by, catalog.ItemQuery{Limit: 10}); len(list) != 0 || err != nil {
				r.Errorf("items %+v, %v", list, err)
			}
			if people, err := r.Assignees(r.Context(), by.Scope, by.QueueID); len(people) != 0 || err != nil {
				r.Errorf("people %+v, %v", people, err)
			}
		}
	})
}

func TestQueueHeads(t *testing.T) {
	onBothReviewed(t, 3, func(r *reviewed) {
		r.wantNext(r.by("ada"), false, 0)
		r.must(r.complete(r.by("ada"), 0, nil))
		var last string
		for n := range 2 {
			q, err := r.AnnotationQueues.Create(r.Context(), r.scope, domain.AnnotationQueue{
				Name: fmt.Sprint("50% of ", n), Description: new("About TONE"),
				ScoreConfigIDs: []string{newConfig(r.T, r.Catalog, r.scope)},
			}, catalogtest.Tester)
			r.must(err)
			last = q.ID
		}
		r.must(r.AssignToQueue(r.Context(), r.scope, r.queue, "bob", catalogtest.Tester))
		heads := func(q catalog.QueueQuery) []catalog.QueueHead {
			q.UserID = "bob"
			if q.Limit == 0 {
				q.Limit = 10
			}
			found, err := r.QueueHeads(r.Context(), r.scope, q)
			r.must(err)
			return found
		}
		all := heads(catalog.QueueQuery{})
		if len(all) != 3 || all[0].ID != last || all[2].ID != r.queue || all[2].Pending != 2 || all[2].Completed != 1 ||
			all[2].People != 1 || !all[2].IsMine || all[0].IsMine {
			r.Errorf("%+v", all)
		}
		for want, q := range map[int]catalog.QueueQuery{
			1: {OnlyMine: true}, 2: {Search: "about tone"}, 0: {Search: "nothing"}, 3: {Limit: 5},
		} {
			if got := heads(q); len(got) != want {
				r.Errorf("%+v gives %d, want %d", q, len(got), want)
			}
		}
		rest := heads(catalog.QueueQuery{After: &catalog.ListPlace{At: all[0].CreatedAt, ID: all[0].ID}, Limit: 1})
		if len(rest) != 1 || rest[0].ID != all[1].ID {
			r.Errorf("after the first: %+v", rest)
		}
		if got := heads(catalog.QueueQuery{Search: "50%"}); len(got) != 2 {
			r.Errorf("a percent sign matches %d", len(got))
		}
		people, err := r.Assignees(r.Context(), r.scope, r.queue)
		if len(people) != 1 || people[0].ID != "bob" || err != nil {
			r.Errorf("people %+v, %v", people, err)
		}
		found, err := r.BrowseQueue(r.Context(), r.by("ada"), catalog.ItemQuery{Status: domain.AnnotationPending, Search: "t2", Limit: 10})
		if len(found) != 1 || found[0].ObjectID != "t2" || err != nil {
			r.Errorf("items %+v, %v", found, err)
		}
	})
}
