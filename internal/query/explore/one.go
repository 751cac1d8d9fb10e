package explore

import (
	"context"

	"almanac/internal/filter"
	"almanac/internal/store"
)

// One calls use with an observation, read as want says. The trace id may be empty if it is not known. It reports
// whether the observation exists. The row is valid only during the call.
func (e *Explorer) One(ctx context.Context, traceID, id string, want store.Want, use func(*row) error) (found bool, err error) {
	if id == "" {
		return false, nil
	}
	this, err := filter.NewText(columnOf("id"), filter.Equal, id)
	if err != nil {
		return false, err
	}
	where := []condition{this}
	if traceID != "" {
		inTrace, err := filter.NewText(columnOf("traceId"), filter.Equal, traceID)
		if err != nil {
			return false, err
		}
		where = append(where, inTrace)
	}
	for o, err := range e.Store.Observations().Scan(ctx, e.Scope, store.Query[row]{Where: where, Limit: 1, Want: want}) {
		if err != nil {
			return false, err
		}
		return true, use(o)
	}
	return false, nil
}

// Texts are the potentially long texts of an observation, by the names that clients use.
var Texts = []Text{
	{"input", store.WantIO, func(o *row) string { return o.Input }},
	{"output", store.WantIO, func(o *row) string { return o.Output }},
	{"metadata", store.WantMetadata, func(o *row) string { return o.Metadata }},
	{"statusMessage", store.WantStatus, func(o *row) string { return o.StatusMessage }},
	{"modelParameters", store.WantDetails, func(o *row) string { return o.ModelParameters }},
	{"toolDefinitions", store.WantDetails, func(o *row) string { return o.ToolDefinitions }},
	{"toolCalls", store.WantDetails, func(o *row) string { return o.ToolCalls }},
	{"traceInput", store.WantTrace, func(o *row) string { return o.TraceInput }},
	{"traceOutput", store.WantTrace, func(o *row) string { return o.TraceOutput }},
	{"traceMetadata", store.WantTrace, func(o *row) string { return o.TraceMetadata }},
	{"experimentExpectedOutput", store.WantDetails, func(o *row) string { return o.ExperimentItemExpectedOutput }},
	{"experimentMetadata", store.WantDetails, func(o *row) string { return o.ExperimentMetadata }},
	{"experimentItemMetadata", store.WantDetails, func(o *row) string { return o.ExperimentItemMetadata }},
}

// Text is a potentially long text of an observation.
type Text struct {
	Name string
	Want store.Want
	Of   func(*row) string
}

// TextNamed returns a text by its name.
func TextNamed(name string) (Text, bool) {
	for _, t := range Texts {
		if t.Name == name {
			return t, true
		}
	}
	return Text{}, false
}
