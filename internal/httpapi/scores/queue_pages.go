package scores

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of lists of annotation queues and their items for the web application.
const (
	defaultQueueRows = 50
	maxQueueRows     = 100
	maxQueueSearch   = 1000 // characters
	maxQueueCursor   = 1 << 10
)

// queueHead is an annotation queue in a list.
type queueHead struct {
	ID             string       `json:"id"`
	Name           string       `json:"name"`
	Description    *string      `json:"description"`
	ScoreConfigIDs []string     `json:"scoreConfigIds"`
	Pending        int          `json:"pending"`
	Completed      int          `json:"completed"`
	People         int          `json:"people"`
	IsMine         bool         `json:"isMine"`
	CreatedAt      respond.Time `json:"createdAt"`
}

// listCursor is where a page of a list ended that begins with what was made last.
type listCursor struct {
	At int64  `json:"at"`
	ID string `json:"id"`
}

func readListCursor(v decode.Value) *catalog.ListPlace {
	var place listCursor
	raw, err := base64.RawURLEncoding.DecodeString(v.TextLen(1, maxQueueCursor))
	if err != nil || json.Unmarshal(raw, &place) != nil {
		v.Reject(decode.Violation(v.Path(), "Invalid cursor"))
		return nil
	}
	return &catalog.ListPlace{At: time.UnixMilli(place.At), ID: place.ID}
}

func listCursorOf(at time.Time, id string) (*string, error) {
	raw, err := json.Marshal(listCursor{at.UnixMilli(), id})
	return new(base64.RawURLEncoding.EncodeToString(raw)), err
}

func readSearch(v decode.Value) string {
	return strings.TrimSpace(decode.NullishOr(v, func(v decode.Value) string { return v.TextLen(0, maxQueueSearch) }, ""))
}

func readRows(v decode.Value) int {
	return decode.NullishOr(v, func(v decode.Value) int { return v.IntWithin(1, maxQueueRows) }, defaultQueueRows)
}

// BrowseQueues returns a page of annotation queues with their numbers of items. Annotators see only those to which they
// are assigned.
func (h *Handlers) BrowseQueues(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	limit := readRows(b.Field("limit"))
	q := catalog.QueueQuery{
		UserID: c.Person().User.ID, OnlyMine: !c.May(domain.ScoresRead), Search: readSearch(b.Field("search")),
		After: decode.NullishOr(b.Field("cursor"), readListCursor, nil), Limit: limit + 1,
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	heads, err := h.Catalog.QueueHeads(c.Context(), scope, q)
	if err != nil {
		return nil, err
	}
	var cursor *string
	if len(heads) > limit {
		heads = heads[:limit]
		if cursor, err = listCursorOf(heads[limit-1].CreatedAt, heads[limit-1].ID); err != nil {
			return nil, err
		}
	}
	return map[string]any{"cursor": cursor, "queues": endpoint.Map(heads, func(h catalog.QueueHead) queueHead {
		return queueHead{
			h.ID, h.Name, h.Description, h.ScoreConfigIDs, h.Pending, h.Completed, h.People, h.IsMine, respond.Time(h.CreatedAt),
		}
	})}, nil
}

// errUnknownConfig refuses a queue with score configs that the project does not have.
func errUnknownConfig() error {
	return &decode.Invalid{Issues: []decode.Issue{
		decode.Violation([]any{"scoreConfigIds"}, "The project does not have all of these score configs"),
	}}
}

// readQueueConfigs reads the score configs of a queue, each once and in the order given.
func readQueueConfigs(v decode.Value) []string {
	var ids []string
	known := make(map[string]bool)
	for _, item := range v.ArrayLen(1, maxQueueConfigs) {
		if id := item.Text(); !known[id] {
			known[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// ChangeQueue changes the given parts of a queue.
func (h *Handlers) ChangeQueue(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	name := decode.Nullish(b.Field("name"), func(v decode.Value) string { return endpoint.RejectNUL(v, v.TrimmedLen(1, maxQueueName)) })
	description := decode.Nullish(b.Field("description"), func(v decode.Value) string {
		return endpoint.RejectNUL(v, v.TextLen(0, maxQueueDescription))
	})
	configs := decode.Nullish(b.Field("scoreConfigIds"), readQueueConfigs)
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	changed, err := h.Catalog.AnnotationQueues.Change(c.Context(), scope, c.Path("queueId"),
		func(q domain.AnnotationQueue) (domain.AnnotationQueue, error) {
			decode.Set(&q.Name, name)
			decode.Set(&q.ScoreConfigIDs, configs)
			if description != nil {
				q.Description = description
				if strings.TrimSpace(*description) == "" {
					q.Description = nil
				}
			}
			return q, nil
		}, c.Actor())
	switch {
	case errors.Is(err, domain.ErrConflict):
		return nil, &decode.Invalid{Issues: []decode.Issue{decode.Violation([]any{"name"}, "Another queue has this name")}}
	case errors.Is(err, domain.ErrNotFound) && configs != nil:
		if _, err := h.annotationQueue(c, scope, c.Path("queueId")); err != nil {
			return nil, err
		}
		return nil, errUnknownConfig()
	}
	return endpoint.Show(changed, endpoint.NotFoundAs(err, noSuchQueue), func(q domain.AnnotationQueue) any {
		return struct {
			ID             string   `json:"id"`
			Name           string   `json:"name"`
			Description    *string  `json:"description"`
			ScoreConfigIDs []string `json:"scoreConfigIds"`
		}{q.ID, q.Name, q.Description, q.ScoreConfigIDs}
	})
}

// DeleteQueue deletes a queue with its items. Scores and comments made for them are kept.
func (h *Handlers) DeleteQueue(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.AnnotationQueues.Delete(c.Context(), scope, c.Path("queueId"), c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, noSuchQueue), respond.NoContent{})
}

// ListAssignees returns the people who are assigned to a queue.
func (h *Handlers) ListAssignees(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, err := h.annotationQueue(c, scope, c.Path("queueId"))
	if err != nil {
		return nil, err
	}
	people, err := h.Catalog.Assignees(c.Context(), scope, q.ID)
	type person struct {
		UserID string `json:"userId"`
		Name   string `json:"name"`
		Email  string `json:"email"`
	}
	return endpoint.ListAs("people", people, err, func(a catalog.Assignee) person { return person{a.ID, a.Name, a.Email} })
}

// queueItem is an item of an annotation queue with who reviewed it, or does so now.
type queueItem struct {
	ID          string        `json:"id"`
	ObjectType  string        `json:"objectType"`
	ObjectID    string        `json:"objectId"`
	Status      string        `json:"status"`
	CompletedAt *respond.Time `json:"completedAt"`
	CompletedBy *string       `json:"completedBy"`
	OpenedBy    *string       `json:"openedBy"`
	CreatedAt   respond.Time  `json:"createdAt"`
}

func queueItemOf(i *catalog.ReviewItem) queueItem {
	item := queueItem{
		ID: i.ID, ObjectType: i.ObjectType, ObjectID: i.ObjectID, Status: i.Status, OpenedBy: i.LeasedBy,
		CreatedAt: respond.Time(i.CreatedAt),
	}
	if i.Status == domain.AnnotationCompleted { // one that was opened again keeps them
		item.CompletedBy = i.CompletedBy
		if i.CompletedAt != nil {
			item.CompletedAt = new(respond.Time(*i.CompletedAt))
		}
	}
	return item
}

// itemSkip is who skipped an item, and why.
type itemSkip struct {
	UserID string `json:"userId"`
	Reason string `json:"reason"`
}

type listedItem struct {
	queueItem
	Skips []itemSkip `json:"skips"`
}

// ReadQueueItems reads a request for a page of the items of a queue.
func ReadQueueItems(c *endpoint.Call) (ReviewRequest, error) {
	b := c.Body().Object()
	q := ReviewRequest{QueueRequest: QueueRequest{queue: c.Path("queueId")}}
	q.browse = catalog.ItemQuery{
		Status: decode.NullishOr(b.Field("status"), readAnnotationStatus, ""), Search: readSearch(b.Field("search")),
		After: decode.NullishOr(b.Field("cursor"), readListCursor, nil), Limit: readRows(b.Field("limit")),
	}
	b.Strict()
	return q, b.Err()
}

// BrowseQueueItems returns a page of the items of a queue, those added last first.
func (h *Handlers) BrowseQueueItems(c *endpoint.Call, scope domain.ProjectScope, q ReviewRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	browse := q.browse
	browse.Limit++
	items, err := h.Catalog.BrowseQueue(c.Context(), reviewer(c, scope, queue.ID), browse)
	if err != nil {
		return nil, err
	}
	var cursor *string
	if limit := q.browse.Limit; len(items) > limit {
		items = items[:limit]
		if cursor, err = listCursorOf(items[limit-1].CreatedAt, items[limit-1].ID); err != nil {
			return nil, err
		}
	}
	return map[string]any{"cursor": cursor, "items": endpoint.Map(items, func(i catalog.ListedItem) listedItem {
		return listedItem{queueItemOf(&i.ReviewItem), endpoint.Map(i.Skips, func(k catalog.Skip) itemSkip {
			return itemSkip{k.UserID, k.Reason}
		})}
	})}, nil
}
