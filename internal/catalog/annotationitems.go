package catalog

import (
	"context"
	"encoding/json"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

const annotationItemColumns = "id, queue_id, object_type, object_id, status, completed_at, created_at, updated_at"

// ofQueue selects the items of one of the project's queues. The queue is looked up once rather than joined with each
// item, so that items can be counted in their index alone.
const ofQueue = `FROM annotation_queue_items
	WHERE queue_id = (SELECT q.id FROM annotation_queues q WHERE q.project_id = ? AND q.id = ?)`

func scanAnnotationItem(r tables.Row) (i domain.AnnotationItem, err error) {
	err = r.Scan(&i.ID, &i.QueueID, &i.ObjectType, &i.ObjectID, &i.Status, tables.AsOptionalTime(&i.CompletedAt),
		tables.AsTime(&i.CreatedAt), tables.AsTime(&i.UpdatedAt))
	return i, err
}

// AnnotationItem returns an item of one of the project's queues.
func (c *Catalog) AnnotationItem(ctx context.Context, scope domain.ProjectScope, queueID, id string) (domain.AnnotationItem, error) {
	return readAnnotationItem(ctx, c.db.Reader(), scope, queueID, id)
}

// AnnotationItems returns a page of the items of one of the project's queues, newest first, and the total count. An
// empty status selects all.
func (c *Catalog) AnnotationItems(
	ctx context.Context, scope domain.ProjectScope, queueID, status string, page tables.Page,
) ([]domain.AnnotationItem, int, error) {
	from := tables.SQL(ofQueue, scope.ProjectID(), queueID).And(tables.If(status != "", "status = ?", status))
	return tables.QueryPage(ctx, c.db.Reader(), scanAnnotationItem, annotationItemColumns, from, "created_at DESC, id DESC", page)
}

// CreateAnnotationItem adds an item to the queue that it names; its id and timestamps are assigned here. The same
// object may be queued more than once.
func (c *Catalog) CreateAnnotationItem(
	ctx context.Context, scope domain.ProjectScope, n domain.AnnotationItem, actor domain.Actor,
) (domain.AnnotationItem, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.AnnotationItem, error) {
		if _, err := annotationQueues.Get(ctx, s, scope, n.QueueID); err != nil {
			return n, err
		}
		id, now := tables.OrderedID(), tables.Millis(s.Now())
		var completed *int64
		if n.Status == domain.AnnotationCompleted {
			completed = &now
		}
		if err := s.Insert(ctx, "annotation_queue_items ("+annotationItemColumns+")", id, n.QueueID, n.ObjectType, n.ObjectID, n.Status,
			completed, now, now); err != nil {
			return n, err
		}
		created, err := readAnnotationItem(ctx, s, scope, n.QueueID, id)
		if err != nil {
			return n, err
		}
		return created, s.AuditInProject(ctx, scope, actor, "annotationQueueItem", id, nil, annotationItemState(created))
	})
}

// SetAnnotationStatus changes the status of an item. Completing an item, even one already completed, sets its completion
// time and who completed it, and nobody has it open any more; reopening keeps both.
func (c *Catalog) SetAnnotationStatus(
	ctx context.Context, scope domain.ProjectScope, queueID, id, status string, actor domain.Actor,
) (domain.AnnotationItem, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (after domain.AnnotationItem, err error) {
		before, err := readAnnotationItem(ctx, s, scope, queueID, id)
		if err != nil {
			return after, err
		}
		assignments, args := "status = ?, updated_at = ?", []any{status, tables.Millis(s.Now())}
		if status == domain.AnnotationCompleted {
			var by *string
			if actor.Kind == "user" {
				by = &actor.ID
			}
			assignments += ", completed_at = ?, completed_by = ?, leased_by = NULL, leased_until = NULL"
			args = append(args, args[1], by)
		}
		if _, err := s.Exec(ctx, "UPDATE annotation_queue_items SET "+assignments+" WHERE id = ?", append(args, id)...); err != nil {
			return after, err
		}
		if after, err = readAnnotationItem(ctx, s, scope, queueID, id); err != nil {
			return after, err
		}
		return after,
			s.AuditInProject(ctx, scope, actor, "annotationQueueItem", id, annotationItemState(before), annotationItemState(after))
	})
}

// DeleteAnnotationItem removes an item from its queue. Scores made for it are kept.
func (c *Catalog) DeleteAnnotationItem(ctx context.Context, scope domain.ProjectScope, queueID, id string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		before, err := readAnnotationItem(ctx, s, scope, queueID, id)
		if err != nil {
			return err
		}
		deleted, err := s.Exec(ctx, "DELETE FROM annotation_queue_items WHERE id = ?", id)
		if err != nil {
			return err
		}
		if deleted == 0 { // deleted concurrently
			return tables.WithSubject(domain.ErrNotFound, "annotation queue item", id)
		}
		return s.AuditInProject(ctx, scope, actor, "annotationQueueItem", id, annotationItemState(before), nil)
	})
}

func readAnnotationItem(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, queueID, id string,
) (domain.AnnotationItem, error) {
	i, err := tables.QueryOne(ctx, s, scanAnnotationItem, "SELECT "+annotationItemColumns+" "+ofQueue+" AND id = ?", scope.ProjectID(),
		queueID, id)
	return i, tables.WithSubject(err, "annotation queue item", id)
}

func annotationItemState(i domain.AnnotationItem) json.RawMessage {
	return tables.StateOf(map[string]any{
		"queueId": i.QueueID, "objectType": i.ObjectType, "objectId": i.ObjectID, "status": i.Status, "completedAt": i.CompletedAt,
	})
}
