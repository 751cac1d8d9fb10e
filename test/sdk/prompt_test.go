package sdk

import (
	"strings"
	"testing"
)

// TestPythonPrompts manages prompts with the Python client, and links a generation to one.
func TestPythonPrompts(t *testing.T) {
	for name, program := range map[string]string{"newest": python, "previous major": previousPython} {
		t.Run(name, func(t *testing.T) {
			if out := run(t, environment(t), program, "prompt_check.py"); !strings.HasSuffix(out, "ok\n") {
				t.Error(out)
			}
		})
	}
}

// TestJavaScriptPrompts does the same with the JavaScript client.
func TestJavaScriptPrompts(t *testing.T) {
	if out := run(t, environment(t), "node", "prompt_check.mjs"); !strings.HasSuffix(out, "ok\n") {
		t.Error(out)
	}
}
