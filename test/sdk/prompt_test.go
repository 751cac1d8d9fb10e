package sdk

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/test/harness"
)

// TestPythonPrompts manages prompts with the Python client, and links a generation to one.
func TestPythonPrompts(t *testing.T) {
	t.Parallel()
	for name, program := range map[string]string{"newest": python, "previous major": previousPython} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out := run(t, environment(t), program, "prompt_check.py"); !strings.HasSuffix(out, "ok\n") {
				t.Error(out)
			}
		})
	}
}

// TestJavaScriptPrompts does the same with the JavaScript client.
func TestJavaScriptPrompts(t *testing.T) {
	t.Parallel()
	if out := run(t, environment(t), "node", "prompt_check.mjs"); !strings.HasSuffix(out, "ok\n") {
		t.Error(out)
	}
}

// TestPromptsPage runs the examples in docs/prompts.md one after the other, as if pasted by a reader.
func TestPromptsPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/prompts.md")
	if err != nil {
		t.Fatal(err)
	}
	s := harness.Start(t)
	repository := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q"}, {"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "--allow-empty", "-m", "Greet"},
	} {
		command := exec.Command("git", args...)
		command.Dir = repository
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if err := os.Symlink(harness.Binary(t), filepath.Join(repository, "almanac")); err != nil {
		t.Fatal(err)
	}
	environment := []string{"LANGFUSE_BASE_URL=" + s.URL, "LANGFUSE_PUBLIC_KEY=" + s.PublicKey, "LANGFUSE_SECRET_KEY=" + s.SecretKey}
	blocks := regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	said := []string{ // by each block
		"1 Hello Ada! {'temperature': 0.2}", "You help Ada.", `"labels":["production","latest"]`, "",
		`"prompt":"Good day, {{name}}. Thank you for your letter."`, "", `"meta":{"page":1,"limit":100,"totalPages":1,"totalItems":3}`, "0 new, 0 changed, 3 labelled, 0 unchanged, 0 refused",
	}
	if len(blocks) != len(said) {
		t.Fatalf("the page has %d examples, this test knows %d", len(blocks), len(said))
	}
	for n, block := range blocks {
		var out string
		switch language, code := block[1], block[2]; language {
		case "python":
			out = run(t, environment, python, "-c", code)
		case "js":
			out = run(t, environment, "node", "--input-type=module", "-e", code)
		case "sh":
			in := "cd '" + repository + "'; PATH=.:$PATH\n" // as in a repository, with the program installed
			out = run(t, environment, "bash", "-euo", "pipefail", "-c", in+code)
		default:
			t.Fatalf("no way to run %s", language)
		}
		if !strings.Contains(out, said[n]) {
			t.Errorf("example %d prints %s, want %s", n+1, out, said[n])
		}
	}
	if _, rows := s.Get(t, "/api/public/v2/observations?fields=prompt"); !strings.Contains(rows,
		`"promptName":"support/greeting","promptVersion":2`) || strings.Contains(rows, `"promptId":""`) {
		t.Errorf("the generation is not linked: %s", rows)
	}
	if code, body := s.Get(t, "/api/public/v2/prompts/support%2Fgreeting?version=1"); code != 404 {
		t.Errorf("the deleted version is answered %d %s", code, body)
	}
}
