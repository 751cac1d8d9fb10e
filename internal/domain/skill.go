package domain

import (
	"encoding/json"
	"time"
)

// SkillManifest is the file that every skill has: its frontmatter says what the skill is called and what it is for.
const SkillManifest = "SKILL.md"

// Skill is one version of a skill, which is a set of text files for coding assistants. Its files never change, its labels and tags do.
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

// SkillFile is a file of a skill. Files with the same content share it.
type SkillFile struct {
	ID     string
	Path   string
	BlobID string // of the content
	Hash   string // SHA-256 of the content, in base64
	Length int    // of the content, in bytes
}

// NewSkillFile is a file that a new version shall have: with a content, or with that of another file of the project, by its hash.
type NewSkillFile struct {
	Path, Hash string
	Content    *string
}

// SkillSummary is what a list tells of the versions of one name.
type SkillSummary struct {
	Name, Description    string // the latter is that of the latest version
	Tags                 []string
	Latest               int
	CreatedAt, UpdatedAt time.Time // of the latest version
	Production           *int      // the version with that label
}
