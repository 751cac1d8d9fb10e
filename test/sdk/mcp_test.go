package sdk

import (
	"strings"
	"testing"
)

func TestMCP(t *testing.T) {
	t.Parallel()
	if out := run(t, environment(t), python, "mcp_check.py"); !strings.HasSuffix(out, "ok\n") {
		t.Error(out)
	}
}
