package catalog

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// QueueProgress counts the items of the reviewer's queue.
func (c *Catalog) QueueProgress(ctx context.Context, r Reviewer) (p Progress, err error) {
	s := c.db.Reader()
	now, err := leases.Now(ctx, s)
	if err != nil {
		return p, err
	}
	const count, pending = "(SELECT COUNT(*) FROM annotation_queue_items i WHERE i.queue_id = q.id AND i.status = ", "'PENDING'"
	p, err = tables.QueryOne(ctx, s, func(row tables.Row) (p Progress, err error) {
		err = row.Scan(&p.Pending, &p.Completed, &p.Skipped, &p.Taken)
		return p, err
	}, "SELECT "+count+pending+"), "+count+"'COMPLETED'), "+`(SELECT COUNT(*) FROM annotation_queue_skips k
			JOIN annotation_queue_items i ON i.id = k.item_id WHERE k.user_id = ? AND i.queue_id = q.id AND i.status = `+pending+"), "+
		count+pending+` AND i.leased_until IS NOT NULL AND i.leased_until >= ? AND i.leased_by <> ?)
		FROM annotation_queues q WHERE q.project_id = ? AND q.id = ?`, r.UserID, now, r.UserID, r.Scope.ProjectID(), r.QueueID)
	if err != nil {
		err = tables.WithSubject(err, "annotation queue", r.QueueID)
	}
	return p, err
}

// QueueHead is what a list shows of an annotation queue.
type QueueHead struct {
	domain.AnnotationQueue
	Pending, Completed int
	People             int  // who are assigned
	IsMine             bool // whether the person who asks is
}

// ListPlace is a place in a list that begins with what was made last.
type ListPlace struct {
	At time.Time
	ID string
}

// before is the condition that something comes after a place.
func (p *ListPlace) before() tables.Condition {
	if p == nil {
		return tables.Condition{}
	}
	at := tables.Millis(p.At)
	return tables.SQL("(created_at < ? OR created_at = ? AND id < ?)", at, at, p.ID)
}

// QueueQuery selects annotation queues.
type QueueQuery struct {
	UserID string // who asks
	// OnlyMine leaves out queues that they are not assigned to.
	OnlyMine bool
	Search   string // a part of the name or description, in any case of ASCII letters
	After    *ListPlace
	Limit    int
}

// QueueHeads returns annotation queues with their numbers of items, those made last first.
func (c *Catalog) QueueHeads(ctx context.Context, scope domain.ProjectScope, q QueueQuery) ([]QueueHead, error) {
	if tables.Unstorable(q.Search) {
		return nil, nil
	}
	const mine = "EXISTS (SELECT 1 FROM annotation_queue_assignments a WHERE a.queue_id = q.id AND a.user_id = ?)"
	const count = "(SELECT COUNT(*) FROM annotation_queue_items i WHERE i.queue_id = q.id AND i.status = "
	pattern := like(strings.ToLower(q.Search))
	where := tables.SQL("q.project_id = ?", scope.ProjectID()).And(tables.If(q.OnlyMine, mine, q.UserID)).And(q.After.before()).
		And(tables.If(q.Search != "", `(LOWER(q.name) LIKE ? ESCAPE '\' OR LOWER(q.description) LIKE ? ESCAPE '\')`, pattern, pattern))
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (h QueueHead, err error) {
		var mine int
		err = r.Scan(append(annotationQueues.Fields(&h.AnnotationQueue), &h.Pending, &h.Completed, &h.People, &mine)...)
		h.IsMine = mine == 1
		return h, err
	}, "SELECT "+annotationQueues.Columns+", "+count+"'PENDING'), "+count+`'COMPLETED'),
		(SELECT COUNT(*) FROM annotation_queue_assignments a WHERE a.queue_id = q.id), CASE WHEN `+mine+` THEN 1 ELSE 0 END
		FROM annotation_queues q WHERE `+where.Text+" ORDER BY created_at DESC, id DESC LIMIT ?",
		append(append([]any{q.UserID}, where.Args...), q.Limit)...)
}

// ItemQuery selects items of an annotation queue.
type ItemQuery struct {
	Status string // "" for all
	Search string // the beginning of an object's id
	After  *ListPlace
	Limit  int
}

// Skip is who skipped an item, and why.
type Skip struct{ UserID, Reason string }

// ListedItem is an item with those who skipped it.
type ListedItem struct {
	ReviewItem
	Skips []Skip
}

// BrowseQueue returns items of the reviewer's queue, those added last first.
func (c *Catalog) BrowseQueue(ctx context.Context, r Reviewer, q ItemQuery) ([]ListedItem, error) {
	if tables.Unstorable(q.Search) {
		return nil, nil
	}
	s := c.db.Reader()
	now, err := leases.Now(ctx, s)
	if err != nil {
		return nil, err
	}
	where := tables.SQL(inQueueOf, r.Scope.ProjectID(), r.QueueID).And(tables.If(q.Status != "", "status = ?", q.Status)).
		And(tables.If(q.Search != "", "SUBSTR(object_id, 1, ?) = ?", len([]rune(q.Search)), q.Search)).And(q.After.before())
	found, err := tables.QueryAll(ctx, s, scanReviewItem, "SELECT "+reviewColumns+`, NULL FROM annotation_queue_items
		WHERE `+where.Text+" ORDER BY created_at DESC, id DESC LIMIT ?", append(append([]any{now}, where.Args...), q.Limit)...)
	if err != nil {
		return nil, err
	}
	list := make([]ListedItem, len(found))
	ids, at := make([]string, len(found)), make(map[string]int, len(found))
	for n, item := range found {
		list[n].ReviewItem, ids[n], at[item.ID] = item, item.ID, n
	}
	if len(ids) == 0 {
		return list, nil
	}
	type skipped struct {
		item string
		Skip
	}
	of := tables.In("item_id", ids)
	skips, err := tables.QueryAll(ctx, s, func(r tables.Row) (k skipped, err error) {
		err = r.Scan(&k.item, &k.UserID, &k.Reason)
		return k, err
	}, "SELECT item_id, user_id, reason FROM annotation_queue_skips WHERE "+of.Text+" ORDER BY created_at DESC, user_id", of.Args...)
	if err != nil {
		return nil, fmt.Errorf("cannot read who skipped %d items: %w", len(ids), err)
	}
	for _, k := range skips {
		list[at[k.item]].Skips = append(list[at[k.item]].Skips, k.Skip)
	}
	return list, nil
}

// Assignee is a person who is assigned to an annotation queue.
type Assignee struct{ ID, Name, Email string }

// Assignees returns who is assigned to one of the project's queues, by name.
func (c *Catalog) Assignees(ctx context.Context, scope domain.ProjectScope, queueID string) ([]Assignee, error) {
	return tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (a Assignee, err error) {
		err = r.Scan(&a.ID, &a.Name, &a.Email)
		return a, err
	}, `SELECT u.id, u.name, u.email FROM annotation_queue_assignments a JOIN annotation_queues q ON q.id = a.queue_id
		JOIN users u ON u.id = a.user_id WHERE q.project_id = ? AND q.id = ? ORDER BY u.name, u.email`, scope.ProjectID(), queueID)
}
