package llm

import (
	"net/url"
	"strings"
)

// openAI is OpenAI, and servers that are compatible with it.
func openAI(conn Connection, req Request) (*service, error) {
	var settings struct {
		Responses bool `json:"useResponsesApi"`
	}
	if err := conn.settings(&settings); err != nil {
		return nil, err
	}
	base := conn.base("https://api.openai.com/v1")
	if strings.Contains(base, "{model}") {
		if req.Model == "." || req.Model == ".." {
			return nil, misconfigured("The name of the model is part of the base URL of the connection: it cannot be just dots.")
		}
		base = strings.ReplaceAll(base, "{model}", url.PathEscape(req.Model))
	}
	conn.BaseURL = base
	host := conn.host()
	s := &service{
		name: "OpenAI", headers: map[string]string{"Authorization": "Bearer " + conn.Secret}, extraHeaders: true,
		compatible:   host != "api.openai.com" && !strings.HasSuffix(host, ".api.openai.com"),
		environments: host == "openrouter.ai", rungs: []Rung{NativeRung, ToolRung, ModeRung, PromptRung},
	}
	path := "/chat/completions"
	s.dialect = func(out *collector) dialect { return &chat{out: out} }
	if settings.Responses {
		path = "/responses"
		s.dialect = func(out *collector) dialect { return &responses{out: out} }
	}
	s.address = func(bool) (string, error) { return under(base, path), nil }
	if s.compatible {
		s.name = "The server at " + host
		return s, nil
	}
	s.family = openAIFamily(req.Model)
	if olderOpenAI(req.Model) {
		s.rungs = s.rungs[1:]
	}
	return s, nil
}

// azure is OpenAI's models at Azure. The name of the model is that of a deployment.
func azure(conn Connection, req Request) (*service, error) {
	if conn.BaseURL == "" {
		return nil, misconfigured("A connection to Azure needs a base URL, such as https://name.openai.azure.com/openai.")
	}
	prefix, _, _ := strings.Cut(conn.BaseURL, "?")
	prefix = strings.TrimRight(prefix, "/")
	if segments := strings.Split(prefix, "/"); len(segments) > 3 { // after the scheme and the host
		for n := 3; n < len(segments); n++ {
			if segments[n] == "deployments" {
				prefix = strings.Join(segments[:n], "/")
				break
			}
		}
	}
	name, err := pathSegment(req.Model)
	if err != nil {
		return nil, err
	}
	return &service{
		name: "Azure OpenAI", headers: map[string]string{"Api-Key": conn.Secret}, extraHeaders: true,
		rungs: []Rung{NativeRung, ToolRung, ModeRung, PromptRung}, family: openAIFamily(req.Model),
		dialect: func(out *collector) dialect { return &chat{out: out} },
		address: func(bool) (string, error) {
			return prefix + "/deployments/" + name + "/chat/completions?api-version=2025-02-01-preview", nil
		},
	}, nil
}

// olderOpenAI reports whether a model is known not to follow schemas.
func olderOpenAI(model string) bool {
	return model == "gpt-4" || model == "gpt-4o-2024-05-13" || hasPrefix(model, "gpt-4-", "gpt-3.5", "o1-mini", "o1-preview")
}

func hasPrefix(text string, prefixes ...string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
