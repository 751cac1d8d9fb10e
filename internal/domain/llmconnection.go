package domain

import (
	"encoding/json"
	"fmt"
	"time"
)

// LLMConnection configures a project's access to the API of an LLM provider. Its secrets are sealed, that is, encrypted
// with a key that the catalog does not have.
type LLMConnection struct {
	ID                string          `json:"id"`
	Provider          string          `json:"provider"` // the project's name for it, unique within the project
	Adapter           string          `json:"adapter"`  // kind of API
	SealedSecret      string          `json:"-"`
	DisplaySecret     string          `json:"displaySecretKey"` // end of the secret, to recognize it
	BaseURL           *string         `json:"baseURL"`
	CustomModels      []string        `json:"customModels"`
	WithDefaultModels bool            `json:"withDefaultModels"`
	SealedHeaders     *string         `json:"-"` // JSON object of names and values; nil if there are none
	HeaderNames       []string        `json:"extraHeaderKeys"`
	Config            json.RawMessage `json:"config"` // nil if there is none
	CreatedAt         time.Time       `json:"-"`
	UpdatedAt         time.Time       `json:"-"`
}

// ConnectionSecretPlace returns the context that a secret of a connection is sealed for; which is "secret" or
// "headers".
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
