package domain

import "time"

// The kinds of objects that can be annotated and commented on. Queues do not contain prompts.
const (
	ObjectTrace       = "TRACE"
	ObjectObservation = "OBSERVATION"
	ObjectSession     = "SESSION"
	ObjectPrompt      = "PROMPT"
)

// The states of an item of an annotation queue.
const (
	AnnotationPending   = "PENDING"
	AnnotationCompleted = "COMPLETED"
)

// AnnotationQueue holds objects for people to review and score, all with the same score configs.
type AnnotationQueue struct {
	ID             string
	Name           string // unique within the project
	Description    *string
	ScoreConfigIDs []string
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// AnnotationItem is one object in a queue. The object need not exist.
type AnnotationItem struct {
	ID          string
	QueueID     string
	ObjectType  string // all but ObjectPrompt
	ObjectID    string
	Status      string
	CompletedAt *time.Time // when it was last completed, even if it is pending again
	CreatedAt   time.Time
	UpdatedAt   time.Time
}
