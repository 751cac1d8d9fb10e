package domain

import "time"

// Comment is what somebody has to say about a trace, an observation, a session or a prompt.
type Comment struct {
	ID           string
	ObjectType   string
	ObjectID     string
	Content      string
	AuthorUserID *string
	CreatedAt    time.Time
	UpdatedAt    time.Time
}
