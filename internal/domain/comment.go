package domain

import "time"

// Anchor is the part of a text that a comment refers to.
type Anchor struct {
	// Field is input, output or metadata.
	Field string `json:"dataField"`
	// Path leads to a string within the JSON of the field, by member names and element indexes; it is empty if the field
	// is not JSON.
	Path []string `json:"path"`
	// Start and End delimit a range of the string, in UTF-16 code units.
	Start int `json:"rangeStart"`
	End   int `json:"rangeEnd"`
}

// Comment is a user's comment on a trace, an observation, a session or a prompt.
type Comment struct {
	ID           string    `json:"-"`
	ObjectType   string    `json:"objectType"`
	ObjectID     string    `json:"objectId"`
	Content      string    `json:"content"`
	AuthorUserID *string   `json:"authorUserId"`
	Anchor       *Anchor   `json:"-"` // nil if it is about the whole object
	CreatedAt    time.Time `json:"-"`
	UpdatedAt    time.Time `json:"-"`
}

// ExportedComment is a comment as written to export files.
type ExportedComment struct {
	ID          string
	Content     string
	AuthorEmail string // empty if the user does not exist
	CreatedAt   time.Time
}
