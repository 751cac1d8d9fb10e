package legacy

import (
	"context"
	"testing"

	"almanac/internal/domain"
)

func TestPromptsAreLinked(t *testing.T) {
	b := newBench(t)
	b.in.LinkPrompts = func(_ context.Context, _ domain.ProjectScope, rows []domain.Observation) {
		for n := range rows {
			if rows[n].PromptName == "greeting" {
				rows[n].PromptID = "prompt-id"
			}
		}
	}
	b.send(ev(1, "generation-create", `{"id":"a","traceId":"t","promptName":"greeting","promptVersion":1}`),
		ev(2, "span-create", `{"id":"b","traceId":"t"}`))
	rows := b.rows("t")
	if rows["a"].PromptID != "prompt-id" || rows["b"].PromptID != "" {
		t.Errorf("linked to %q and %q", rows["a"].PromptID, rows["b"].PromptID)
	}
}
