package domain

import (
	"encoding/json"
	"fmt"
	"time"
)

// The types of prompts. All versions of a name have the same one.
const (
	PromptText = "text"
	PromptChat = "chat"
)

// The labels with a meaning of their own: the newest version has LatestLabel, always, and clients that ask for no version in
// particular get the one with ProductionLabel.
const (
	LatestLabel     = "latest"
	ProductionLabel = "production"
)

// Prompt is one version of a prompt. Its content never changes, its labels and tags do.
type Prompt struct {
	ID            string
	Name          string
	Version       int
	Type          string
	Text          string          // of a text prompt
	Messages      []PromptMessage // of a chat prompt
	Config        json.RawMessage
	Labels        []string // unique within a name
	Tags          []string // the same for all versions of a name
	CommitMessage *string
	CreatedBy     string
	CreatedAt     time.Time
	UpdatedAt     time.Time
	// References are the other prompts that the content names.
	References []PromptReference
}

// PromptMessage is a message of a chat prompt, or a place where the application puts messages of its own.
type PromptMessage struct {
	Role        string `json:"role"`
	Content     string `json:"content"`
	Placeholder string `json:"placeholder,omitempty"` // its name; empty for a message
}

// PromptReference names a version of a prompt, either by its number or, if that is 0, by a label.
type PromptReference struct {
	Name    string
	Version int
	Label   string
}

// String is how messages speak of it.
func (r PromptReference) String() string {
	if r.Version != 0 {
		return fmt.Sprintf("'%s' with version %d", r.Name, r.Version)
	}
	return fmt.Sprintf("'%s' with label '%s'", r.Name, r.Label)
}

// PromptSummary is what a list tells of the versions of one name.
type PromptSummary struct {
	Name          string
	Type          string
	Versions      []int
	Labels, Tags  []string
	LastUpdatedAt time.Time
	LastConfig    json.RawMessage
}
