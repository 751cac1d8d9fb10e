package apitest

import (
	"testing"

	"almanac/internal/domain"
)

// ExploreRows returns two traces of one session, one of which failed, and one trace without a root.
func ExploreRows() []domain.Observation {
	const second = 1_000_000
	start := domain.Micros(1_790_000_000 * second)
	return []domain.Observation{
		{
			TraceID: "t1", ID: "root", Type: "AGENT", Name: "checkout", StartTime: start, EndTime: start + 4*second, UserID: "ann",
			SessionID: "s1", Tags: []string{"beta"},
			Input:    `[{"role":"system","content":"be kind"},{"role":"user","content":"where is my \u5f53 order?"}]`,
			Output:   `{"role":"assistant","content":"On its way"}`,
			Metadata: `{"tenant":"acme","a.b":[1,2]}`, Environment: "production",
		},
		{
			TraceID: "t1", ID: "call", ParentID: "root", Type: "GENERATION", Name: "llm", StartTime: start + second,
			EndTime: start + 2*second, UserID: "ann", SessionID: "s1",
			Model: "gpt-x", InputTokens: 10, OutputTokens: 5, TotalTokens: domain.IntOf(15), TotalCost: domain.FloatOf(0.25),
			Environment: "production",
		},
		{
			TraceID: "t1", ID: "tool", ParentID: "call", Type: "TOOL", Name: "lookup", Level: "ERROR", StatusMessage: "no such order",
			StartTime: start + 2*second, EndTime: start + 3*second,
			UserID: "ann", SessionID: "s1", Output: "the needle", Environment: "production",
		},
		{
			TraceID: "t2", ID: "root", Type: "AGENT", Name: "checkout", StartTime: start + 60*second, EndTime: start + 61*second,
			UserID: "bob", SessionID: "s1", Input: "plain question", Environment: "staging",
		},
		{TraceID: "t3", ID: "orphan", ParentID: "gone", Type: "SPAN", Name: "late", StartTime: start + 120*second, UserID: "bob"},
		{TraceID: "t3", ID: "circle", ParentID: "circle", Type: "SPAN", Name: "round", StartTime: start + 121*second},
	}
}

// NewExplored returns a fixture with rows to explore, and a browser in which a member is signed in.
func NewExplored(t *testing.T) (*Fixture, *Browser) {
	t.Helper()
	f := New(t, nil)
	f.Keep(t, "project-a", ExploreRows(), []domain.Score{
		{ID: "1", TraceID: "t1", ObservationID: "call", Timestamp: 1, Name: "quality", DataType: "NUMERIC", Value: domain.FloatOf(0.5)},
		{ID: "2", TraceID: "t1", Timestamp: 1, Name: "mood", DataType: "CATEGORICAL", StringValue: "good"},
	})
	return f, f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
}
