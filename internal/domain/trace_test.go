package domain

import "testing"

func TestLevelOfTrace(t *testing.T) {
	for want, trace := range map[string]TraceSummary{
		"ERROR":   {ErrorCount: 1, WarningCount: 2, DefaultCount: 3, DebugCount: 4},
		"WARNING": {WarningCount: 1, DefaultCount: 3, DebugCount: 4},
		"DEFAULT": {DefaultCount: 1, DebugCount: 4},
		"DEBUG":   {DebugCount: 1},
		"":        {},
	} {
		if got := trace.Level(); got != want {
			t.Errorf("the level of %+v is %q, want %q", trace, got, want)
		}
	}
}
