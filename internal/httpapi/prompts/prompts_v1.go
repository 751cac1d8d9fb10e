package prompts

import (
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
)

// PromptsSuccessor is the path that replaces the routes in this file.
const PromptsSuccessor = "/api/public/v2/prompts"

// GetPromptV1 returns the version of a prompt named by the parameters.
func (h *Handlers) GetPromptV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	ref := domain.PromptReference{Name: q.RequiredString("name"), Version: promptVersion(q)}
	if err := q.Err(); err != nil {
		return nil, err
	}
	return h.readPrompt(c, scope, ref, true)
}

// CreatePromptV1 stores a new version of a prompt, optionally in production.
func (h *Handlers) CreatePromptV1(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	active := false
	withActive := func(read func(decode.Value) domain.Prompt) func(decode.Value) domain.Prompt {
		return func(v decode.Value) domain.Prompt {
			p := read(v)
			if v.Kind() == "object" {
				active = v.Object().Field("isActive").Bool()
			}
			return p
		}
	}
	body := c.Body()
	n := decode.Union(body, withActive(readTextPrompt), withActive(readChatPrompt))
	n, err := withReferences(n, body.Err())
	if err != nil {
		return nil, err
	}
	if active {
		n.Labels = append(n.Labels, domain.ProductionLabel)
	}
	return h.storePrompt(c, scope, n)
}
