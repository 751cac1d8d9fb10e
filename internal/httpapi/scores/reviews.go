package scores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/access/annotators"
	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/ingest/scores"
	"almanac/internal/store"
)

const (
	noSuchQueue = "Annotation queue not found"
	itemTaken   = "Somebody else has this item open, or has had it since you opened it."

	maxSkipReason = 1000 // characters
	// maxReviewedTraces is the maximum number of traces of a session that are shown to whoever reviews it.
	maxReviewedTraces = 1000
)

// ReviewRequest is a request of somebody who reviews the items of a queue.
type ReviewRequest struct {
	QueueRequest
	browse  catalog.ItemQuery
	skipped bool
	reason  string
	scores  []givenScore
	comment *string
}

// givenScore is the value that a reviewer gives by a score config; nil for none.
type givenScore struct {
	config  string
	number  *float64
	text    *string
	comment string
	at      []any // its path in the request
}

func (g *givenScore) isGiven() bool { return g.number != nil || g.text != nil }

// ReviewQueued reports whether the caller is assigned to the queue of the request.
func ReviewQueued(ctx context.Context, queues *annotators.Queues, q ReviewRequest) (bool, error) {
	return queues.Assigned(ctx, q.queue)
}

func reviewer(c *endpoint.Call, scope domain.ProjectScope, queueID string) catalog.Reviewer {
	return catalog.Reviewer{Scope: scope, QueueID: queueID, UserID: c.Person().User.ID}
}

func reviewOf(c *endpoint.Call) ReviewRequest {
	return ReviewRequest{QueueRequest: QueueRequest{queue: c.Path("queueId"), item: c.Path("itemId")}}
}

// ReadNext reads a request for the next item.
func ReadNext(c *endpoint.Call) (ReviewRequest, error) {
	q, b := reviewOf(c), c.Body().Object()
	q.skipped = decode.NullishOr(b.Field("skipped"), decode.Value.Bool, false)
	b.Strict()
	return q, b.Err()
}

// ReadReview reads a request about an item. It takes no parameters.
func ReadReview(c *endpoint.Call) (ReviewRequest, error) { return reviewOf(c), noParameters(c) }

// ReadSkip reads why an item is skipped.
func ReadSkip(c *endpoint.Call) (ReviewRequest, error) {
	q, b := reviewOf(c), c.Body().Object()
	q.reason = decode.NullishOr(b.Field("reason"), func(v decode.Value) string {
		return strings.TrimSpace(endpoint.RejectNUL(v, v.TextLen(0, maxSkipReason)))
	}, "")
	b.Strict()
	return q, b.Err()
}

// ReadCompletion reads what a reviewer says about an item.
func ReadCompletion(c *endpoint.Call) (ReviewRequest, error) {
	q, b := reviewOf(c), c.Body().Object()
	known := make(map[string]bool)
	for _, v := range decode.NullishOr(b.Field("scores"), func(v decode.Value) []decode.Value {
		return v.ArrayLen(0, maxQueueConfigs)
	}, nil) {
		o := v.Object()
		config := o.Field("configId")
		given := givenScore{config: config.TextLen(1, endpoint.MaxObjectID), at: v.Path()}
		if known[given.config] {
			config.Reject(decode.Violation(config.Path(), "There are two scores by this score config"))
		}
		known[given.config] = true
		switch value := o.Field("value"); value.Kind() {
		case "undefined", "null":
		case "number":
			given.number = new(value.Number())
		default:
			given.text = new(endpoint.RejectNUL(value, value.TextLen(1, maxComment)))
		}
		given.comment = readReviewText(o.Field("comment"))
		o.Strict()
		q.scores = append(q.scores, given)
	}
	q.comment = decode.Nullish(b.Field("comment"), func(v decode.Value) string {
		text := strings.TrimSpace(endpoint.RejectNUL(v, v.TextLen(0, maxComment)))
		if len(domain.Mentions(text)) > domain.MaxMentions {
			v.Reject(decode.Violation(v.Path(), fmt.Sprintf("a comment can mention at most %d people", domain.MaxMentions)))
		}
		return text
	})
	b.Strict()
	return q, b.Err()
}

func readReviewText(v decode.Value) string {
	return decode.NullishOr(v, func(v decode.Value) string {
		return strings.TrimSpace(endpoint.RejectNUL(v, v.TextLen(0, maxComment)))
	}, "")
}

// reviewBody is an item with what it is about and what the reviewer said about it before.
type reviewBody struct {
	queueItem
	// TraceIDs are the trace, the trace of the observation, or the traces of the session, oldest first. Without any, the
	// object is gone.
	TraceIDs   []string      `json:"traceIds"`
	MoreTraces bool          `json:"moreTraces"`
	Scores     []reviewScore `json:"scores"`
	Comment    string        `json:"comment"`
	SkipReason *string       `json:"skipReason"`
}

type reviewScore struct {
	ConfigID string `json:"configId"`
	Value    any    `json:"value"`
	Comment  string `json:"comment"`
}

type progressBody struct {
	Pending   int `json:"pending"`
	Completed int `json:"completed"`
	Skipped   int `json:"skipped"`
	Taken     int `json:"taken"`
}

// reviewAnswer is the item that a reviewer has; nil if there is none.
type reviewAnswer struct {
	Item     *reviewBody  `json:"item"`
	Progress progressBody `json:"progress"`
}

func reviewError(err error) error {
	if errors.Is(err, catalog.ErrItemTaken) {
		return respond.Conflict(itemTaken)
	}
	return annotationItemError(err)
}

// NextItem gives the caller the next item of a queue to review. Nobody else gets it while they have it.
func (h *Handlers) NextItem(c *endpoint.Call, scope domain.ProjectScope, q ReviewRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	by := reviewer(c, scope, queue.ID)
	item, err := h.Catalog.NextItem(c.Context(), by, q.skipped)
	if err != nil {
		return nil, reviewError(endpoint.NotFoundAs(err, noSuchQueue))
	}
	return h.answerReview(c, by, &queue, item)
}

// OpenItem gives the caller an item of their choice, unless somebody else has it, and says what they said about it
// before.
func (h *Handlers) OpenItem(c *endpoint.Call, scope domain.ProjectScope, q ReviewRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	by := reviewer(c, scope, queue.ID)
	item, err := h.Catalog.OpenItem(c.Context(), by, q.item)
	if err != nil {
		return nil, reviewError(err)
	}
	return h.answerReview(c, by, &queue, &item)
}

// RenewItem lets the caller keep an item that they have open.
func (h *Handlers) RenewItem(c *endpoint.Call, scope domain.ProjectScope, q ReviewRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	_, err = h.Catalog.KeepItem(c.Context(), reviewer(c, scope, queue.ID), q.item)
	return endpoint.Confirm(reviewError(err), respond.NoContent{})
}

// ReleaseItem lets others have an item that the caller has.
func (h *Handlers) ReleaseItem(c *endpoint.Call, scope domain.ProjectScope, q ReviewRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	err = h.Catalog.ReleaseItem(c.Context(), reviewer(c, scope, queue.ID), q.item)
	return endpoint.Confirm(err, respond.NoContent{})
}

// SkipItem leaves an item to others, or for later.
func (h *Handlers) SkipItem(c *endpoint.Call, scope domain.ProjectScope, q ReviewRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	err = h.Catalog.SkipItem(c.Context(), reviewer(c, scope, queue.ID), q.item, q.reason)
	return endpoint.Confirm(reviewError(err), respond.NoContent{})
}

func (h *Handlers) answerReview(
	c *endpoint.Call, by catalog.Reviewer, queue *domain.AnnotationQueue, item *catalog.ReviewItem,
) (any, error) {
	var answer reviewAnswer
	if item != nil {
		object, err := h.reviewedObject(c.Context(), by.Scope, item.ObjectType, item.ObjectID)
		if err != nil {
			return nil, err
		}
		body := reviewBody{
			queueItem: queueItemOf(item), TraceIDs: object.traces, MoreTraces: object.more, SkipReason: item.SkipReason,
		}
		if body.Scores, err = h.reviewScores(c.Context(), by, queue, item.ID); err != nil {
			return nil, err
		}
		if body.Comment, err = h.Catalog.ReviewComment(c.Context(), by, item.ID); err != nil {
			return nil, err
		}
		answer.Item = &body
	}
	p, err := h.Catalog.QueueProgress(c.Context(), by)
	answer.Progress = progressBody(p)
	return endpoint.Confirm(endpoint.NotFoundAs(err, noSuchQueue), answer)
}

// reviewedObject is what an item is about.
type reviewedObject struct {
	traces      []string
	more        bool
	environment string
}

// reviewedObject finds what an item is about. It has no traces if that is gone.
func (h *Handlers) reviewedObject(ctx context.Context, scope domain.ProjectScope, objectType, id string) (reviewedObject, error) {
	found := reviewedObject{traces: []string{}}
	if id == "" {
		return found, nil // rows without a session have an empty session id
	}
	lookup := store.Lookup{}
	switch objectType {
	case domain.ObjectTrace:
		lookup.TraceIDs = []string{id}
	case domain.ObjectObservation:
		lookup.IDs = []string{id}
	default:
		lookup.SessionIDs = []string{id}
	}
	begins := make(map[string]domain.Micros)
	var first domain.Micros
	for row, err := range h.Store.Observations().Lookup(ctx, scope, lookup) {
		if err != nil {
			return found, fmt.Errorf("cannot look up the object of an item: %w", err)
		}
		if len(begins) == 0 || row.StartTime < first {
			first, found.environment = row.StartTime, strings.Clone(row.Environment)
		}
		began, known := begins[row.TraceID]
		switch {
		case known:
			begins[row.TraceID] = min(began, row.StartTime)
		case len(begins) == maxReviewedTraces:
			found.more = true
		default:
			begins[strings.Clone(row.TraceID)] = row.StartTime
		}
	}
	found.traces = slices.AppendSeq(found.traces, maps.Keys(begins))
	slices.SortFunc(found.traces, func(a, b string) int { return cmp.Or(cmp.Compare(begins[a], begins[b]), cmp.Compare(a, b)) })
	if objectType == domain.ObjectObservation && len(found.traces) > 1 { // traces that share an observation id
		found.traces = found.traces[:1]
	}
	return found, nil
}

// scoreID returns the id of the reviewer's score of an item by a config. Writing it again replaces it, so a completion
// can be repeated.
func scoreID(by catalog.Reviewer, item, config string) string {
	return catalog.ReviewID("score", item, config, by.UserID)
}

// reviewScores returns what the reviewer gave an item by the configs of its queue.
func (h *Handlers) reviewScores(
	ctx context.Context, by catalog.Reviewer, queue *domain.AnnotationQueue, item string,
) ([]reviewScore, error) {
	stored, err := h.storedReview(ctx, by, queue.ScoreConfigIDs, item)
	if err != nil {
		return nil, err
	}
	list := []reviewScore{}
	for _, config := range queue.ScoreConfigIDs {
		s, ok := stored[config]
		if !ok {
			continue
		}
		given := reviewScore{ConfigID: config, Comment: s.Comment}
		if s.DataType == domain.ScoreNumeric || s.DataType == domain.ScoreBoolean {
			given.Value = s.Value.Value
		} else {
			given.Value = s.StringValue
		}
		list = append(list, given)
	}
	return list, nil
}

// storedReview returns the reviewer's scores of an item by config.
func (h *Handlers) storedReview(
	ctx context.Context, by catalog.Reviewer, configs []string, item string,
) (map[string]domain.Score, error) {
	configOf := make(map[string]string, len(configs))
	for _, config := range configs {
		configOf[scoreID(by, item, config)] = config
	}
	stored := make(map[string]domain.Score)
	if len(configs) == 0 {
		return stored, nil
	}
	for row, err := range h.Store.Scores().Lookup(ctx, by.Scope, store.Lookup{
		IDs: slices.Sorted(maps.Keys(configOf)), Want: store.WantDetails,
	}) {
		if err != nil {
			return nil, fmt.Errorf("cannot look up the scores of an item: %w", err)
		}
		stored[configOf[row.ID]] = row.Clone()
	}
	return stored, nil
}

// CompleteItem stores what the caller says about an item that they have, and completes it. All of it is stored under ids
// made from the item and the caller: scores first, then the comment with the completion, so that a repetition after a
// failure changes nothing twice.
func (h *Handlers) CompleteItem(c *endpoint.Call, scope domain.ProjectScope, q ReviewRequest) (any, error) {
	queue, err := h.annotationQueue(c, scope, q.queue)
	if err != nil {
		return nil, err
	}
	by := reviewer(c, scope, queue.ID)
	item, err := h.Catalog.KeepItem(c.Context(), by, q.item)
	if err != nil {
		return nil, reviewError(err)
	}
	object, err := h.reviewedObject(c.Context(), scope, item.ObjectType, item.ObjectID)
	if err != nil {
		return nil, err
	}
	if err := h.writeReview(c, by, &queue, &item, &object, q); err != nil {
		return nil, err
	}
	trace := ""
	if item.ObjectType == domain.ObjectObservation && len(object.traces) > 0 {
		trace = object.traces[0]
	}
	if err := h.Catalog.CompleteItem(c.Context(), by, item.ID, q.comment, trace, c.Actor()); err != nil {
		return nil, reviewError(err)
	}
	return respond.NoContent{}, nil
}

// writeReview stores the scores of a request, and deletes those that were taken back.
func (h *Handlers) writeReview(
	c *endpoint.Call, by catalog.Reviewer, queue *domain.AnnotationQueue, item *catalog.ReviewItem, object *reviewedObject, q ReviewRequest,
) error {
	var drafts []scores.Draft
	var paths [][]any
	var cleared []string
	for _, given := range q.scores {
		if !slices.Contains(queue.ScoreConfigIDs, given.config) {
			return &decode.Invalid{Issues: []decode.Issue{
				decode.Violation(append(slices.Clip(given.at), "configId"), "The queue does not have this score config"),
			}}
		}
		if !given.isGiven() {
			cleared = append(cleared, given.config)
			continue
		}
		drafts, paths = append(drafts, draftOf(by, item, object, &given)), append(paths, given.at)
	}
	says := len(drafts) > 0 || q.comment != nil && *q.comment != ""
	if says && len(object.traces) == 0 {
		return respond.NotFound("What this item is about is no longer stored, so it can be neither scored nor commented on.")
	}
	if err := h.clearReview(c, by, item.ID, cleared); err != nil || len(drafts) == 0 {
		return err
	}
	refusals, err := h.Scores.Write(c.Context(), by.Scope, drafts)
	if err != nil {
		return endpoint.WriteError(err)
	}
	var issues []decode.Issue
	stored := 0
	for n, refusal := range refusals {
		var invalid *decode.Invalid
		switch {
		case refusal == nil:
			stored++
		case errors.As(refusal, &invalid):
			for _, issue := range invalid.Issues {
				issue.Path = append(slices.Clip(paths[n]), issue.Path...)
				issues = append(issues, issue)
			}
		default:
			return refusal
		}
	}
	h.CountScores(stored, len(drafts)-stored)
	if issues != nil {
		return &decode.Invalid{Issues: issues}
	}
	return nil
}

// draftOf returns the score that a reviewer gives an item.
func draftOf(by catalog.Reviewer, item *catalog.ReviewItem, object *reviewedObject, given *givenScore) scores.Draft {
	d := scores.Draft{
		ID: scoreID(by, item.ID, given.config), At: domain.MicrosOf(time.Now()), Received: true, AuthorUserID: by.UserID,
		Source: "ANNOTATION", Environment: cmp.Or(object.environment, domain.DefaultEnvironment), QueueID: by.QueueID,
		ConfigID: scores.Change{Text: given.config, Sent: true}, Comment: scores.Change{Text: given.comment, Sent: true},
	}
	if given.number != nil {
		d.Number = *given.number
	} else {
		d.Text, d.IsText = *given.text, true
	}
	switch item.ObjectType {
	case domain.ObjectSession:
		d.SessionID = scores.Change{Text: item.ObjectID, Sent: true}
	case domain.ObjectObservation:
		d.TraceID, d.ObservationID = object.traces[0], scores.Change{Text: item.ObjectID, Sent: true}
	default:
		d.TraceID = item.ObjectID
	}
	return d
}

// clearReview deletes the reviewer's scores of an item by configs, if there are any.
func (h *Handlers) clearReview(c *endpoint.Call, by catalog.Reviewer, item string, configs []string) error {
	stored, err := h.storedReview(c.Context(), by, configs, item)
	if err != nil || len(stored) == 0 {
		return err
	}
	var ids []string
	for _, s := range stored {
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	if err := h.Catalog.RecordDeletion(c.Context(), by.Scope, "score", ids, c.Actor()); err != nil {
		return err
	}
	return endpoint.WriteError(h.Scores.Delete(c.Context(), by.Scope, ids))
}
