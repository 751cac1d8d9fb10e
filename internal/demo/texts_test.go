package demo

import (
	"encoding/json"
	"testing"
)

// TestTexts checks that the files contain no dangling references.
func TestTexts(t *testing.T) {
	all := readTexts()
	for _, s := range append(all.support.Scenarios, &scenario{Topic: "closing", Turns: []*turn{all.support.Closing}}) {
		for n, turn := range s.Turns {
			for _, name := range turn.Uses {
				if use := all.support.Uses[name]; use.Tool == "" || use.Takes == 0 || use.Arguments == "" || use.Result == "" {
					t.Errorf("turn %d about %s uses %q, of which something is missing", n, s.Topic, name)
				}
			}
			if len(turn.Says) == 0 || len(turn.Answers) == 0 && !turn.Hostile {
				t.Errorf("turn %d about %s has no question or no answer", n, s.Topic)
			}
		}
	}
	for _, q := range all.handbook.Questions {
		for _, id := range q.Passages {
			if d := all.handbook.Documents[id]; d.Title == "" || d.Text == "" {
				t.Errorf("the question %q has the passage %s, which is missing", q.Asked[0], id)
			}
		}
	}
	var tools []struct{ Function struct{ Name string } }
	if err := json.Unmarshal(all.tools, &tools); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, tool := range tools {
		known[tool.Function.Name] = true
	}
	for name, use := range all.support.Uses {
		if !known[use.Tool] {
			t.Errorf("%q uses the tool %q, which the model is not told of", name, use.Tool)
		}
	}
}
