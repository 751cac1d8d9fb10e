package catalog_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

func TestQueuedObjects(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		_, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		for _, user := range []string{"ada", "bob"} {
			newUser(t, c, user, "mine", domain.RoleViewer)
		}
		queues := make([]string, 3)
		for n := range queues {
			queue, err := c.AnnotationQueues.Create(ctx, mine, domain.AnnotationQueue{
				Name: strconv.Itoa(n), ScoreConfigIDs: []string{newConfig(t, c, mine)},
			}, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			queues[n] = queue.ID
			for _, item := range []domain.AnnotationItem{
				{ObjectType: domain.ObjectTrace, ObjectID: fmt.Sprint("t", n)},
				{ObjectType: domain.ObjectSession, ObjectID: fmt.Sprint("t", n)},
				{ObjectType: domain.ObjectTrace, ObjectID: "both"},
				{ObjectType: domain.ObjectTrace, ObjectID: "both"},
			} {
				item.QueueID, item.Status = queue.ID, domain.AnnotationPending
				if _, err := c.CreateAnnotationItem(ctx, mine, item, catalogtest.Tester); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, n := range []int{0, 1} {
			if err := c.AssignToQueue(ctx, mine, queues[n], "ada", catalogtest.Tester); err != nil {
				t.Fatal(err)
			}
		}
		many := []string{"t0", "t1", "t2", "both", "nope", "", "\x00", "\xff"}
		for n := range 2 * tables.MaxListed {
			many = append(many, fmt.Sprint("more", n))
		}
		for _, ask := range []struct {
			scope            domain.ProjectScope
			user, objectType string
			want             string
		}{
			{mine, "ada", domain.ObjectTrace, "both t0 t1"},
			{mine, "ada", domain.ObjectSession, "t0 t1"},
			{mine, "ada", domain.ObjectObservation, ""},
			{mine, "bob", domain.ObjectTrace, ""},
			{mine, "nobody", domain.ObjectTrace, ""},
			{theirs, "ada", domain.ObjectTrace, ""},
		} {
			found, err := c.QueuedObjects(ctx, ask.scope, ask.user, ask.objectType, many)
			slices.Sort(found)
			if got := strings.Join(found, " "); got != ask.want || err != nil {
				t.Errorf("%s of %s: %q, %v, want %q", ask.objectType, ask.user, got, err, ask.want)
			}
		}
		if found, err := c.QueuedObjects(ctx, mine, "ada", domain.ObjectTrace, nil); len(found) != 0 || err != nil {
			t.Errorf("none: %q, %v", found, err)
		}
		for _, ask := range []struct {
			scope       domain.ProjectScope
			queue, user string
			want        bool
		}{
			{mine, queues[0], "ada", true},
			{mine, queues[2], "ada", false},
			{mine, queues[0], "bob", false},
			{theirs, queues[0], "ada", false},
			{mine, "nope", "ada", false},
			{mine, "\x00", "ada", false},
		} {
			if got, err := c.IsAssigned(ctx, ask.scope, ask.queue, ask.user); got != ask.want || err != nil {
				t.Errorf("%+v: %v, %v", ask, got, err)
			}
		}
		assigned, total, err := c.AnnotationQueues.Page(ctx, mine, tables.Page{Offset: 0, Limit: 1}, catalog.AssignedTo("ada"))
		if err != nil || total != 2 || len(assigned) != 1 || assigned[0].ID != queues[1] {
			t.Errorf("assigned: %+v of %d, %v", assigned, total, err)
		}
	})
}

func TestRecordViews(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		newUser(t, c, "ada", "mine", domain.RoleViewer)
		set := steady(c)
		start := c.DB.Now()
		scope := domain.OfProject(p.ID)
		record := func(views ...catalog.View) {
			t.Helper()
			if err := c.RecordViews(ctx, views, c.DB.Now().Add(-time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		changes := 0
		c.Subscribe(func(tables.Change) { changes++ })
		view := catalog.View{
			Scope: scope, UserID: "ada", Kind: "trace", ID: "t", Origin: domain.Origin{Address: "192.0.2.1", RequestID: "r", Client: "c"},
		}
		gone, unknown, strange := view, view, view
		gone.Scope, unknown.UserID, strange.ID = domain.OfProject("gone"), "removed", "\x00"
		record(view, view, gone, unknown, strange)
		set(start.Add(time.Hour - time.Millisecond))
		record(view)
		set(start.Add(time.Hour + time.Millisecond))
		record(view)
		log, err := catalogtest.OldestFirst(ctx, c, organization)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range log {
			if e.Action == "view" {
				got = append(got, fmt.Sprint(e.ActorName, " ", e.Actor.ID, " ", e.ResourceKind, " ", e.ResourceID, " ", e.Origin.RequestID,
					" ", e.At.Sub(start)))
			}
		}
		if want := []string{"ada ada trace t r 0s", " removed trace t r 0s", "ada ada trace t r 1h0m0.001s"}; !slices.Equal(got, want) {
			t.Errorf("recorded %q, want %q", got, want)
		}
		if changes != 0 {
			t.Errorf("%d changes are announced, and nothing was changed", changes)
		}
	})
}
