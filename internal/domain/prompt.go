package domain

import (
	"encoding/json"
	"fmt"
	"time"
)

// The types of prompts. All versions of a prompt have the same type.
const (
	PromptText = "text"
	PromptChat = "chat"
)

// The labels with a special meaning: the newest version always has LatestLabel, and clients that do not ask for a
// specific version get the one with ProductionLabel.
const (
	LatestLabel     = "latest"
	ProductionLabel = "production"
)

// Prompt is one version of a prompt. Its content is immutable; its labels and tags are not.
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
	// References are the prompts that the content refers to.
	References []PromptReference
}

// PromptMessage is a message of a chat prompt, or a placeholder for messages of the application.
type PromptMessage struct {
	Role        string `json:"role"`
	Content     string `json:"content"`
	Placeholder string `json:"placeholder,omitempty"` // name of the placeholder; empty for a message
}

// PromptReference refers to a version of a prompt, by its number or, if that is 0, by a label.
type PromptReference struct {
	Name    string
	Version int
	Label   string
}

// String returns the form used in messages.
func (r PromptReference) String() string {
	if r.Version != 0 {
		return fmt.Sprintf("'%s' with version %d", r.Name, r.Version)
	}
	return fmt.Sprintf("'%s' with label '%s'", r.Name, r.Label)
}

// PromptSummary summarizes the versions of one prompt.
type PromptSummary struct {
	Name          string
	Type          string
	Versions      []int
	Labels, Tags  []string
	LastUpdatedAt time.Time
	LastConfig    json.RawMessage
}
