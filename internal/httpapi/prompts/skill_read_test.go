package prompts

import "testing"

// TestTypesOfSkillFiles: files that a browser would run are plain text.
func TestTypesOfSkillFiles(t *testing.T) {
	for name, want := range map[string]string{
		"SKILL.md": "text/markdown", "a/b.json": "application/json", "c.yaml": "application/yaml", "c.yml": "application/yaml",
		"d.csv":  "text/csv",
		"e.html": "text/plain", "f.svg": "text/plain", "g.js": "text/plain", "json": "text/plain", "": "text/plain",
	} {
		if got := skillFileType(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
}
