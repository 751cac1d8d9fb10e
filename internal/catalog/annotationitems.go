package catalog

import (
	"context"
	"database/sql"
	"encoding/json"

	"almanac/internal/domain"
)

const annotationItemColumns = "id, queue_id, object_type, object_id, status, completed_at, created_at, updated_at"

// ofQueue selects items of a queue that the project has. The queue is looked up once rather than joined with each item, so that
// items can be counted in their index alone.
const ofQueue = `FROM annotation_queue_items
	WHERE queue_id = (SELECT q.id FROM annotation_queues q WHERE q.project_id = ? AND q.id = ?)`

func scanAnnotationItem(r row) (domain.AnnotationItem, error) {
	var (
		i                domain.AnnotationItem
		completed        sql.Null[int64]
		created, updated int64
	)
	err := r.Scan(&i.ID, &i.QueueID, &i.ObjectType, &i.ObjectID, &i.Status, &completed, &created, &updated)
	i.CompletedAt, i.CreatedAt, i.UpdatedAt = fromOptionalMillis(completed), fromMillis(created), fromMillis(updated)
	return i, err
}

// AnnotationItem returns an item of a queue of the project.
func (c *Catalog) AnnotationItem(ctx context.Context, scope domain.ProjectScope, queueID, id string) (domain.AnnotationItem, error) {
	return c.reader().annotationItem(ctx, scope, queueID, id)
}

// AnnotationItems returns a page of the items of a queue of the project, newest first, and how many there are in all. An empty
// status stands for any.
func (c *Catalog) AnnotationItems(ctx context.Context, scope domain.ProjectScope, queueID, status string, page Page) ([]domain.AnnotationItem, int, error) {
	from, args := ofQueue, []any{scope.ProjectID(), queueID}
	if status != "" {
		from, args = from+" AND status = ?", append(args, status)
	}
	return queryPage(ctx, c.reader(), scanAnnotationItem, annotationItemColumns, from, "created_at DESC, id DESC", page, args...)
}

// CreateAnnotationItem puts an item into the queue of the project that it names; its id and its times are made here. The same
// object may be put there again.
func (c *Catalog) CreateAnnotationItem(ctx context.Context, scope domain.ProjectScope, n domain.AnnotationItem, actor domain.Actor) (domain.AnnotationItem, error) {
	var created domain.AnnotationItem
	err := c.update(ctx, func(s session) error {
		if _, err := s.annotationQueue(ctx, scope, n.QueueID); err != nil {
			return err
		}
		id, err := orderedID()
		if err != nil {
			return err
		}
		now := millis(c.now())
		var completed *int64
		if n.Status == domain.AnnotationCompleted {
			completed = &now
		}
		if _, err := s.exec(ctx, "INSERT INTO annotation_queue_items ("+annotationItemColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			id, n.QueueID, n.ObjectType, n.ObjectID, n.Status, completed, now, now); err != nil {
			return err
		}
		if created, err = s.annotationItem(ctx, scope, n.QueueID, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "create", "annotationQueueItem", id, nil, annotationItemState(created))
	})
	return created, err
}

// SetAnnotationStatus changes the status of an item. Completing it, also again, notes when that was; taking that back does not.
func (c *Catalog) SetAnnotationStatus(ctx context.Context, scope domain.ProjectScope, queueID, id, status string, actor domain.Actor) (domain.AnnotationItem, error) {
	var after domain.AnnotationItem
	err := c.update(ctx, func(s session) error {
		before, err := s.annotationItem(ctx, scope, queueID, id)
		if err != nil {
			return err
		}
		now := c.now()
		assignments, args := "status = ?, updated_at = ?", []any{status, millis(now)}
		if status == domain.AnnotationCompleted {
			assignments, args = assignments+", completed_at = ?", append(args, millis(now))
		}
		if _, err := s.exec(ctx, "UPDATE annotation_queue_items SET "+assignments+" WHERE id = ?", append(args, id)...); err != nil {
			return err
		}
		if after, err = s.annotationItem(ctx, scope, queueID, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "update", "annotationQueueItem", id, annotationItemState(before), annotationItemState(after))
	})
	return after, err
}

// DeleteAnnotationItem removes an item from its queue. Scores that were made for it stay.
func (c *Catalog) DeleteAnnotationItem(ctx context.Context, scope domain.ProjectScope, queueID, id string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		before, err := s.annotationItem(ctx, scope, queueID, id)
		if err != nil {
			return err
		}
		deleted, err := s.exec(ctx, "DELETE FROM annotation_queue_items WHERE id = ?", id)
		if err != nil {
			return err
		}
		if deleted == 0 { // by somebody else meanwhile
			return named(domain.ErrNotFound, "annotation queue item", id)
		}
		return s.auditInProject(ctx, scope, actor, "delete", "annotationQueueItem", id, annotationItemState(before), nil)
	})
}

func (s session) annotationItem(ctx context.Context, scope domain.ProjectScope, queueID, id string) (domain.AnnotationItem, error) {
	i, err := queryOne(ctx, s, scanAnnotationItem, "SELECT "+annotationItemColumns+" "+ofQueue+" AND id = ?", scope.ProjectID(), queueID, id)
	return i, named(err, "annotation queue item", id)
}

func annotationItemState(i domain.AnnotationItem) json.RawMessage {
	return stateOf(map[string]any{
		"queueId": i.QueueID, "objectType": i.ObjectType, "objectId": i.ObjectID, "status": i.Status, "completedAt": i.CompletedAt,
	})
}
