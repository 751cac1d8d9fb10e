package catalog_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
	"almanac/test/catalogtest"
)

// steady gives a catalog a clock that stands still until it is set.
func steady(c *catalogtest.Catalog) (set func(time.Time)) {
	now := time.Date(2090, 3, 1, 10, 0, 0, 0, time.UTC)
	c.DB.Now = func() time.Time { return now }
	return func(t time.Time) { now = t }
}

// newConfig creates a score config in a project.
func newConfig(t *testing.T, c *catalogtest.Catalog, scope domain.ProjectScope) string {
	t.Helper()
	config, err := c.ScoreConfigs.Create(t.Context(), scope, domain.ScoreConfig{Name: "n", DataType: domain.ScoreText}, catalogtest.Tester)
	if err != nil {
		t.Fatal(err)
	}
	return config.ID
}

// newUser creates a user, with a role in an organization unless the role is empty.
func newUser(t *testing.T, c *catalogtest.Catalog, id, organization string, role domain.Role) {
	t.Helper()
	err := c.DB.Update(t.Context(), func(s tables.Session) error {
		if _, err := s.Exec(t.Context(),
			"INSERT INTO users (id, email, name, password_hash, created_at, updated_at) VALUES (?, ?, ?, '', 0, 0)", id, id+"@x.test",
			id); err != nil || role == "" {
			return err
		}
		_, err := s.Exec(t.Context(),
			"INSERT INTO organization_memberships (organization_id, user_id, role, created_at, updated_at) VALUES (?, ?, ?, 0, 0)",
			organization, id, string(role))
		if err != nil {
			return err
		}
		_, err = s.Exec(t.Context(),
			"INSERT INTO organization_people (organization_id, user_id, accepted_at, created_at) VALUES (?, ?, 0, 0)", organization, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnnotationQueues(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		_, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		steady(c)
		config, second, foreign := newConfig(t, c, mine), newConfig(t, c, mine), newConfig(t, c, theirs)

		var want []domain.AnnotationQueue
		for n := range 3 { // all within one millisecond
			q := domain.AnnotationQueue{
				Name: fmt.Sprint("queue ", n), Description: new("d"), ScoreConfigIDs: []string{second, config, second},
			}
			created, err := c.AnnotationQueues.Create(ctx, mine, q, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			q.ID, q.CreatedAt, q.UpdatedAt = created.ID, c.DB.Now(), c.DB.Now()
			got, err := c.AnnotationQueues.Get(ctx, mine, created.ID)
			if diff := cmp.Diff(q, got) + cmp.Diff(q, created); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			want = append([]domain.AnnotationQueue{q}, want...)
		}
		got, total, err := c.AnnotationQueues.Page(ctx, mine, tables.Page{Offset: 0, Limit: 2})
		if diff := cmp.Diff(want[:2], got); diff != "" || total != 3 || err != nil {
			t.Errorf("total %d, %v (-want +got):\n%s", total, err, diff)
		}

		_, err = c.AnnotationQueues.Create(ctx, mine, domain.AnnotationQueue{Name: "queue 1", ScoreConfigIDs: []string{"nope"}},
			catalogtest.Tester)
		catalogtest.WantError(t, "a name that is taken, before its configs", err, domain.ErrConflict)
		for _, ids := range [][]string{{"nope"}, {config, foreign}, {foreign}} {
			_, err = c.AnnotationQueues.Create(ctx, mine, domain.AnnotationQueue{Name: "new", ScoreConfigIDs: ids}, catalogtest.Tester)
			catalogtest.WantError(t, fmt.Sprint("configs ", ids), err, domain.ErrNotFound)
		}
		if _, err := c.AnnotationQueues.Create(ctx, theirs, domain.AnnotationQueue{Name: "queue 1", ScoreConfigIDs: []string{foreign}},
			catalogtest.Tester); err != nil {
			t.Errorf("the same name in another project: %v", err)
		}
		_, err = c.AnnotationQueues.Get(ctx, theirs, want[0].ID)
		catalogtest.WantError(t, "a foreign queue", err, domain.ErrNotFound)
		if _, total, err := c.AnnotationQueues.Page(ctx, mine, tables.Page{Offset: 0, Limit: 10}); total != 3 || err != nil {
			t.Errorf("%d queues after refused ones, %v", total, err)
		}
	})
}

func TestAnnotationItems(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		set := steady(c)
		created := c.DB.Now()
		newQueue := func(scope domain.ProjectScope, name string) string {
			q, err := c.AnnotationQueues.Create(ctx, scope, domain.AnnotationQueue{
				Name: name, ScoreConfigIDs: []string{newConfig(t, c, scope)},
			}, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			return q.ID
		}
		queue, sibling, foreign := newQueue(mine, "queue"), newQueue(mine, "sibling"), newQueue(theirs, "queue")

		var want []domain.AnnotationItem
		for n, status := range []string{domain.AnnotationPending, domain.AnnotationCompleted, domain.AnnotationPending} {
			i := domain.AnnotationItem{QueueID: queue, ObjectType: domain.ObjectTrace, ObjectID: "t", Status: status}
			got, err := c.CreateAnnotationItem(ctx, mine, i, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			i.ID, i.CreatedAt, i.UpdatedAt = got.ID, created, created
			if n == 1 {
				i.CompletedAt = &created
			}
			if diff := cmp.Diff(i, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			want = append([]domain.AnnotationItem{i}, want...)
		}
		for _, list := range []struct {
			status string
			page   tables.Page
			want   []domain.AnnotationItem
			total  int
		}{
			{"", tables.Page{Offset: 0, Limit: 10}, want, 3},
			{"", tables.Page{Offset: 1, Limit: 1}, want[1:2], 3},
			{domain.AnnotationPending, tables.Page{Offset: 0, Limit: 10}, []domain.AnnotationItem{want[0], want[2]}, 2},
			{domain.AnnotationCompleted, tables.Page{Offset: 0, Limit: 10}, want[1:2], 1},
		} {
			got, total, err := c.AnnotationItems(ctx, mine, queue, list.status, list.page)
			if diff := cmp.Diff(list.want, got); diff != "" || total != list.total || err != nil {
				t.Errorf("%q %v: total %d, %v (-want +got):\n%s", list.status, list.page, total, err, diff)
			}
		}

		// Completing sets the time, reopening keeps it, and completing again sets it anew.
		at := func(s int) *time.Time { return new(created.Add(time.Duration(s) * time.Second)) }
		for n, step := range []struct {
			status    string
			completed *time.Time
		}{
			{domain.AnnotationPending, nil},
			{domain.AnnotationCompleted, at(1)},
			{domain.AnnotationPending, at(1)},
			{domain.AnnotationCompleted, at(3)},
			{domain.AnnotationCompleted, at(4)},
		} {
			set(*at(n))
			want[0].Status, want[0].CompletedAt, want[0].UpdatedAt = step.status, step.completed, *at(n)
			got, err := c.SetAnnotationStatus(ctx, mine, queue, want[0].ID, step.status, catalogtest.Tester)
			if diff := cmp.Diff(want[0], got); diff != "" || err != nil {
				t.Errorf("step %d: %v (-want +got):\n%s", n, err, diff)
			}
		}

		for _, where := range []struct {
			name      string
			scope     domain.ProjectScope
			queue, id string
		}{
			{"another queue", mine, sibling, want[0].ID},
			{"another project", theirs, queue, want[0].ID},
			{"a queue of another project", theirs, foreign, want[0].ID},
			{"an unknown item", mine, queue, "nope"},
		} {
			_, err := c.AnnotationItem(ctx, where.scope, where.queue, where.id)
			catalogtest.WantError(t, "reading from "+where.name, err, domain.ErrNotFound)
			_, err = c.SetAnnotationStatus(ctx, where.scope, where.queue, where.id, domain.AnnotationPending, catalogtest.Tester)
			catalogtest.WantError(t, "changing in "+where.name, err, domain.ErrNotFound)
			catalogtest.WantError(t, "deleting from "+where.name,
				c.DeleteAnnotationItem(ctx, where.scope, where.queue, where.id, catalogtest.Tester), domain.ErrNotFound)
		}
		_, err := c.CreateAnnotationItem(ctx, theirs, domain.AnnotationItem{QueueID: queue, Status: domain.AnnotationPending},
			catalogtest.Tester)
		catalogtest.WantError(t, "an item for a foreign queue", err, domain.ErrNotFound)
		if got, total, err := c.AnnotationItems(ctx, theirs, queue, "", tables.Page{Offset: 0, Limit: 10}); len(got) != 0 || total != 0 ||
			err != nil {
			t.Errorf("foreign items %v, %d, %v", got, total, err)
		}

		if err := c.DeleteAnnotationItem(ctx, mine, queue, want[0].ID, catalogtest.Tester); err != nil {
			t.Fatal(err)
		}
		catalogtest.WantError(t, "deleting twice", c.DeleteAnnotationItem(ctx, mine, queue, want[0].ID, catalogtest.Tester),
			domain.ErrNotFound)
		log, err := catalogtest.OldestFirst(ctx, c, organization)
		if err != nil {
			t.Fatal(err)
		}
		if last := log[len(log)-1]; last.Action != "delete" || last.ResourceKind != "annotationQueueItem" ||
			last.ResourceID != want[0].ID || len(last.Before) == 0 {
			t.Errorf("the last entry is %+v", last)
		}
	})
}

func TestQueueAssignments(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		queue, err := c.AnnotationQueues.Create(ctx, mine, domain.AnnotationQueue{
			Name: "queue", ScoreConfigIDs: []string{newConfig(t, c, mine)},
		}, catalogtest.Tester)
		if err != nil {
			t.Fatal(err)
		}
		newUser(t, c, "viewer", "mine", domain.RoleViewer)
		newUser(t, c, "none", "mine", domain.RoleNone)
		newUser(t, c, "let-in", "mine", domain.RoleNone)
		newUser(t, c, "kept-out", "mine", domain.RoleOwner)
		newUser(t, c, "stranger", "theirs", domain.RoleOwner)
		newUser(t, c, "nobody", "", "")
		if err := c.DB.Update(ctx, func(s tables.Session) error {
			for user, role := range map[string]domain.Role{"let-in": domain.RoleMember, "kept-out": domain.RoleNone} {
				if _, err := s.Exec(ctx,
					"INSERT INTO project_memberships (project_id, user_id, role, created_at, updated_at) VALUES (?, ?, ?, 0, 0)", p.ID,
					user, string(role)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}

		for user, want := range map[string]struct{ member, access bool }{
			"viewer": {true, true}, "none": {true, false}, "let-in": {true, true}, "kept-out": {true, false},
			"stranger": {false, false}, "nobody": {false, false}, "unknown": {false, false},
		} {
			if got, err := c.IsMember(ctx, mine, user); got != want.member || err != nil {
				t.Errorf("IsMember(%s) = %v, %v", user, got, err)
			}
			err := c.AssignToQueue(ctx, mine, queue.ID, user, catalogtest.Tester)
			if want.access && err != nil {
				t.Errorf("assigning %s: %v", user, err)
			}
			if !want.access {
				catalogtest.WantError(t, "assigning "+user, err, domain.ErrNotFound)
			}
		}

		entries := func() (count int) {
			log, err := catalogtest.OldestFirst(ctx, c, organization)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range log {
				if e.ResourceKind == "annotationQueueAssignment" {
					count++
				}
			}
			return count
		}
		if got := entries(); got != 2 {
			t.Errorf("%d entries after two assignments", got)
		}
		if err := c.AssignToQueue(ctx, mine, queue.ID, "viewer", catalogtest.Tester); err != nil || entries() != 2 {
			t.Errorf("assigning again: %v, %d entries", err, entries())
		}
		for range 2 {
			if err := c.UnassignFromQueue(ctx, mine, queue.ID, "viewer", catalogtest.Tester); err != nil || entries() != 3 {
				t.Errorf("unassigning: %v, %d entries", err, entries())
			}
		}
		catalogtest.WantError(t, "assigning to a foreign queue", c.AssignToQueue(ctx, theirs, queue.ID, "stranger", catalogtest.Tester),
			domain.ErrNotFound)
		catalogtest.WantError(t, "unassigning from a foreign queue",
			c.UnassignFromQueue(ctx, theirs, queue.ID, "let-in", catalogtest.Tester), domain.ErrNotFound)

		// Concurrent assignments of one user result in a single one.
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if err := c.AssignToQueue(ctx, mine, queue.ID, "viewer", catalogtest.Tester); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := entries(); got != 4 {
			t.Errorf("%d entries after many assignments at once, want 4", got)
		}
	})
}

func TestComments(t *testing.T) {
	catalogtest.OnBoth(t, func(t *testing.T, c *catalogtest.Catalog, _ string) {
		ctx := t.Context()
		organization, p := catalogtest.Seed(t, c, "mine")
		_, other := catalogtest.Seed(t, c, "theirs")
		mine, theirs := domain.OfProject(p.ID), domain.OfProject(other.ID)
		steady(c)
		var all []domain.Comment
		for _, n := range []domain.Comment{ // all within one millisecond
			{ObjectType: domain.ObjectTrace, ObjectID: "1", Content: "first\n\"ä\""},
			{ObjectType: domain.ObjectTrace, ObjectID: "2", Content: "second", AuthorUserID: new("ada")},
			{ObjectType: domain.ObjectSession, ObjectID: "1", Content: strings.Repeat("😀", 2500), AuthorUserID: new("ada")},
			{ObjectType: domain.ObjectTrace, ObjectID: "1", Content: "fourth", AuthorUserID: new("bob")},
		} {
			created, err := c.Comments.Create(ctx, mine, n, catalogtest.Tester)
			if err != nil {
				t.Fatal(err)
			}
			n.ID, n.CreatedAt, n.UpdatedAt = created.ID, c.DB.Now(), c.DB.Now()
			got, err := c.Comments.Get(ctx, mine, created.ID)
			if diff := cmp.Diff(n, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			all = append(all, n)
		}
		pick := func(which ...int) (some []domain.Comment) {
			for _, n := range which {
				some = append(some, all[n])
			}
			return some
		}
		for _, list := range []struct {
			filter catalog.CommentFilter
			page   tables.Page
			want   []domain.Comment
			total  int
		}{
			{catalog.CommentFilter{}, tables.Page{Offset: 0, Limit: 50}, all, 4},
			{catalog.CommentFilter{}, tables.Page{Offset: 1, Limit: 2}, all[1:3], 4},
			{catalog.CommentFilter{ObjectType: domain.ObjectTrace}, tables.Page{Offset: 0, Limit: 50}, pick(0, 1, 3), 3},
			{catalog.CommentFilter{ObjectType: domain.ObjectTrace, ObjectID: "1"}, tables.Page{Offset: 0, Limit: 50}, pick(0, 3), 2},
			{catalog.CommentFilter{AuthorUserID: new("ada")}, tables.Page{Offset: 0, Limit: 50}, pick(1, 2), 2},
			{
				catalog.CommentFilter{ObjectType: domain.ObjectTrace, ObjectID: "1", AuthorUserID: new("bob")},
				tables.Page{Offset: 0, Limit: 50},
				pick(3), 1,
			},
			{catalog.CommentFilter{AuthorUserID: new("")}, tables.Page{Offset: 0, Limit: 50}, nil, 0},
		} {
			got, total, err := c.Comments.Page(ctx, mine, list.page, list.filter.Where()...)
			if diff := cmp.Diff(list.want, got); diff != "" || total != list.total || err != nil {
				t.Errorf("%+v: total %d, %v (-want +got):\n%s", list.filter, total, err, diff)
			}
		}
		_, err := c.Comments.Get(ctx, theirs, all[0].ID)
		catalogtest.WantError(t, "a foreign comment", err, domain.ErrNotFound)
		if got, total, err := c.Comments.Page(ctx, theirs, tables.Page{Offset: 0, Limit: 50}); len(got) != 0 || total != 0 || err != nil {
			t.Errorf("foreign comments %v, %d, %v", got, total, err)
		}
		log, err := catalogtest.OldestFirst(ctx, c, organization)
		if err != nil {
			t.Fatal(err)
		}
		if last := log[len(log)-1]; last.Action != "create" || last.ResourceKind != "comment" || last.ResourceID != all[3].ID {
			t.Errorf("the last entry is %+v", last)
		}
	})
}
