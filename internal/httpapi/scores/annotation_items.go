package scores

import (
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
)

func annotationStatuses() []string {
	return []string{domain.AnnotationPending, domain.AnnotationCompleted}
}

// ReadItems reads a request for the items of a queue.
func ReadItems(c *endpoint.Call) (QueueRequest, error) {
	q := c.Query()
	out := QueueRequest{queue: c.Path("queueId"), status: q.Enum("status", annotationStatuses()...), page: q.Page(endpoint.DefaultPage)}
	q.Strict()
	return out, q.Err()
}

// ListAnnotationItems returns a numbered page of the items of a queue, newest first.
func (h *Handlers) ListAnnotationItems(c *endpoint.Call, scope domain.ProjectScope, q QueueRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	found, total, err := h.Catalog.AnnotationItems(c.Context(), scope, queue.ID, q.status, endpoint.CatalogPage(q.page))
	if err != nil {
		return nil, err
	}
	return endpoint.PageOf(c, q.page, total, found, wire.FromAnnotationItem)
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
	queue, err := h.annotationQueue(c, scope, c.Path("queueId"))
	if err != nil {
		return nil, err
	}
	n.QueueID = queue.ID
	created, err := h.Catalog.CreateAnnotationItem(c.Context(), scope, n, c.Actor())
	return endpoint.Show(created, err, wire.FromAnnotationItem)
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

// ReadItem reads a request for an item of a queue. It takes no parameters.
func ReadItem(c *endpoint.Call) (QueueRequest, error) {
	return QueueRequest{queue: c.Path("queueId"), item: c.Path("itemId")}, noParameters(c)
}

// GetAnnotationItem serves GET /api/public/annotation-queues/{queueId}/items/{itemId}.
func (h *Handlers) GetAnnotationItem(c *endpoint.Call, scope domain.ProjectScope, q QueueRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	i, err := h.Catalog.AnnotationItem(c.Context(), scope, queue.ID, q.item)
	return endpoint.Show(i, annotationItemError(err), wire.FromAnnotationItem)
}

// ReadChangedItem reads the new status of an item of a queue, if the body has one.
func ReadChangedItem(c *endpoint.Call) (QueueRequest, error) {
	q, err := ReadItem(c)
	if err != nil {
		return q, err
	}
	b := c.Body().Object()
	decode.Set(&q.status, decode.Nullish(b.Field("status"), readAnnotationStatus))
	b.Strict()
	return q, b.Err()
}

// UpdateAnnotationItem changes the status of an item, if the request has one.
func (h *Handlers) UpdateAnnotationItem(c *endpoint.Call, scope domain.ProjectScope, q QueueRequest) (any, error) {
	if q.status == "" {
		return h.GetAnnotationItem(c, scope, q)
	}
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	i, err := h.Catalog.SetAnnotationStatus(c.Context(), scope, queue.ID, q.item, q.status, c.Actor())
	return endpoint.Show(i, annotationItemError(err), wire.FromAnnotationItem)
}

// DeleteAnnotationItem serves DELETE /api/public/annotation-queues/{queueId}/items/{itemId}.
func (h *Handlers) DeleteAnnotationItem(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	if err := noParameters(c); err != nil {
		return nil, err
	}
	queue, err := h.annotationQueue(c, scope, c.Path("queueId"))
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
