package scoring

import (
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// annotationItemBody is an item of an annotation queue as clients see it.
type annotationItemBody struct {
	ID          string        `json:"id"`
	QueueID     string        `json:"queueId"`
	ObjectID    string        `json:"objectId"`
	ObjectType  string        `json:"objectType"`
	Status      string        `json:"status"`
	CompletedAt *respond.Time `json:"completedAt"`
	CreatedAt   respond.Time  `json:"createdAt"`
	UpdatedAt   respond.Time  `json:"updatedAt"`
}

func newAnnotationItemBody(i domain.AnnotationItem) annotationItemBody {
	return annotationItemBody{
		ID: i.ID, QueueID: i.QueueID, ObjectID: i.ObjectID, ObjectType: i.ObjectType, Status: i.Status,
		CompletedAt: respond.OptionalTime(i.CompletedAt), CreatedAt: respond.Time(i.CreatedAt), UpdatedAt: respond.Time(i.UpdatedAt),
	}
}

func annotationStatuses() []string {
	return []string{domain.AnnotationPending, domain.AnnotationCompleted}
}

// ListAnnotationItems returns a numbered page of the items of a queue, newest first.
func (h *Handlers) ListAnnotationItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	status := q.Enum("status", annotationStatuses()...)
	page := q.Page(endpoint.DefaultPage)
	q.Strict()
	if err := q.Err(); err != nil {
		return nil, err
	}
	queue, err := h.annotationQueue(c, scope)
	if err != nil {
		return nil, err
	}
	found, total, err := h.Catalog.AnnotationItems(c.Context(), scope, queue.ID, status, endpoint.CatalogPage(page))
	if err != nil {
		return nil, err
	}
	return endpoint.PageOf(c, page, total, found, newAnnotationItemBody)
}

// CreateAnnotationItem adds an object to a queue, whether or not it exists or is already in the queue.
func (h *Handlers) CreateAnnotationItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := noParameters(c); err != nil {
		return nil, err
	}
	n, err := readAnnotationItem(c.Body())
	if err != nil {
		return nil, err
	}
	queue, err := h.annotationQueue(c, scope)
	if err != nil {
		return nil, err
	}
	n.QueueID = queue.ID
	created, err := h.Catalog.CreateAnnotationItem(c.Context(), scope, n, c.Actor())
	return endpoint.Show(created, err, newAnnotationItemBody)
}

func readAnnotationItem(body decode.Value) (domain.AnnotationItem, error) {
	b := body.Object()
	n := domain.AnnotationItem{
		ObjectID:   b.Field("objectId").TextLen(0, endpoint.MaxObjectID),
		ObjectType: b.Field("objectType").Enum(domain.ObjectTrace, domain.ObjectObservation, domain.ObjectSession),
		Status:     domain.AnnotationPending,
	}
	decode.Set(&n.Status, decode.Nullish(b.Field("status"), readAnnotationStatus))
	b.Strict()
	return n, b.Err()
}

func readAnnotationStatus(v decode.Value) string { return v.Enum(annotationStatuses()...) }

// GetAnnotationItem serves GET /api/public/annotation-queues/{queueId}/items/{itemId}.
func (h *Handlers) GetAnnotationItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := noParameters(c); err != nil {
		return nil, err
	}
	queue, err := h.annotationQueue(c, scope)
	if err != nil {
		return nil, err
	}
	i, err := h.Catalog.AnnotationItem(c.Context(), scope, queue.ID, c.Path("itemId"))
	return endpoint.Show(i, annotationItemError(err), newAnnotationItemBody)
}

// UpdateAnnotationItem changes the status of an item, if the body has one.
func (h *Handlers) UpdateAnnotationItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := noParameters(c); err != nil {
		return nil, err
	}
	b := c.Body().Object()
	status := decode.Nullish(b.Field("status"), readAnnotationStatus)
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if status == nil {
		return h.GetAnnotationItem(c, scope)
	}
	queue, err := h.annotationQueue(c, scope)
	if err != nil {
		return nil, err
	}
	i, err := h.Catalog.SetAnnotationStatus(c.Context(), scope, queue.ID, c.Path("itemId"), *status, c.Actor())
	return endpoint.Show(i, annotationItemError(err), newAnnotationItemBody)
}

// DeleteAnnotationItem serves DELETE /api/public/annotation-queues/{queueId}/items/{itemId}.
func (h *Handlers) DeleteAnnotationItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := noParameters(c); err != nil {
		return nil, err
	}
	queue, err := h.annotationQueue(c, scope)
	if err != nil {
		return nil, err
	}
	if err := h.Catalog.DeleteAnnotationItem(c.Context(), scope, queue.ID, c.Path("itemId"), c.Actor()); err != nil {
		return nil, annotationItemError(err)
	}
	return struct {
		Success bool   `json:"success"`
		Message string `json:"message"`
	}{true, "Annotation queue item deleted successfully"}, nil
}

func annotationItemError(err error) error {
	return endpoint.NotFoundAs(err, "Annotation queue item not found")
}
