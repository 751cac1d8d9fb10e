package prompts

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/decode"
	"almanac/internal/httpapi/respond"
)

// FuzzNewPrompt reads arbitrary bodies. The response to an accepted one, sent again, yields the same prompt.
func FuzzNewPrompt(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"name":"a","prompt":"b"}`,
		`{"name":" a ","prompt":"{{x}} @@@langfusePrompt:name=b|version=1@@@","labels":["l"],"tags":["t"],"config":[1],"commitMessage":"m"}`,
		`{"name":"a","type":"chat","prompt":[{"role":"r","content":"{{c}}"},{"type":"placeholder","name":"p"}]}`,
		`{"name":"a","type":"chat","prompt":[1]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if decode.CheckJSON(body) != nil {
			return
		}
		p, err := readNewPrompt(decode.NewBody(body))
		if err != nil {
			return
		}
		answer, err := respond.Marshal(newPromptBody(p, "project"))
		if err != nil {
			t.Fatalf("%s cannot be written: %v", body, err)
		}
		again, err := readNewPrompt(decode.NewBody(answer))
		if err != nil {
			t.Fatalf("%s is refused as %s: %v", body, answer, err)
		}
		if p.Tags == nil {
			p.Tags = []string{}
		}
		if p.Labels == nil {
			p.Labels = []string{}
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Errorf("%s becomes another prompt (-first +again):\n%s", body, diff)
		}
	})
}
