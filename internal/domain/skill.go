package domain

import (
	"encoding/json"
	"time"
)

// SkillManifest is the file that every skill must have: its frontmatter names and describes the skill.
const SkillManifest = "SKILL.md"

// Skill is one version of a skill, which is a set of text files for coding assistants. Its files are immutable; its
// labels and tags are not.
type Skill struct {
	ID            string
	Name          string
	Version       int
	Description   string
	Frontmatter   json.RawMessage // an object
	Labels        []string        // unique within a name
	Tags          []string        // the same for all versions of a name
	CommitMessage *string
	CreatedBy     string
	CreatedAt     time.Time
	UpdatedAt     time.Time
	Files         []SkillFile
}

// SkillFile is a file of a skill. Files with the same content share a blob.
type SkillFile struct {
	ID     string
	Path   string
	BlobID string // of the content
	Hash   string // base64 SHA-256 of the content
	Length int    // of the content, in bytes
}

// NewSkillFile is a file of a new version: given by its content, or by the hash of an existing file of the project.
type NewSkillFile struct {
	Path, Hash string
	Content    *string
}

// SkillSummary summarizes the versions of one skill.
type SkillSummary struct {
	Name, Description    string // the description is that of the latest version
	Tags                 []string
	Latest               int
	CreatedAt, UpdatedAt time.Time // of the latest version
	Production           *int      // version with the production label
}
