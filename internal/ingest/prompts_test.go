package ingest

import (
	"context"
	"testing"

	"almanac/internal/domain"
)

// fakePrompts knows one version of one prompt and counts calls.
type fakePrompts struct {
	calls int
	asked map[domain.PromptReference]bool
}

func (f *fakePrompts) FillIDs(_ context.Context, scope domain.ProjectScope, ids map[domain.PromptReference]string) {
	f.calls++
	for ref := range ids {
		f.asked[ref] = true
		if scope.ProjectID() == "a" && ref == (domain.PromptReference{Name: "greeting", Version: 2}) {
			ids[ref] = "prompt-id"
		}
	}
}

func TestRowsAreLinkedToTheirPrompts(t *testing.T) {
	prompts := &fakePrompts{asked: make(map[domain.PromptReference]bool)}
	b := newBench(t, func(o *Options) { o.Prompts = prompts })
	generation := func(id string, more ...string) string {
		return span(id, "g", append([]string{"langfuse.observation.type", "generation"}, more...)...)
	}
	const name, version = "langfuse.observation.prompt.name", "langfuse.observation.prompt.version"
	if _, err := b.send(t, export(generation("00000000000000a1"), span("00000000000000a2", "s")), nil); err != nil {
		t.Fatal(err)
	}
	if prompts.calls != 0 {
		t.Error("an export without prompts was looked up")
	}
	if _, err := b.send(t, export(
		generation("00000000000000b1", name, "greeting", version, "2"),
		generation("00000000000000b2", name, "greeting", version, "2"),
		generation("00000000000000b3", name, "greeting", version, "3"),
		generation("00000000000000b4", name, "greeting"),
		generation("00000000000000b5", name, "greeting", version, "0"),
		span("00000000000000b6", "s", "langfuse.observation.type", "span", name, "greeting", version, "2"),
	), nil); err != nil {
		t.Fatal(err)
	}
	rows := b.table.batches[1]
	for n, want := range []string{"prompt-id", "prompt-id", "", "", "", ""} {
		if rows[n].PromptID != want {
			t.Errorf("row %s has the prompt %q, want %q", rows[n].ID, rows[n].PromptID, want)
		}
	}
	if prompts.calls != 1 || len(prompts.asked) != 2 {
		t.Errorf("%d questions about %v, want one about two versions", prompts.calls, prompts.asked)
	}
}
