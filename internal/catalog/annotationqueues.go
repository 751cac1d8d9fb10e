package catalog

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/catalog/people"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

var annotationQueues = tables.Table[domain.AnnotationQueue]{
	Name: "annotation_queues", Kind: "annotation queue", Audited: "annotationQueue", Order: "created_at DESC, id DESC",
	Columns: "id, name, description, score_config_ids, created_at, updated_at",
	Fields: func(q *domain.AnnotationQueue) []any {
		return []any{
			&q.ID, &q.Name, &q.Description, tables.AsJSON(&q.ScoreConfigIDs), tables.AsTime(&q.CreatedAt), tables.AsTime(&q.UpdatedAt),
		}
	},
	State: func(q *domain.AnnotationQueue) map[string]any {
		return map[string]any{"name": q.Name, "description": q.Description, "scoreConfigIds": q.ScoreConfigIDs}
	},
	Title: func(q *domain.AnnotationQueue) string { return q.Name },
	Stored: func(ctx context.Context, s tables.Session, scope domain.ProjectScope, _ *domain.AnnotationQueue,
		n domain.AnnotationQueue,
	) error {
		missing, err := s.Missing(ctx, scope, "SELECT id FROM score_configs WHERE project_id = ?", "id", n.ScoreConfigIDs)
		if err == nil && len(missing) > 0 {
			err = fmt.Errorf("%d of %d score configs: %w", len(missing), len(n.ScoreConfigIDs), domain.ErrNotFound)
		}
		return err
	},
}

// AssignedTo is the condition that a user is assigned to an annotation queue.
func AssignedTo(userID string) tables.Condition {
	return tables.SQL("id IN (SELECT queue_id FROM annotation_queue_assignments WHERE user_id = ?)", userID)
}

// IsAssigned reports whether a user is assigned to one of the project's queues.
func (c *Catalog) IsAssigned(ctx context.Context, scope domain.ProjectScope, queueID, userID string) (bool, error) {
	if tables.Unstorable(queueID) {
		return false, nil
	}
	count, err := tables.QueryOne(ctx, c.db.Reader(), tables.ScanValue[int], `SELECT COUNT(*) FROM annotation_queue_assignments a
		JOIN annotation_queues q ON q.id = a.queue_id WHERE q.project_id = ? AND q.id = ? AND a.user_id = ?`, scope.ProjectID(),
		queueID, userID)
	return count > 0, err
}

// QueuedObjects returns the ids, among those given, of objects that are queued in one of the project's queues that the
// user is assigned to.
func (c *Catalog) QueuedObjects(ctx context.Context, scope domain.ProjectScope, userID, objectType string, ids []string) ([]string, error) {
	var found []string
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return tables.Unstorable(id) })
	for some := range slices.Chunk(ids, tables.MaxListed) {
		q := tables.SQL(`SELECT DISTINCT i.object_id FROM annotation_queue_assignments a JOIN annotation_queues q ON q.id = a.queue_id
			JOIN annotation_queue_items i ON i.queue_id = q.id
			WHERE a.user_id = ? AND q.project_id = ? AND i.object_type = ?`, userID, scope.ProjectID(),
			objectType).And(tables.In("i.object_id", some))
		part, err := tables.QueryAll(ctx, c.db.Reader(), tables.ScanValue[string], q.Text, q.Args...)
		if err != nil {
			return nil, fmt.Errorf("cannot look %d objects up in annotation queues: %w", len(ids), err)
		}
		found = append(found, part...)
	}
	return found, nil
}

// AssignToQueue assigns a user, who must have access to the project, to one of its queues. Assigning a user twice has
// no effect.
func (c *Catalog) AssignToQueue(ctx context.Context, scope domain.ProjectScope, queueID, userID string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if _, err := annotationQueues.Get(ctx, s, scope, queueID); err != nil {
			return err
		}
		if err := people.HasAccess(ctx, s, scope, userID); err != nil {
			return err
		}
		changed, err := s.Exec(ctx, `INSERT INTO annotation_queue_assignments (queue_id, user_id, created_at) VALUES (?, ?, ?)
			ON CONFLICT (queue_id, user_id) DO NOTHING`, queueID, userID, tables.Millis(c.db.Now()))
		if err != nil || changed == 0 {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, "annotationQueueAssignment", queueID, nil,
			tables.StateOf(map[string]any{"userId": userID}))
	})
}

// UnassignFromQueue removes a user's assignment to one of the project's queues, if there is one.
func (c *Catalog) UnassignFromQueue(ctx context.Context, scope domain.ProjectScope, queueID, userID string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s tables.Session) error {
		if _, err := annotationQueues.Get(ctx, s, scope, queueID); err != nil {
			return err
		}
		changed, err := s.Exec(ctx, "DELETE FROM annotation_queue_assignments WHERE queue_id = ? AND user_id = ?", queueID, userID)
		if err != nil || changed == 0 {
			return err
		}
		return s.AuditInProject(ctx, scope, actor, "annotationQueueAssignment", queueID, tables.StateOf(map[string]any{"userId": userID}),
			nil)
	})
}
