package memory

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

func TestContainerLimit(t *testing.T) {
	cases := []struct {
		name       string
		membership string
		files      map[string]string
		want       int64
	}{
		{"version 2", "0::/app\n", map[string]string{"app/memory.max": "1000\n"}, 1000},
		{"limit of a group above", "0::/a/b\n", map[string]string{"a/b/memory.max": "max\n", "a/memory.max": "500\n"}, 500},
		{"the smallest counts", "0::/a/b\n", map[string]string{"a/b/memory.max": "400\n", "a/memory.max": "500\n"}, 400},
		{"path not visible inside", "0::/docker/x\n", map[string]string{"memory.max": "700\n"}, 700},
		{"no limit", "0::/a\n", map[string]string{"a/memory.max": "max\n"}, 0},
		{"version 1", "4:cpu:/x\n5:memory:/x\n", map[string]string{"memory/x/memory.limit_in_bytes": "900\n"}, 900},
		{"version 1 without a limit", "5:memory:/x\n", map[string]string{"memory/x/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
		{"nothing there", "", nil, 0},
		{"nonsense", "what\n0::/a\n", map[string]string{"a/memory.max": "many\n"}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			membership := filepath.Join(root, "membership")
			write(t, membership, c.membership)
			for name, content := range c.files {
				write(t, filepath.Join(root, name), content)
			}
			if got := containerLimit(membership, root); got != c.want {
				t.Errorf("limit %d, want %d", got, c.want)
			}
		})
	}
	if got := containerLimit("/nonexistent", "/nonexistent"); got != 0 {
		t.Errorf("without control groups the limit is %d", got)
	}
}

func TestLimit(t *testing.T) {
	if got := Limit(123); got != 123 {
		t.Errorf("a configured limit of 123 is %d", got)
	}
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	Apply(0)
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("no budget changed the limit from %d to %d", before, got)
	}
	const budget = 100 << 30
	Apply(budget)
	if got := debug.SetMemoryLimit(-1); got != 85<<30 {
		t.Errorf("a budget of 100 GB sets the limit to %d", got)
	}
}

func TestSoftLimit(t *testing.T) {
	for _, c := range []struct{ budget, program, want int64 }{
		{1000, 0, 850},
		{1000, 100, 800},
		{1000, 150, 750},
		{1000, 5000, 500},
	} {
		if got := softLimit(c.budget, c.program); got != c.want {
			t.Errorf("a budget of %d for a program of %d: %d, want %d", c.budget, c.program, got, c.want)
		}
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
