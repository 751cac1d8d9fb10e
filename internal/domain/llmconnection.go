package domain

import (
	"encoding/json"
	"fmt"
	"time"
)

// LLMConnection says how a project reaches the API of a provider of language models. Its secrets are sealed: they are
// encrypted with a key that the catalog does not have.
type LLMConnection struct {
	ID                string
	Provider          string // the project's name for it, unique within the project
	Adapter           string // which kind of API it is
	SealedSecret      string
	DisplaySecret     string // the end of the secret, to tell it from others
	BaseURL           *string
	CustomModels      []string
	WithDefaultModels bool
	SealedHeaders     *string // of a JSON object of names and values; nil if there are none
	HeaderNames       []string
	Config            json.RawMessage // nil if there is none
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// ConnectionSecretPlace names where a secret of a connection belongs, for who seals it: which is "secret" or "headers".
func ConnectionSecretPlace(scope ProjectScope, provider, which string) string {
	return fmt.Sprintf("LLM connection %q of project %q: %s", provider, scope.ProjectID(), which)
}

// The adapters.
const (
	AdapterAnthropic = "anthropic"
	AdapterOpenAI    = "openai"
	AdapterAzure     = "azure"
	AdapterBedrock   = "bedrock"
	AdapterVertexAI  = "google-vertex-ai"
	AdapterAIStudio  = "google-ai-studio"
)
