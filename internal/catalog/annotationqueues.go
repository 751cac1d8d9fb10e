package catalog

import (
	"context"
	"fmt"
	"slices"

	"almanac/internal/domain"
)

var annotationQueues = table[domain.AnnotationQueue]{
	name: "annotation_queues", kind: "annotation queue", audited: "annotationQueue", order: "created_at DESC, id DESC",
	columns: "id, name, description, score_config_ids, created_at, updated_at",
	fields: func(q *domain.AnnotationQueue) []any {
		return []any{&q.ID, &q.Name, &q.Description, asJSON(&q.ScoreConfigIDs), asTime(&q.CreatedAt), asTime(&q.UpdatedAt)}
	},
	state: func(q *domain.AnnotationQueue) map[string]any {
		return map[string]any{"name": q.Name, "description": q.Description, "scoreConfigIds": q.ScoreConfigIDs}
	},
}

// AnnotationQueue returns an annotation queue of the project.
func (c *Catalog) AnnotationQueue(ctx context.Context, scope domain.ProjectScope, id string) (domain.AnnotationQueue, error) {
	return annotationQueues.get(ctx, c.db.Reader(), scope, id)
}

// AnnotationQueues returns a page of the project's annotation queues, newest first, and how many there are in all.
func (c *Catalog) AnnotationQueues(ctx context.Context, scope domain.ProjectScope, page Page) ([]domain.AnnotationQueue, int, error) {
	return annotationQueues.page(ctx, c.db.Reader(), scope, page)
}

// AssignedQueues is AnnotationQueues of those that a user is assigned to.
func (c *Catalog) AssignedQueues(ctx context.Context, scope domain.ProjectScope, userID string, page Page) ([]domain.AnnotationQueue, int, error) {
	return annotationQueues.page(ctx, c.db.Reader(), scope, page,
		condition{"id IN (SELECT queue_id FROM annotation_queue_assignments WHERE user_id = ?)", []any{userID}})
}

// IsAssigned reports whether a user is assigned to a queue of the project.
func (c *Catalog) IsAssigned(ctx context.Context, scope domain.ProjectScope, queueID, userID string) (bool, error) {
	if cannotExist(queueID) {
		return false, nil
	}
	count, err := queryOne(ctx, c.db.Reader(), scanValue[int], `SELECT COUNT(*) FROM annotation_queue_assignments a
		JOIN annotation_queues q ON q.id = a.queue_id WHERE q.project_id = ? AND q.id = ? AND a.user_id = ?`, scope.ProjectID(), queueID, userID)
	return count > 0, err
}

// QueuedObjects returns those of some ids of a type of objects that are items of the queues of the project that a user is assigned to.
func (c *Catalog) QueuedObjects(ctx context.Context, scope domain.ProjectScope, userID, objectType string, ids []string) ([]string, error) {
	var found []string
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return cannotExist(id) })
	for some := range slices.Chunk(ids, maxListed) {
		q := query{`SELECT DISTINCT i.object_id FROM annotation_queue_assignments a JOIN annotation_queues q ON q.id = a.queue_id
			JOIN annotation_queue_items i ON i.queue_id = q.id
			WHERE a.user_id = ? AND q.project_id = ? AND i.object_type = ?`, []any{userID, scope.ProjectID(), objectType}}.and(in("i.object_id", some))
		part, err := queryAll(ctx, c.db.Reader(), scanValue[string], q.text, q.args...)
		if err != nil {
			return nil, fmt.Errorf("cannot look %d objects up in annotation queues: %w", len(ids), err)
		}
		found = append(found, part...)
	}
	return found, nil
}

// CreateAnnotationQueue stores a new annotation queue of the project; its id and its times are made here. A name that is taken
// is a conflict; after that, a score config that the project does not have is not found.
func (c *Catalog) CreateAnnotationQueue(ctx context.Context, scope domain.ProjectScope, n domain.AnnotationQueue, actor domain.Actor) (domain.AnnotationQueue, error) {
	created, err := transact(ctx, c.db, func(s session) (domain.AnnotationQueue, error) {
		created, err := annotationQueues.create(ctx, s, scope, orderedID(), n, actor)
		if err != nil {
			return created, err
		}
		missing, err := s.missing(ctx, scope, "SELECT id FROM score_configs WHERE project_id = ?", "id", n.ScoreConfigIDs)
		if err == nil && len(missing) > 0 {
			err = fmt.Errorf("%d of %d score configs: %w", len(missing), len(n.ScoreConfigIDs), domain.ErrNotFound)
		}
		return created, err
	})
	return created, namedConflict(err, "annotation queue", n.Name)
}

// AssignToQueue assigns a user, who must have access to the project, to a queue of the project. Whoever is assigned already
// stays so.
func (c *Catalog) AssignToQueue(ctx context.Context, scope domain.ProjectScope, queueID, userID string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s session) error {
		if _, err := annotationQueues.get(ctx, s, scope, queueID); err != nil {
			return err
		}
		if err := hasAccess(ctx, s, scope, userID); err != nil {
			return err
		}
		changed, err := s.exec(ctx, `INSERT INTO annotation_queue_assignments (queue_id, user_id, created_at) VALUES (?, ?, ?)
			ON CONFLICT (queue_id, user_id) DO NOTHING`, queueID, userID, millis(c.db.Now()))
		if err != nil || changed == 0 {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "annotationQueueAssignment", queueID, nil, stateOf(map[string]any{"userId": userID}))
	})
}

// UnassignFromQueue ends the assignment of a user to a queue of the project. There need not be one.
func (c *Catalog) UnassignFromQueue(ctx context.Context, scope domain.ProjectScope, queueID, userID string, actor domain.Actor) error {
	return c.db.Update(ctx, func(s session) error {
		if _, err := annotationQueues.get(ctx, s, scope, queueID); err != nil {
			return err
		}
		changed, err := s.exec(ctx, "DELETE FROM annotation_queue_assignments WHERE queue_id = ? AND user_id = ?", queueID, userID)
		if err != nil || changed == 0 {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "annotationQueueAssignment", queueID, stateOf(map[string]any{"userId": userID}), nil)
	})
}
