package traces

import (
	"iter"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/traces"
	"almanac/internal/store"
)

// ListObservationsV1 returns a numbered page of observations, newest first.
func (h *Handlers) ListObservationsV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	page, user, query, err := readObservationsV1Query(c.Query())
	if err != nil {
		return nil, err
	}
	if user != nil {
		anything, err := h.ofUser(c, scope, *user, &query)
		if err != nil || !anything {
			return endpoint.PageMeta{Page: page, Total: 0}.Empty(), err
		}
	}
	total, err := store.CountRows(c.Context(), h.Store.Observations(), scope, query)
	if err != nil {
		return nil, err
	}
	meta := endpoint.PageMeta{Page: page, Total: total}
	if page.Offset() >= total {
		return meta.Empty(), nil
	}
	if page.Offset() > 0 {
		if query.After, err = h.positionOf(c, scope, query, page.Offset()); err != nil {
			return nil, err
		}
		if query.After == nil { // rows were deleted in the meantime
			return meta.Empty(), nil
		}
	}
	prices, err := h.unitPrices(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	query.Limit, query.Want = page.Limit, observationV1Want
	project := scope.ProjectID()
	list := &endpoint.List[domain.Observation]{
		Rows: h.Store.Observations().Scan(c.Context(), scope, query), Limit: page.Limit, Finish: meta.AppendTo,
		Write: func(dst []byte, row *domain.Observation, flush respond.Flush) []byte {
			return respond.AppendObservationV1(dst, row, project, prices, flush)
		},
	}
	return list.Answer(c)
}

// readObservationsV1Query reads the parameters, in the order in which their issues are reported.
func readObservationsV1Query(q *decode.Query) (page decode.Page, user *string, query store.Query[domain.Observation], err error) {
	page = q.Page(endpoint.DefaultPage)
	f := new(fixedConditions)
	addText := func(name string) {
		if text := q.String(name); text != nil {
			f.texts = append(f.texts, endpoint.EqualParam{Column: name, Text: *text})
		}
	}
	addEnum := func(name string, allowed []string) {
		if text := q.Enum(name, allowed...); text != "" {
			f.texts = append(f.texts, endpoint.EqualParam{Column: name, Text: text})
		}
	}
	addEnum("type", observationTypes)
	addText("name")
	user = q.String("userId")
	addEnum("level", observationLevels)
	addText("traceId")
	addText("version")
	addText("parentObservationId")
	if environments := q.List("environment"); len(environments) > 0 {
		f.lists = append(f.lists, endpoint.FixedList{Column: "environment", Texts: environments})
	}
	f.from, f.to = domain.MicrosOf(q.Time("fromStartTime")), domain.MicrosOf(q.Time("toStartTime"))
	text := endpoint.ValueOr(q.String("filter"), "")
	if err := q.Err(); err != nil {
		return page, nil, query, err
	}
	where, err := endpoint.ParseFilter(filter.Observations(), text)
	if err == nil {
		err = refuseMatches(where)
	}
	if err != nil {
		return page, nil, query, err
	}
	if filter.Addresses(where, filter.ObservationColumn("userId")) {
		user = nil
	}
	if err := f.apply(&query, where); err != nil {
		return page, nil, query, err
	}
	noRecords, err := filter.NewTexts(filter.ObservationColumn("ingestionSource"), filter.NoneOf, []string{domain.SourceIngestionTrace})
	query.Where = append(query.Where, noRecords)
	return page, user, query, err
}

// withoutTraceRecords skips rows that represent a trace itself: the deprecated routes return those as traces.
func withoutTraceRecords(rows iter.Seq2[*domain.Observation, error]) iter.Seq2[*domain.Observation, error] {
	return func(yield func(*domain.Observation, error) bool) {
		for row, err := range rows {
			if err == nil && row.IsTraceRecord() {
				continue
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// ofUser restricts a query to traces of a user, whichever of their rows names the user. It returns false if there is no
// such trace.
func (h *Handlers) ofUser(c *endpoint.Call, scope domain.ProjectScope, user string, query *store.Query[domain.Observation]) (bool, error) {
	hasUser, err := filter.NewText(filter.TraceColumn("userId"), filter.Equal, user)
	if err != nil {
		return false, err
	}
	ids, err := h.Finder(scope).Matching(c.Context(), &traces.Query{Where: []traceCondition{hasUser}})
	if err != nil || len(ids) == 0 {
		return false, err
	}
	named, err := filter.NewTexts(filter.ObservationColumn("traceId"), filter.AnyOf, ids)
	query.Where = append(query.Where, named)
	return true, err
}

// refuseMatches rejects the operator matches, which the deprecated routes do not support.
func refuseMatches[R any](where []filter.Condition[R]) error {
	for n := range where {
		if where[n].Operator() == filter.Matches {
			return respond.InvalidRequest("`matches` is not supported here. Use GET " + ObservationsSuccessor + " instead.")
		}
	}
	return nil
}

// positionOf returns the position of the row with a number, counted from 1; nil if there are fewer rows.
func (h *Handlers) positionOf(
	c *endpoint.Call, scope domain.ProjectScope, query store.Query[domain.Observation], number int,
) (position *store.Position, err error) {
	query.Limit = number
	n := 0
	for row, err := range h.Store.Observations().Scan(c.Context(), scope, query) {
		if err != nil {
			return nil, err
		}
		if n++; n == number {
			position = &store.Position{Millis: row.StartTime.Millis(), TraceID: strings.Clone(row.TraceID), ID: strings.Clone(row.ID)}
		}
	}
	return position, nil
}

// GetObservation returns one observation. If several traces have one with this id, it returns the newest.
func (h *Handlers) GetObservation(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	prices, err := h.unitPrices(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	id := c.Path("observationId")
	rows := h.Store.Observations().Lookup(c.Context(), scope, store.Lookup{IDs: []string{id}, Want: observationV1Want})
	return c.Stream(func(p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
		for row, err := range withoutTraceRecords(rows) {
			if err != nil {
				return nil, err
			}
			return respond.AppendObservationV1(dst, row, scope.ProjectID(), prices, p.Flush), nil
		}
		return nil, respond.NotFound("Observation with id " + id + " not found")
	})
}

// ObservationsSuccessor is the path that replaces the deprecated reads of observations, traces and sessions.
const ObservationsSuccessor = "/api/public/v2/observations"
