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
	ID             string    `json:"id"`
	Name           string    `json:"name"` // unique within the project
	Description    *string   `json:"description"`
	ScoreConfigIDs []string  `json:"scoreConfigIds"`
	CreatedAt      time.Time `json:"-"`
	UpdatedAt      time.Time `json:"-"`
}

// AnnotationItem is one object in a queue. The object need not exist.
type AnnotationItem struct {
	ID          string     `json:"id"`
	QueueID     string     `json:"queueId"`
	ObjectID    string     `json:"objectId"`
	ObjectType  string     `json:"objectType"` // all but ObjectPrompt
	Status      string     `json:"status"`
	CompletedAt *time.Time `json:"-"` // when it was last completed, even if it is pending again
	CreatedAt   time.Time  `json:"-"`
	UpdatedAt   time.Time  `json:"-"`
}
