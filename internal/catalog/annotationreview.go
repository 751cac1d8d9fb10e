package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"almanac/internal/catalog/inbox"
	"almanac/internal/catalog/leases"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// ReviewLease is how long an item of an annotation queue belongs to the person who has it open and does not renew it.
const ReviewLease = 5 * time.Minute

// ErrItemTaken means that somebody else has an item of an annotation queue, or had it since.
var ErrItemTaken = errors.New("somebody else has the item")

// Reviewer is a person at one of the project's annotation queues.
type Reviewer struct {
	Scope   domain.ProjectScope
	QueueID string
	UserID  string
	// Life is how long items belong to the person; ReviewLease if it is zero.
	Life time.Duration
}

// ReviewItem is an item of an annotation queue with who reviewed it or does so now.
type ReviewItem struct {
	domain.AnnotationItem
	CompletedBy *string
	// LeasedBy is who has it open; nil if nobody does.
	LeasedBy *string
	// SkipReason is why the person who asks has skipped it; nil if they have not.
	SkipReason *string
}

// Progress counts the items of an annotation queue.
type Progress struct {
	Pending, Completed int
	Skipped            int // of the pending ones, by the person who asks
	Taken              int // of the pending ones, that others have open
}

// ReviewID returns an id of what one person says about one item: the same for the same parts. What is written under it
// again replaces what was written before.
func ReviewID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "review-" + hex.EncodeToString(sum[:16])
}

const inQueueOf = "queue_id = (SELECT q.id FROM annotation_queues q WHERE q.project_id = ? AND q.id = ?)"

// item is the condition that a row is the item of the reviewer's queue.
func (r Reviewer) item(id string) tables.Condition {
	return tables.SQL("id = ? AND "+inQueueOf, id, r.Scope.ProjectID(), r.QueueID)
}

func (r Reviewer) until(now int64) int64 { return now + cmp.Or(r.Life, ReviewLease).Milliseconds() }

const reviewColumns = annotationItemColumns + ", completed_by, CASE WHEN leased_until >= ? THEN leased_by END"

func scanReviewItem(r tables.Row) (i ReviewItem, err error) {
	err = r.Scan(&i.ID, &i.QueueID, &i.ObjectType, &i.ObjectID, &i.Status, tables.AsOptionalTime(&i.CompletedAt),
		tables.AsTime(&i.CreatedAt), tables.AsTime(&i.UpdatedAt), &i.CompletedBy, &i.LeasedBy, &i.SkipReason)
	return i, err
}

// read returns an item as the reviewer sees it.
func (r Reviewer) read(ctx context.Context, s tables.Session, id string, now int64) (ReviewItem, error) {
	where := r.item(id)
	i, err := tables.QueryOne(ctx, s, scanReviewItem, "SELECT "+reviewColumns+`,
		(SELECT k.reason FROM annotation_queue_skips k WHERE k.item_id = annotation_queue_items.id AND k.user_id = ?)
		FROM annotation_queue_items WHERE `+where.Text, append([]any{now, r.UserID}, where.Args...)...)
	return i, tables.WithSubject(err, "annotation queue item", id)
}

// maxClaims is how often a reviewer tries to get an item while others get those that they chose.
const maxClaims = 100

// NextItem gives the reviewer an item to review: one that they have open, or else the oldest pending one that nobody has
// open and that they have not skipped. With skipped, it is the one that they skipped first instead. It returns nil if
// there is none. No two people get the same item as long as its lease lasts.
func (c *Catalog) NextItem(ctx context.Context, r Reviewer, skipped bool) (*ReviewItem, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (*ReviewItem, error) {
		if _, err := annotationQueues.Get(ctx, s, r.Scope, r.QueueID); err != nil {
			return nil, err
		}
		if s.SQL.Serialize != "" { // those who ask at the same time would choose the same item
			if _, err := s.Exec(ctx, s.SQL.Serialize, "annotation queue "+r.QueueID); err != nil {
				return nil, err
			}
		}
		for range maxClaims {
			now, err := leases.Now(ctx, s)
			if err != nil {
				return nil, err
			}
			id, err := r.choose(ctx, s, now, skipped)
			if err != nil || id == nil {
				return nil, err
			}
			// Whoever opens a particular item does not wait for others.
			changed, err := r.lease(ctx, s, tables.SQL("status = ?", domain.AnnotationPending), *id, now)
			if err != nil {
				return nil, err
			}
			if changed > 0 {
				item, err := r.read(ctx, s, *id, now)
				return &item, err
			}
		}
		return nil, ErrItemTaken
	})
}

// choose returns the id of the item that is next; nil if there is none.
func (r Reviewer) choose(ctx context.Context, s tables.Session, now int64, skipped bool) (*string, error) {
	one := func(query string, args ...any) (*string, error) {
		return tables.Optional(tables.QueryOne(ctx, s, tables.ScanValue[string], query, args...))
	}
	const pending = "i.queue_id = ? AND i.status = 'PENDING' AND "
	if id, err := one("SELECT i.id FROM annotation_queue_items i WHERE "+pending+
		"i.leased_until IS NOT NULL AND i.leased_until >= ? AND i.leased_by = ? ORDER BY i.created_at, i.id LIMIT 1",
		r.QueueID, now, r.UserID); err != nil || id != nil {
		return id, err
	}
	const free = "(i.leased_until IS NULL OR i.leased_until < ?)"
	if skipped {
		return one(`SELECT i.id FROM annotation_queue_skips k JOIN annotation_queue_items i ON i.id = k.item_id
			WHERE k.user_id = ? AND `+pending+free+" ORDER BY k.created_at, i.id LIMIT 1", r.UserID, r.QueueID, now)
	}
	return one("SELECT i.id FROM annotation_queue_items i WHERE "+pending+free+` AND NOT EXISTS (SELECT 1 FROM annotation_queue_skips k
		WHERE k.item_id = i.id AND k.user_id = ?) ORDER BY i.created_at, i.id LIMIT 1`, r.QueueID, now, r.UserID)
}

// lease gives the reviewer an item that meets a condition, unless somebody else has it. It returns how many that were.
func (r Reviewer) lease(ctx context.Context, s tables.Session, wanted tables.Condition, id string, now int64) (int64, error) {
	where := r.item(id).And(tables.SQL("(leased_until IS NULL OR leased_until < ? OR leased_by = ?)", now, r.UserID)).And(wanted)
	return s.Exec(ctx, "UPDATE annotation_queue_items SET leased_by = ?, leased_until = ? WHERE "+where.Text,
		append([]any{r.UserID, r.until(now)}, where.Args...)...)
}

// OpenItem gives the reviewer an item of their choice, or renews their lease of it. It returns ErrItemTaken if somebody
// else has it open.
func (c *Catalog) OpenItem(ctx context.Context, r Reviewer, id string) (ReviewItem, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (item ReviewItem, err error) {
		now, err := leases.Now(ctx, s)
		if err != nil {
			return item, err
		}
		changed, err := r.lease(ctx, s, tables.Condition{}, id, now)
		if err != nil {
			return item, err
		}
		if item, err = r.read(ctx, s, id, now); err == nil && changed == 0 {
			err = ErrItemTaken
		}
		return item, err
	})
}

// ReleaseItem ends the reviewer's lease of an item, if they have one.
func (c *Catalog) ReleaseItem(ctx context.Context, r Reviewer, id string) error {
	return c.db.Update(ctx, func(s tables.Session) error { return r.release(ctx, s, id) })
}

func (r Reviewer) release(ctx context.Context, s tables.Session, id string) error {
	where := r.item(id).And(tables.SQL("leased_by = ?", r.UserID))
	_, err := s.Exec(ctx, "UPDATE annotation_queue_items SET leased_by = NULL, leased_until = NULL WHERE "+where.Text, where.Args...)
	return err
}

// SkipItem notes that the reviewer does not want to review an item now, and why, and ends their lease of it.
func (c *Catalog) SkipItem(ctx context.Context, r Reviewer, id, reason string) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if _, err := r.read(ctx, s, id, 0); err != nil {
			return err
		}
		if _, err := s.Exec(ctx, `INSERT INTO annotation_queue_skips (item_id, user_id, reason, created_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (item_id, user_id) DO UPDATE SET reason = excluded.reason, created_at = excluded.created_at`, id, r.UserID, reason,
			tables.Millis(s.Now())); err != nil {
			return err
		}
		return r.release(ctx, s, id)
	})
}

// mayComplete is the condition that the reviewer has an item, or has completed it and nobody has had it since: then the
// request is repeated because its answer was lost.
func (r Reviewer) mayComplete() tables.Condition {
	return tables.SQL("(leased_by = ? OR leased_by IS NULL AND status = ? AND completed_by = ?)", r.UserID, domain.AnnotationCompleted,
		r.UserID)
}

// KeepItem renews the reviewer's lease of an item that they are about to complete. It returns ErrItemTaken if they no
// longer have it.
func (c *Catalog) KeepItem(ctx context.Context, r Reviewer, id string) (ReviewItem, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (item ReviewItem, err error) {
		now, err := leases.Now(ctx, s)
		if err != nil {
			return item, err
		}
		where := r.item(id).And(r.mayComplete())
		changed, err := s.Exec(ctx, `UPDATE annotation_queue_items
			SET leased_until = CASE WHEN leased_by IS NULL THEN leased_until ELSE ? END WHERE `+where.Text, append([]any{r.until(now)}, where.Args...)...)
		if err != nil {
			return item, err
		}
		if item, err = r.read(ctx, s, id, now); err == nil && changed == 0 {
			err = ErrItemTaken
		}
		return item, err
	})
}

// CompleteItem completes an item that the reviewer has, and stores their comment on its object; nil leaves that as it
// is, and an empty one removes it. It returns ErrItemTaken if they no longer have the item. traceID is the trace of an
// observation.
func (c *Catalog) CompleteItem(ctx context.Context, r Reviewer, id string, comment *string, traceID string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := r.read(ctx, s, id, 0)
		if err != nil {
			return err
		}
		now := tables.Millis(s.Now())
		where := r.item(id).And(r.mayComplete())
		changed, err := s.Exec(ctx, `UPDATE annotation_queue_items SET status = ?, completed_at = ?, completed_by = ?, updated_at = ?,
			leased_by = NULL, leased_until = NULL WHERE `+where.Text,
			append([]any{domain.AnnotationCompleted, now, r.UserID, now}, where.Args...)...)
		if err != nil {
			return err
		}
		if changed == 0 {
			return ErrItemTaken
		}
		if _, err := s.Exec(ctx, "DELETE FROM annotation_queue_skips WHERE item_id = ? AND user_id = ?", id, r.UserID); err != nil {
			return err
		}
		if comment != nil {
			if err := r.putComment(ctx, s, &before.AnnotationItem, *comment, traceID, actor); err != nil {
				return err
			}
		}
		after, err := readAnnotationItem(ctx, s, r.Scope, r.QueueID, id)
		if err != nil {
			return err
		}
		return s.AuditInProject(ctx, r.Scope, actor, "annotationQueueItem", id, annotationItemState(before.AnnotationItem),
			annotationItemState(after))
	})
}

// commentID returns the id of the reviewer's comment on the object of an item.
func (r Reviewer) commentID(itemID string) string { return ReviewID("comment", itemID, r.UserID) }

// putComment makes a text the reviewer's comment on the object of an item.
func (r Reviewer) putComment(
	ctx context.Context, s tables.Session, item *domain.AnnotationItem, text, traceID string, actor domain.Actor,
) error {
	id := r.commentID(item.ID)
	before, err := tables.Optional(comments.Get(ctx, s, r.Scope, id))
	if err != nil {
		return err
	}
	var stored domain.Comment
	switch {
	case before == nil && text == "", before != nil && before.Content == text:
		return nil
	case text == "":
		return comments.Delete(ctx, s, r.Scope, id, actor)
	case before == nil:
		stored, err = comments.Create(ctx, s, r.Scope, id, domain.Comment{
			ObjectType: item.ObjectType, ObjectID: item.ObjectID, Content: text, AuthorUserID: &r.UserID,
		}, actor)
	default:
		stored, err = comments.Change(ctx, s, r.Scope, id, func(c domain.Comment) (domain.Comment, error) {
			c.Content = text
			return c, nil
		}, actor)
	}
	if err != nil {
		return err
	}
	return inbox.Mentioned(ctx, s, r.Scope, &stored, traceID)
}

// ReviewComment returns what the reviewer commented when they completed an item; "" if they did not.
func (c *Catalog) ReviewComment(ctx context.Context, r Reviewer, itemID string) (string, error) {
	found, err := tables.Optional(c.Comments.Get(ctx, r.Scope, r.commentID(itemID)))
	if err != nil || found == nil {
		return "", err
	}
	return found.Content, nil
}
