package metrics

import (
	"context"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/memory"
	"almanac/internal/store"
	"almanac/internal/traces"
)

// assembled is a trace that was put together.
type assembled struct {
	traces.Assembly
	summary *domain.TraceSummary
	// observations is how many rows there are that do not stand for the trace.
	observations int
	cost         domain.OptFloat
	models       map[string]*ModelUsage // what its rows used, by model
}

// What is held for each trace, and for each model in it, beside long texts; about.
const (
	assembledBytes = 1500
	usageBytes     = 250
)

// assembleTraces puts traces together from all of their rows.
func assembleTraces(
	ctx context.Context, from store.Store, scope domain.ProjectScope, ids []string, want store.Want, held *memory.Tally,
) (map[string]*assembled, error) {
	found := make(map[string]*assembled, len(ids))
	for o, err := range from.Observations().Lookup(ctx, scope, store.Lookup{TraceIDs: ids, Want: want}) {
		if err != nil {
			return nil, err
		}
		t := found[o.TraceID]
		bytes := int64(0)
		if t == nil {
			t = new(assembled)
			found[strings.Clone(o.TraceID)] = t
			bytes += assembledBytes
		}
		if t.models[o.Model] == nil {
			bytes += int64(usageBytes + len(o.Model))
		}
		if want != 0 {
			bytes += t.Needs(o) + t.NeedsContent(o)
		}
		if err := held.Add(bytes); err != nil {
			return nil, err
		}
		t.Add(o)
		if want != 0 {
			t.AddContent(o)
		}
		if !o.IsStandIn() {
			t.observations++
			t.addUsage(o)
		}
	}
	for _, t := range found {
		t.summary = t.Summary()
		t.cost.Value = t.summary.TotalCost
	}
	return found, nil
}

// addUsage adds what a row used.
func (t *assembled) addUsage(o *domain.Observation) {
	t.cost.Set = t.cost.Set || o.TotalCost.Set
	usage := t.models[o.Model]
	if usage == nil {
		if t.models == nil {
			t.models = make(map[string]*ModelUsage)
		}
		usage = &ModelUsage{Model: strings.Clone(o.Model), Traces: 1}
		t.models[usage.Model] = usage
	}
	usage.Input, usage.Output, usage.Total = usage.Input+o.InputTokens, usage.Output+o.OutputTokens, usage.Total+o.TotalTokens.Value
	usage.Cost.Add(o.TotalCost.Value)
	usage.Observations++
}
