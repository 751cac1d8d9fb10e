package domain

import (
	"encoding/json"
	"time"
)

// ExperimentEnvironment is the environment of the traces of experiments that the server runs.
const ExperimentEnvironment = "almanac-experiment"

// The states of a run of an experiment.
const (
	ExperimentQueued    = "queued"
	ExperimentRunning   = "running"
	ExperimentPaused    = "paused" // by a person, or because of Error
	ExperimentDone      = "done"   // every call was made, some of which may have failed
	ExperimentCancelled = "cancelled"
)

// ExperimentRun is an experiment that the server runs: each active item of a dataset is answered by a model.
type ExperimentRun struct {
	ID          string
	DatasetID   string
	DatasetName string
	Name        string // of the experiment; unique within the dataset
	Connection  string // the name of the LLM connection
	Model       string
	// Prompt is the version whose messages are sent; without a name there is none.
	Prompt PromptReference
	// Plan says what is done with each item. It is nil in lists.
	Plan json.RawMessage
	// AsOf is the time whose items are used.
	AsOf  time.Time
	State string
	Error string // why it was paused, unless a person did it

	// Total calls are to be made, one for each item and repetition; Done and Failed have been.
	Total, Done, Failed int64
	// Cost is the sum in US dollars, without the calls that are Unpriced.
	Cost                      float64
	Unpriced                  int64
	InputTokens, OutputTokens int64

	Actor      Actor
	ActorName  string
	StartedAt  *time.Time
	FinishedAt *time.Time
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// ExperimentCall is one call of a model for an item.
type ExperimentCall struct {
	ItemID     string
	Repetition int // from 0 on
}

// ExperimentOutcome is how a call ended.
type ExperimentOutcome struct {
	Failed                    bool
	Cost                      OptFloat
	InputTokens, OutputTokens int64
}
