package sdk

import (
	"strings"
	"testing"
)

// TestMCP calls tools with the official MCP clients.
func TestMCP(t *testing.T) {
	t.Parallel()
	for name, command := range map[string][2]string{"Python": {python, "mcp_check.py"}, "TypeScript": {"node", "mcp_check.mjs"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out := run(t, environment(t), command[0], command[1]); !strings.HasSuffix(out, "ok\n") {
				t.Error(out)
			}
		})
	}
}
