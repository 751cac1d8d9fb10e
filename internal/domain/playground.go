package domain

import (
	"encoding/json"
	"time"
)

// PlaygroundEnvironment is the environment of the traces of playground runs. Lists hide it unless it is asked for.
const PlaygroundEnvironment = "almanac-playground"

// LLMTool is a tool that a project keeps for its playgrounds: a function that a model may ask for.
type LLMTool struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"` // unique within the project
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // a JSON Schema of an object
	CreatedAt   time.Time       `json:"-"`
	UpdatedAt   time.Time       `json:"-"`
}

// LLMSchema is a JSON Schema that a project keeps for its playgrounds, for structured answers.
type LLMSchema struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"` // unique within the project
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"` // of an object
	CreatedAt   time.Time       `json:"-"`
	UpdatedAt   time.Time       `json:"-"`
}

// Playground is the saved state of the playground, which everybody in the project who may run it can open.
type Playground struct {
	ID        string
	Name      string          // unique within the project
	State     json.RawMessage // an object of the web application's making; nil in lists
	ChangedBy string          // the id of the user who saved it last
	CreatedAt time.Time
	UpdatedAt time.Time
}

// DefaultModel is the model that a project uses where none is chosen.
type DefaultModel struct {
	Provider string `json:"connection"` // the name of the connection
	Model    string `json:"model"`
}

// ModelRun is what the audit log records of a call of a model by a person; none of its texts.
type ModelRun struct {
	TraceID       string
	Provider      string
	Model         string
	PromptName    string // "" for no prompt
	PromptVersion int
}
