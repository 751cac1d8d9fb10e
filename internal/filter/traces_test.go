package filter_test

import (
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// TestTraces checks every column of traces on a trace that has everything.
func TestTraces(t *testing.T) {
	trace := &domain.TraceSummary{
		ID: "t", Name: "n", UserID: "u", SessionID: "s", Environment: "e", Version: "v", Release: "r", Tags: []string{"a"},
		Bookmarked: true,
		Timestamp:  5_000, Metadata: `{"k":"m"}`, LatencyMillis: 1500, InputTokens: 1, OutputTokens: 2, TotalTokens: 3, InputCost: 4,
		OutputCost: 5,
		TotalCost:  6, ErrorCount: 7, WarningCount: 8, DefaultCount: 9, DebugCount: 10,
	}
	conditions := map[string]string{
		"id": `"string","operator":"=","value":"t"`, "name": `"string","operator":"=","value":"n"`,
		"userId":    `"string","operator":"=","value":"u"`,
		"sessionId": `"string","operator":"=","value":"s"`, "environment": `"stringOptions","operator":"any of","value":["e"]`,
		"version": `"string","operator":"=","value":"v"`, "release": `"string","operator":"=","value":"r"`,
		"tags": `"arrayOptions","operator":"all of","value":["a"]`, "bookmarked": `"boolean","operator":"=","value":true`,
		"timestamp": `"datetime","operator":"<=","value":5`, "metadata": `"stringObject","key":"k","operator":"=","value":"m"`,
		"level": `"string","operator":"=","value":"ERROR"`, "latency": `"number","operator":"=","value":1.5`,
		"inputTokens": `"number","operator":"=","value":1`, "outputTokens": `"number","operator":"=","value":2`,
		"totalTokens": `"number","operator":"=","value":3`, "inputCost": `"number","operator":"=","value":4`,
		"outputCost": `"number","operator":"=","value":5`, "totalCost": `"number","operator":"=","value":6`,
		"errorCount": `"number","operator":"=","value":7`, "warningCount": `"number","operator":"=","value":8`,
		"defaultCount": `"number","operator":"=","value":9`, "debugCount": `"number","operator":"=","value":10`,
	}
	if got := len(filter.Traces().Columns()); got != len(conditions) {
		t.Errorf("traces have %d columns, want %d", got, len(conditions))
	}
	for _, column := range filter.Traces().Columns() {
		for _, name := range append(column.Aliases(), column.ID()) {
			text := `[{"column":"` + name + `","type":` + conditions[column.ID()] + `}]`
			parsed, err := filter.Parse(filter.Traces(), text, filter.DefaultLimits())
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			if !parsed[0].Match(trace) {
				t.Errorf("the trace does not meet %s", text)
			}
			if parsed[0].Match(&domain.TraceSummary{Timestamp: 6_000}) {
				t.Errorf("an empty trace meets %s", text)
			}
		}
	}
}
