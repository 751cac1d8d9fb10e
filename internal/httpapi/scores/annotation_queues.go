package scores

import (
	"errors"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of annotation queues and their items.
const (
	maxQueueName        = 1000
	maxQueueDescription = 10_000
	maxQueueConfigs     = 500
)

// noParameters returns an error if the request has query parameters.
func noParameters(c *endpoint.Call) error {
	q := c.Query()
	q.Strict()
	return q.Err()
}

// ListAnnotationQueues returns a numbered page of queues, newest first. Annotators see only those to which they are
// assigned.
func (h *Handlers) ListAnnotationQueues(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	q.Strict()
	if err := q.Err(); err != nil {
		return nil, err
	}
	var assigned tables.Condition
	if !c.May(domain.ScoresRead) {
		assigned = catalog.AssignedTo(c.Person().User.ID)
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.AnnotationQueues, wire.FromAnnotationQueue, assigned)
}

// CreateAnnotationQueue serves POST /api/public/annotation-queues.
func (h *Handlers) CreateAnnotationQueue(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := noParameters(c); err != nil {
		return nil, err
	}
	n, err := readAnnotationQueue(c.Body())
	if err != nil {
		return nil, err
	}
	created, err := h.Catalog.AnnotationQueues.Create(c.Context(), scope, n, c.Actor())
	switch {
	case errors.Is(err, domain.ErrConflict):
		return nil, respond.InvalidRequest("A queue with this name already exists.")
	case errors.Is(err, domain.ErrNotFound):
		return nil, respond.InvalidRequest("At least one of the score config IDs cannot be found for the given project.")
	case err != nil:
		return nil, err
	}
	return wire.FromAnnotationQueue(created), nil
}

func readAnnotationQueue(body decode.Value) (domain.AnnotationQueue, error) {
	b := body.Object()
	n := domain.AnnotationQueue{
		Name:        b.Field("name").TextLen(0, maxQueueName),
		Description: decode.Nullish(b.Field("description"), func(v decode.Value) string { return v.TextLen(0, maxQueueDescription) }),
	}
	for _, item := range b.Field("scoreConfigIds").ArrayLen(1, maxQueueConfigs) {
		n.ScoreConfigIDs = append(n.ScoreConfigIDs, item.Text())
	}
	b.Strict()
	return n, b.Err()
}

// QueueRequest is a request about a queue, its items or one of them.
type QueueRequest struct {
	queue, item string
	page        decode.Page
	status      string // of items to list, or the new one of an item; "" for none
}

// ReadQueue reads a request for a queue. It takes no parameters.
func ReadQueue(c *endpoint.Call) (QueueRequest, error) {
	return QueueRequest{queue: c.Path("queueId")}, noParameters(c)
}

// GetAnnotationQueue serves GET /api/public/annotation-queues/{queueId}.
func (h *Handlers) GetAnnotationQueue(c *endpoint.Call, scope domain.ProjectScope, q QueueRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	return endpoint.Show(queue, err, wire.FromAnnotationQueue)
}

func (h *Handlers) annotationQueue(c *endpoint.Call, scope domain.ProjectScope, id string) (domain.AnnotationQueue, error) {
	q, err := h.Catalog.AnnotationQueues.Get(c.Context(), scope, id)
	return q, endpoint.NotFoundAs(err, "Annotation queue not found")
}

// AssignAnnotationQueue assigns a user to a queue. It succeeds if they already are.
func (h *Handlers) AssignAnnotationQueue(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, user, err := h.readAssignment(c, scope)
	if err != nil {
		return nil, err
	}
	err = h.Catalog.AssignToQueue(c.Context(), scope, q.ID, user, c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, "User not found or not authorized for this project"), struct {
		UserID    string `json:"userId"`
		ProjectID string `json:"projectId"`
		QueueID   string `json:"queueId"`
	}{user, scope.ProjectID(), q.ID})
}

// UnassignAnnotationQueue removes an assignment, if there is one.
func (h *Handlers) UnassignAnnotationQueue(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, user, err := h.readAssignment(c, scope)
	if err != nil {
		return nil, err
	}
	if err := h.Catalog.UnassignFromQueue(c.Context(), scope, q.ID, user, c.Actor()); err != nil {
		return nil, err
	}
	return struct {
		Success bool `json:"success"`
	}{true}, nil
}

func (h *Handlers) readAssignment(c *endpoint.Call, scope domain.ProjectScope) (q domain.AnnotationQueue, user string, err error) {
	if err := noParameters(c); err != nil {
		return q, "", err
	}
	b := c.Body().Object()
	user = b.Field("userId").TextLen(0, endpoint.MaxUserID)
	b.Strict()
	if err := b.Err(); err != nil {
		return q, "", err
	}
	q, err = h.annotationQueue(c, scope, c.Path("queueId"))
	return q, user, err
}
