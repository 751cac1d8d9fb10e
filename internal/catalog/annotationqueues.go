package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/domain"
)

const annotationQueueColumns = "id, name, description, score_config_ids, created_at, updated_at"

func scanAnnotationQueue(r row) (domain.AnnotationQueue, error) {
	var (
		q                domain.AnnotationQueue
		description      sql.Null[string]
		configs          string
		created, updated int64
	)
	if err := r.Scan(&q.ID, &q.Name, &description, &configs, &created, &updated); err != nil {
		return q, err
	}
	q.Description, q.CreatedAt, q.UpdatedAt = optional(description), fromMillis(created), fromMillis(updated)
	if err := json.Unmarshal([]byte(configs), &q.ScoreConfigIDs); err != nil {
		return q, fmt.Errorf("cannot read the score configs of annotation queue %s: %w", q.ID, err)
	}
	return q, nil
}

// AnnotationQueue returns an annotation queue of the project.
func (c *Catalog) AnnotationQueue(ctx context.Context, scope domain.ProjectScope, id string) (domain.AnnotationQueue, error) {
	return c.reader().annotationQueue(ctx, scope, id)
}

// AnnotationQueues returns a page of the project's annotation queues, newest first, and how many there are in all.
func (c *Catalog) AnnotationQueues(ctx context.Context, scope domain.ProjectScope, page Page) ([]domain.AnnotationQueue, int, error) {
	return queryPage(ctx, c.reader(), scanAnnotationQueue, annotationQueueColumns,
		"FROM annotation_queues WHERE project_id = ?", "created_at DESC, id DESC", page, scope.ProjectID())
}

// CreateAnnotationQueue stores a new annotation queue of the project; its id and its times are made here. A name that is taken
// is a conflict, and only after that a score config that the project does not have is not found.
func (c *Catalog) CreateAnnotationQueue(ctx context.Context, scope domain.ProjectScope, n domain.AnnotationQueue, actor domain.Actor) (domain.AnnotationQueue, error) {
	var created domain.AnnotationQueue
	err := c.update(ctx, func(s session) error {
		id, err := orderedID()
		if err != nil {
			return err
		}
		now := millis(c.now())
		if _, err := s.exec(ctx, "INSERT INTO annotation_queues (project_id, "+annotationQueueColumns+") VALUES (?, ?, ?, ?, ?, ?, ?)",
			scope.ProjectID(), id, n.Name, n.Description, textOf(n.ScoreConfigIDs), now, now); err != nil {
			return err
		}
		if err := s.haveScoreConfigs(ctx, scope, n.ScoreConfigIDs); err != nil {
			return err
		}
		if created, err = s.annotationQueue(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "create", "annotationQueue", id, nil, stateOf(map[string]any{
			"name": created.Name, "description": created.Description, "scoreConfigIds": created.ScoreConfigIDs,
		}))
	})
	if errors.Is(err, domain.ErrConflict) {
		err = fmt.Errorf("annotation queue %q: %w", n.Name, err)
	}
	return created, err
}

// haveScoreConfigs returns domain.ErrNotFound unless the project has all of these score configs.
func (s session) haveScoreConfigs(ctx context.Context, scope domain.ProjectScope, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	args := []any{scope.ProjectID()}
	for _, id := range ids {
		args = append(args, id)
	}
	found, err := queryOne(ctx, s, scanCount, "SELECT COUNT(*) FROM score_configs WHERE project_id = ? AND id IN (?"+
		strings.Repeat(", ?", len(ids)-1)+")", args...)
	if err == nil && found < len(ids) {
		err = fmt.Errorf("%d of %d score configs: %w", len(ids)-found, len(ids), domain.ErrNotFound)
	}
	return err
}

func (s session) annotationQueue(ctx context.Context, scope domain.ProjectScope, id string) (domain.AnnotationQueue, error) {
	q, err := queryOne(ctx, s, scanAnnotationQueue,
		"SELECT "+annotationQueueColumns+" FROM annotation_queues WHERE id = ? AND project_id = ?", id, scope.ProjectID())
	return q, named(err, "annotation queue", id)
}

// AssignToQueue assigns a user, who must have access to the project, to a queue of the project. Whoever is assigned already
// stays so.
func (c *Catalog) AssignToQueue(ctx context.Context, scope domain.ProjectScope, queueID, userID string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		if _, err := s.annotationQueue(ctx, scope, queueID); err != nil {
			return err
		}
		if err := s.hasAccess(ctx, scope, userID); err != nil {
			return err
		}
		changed, err := s.exec(ctx, `INSERT INTO annotation_queue_assignments (queue_id, user_id, created_at) VALUES (?, ?, ?)
			ON CONFLICT (queue_id, user_id) DO NOTHING`, queueID, userID, millis(c.now()))
		if err != nil || changed == 0 {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "create", "annotationQueueAssignment", queueID, nil, stateOf(map[string]any{"userId": userID}))
	})
}

// UnassignFromQueue ends the assignment of a user to a queue of the project. There need not be one.
func (c *Catalog) UnassignFromQueue(ctx context.Context, scope domain.ProjectScope, queueID, userID string, actor domain.Actor) error {
	return c.update(ctx, func(s session) error {
		if _, err := s.annotationQueue(ctx, scope, queueID); err != nil {
			return err
		}
		changed, err := s.exec(ctx, "DELETE FROM annotation_queue_assignments WHERE queue_id = ? AND user_id = ?", queueID, userID)
		if err != nil || changed == 0 {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "delete", "annotationQueueAssignment", queueID, stateOf(map[string]any{"userId": userID}), nil)
	})
}
