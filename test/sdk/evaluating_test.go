package sdk

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestEvaluatingPage runs the examples in docs/evaluating.md one after the other, as if pasted by a reader.
func TestEvaluatingPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/evaluating.md")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := startForTraces(t)
	environment := []string{"LANGFUSE_BASE_URL=" + s.URL, "LANGFUSE_PUBLIC_KEY=" + tracingKey, "LANGFUSE_SECRET_KEY=" + tracingSecret}
	programs := map[string]func(text string) string{
		"python": func(text string) string { return run(t, environment, python, "-c", text) },
		"js":     func(text string) string { return run(t, environment, "node", "--input-type=module", "-e", text) },
		"sh":     func(text string) string { return run(t, environment, "bash", "-c", "set -e\n"+text) },
	}
	// The output of each block, in the order of the page; the text at the end of the page is the output of the last
	// one.
	wanted := []struct {
		language string
		prints   []string
	}{
		{"sh", nil},
		{"python", nil},
		{"js", nil},
		{
			"sh", []string{
				`"name":"helpful","dataType":"BOOLEAN","value":true`, `"comment":"Short and right."`, `"value":"friendly"`,
				`"kind":"observation"`,
			},
		},
		{"sh", []string{`"id":"`, `"status":"PENDING"`}},
		{"python", []string{"model small 0.66", "model large 1.0"}},
		{"js", []string{"model guess 3"}},
		{"sh", []string{`"name":"model guess"`, `"itemCount":3`, `"name":"accuracy"`, `"metadata":{"model":"large"}`}},
		{"python", nil},
		{"text", nil},
	}
	blocks := regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	if len(blocks) != len(wanted) {
		t.Fatalf("the page has %d blocks, %d are expected", len(blocks), len(wanted))
	}
	last := ""
	for n, block := range blocks {
		language, text := block[1], block[2]
		if language != wanted[n].language {
			t.Fatalf("block %d is %s, want %s", n, language, wanted[n].language)
		}
		if language == "text" {
			if strings.TrimSpace(last) != strings.TrimSpace(text) {
				t.Errorf("the comparison prints\n%s\nthe page says\n%s", last, text)
			}
			continue
		}
		if strings.Contains(text, "pk-lf-…") {
			continue // the keys here are those of the test
		}
		last = programs[language](text)
		for _, part := range wanted[n].prints {
			if !strings.Contains(last, part) {
				t.Errorf("block %d lacks %s:\n%s", n, part, last)
			}
		}
	}
}
