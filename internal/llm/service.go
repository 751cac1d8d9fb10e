package llm

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"almanac/internal/access/redact"
	"almanac/internal/domain"
)

// service is where the requests of a connection go, and how they prove who asks.
type service struct {
	name         string // for people
	address      func(stream bool) (string, error)
	headers      map[string]string
	extraHeaders bool // those of the connection are sent
	// authorize adds the credentials to the complete request and returns secrets that it got for that; nil if headers have
	// the credentials.
	authorize func(ctx context.Context, c *Client, r *http.Request, body []byte) ([]string, error)
	dialect   func(out *collector) dialect
	frames    bool // streams have Amazon's frames, not server-sent events

	family       family
	userOnly     bool   // a lone message must be one of the user
	rungs        []Rung // in order
	compatible   bool   // a server of somebody else that speaks a dialect
	noImageURLs  bool   // media must be sent as data
	environments bool   // it sends traces itself, and wants to know of which environment
}

func (s *service) streamType() string {
	if s.frames {
		return "application/vnd.amazon.eventstream"
	}
	return "text/event-stream"
}

func (s *service) events(body io.Reader, each func(string, []byte) (bool, error)) (bool, error) {
	if s.frames {
		return readFrames(body, each)
	}
	return readEvents(body, each)
}

// serviceOf returns the service of a connection for a request.
func serviceOf(conn Connection, req Request) (*service, error) {
	if strings.TrimSpace(req.Model) == "" {
		return nil, misconfigured("The request names no model.")
	}
	switch conn.Adapter {
	case domain.AdapterOpenAI:
		return openAI(conn, req)
	case domain.AdapterAzure:
		return azure(conn, req)
	case domain.AdapterAnthropic:
		return anthropic(conn, req)
	case domain.AdapterBedrock:
		return bedrock(conn, req)
	case domain.AdapterVertexAI:
		return vertex(conn, req)
	case domain.AdapterAIStudio:
		return studio(conn, req)
	}
	return nil, misconfigured("There are no connections of the kind " + conn.Adapter + ".")
}

// pathSegment returns the name of a model as a segment of the path of an address. A name that would lead elsewhere is
// refused; a slash is, too, although it would be escaped: servers and proxies take it for one.
func pathSegment(model string) (string, error) {
	if model == "." || model == ".." || strings.ContainsAny(model, `/\`) {
		return "", misconfigured("The name of a model at this provider is part of an address: it has no slashes, and is not just dots.")
	}
	return url.PathEscape(model), nil
}

func misconfigured(message string) *Error { return &Error{Kind: Misconfigured, Message: message} }

// under returns an address below a base URL, whose query stays.
func under(base, path string) string {
	base, query, _ := strings.Cut(base, "?")
	address := strings.TrimRight(base, "/") + path
	if query == "" {
		return address
	}
	if strings.Contains(path, "?") {
		return address + "&" + query
	}
	return address + "?" + query
}

// base returns the base URL of the connection, or the usual one.
func (c Connection) base(usual string) string {
	if c.BaseURL != "" {
		return c.BaseURL
	}
	return usual
}

// host returns the host of the connection's base URL, "" if it has none.
func (c Connection) host() string {
	u, err := url.Parse(c.BaseURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// lane returns what the limits of a connection apply to.
func (c Connection) lane() string {
	if c.Key != "" {
		return c.Key
	}
	return c.Project + "\x00" + c.Adapter + "\x00" + c.host()
}

// settings reads the settings of the adapter.
func (c Connection) settings(into any) error {
	if len(c.Config) == 0 {
		return nil
	}
	if json.Unmarshal(c.Config, into) != nil {
		return misconfigured("The config of the connection cannot be read. Store it again.")
	}
	return nil
}

// Secrets returns what must not be shown, with the parts of secrets that have several.
func (c Connection) Secrets() redact.Secrets {
	secrets := []string{c.Secret}
	var parts map[string]any
	if json.Unmarshal([]byte(c.Secret), &parts) == nil {
		for _, name := range []string{"secretAccessKey", "apiKey", "private_key", "private_key_id"} {
			if text, ok := parts[name].(string); ok {
				secrets = append(secrets, text)
			}
		}
	}
	for value := range maps.Values(c.Headers) {
		secrets = append(secrets, value)
		if _, token, ok := strings.Cut(value, " "); ok { // a scheme and credentials
			secrets = append(secrets, token)
		}
	}
	// Settings such as "true" or a date are no secrets, and would be missing in answers.
	secrets = slices.DeleteFunc(secrets, func(text string) bool { return text != c.Secret && len(text) < shortestSecret })
	return redact.New(secrets...)
}

// shortestSecret is the length of the shortest part of a connection that is treated as a secret.
const shortestSecret = 8
