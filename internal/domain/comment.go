package domain

import "time"

// Anchor is the place in a text that a comment belongs to.
type Anchor struct {
	// Field is input, output or metadata.
	Field string `json:"dataField"`
	// Path leads through the JSON of the field to a text, by names and by numbers of elements; it is empty if the field is no JSON.
	Path []string `json:"path"`
	// Start and End bound a part of the text, in UTF-16 code units.
	Start int `json:"rangeStart"`
	End   int `json:"rangeEnd"`
}

// Comment is what somebody has to say about a trace, an observation, a session or a prompt.
type Comment struct {
	ID           string
	ObjectType   string
	ObjectID     string
	Content      string
	AuthorUserID *string
	Anchor       *Anchor // nil: it is about the whole thing
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// ExportedComment is a comment as files show it.
type ExportedComment struct {
	ID          string
	Content     string
	AuthorEmail string // empty if there is no such user
	CreatedAt   time.Time
}
