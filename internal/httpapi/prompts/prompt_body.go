package prompts

import (
	"encoding/json"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/prompts"
)

// promptBody is a version of a prompt as clients see it.
type promptBody struct {
	ID            string          `json:"id"`
	CreatedAt     respond.Time    `json:"createdAt"`
	UpdatedAt     respond.Time    `json:"updatedAt"`
	ProjectID     string          `json:"projectId"`
	CreatedBy     string          `json:"createdBy"`
	Prompt        any             `json:"prompt"`
	Name          string          `json:"name"`
	Version       int             `json:"version"`
	Type          string          `json:"type"`
	IsActive      *bool           `json:"isActive"`
	Config        json.RawMessage `json:"config"`
	Tags          []string        `json:"tags"`
	Labels        []string        `json:"labels"`
	CommitMessage *string         `json:"commitMessage"`
}

// readPromptBody is the response to a read, which includes the prompts from which a prompt is composed.
type readPromptBody struct {
	promptBody
	ResolutionGraph *promptGraphBody `json:"resolutionGraph"`
}

type promptGraphBody struct {
	Root         promptRootBody            `json:"root"`
	Dependencies map[string][]prompts.Node `json:"dependencies"`
}

type promptRootBody struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	ID      string `json:"id"`
}

type messageOfPrompt struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type placeholderOfPrompt struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

// newPromptBody returns the response to a write of a version.
func newPromptBody(p domain.Prompt, project string) promptBody {
	body := promptBody{
		ID: p.ID, CreatedAt: respond.Time(p.CreatedAt), UpdatedAt: respond.Time(p.UpdatedAt), ProjectID: project, CreatedBy: p.CreatedBy,
		Prompt: p.Text, Name: p.Name, Version: p.Version, Type: p.Type, Config: p.Config,
		Tags: domain.NotNil(p.Tags), Labels: domain.NotNil(p.Labels), CommitMessage: p.CommitMessage,
	}
	if p.Type == domain.PromptChat {
		messages := make([]any, len(p.Messages))
		for n, message := range p.Messages {
			if message.Placeholder != "" {
				messages[n] = placeholderOfPrompt{placeholderMessageType, message.Placeholder}
			} else {
				messages[n] = messageOfPrompt{message.Role, message.Content}
			}
		}
		body.Prompt = messages
	}
	return body
}

// newReadPromptBody returns the response to a read of a version.
func newReadPromptBody(p domain.Prompt, graph *prompts.Graph, project string) readPromptBody {
	body := readPromptBody{promptBody: newPromptBody(p, project)}
	body.IsActive = new(slices.Contains(p.Labels, domain.ProductionLabel))
	if graph != nil {
		root := graph.Root
		body.ResolutionGraph = &promptGraphBody{promptRootBody{root.Name, root.Version, root.ID}, graph.Dependencies}
	}
	return body
}

// promptSummaryBody is a prompt in a list.
type promptSummaryBody struct {
	Name          string          `json:"name"`
	Type          string          `json:"type"`
	Versions      []int           `json:"versions"`
	Labels        []string        `json:"labels"`
	Tags          []string        `json:"tags"`
	LastUpdatedAt respond.Time    `json:"lastUpdatedAt"`
	LastConfig    json.RawMessage `json:"lastConfig"`
}

func newPromptSummaryBody(s *domain.PromptSummary) promptSummaryBody {
	return promptSummaryBody{
		Name: s.Name, Type: s.Type, Versions: s.Versions, Labels: domain.NotNil(s.Labels), Tags: domain.NotNil(s.Tags),
		LastUpdatedAt: respond.Time(s.LastUpdatedAt), LastConfig: s.LastConfig,
	}
}
