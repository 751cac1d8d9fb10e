package sdk

import (
	"strings"
	"testing"
)

// TestMedia sends files with the clients, in spans and in dataset items, and resolves references to them.
func TestMedia(t *testing.T) {
	t.Parallel()
	for name, command := range map[string][2]string{
		"Python": {python, "media.py"}, "previous Python": {previousPython, "media.py"}, "JavaScript": {"node", "media.mjs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out := run(t, environment(t), command[0], command[1]); !strings.HasSuffix(out, "ok\n") {
				t.Error(out)
			}
		})
	}
}
