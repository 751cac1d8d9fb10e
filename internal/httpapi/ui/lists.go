package ui

import (
	"cmp"
	"context"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/explore"
)

// list is a page of rows with the cursor of the next page.
type list[R any] struct {
	Rows   []R     `json:"rows"`
	Cursor *string `json:"cursor"`
}

type usageBody struct {
	Input  int64  `json:"input"`
	Output int64  `json:"output"`
	Total  *int64 `json:"total"`
}

type rowBody struct {
	ID                  string            `json:"id"`
	TraceID             string            `json:"traceId"`
	ParentObservationID *string           `json:"parentObservationId"`
	Type                string            `json:"type"`
	Name                *string           `json:"name"`
	TraceName           *string           `json:"traceName"`
	Level               string            `json:"level"`
	StatusMessage       *string           `json:"statusMessage"`
	StartTime           respond.Time      `json:"startTime"`
	EndTime             *respond.Time     `json:"endTime"`
	Latency             *float64          `json:"latency"`
	TimeToFirstToken    *float64          `json:"timeToFirstToken"`
	Model               *string           `json:"model"`
	PromptName          *string           `json:"promptName"`
	PromptVersion       *int64            `json:"promptVersion"`
	Environment         string            `json:"environment"`
	UserID              *string           `json:"userId"`
	SessionID           *string           `json:"sessionId"`
	Tags                []string          `json:"tags"`
	Version             *string           `json:"version"`
	Release             *string           `json:"release"`
	Bookmarked          bool              `json:"bookmarked"`
	InputPreview        *string           `json:"inputPreview"`
	OutputPreview       *string           `json:"outputPreview"`
	Metadata            map[string]string `json:"metadata"`
	Usage               usageBody         `json:"usage"`
	TotalCost           *float64          `json:"totalCost"`
	Scores              map[string]any    `json:"scores"`
	Found               *foundBody        `json:"found,omitempty"` // only of searches
}

// foundBody is where the text of a search was found.
type foundBody struct {
	ObservationID string  `json:"observationId"`
	Name          *string `json:"name"`
	Type          string  `json:"type"`
	Field         string  `json:"field"`
	Before        string  `json:"before"`
	Text          string  `json:"text"`
	After         string  `json:"after"`
}

func newRowBody(r *explore.Row) rowBody {
	traceName := r.TraceName
	if traceName == "" && r.IsRoot() {
		traceName = r.Name // the root names a trace without a name
	}
	body := rowBody{
		ID: r.ID, TraceID: r.TraceID, ParentObservationID: textOrNil(r.SentParentID()), Type: r.Type, Name: textOrNil(r.Name),
		TraceName: textOrNil(traceName),
		Level:     cmp.Or(r.Level, "DEFAULT"), StatusMessage: textOrNil(r.StatusMessage), StartTime: respond.Time(r.StartTime.Time()),
		EndTime: timeOrNil(r.EndTime),
		Latency: secondsOrNil(r.StartTime, r.EndTime), TimeToFirstToken: secondsOrNil(r.StartTime, r.CompletionStartTime),
		Model:      textOrNil(r.Model),
		PromptName: textOrNil(r.PromptName), PromptVersion: intOrNil(r.PromptVersion), Environment: cmp.Or(r.Environment, "default"),
		UserID:    textOrNil(r.UserID),
		SessionID: textOrNil(r.SessionID), Tags: domain.NotNil(r.Tags), Version: textOrNil(r.Version), Release: textOrNil(r.Release),
		Bookmarked:   r.Bookmarked,
		InputPreview: textOrNil(r.InputPreview), OutputPreview: textOrNil(r.OutputPreview), Metadata: r.Entries,
		Usage: usageBody{r.InputTokens, r.OutputTokens, intOrNil(r.TotalTokens)}, TotalCost: floatOrNil(r.TotalCost),
		Scores: map[string]any{},
	}
	if body.Metadata == nil {
		body.Metadata = map[string]string{}
	}
	if f := r.Found; f != nil {
		body.Found = &foundBody{f.ObservationID, textOrNil(f.Name), f.Type, f.Field, f.Before, f.Text, f.After}
	}
	for name, values := range r.Scores {
		body.Scores[name] = scoreBody(values)
	}
	return body
}

// scoreBody returns the value of a score, or a list if there are several.
func scoreBody(values []explore.ScoreValue) any {
	list := make([]any, len(values))
	for n, v := range values {
		switch {
		case v.Text != "":
			list[n] = v.Text
		case v.Number.Set:
			list[n] = v.Number.Value
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return list
}

type traceBody struct {
	rowBody
	TotalTokens  int64 `json:"totalTokens"`
	Observations int   `json:"observations"`
	Errors       int   `json:"errors"`
	HasRoot      bool  `json:"hasRoot"`
	Public       bool  `json:"public"`
	Comments     int   `json:"comments"` // on the trace itself
}

// traceBodies returns the rows of traces with the numbers of their comments.
func (h *Handlers) traceBodies(ctx context.Context, scope domain.ProjectScope, rows []*explore.TraceRow) ([]traceBody, error) {
	ids := make([]string, len(rows))
	for n, r := range rows {
		ids[n] = r.TraceID
	}
	comments, err := h.Catalog.CommentCountsOf(ctx, scope, domain.ObjectTrace, ids)
	return endpoint.Map(rows, func(r *explore.TraceRow) traceBody {
		body := newTraceBody(r)
		body.Comments = comments[r.TraceID]
		return body
	}), err
}

func newTraceBody(r *explore.TraceRow) traceBody {
	t := r.Summary
	body := traceBody{
		rowBody: newRowBody(r.Row), TotalTokens: t.TotalTokens, Observations: r.Observations, Errors: t.ErrorCount, HasRoot: r.HasRoot,
		Public: t.Public,
	}
	body.TraceName, body.UserID, body.SessionID = textOrNil(t.Name), textOrNil(t.UserID), textOrNil(t.SessionID)
	body.Version, body.Release, body.Environment, body.Bookmarked = textOrNil(t.Version), textOrNil(t.Release),
		cmp.Or(t.Environment, "default"), t.Bookmarked
	if len(t.Tags) > 0 {
		body.Tags = t.Tags
	}
	end := t.Timestamp + domain.Micros(t.LatencyMillis*1000)
	latency := float64(t.LatencyMillis) / 1000
	body.StartTime, body.EndTime, body.Latency = respond.Time(t.Timestamp.Time()), timeOrNil(end), &latency
	body.Usage = usageBody{t.InputTokens, t.OutputTokens, &t.TotalTokens}
	body.TotalCost = nil
	if r.HasCost {
		body.TotalCost = &t.TotalCost
	}
	return body
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func timeOrNil(at domain.Micros) *respond.Time {
	if at == 0 {
		return nil
	}
	return new(respond.Time(at.Time()))
}

func secondsOrNil(from, to domain.Micros) *float64 {
	if to == 0 {
		return nil
	}
	return new(float64(to.Millis()-from.Millis()) / 1000)
}

func intOrNil(v domain.OptInt) *int64 {
	if !v.Set {
		return nil
	}
	return &v.Value
}

func floatOrNil(v domain.OptFloat) *float64 {
	if !v.Set {
		return nil
	}
	return &v.Value
}

// rowsQuery is a query for a page of observations or traces.
type rowsQuery struct {
	selection *explore.Selection
	order     explore.Order
	limit     int
	shown     explore.Shown
	cursor    decode.Value
	body      *decode.Object
}

func readRowsQuery(c *endpoint.Call) (*rowsQuery, error) {
	b := c.Body().Object()
	q := &rowsQuery{body: b, cursor: b.Field("cursor")}
	q.order = readOrder(b.Field("order"), explore.Orders)
	q.limit = readLimit(b, defaultRows, maxRows)
	q.shown.MetadataKeys = decode.NullishOr(b.Field("metadataKeys"), func(v decode.Value) []string {
		var keys []string
		for _, item := range v.ArrayLen(0, maxMetadataKeys) {
			keys = append(keys, item.TextLen(1, maxMetadataKey))
		}
		return keys
	}, nil)
	q.shown.Scores = decode.NullishOr(b.Field("scores"), decode.Value.Bool, false)
	var err error
	q.selection, err = readSelection(b)
	b.Strict()
	if q.selection != nil {
		q.shown.Search = q.selection.Search
	}
	return q, err
}

// searchedList is a page of rows that may be short because its time budget ran out.
type searchedList[R any] struct {
	list[R]
	SearchedBack *respond.Time `json:"searchedBack"`
}

// QueryObservations returns a page of observations.
func (h *Handlers) QueryObservations(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, err := readRowsQuery(c)
	if err != nil {
		return nil, err
	}
	after := readCursor[explore.Cursor](q.cursor, q.order)
	if err := q.body.Err(); err != nil {
		return nil, err
	}
	rows, next, err := h.explorer(scope).Observations(c.Context(), q.selection, q.order, after, q.limit, q.shown)
	if err != nil {
		return nil, err
	}
	page := searchedList[rowBody]{list: list[rowBody]{endpoint.Map(rows, newRowBody), cursorOf(q.order, next)}}
	if next != nil {
		page.SearchedBack = timeOrNil(next.SearchedBack())
	}
	return page, nil
}

// QueryTraces returns a page of traces.
func (h *Handlers) QueryTraces(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, err := readRowsQuery(c)
	if err != nil {
		return nil, err
	}
	after := readCursor[explore.TracePlace](q.cursor, q.order)
	if err := q.body.Err(); err != nil {
		return nil, err
	}
	rows, next, err := h.explorer(scope).TraceRows(c.Context(), q.selection, q.order, after, q.limit, q.shown)
	if err != nil {
		return nil, err
	}
	bodies, err := h.traceBodies(c.Context(), scope, rows)
	if err != nil {
		return nil, err
	}
	page := searchedList[traceBody]{list: list[traceBody]{bodies, cursorOf(q.order, next)}}
	if next != nil {
		page.SearchedBack = timeOrNil(next.SearchedBack())
	}
	return page, nil
}

type entityBody struct {
	ID           string                    `json:"id"`
	FirstSeen    respond.Time              `json:"firstSeen"`
	LastSeen     respond.Time              `json:"lastSeen"`
	Duration     float64                   `json:"duration"` // seconds from the first start to the last end
	Traces       int                       `json:"traces"`
	Observations int                       `json:"observations"`
	TotalCost    float64                   `json:"totalCost"`
	InputCost    float64                   `json:"inputCost"`
	OutputCost   float64                   `json:"outputCost"`
	TotalTokens  int64                     `json:"totalTokens"`
	InputTokens  int64                     `json:"inputTokens"`
	OutputTokens int64                     `json:"outputTokens"`
	Errors       int                       `json:"errors"`
	Scores       map[string]scoreTallyBody `json:"scores"` // null if they were not asked for, or are too many
}

// scoreTallyBody sums up the scores of one name.
type scoreTallyBody struct {
	Count   int                  `json:"count"`
	Average *float64             `json:"average"`
	Values  []explore.ValueCount `json:"values"`
}

func newEntityBody(o *explore.Entity) entityBody {
	body := entityBody{
		ID: o.ID, FirstSeen: respond.Time(o.FirstSeen.Time()), LastSeen: respond.Time(o.LastSeen.Time()), Duration: o.Duration(),
		Traces: o.Traces, Observations: o.Observations, TotalCost: o.TotalCost, InputCost: o.InputCost, OutputCost: o.OutputCost,
		TotalTokens: o.TotalTokens, InputTokens: o.InputTokens, OutputTokens: o.OutputTokens, Errors: o.Errors,
	}
	if o.Scores != nil {
		body.Scores = make(map[string]scoreTallyBody, len(o.Scores))
	}
	for name, tally := range o.Scores {
		one := scoreTallyBody{Count: tally.Count, Values: domain.NotNil(tally.Texts)}
		if tally.Numbers > 0 {
			one.Average = new(tally.Sum / float64(tally.Numbers))
		}
		body.Scores[name] = one
	}
	return body
}

type sessionBody struct {
	entityBody
	Users       []string `json:"users"`
	Environment string   `json:"environment"`
}

type userBody struct {
	entityBody
	Sessions int `json:"sessions"`
}

// QuerySessions returns a page of sessions.
func (h *Handlers) QuerySessions(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	entities, next, err := h.entities(c, scope, explore.Sessions)
	if err != nil {
		return nil, err
	}
	return list[sessionBody]{endpoint.Map(entities, func(o *explore.Entity) sessionBody {
		return sessionBody{newEntityBody(o), domain.NotNil(o.Users), cmp.Or(o.Environment, "default")}
	}), next}, nil
}

// QueryUsers returns a page of users.
func (h *Handlers) QueryUsers(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	entities, next, err := h.entities(c, scope, explore.Users)
	if err != nil {
		return nil, err
	}
	return list[userBody]{endpoint.Map(entities, func(o *explore.Entity) userBody { return userBody{newEntityBody(o), o.Sessions} }), next},
		nil
}

func (h *Handlers) entities(c *endpoint.Call, scope domain.ProjectScope, kind explore.EntityKind) ([]*explore.Entity, *string, error) {
	b := c.Body().Object()
	q := &explore.EntityQuery{
		Kind: kind, Order: readOrder(b.Field("order"), kind.Orders()), Limit: readLimit(b, defaultRows, maxRows),
	}
	q.Part = decode.NullishOr(b.Field("search"), func(v decode.Value) string { return v.TrimmedLen(0, maxPart) }, "")
	q.After = readCursor[explore.EntityCursor](b.Field("cursor"), q.Order)
	q.Scores = decode.NullishOr(b.Field("scores"), decode.Value.Bool, false)
	s, err := readConditions(b)
	b.Strict()
	if err != nil {
		return nil, nil, err
	}
	if err := b.Err(); err != nil {
		return nil, nil, err
	}
	entities, next, err := h.explorer(scope).Entities(c.Context(), s, q)
	return entities, cursorOf(q.Order, next), err
}
