package apitest

import (
	"encoding/json"

	"almanac/internal/domain"
)

// Manifest returns the contents of a SKILL.md.
func Manifest(name, description string) string {
	return "---\nname: " + name + "\ndescription: " + description + "\n---\n# Hello\n"
}

// SkillFiles returns the body of a request to create a skill with these files, given as alternating paths and contents.
func SkillFiles(pairs ...string) string {
	files := make([]map[string]string, 0, len(pairs)/2)
	for n := 0; n < len(pairs); n += 2 {
		files = append(files, map[string]string{"path": pairs[n], "content": pairs[n+1]})
	}
	body, err := json.Marshal(map[string]any{"files": files})
	if err != nil {
		panic(err)
	}
	return string(body)
}

// SkillWith returns the body of a request to create a skill with one file.
func SkillWith(name, description string) string {
	return SkillFiles(domain.SkillManifest, Manifest(name, description))
}
