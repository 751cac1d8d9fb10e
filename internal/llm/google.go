package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/jwt"

	"almanac/internal/lru"
	"almanac/internal/netguard"
)

// VertexHostCredentials in place of a secret stands for the credentials of the machine that runs the server. They are not
// used: whoever manages a project would act as that machine.
const VertexHostCredentials = "__VERTEXAI_DEFAULT_CREDENTIALS__" //nolint:gosec // no credential: it stands for those of the host

// studio is Google AI Studio.
func studio(conn Connection, req Request) (*service, error) {
	base := conn.base("https://generativelanguage.googleapis.com")
	model := strings.TrimPrefix(req.Model, "models/")
	name, err := pathSegment(model)
	if err != nil {
		return nil, err
	}
	path := "/v1beta/models/" + name
	if before, _, _ := strings.Cut(base, "?"); strings.HasSuffix(strings.TrimRight(before, "/"), "/v1beta") {
		path = strings.TrimPrefix(path, "/v1beta")
	}
	return geminiService(&service{
		name: "Google AI Studio", headers: map[string]string{"X-Goog-Api-Key": conn.Secret},
		address: func(stream bool) (string, error) { return under(base, path+generate(stream)), nil },
	}, model), nil
}

func geminiService(s *service, model string) *service {
	s.userOnly, s.family, s.rungs = true, geminiFamily(model), []Rung{NativeRung, ToolRung, ModeRung, PromptRung}
	s.dialect = func(out *collector) dialect { return &gemini{out: out} }
	return s
}

// generate returns the operation at the end of an address.
func generate(stream bool) string {
	if stream {
		return ":streamGenerateContent?alt=sse"
	}
	return ":generateContent"
}

// claudeAtVertex is the form of the names of Claude models at Vertex AI.
var claudeAtVertex = regexp.MustCompile(`^[A-Za-z0-9_.@-]+$`)

// vertexKey is the key of a service account.
type vertexKey struct {
	ProjectID    string `json:"project_id"`
	ClientEmail  string `json:"client_email"`
	PrivateKey   string `json:"private_key"`
	PrivateKeyID string `json:"private_key_id"`
	TokenURI     string `json:"token_uri"`
}

// vertex is Google's Vertex AI, with the models of Google and of Anthropic.
func vertex(conn Connection, req Request) (*service, error) {
	if conn.Secret == VertexHostCredentials {
		return nil, misconfigured(hostCredentials)
	}
	var key vertexKey
	if json.Unmarshal([]byte(conn.Secret), &key) != nil || key.ProjectID == "" || key.ClientEmail == "" || key.PrivateKey == "" {
		return nil, misconfigured("The secretKey of a google-vertex-ai connection is the JSON file with the key of a service account: " +
			"project_id, client_email and private_key are needed.")
	}
	settings := struct {
		Location string `json:"location"`
	}{"global"}
	if err := conn.settings(&settings); err != nil {
		return nil, err
	}
	if !netguard.IsCloudRegion(settings.Location) {
		return nil, misconfigured("The location of the connection is none. It is like us-central1, or global.")
	}
	models := "/projects/" + url.PathEscape(key.ProjectID) + "/locations/" + settings.Location + "/publishers/"
	base := conn.base(vertexHost(settings.Location))
	s := &service{name: "Vertex AI", authorize: key.authorize(conn)}
	if strings.Contains(req.Model, "claude") {
		if !claudeAtVertex.MatchString(req.Model) {
			return nil, misconfigured("This is not the name of a Claude model at Vertex AI.")
		}
		s.address = func(stream bool) (string, error) {
			operation := ":rawPredict"
			if stream {
				operation = ":streamRawPredict"
			}
			return under(base, "/v1"+models+"anthropic/models/"+req.Model+operation), nil
		}
		s.dialect = func(out *collector) dialect { return &claude{out: out, vertex: "vertex-2023-10-16"} }
		return claudeService(s, req, false), nil
	}
	model := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(req.Model, "publishers/"), "google/"), "models/")
	name, err := pathSegment(model)
	if err != nil {
		return nil, err
	}
	s.address = func(stream bool) (string, error) {
		return under(base, "/v1beta1"+models+"google/models/"+name+generate(stream)), nil
	}
	return geminiService(s, model), nil
}

// vertexHost returns the address of a location.
func vertexHost(location string) string {
	switch location {
	case "global":
		return "https://aiplatform.googleapis.com"
	case "us", "eu":
		return "https://aiplatform." + location + ".rep.googleapis.com"
	}
	return "https://" + location + "-aiplatform.googleapis.com"
}

// authorize returns a function that gets a token for a service account, and adds it to requests.
func (key vertexKey) authorize(conn Connection) func(context.Context, *Client, *http.Request, []byte) ([]string, error) {
	return func(ctx context.Context, c *Client, r *http.Request, _ []byte) ([]string, error) {
		token, err := c.tokens.of(conn.Key, func() (*oauth2.Token, error) { return key.token(ctx, c, conn) })
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", "Bearer "+token.AccessToken)
		return []string{token.AccessToken}, nil
	}
}

// token asks for a token.
func (key vertexKey) token(ctx context.Context, c *Client, conn Connection) (*oauth2.Token, error) {
	uri := cmp.Or(key.TokenURI, "https://oauth2.googleapis.com/token")
	if err := c.options.Guard.CheckURL(uri); err != nil {
		return nil, misconfigured("The token_uri of the service account cannot be used: " + err.Error() + ".")
	}
	source := jwt.Config{
		Email: key.ClientEmail, PrivateKey: []byte(key.PrivateKey), PrivateKeyID: key.PrivateKeyID, TokenURL: uri,
		Scopes: []string{"https://www.googleapis.com/auth/cloud-platform"},
	}
	token, err := source.TokenSource(context.WithValue(ctx, oauth2.HTTPClient, c.http.HTTP())).Token()
	if err == nil {
		return token, nil
	}
	secrets := conn.Secrets()
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		status := 0
		if refused.Response != nil {
			status = refused.Response.StatusCode
		}
		kind, again := Unauthorized, false
		if status == http.StatusTooManyRequests || status >= 500 {
			kind, again = kindOfStatus(status, "")
		}
		if status >= 300 && status < 400 {
			kind = Redirected
		}
		return nil, &Error{
			Kind: kind, Status: status, again: again,
			Message: "Google gives no token for the service account: " + secrets.Short(secrets.FromStart(string(refused.Body)), 500),
		}
	}
	kind := Unauthorized
	if ctx.Err() != nil {
		kind = Timeout
		if errors.Is(ctx.Err(), context.Canceled) {
			kind = Canceled
		}
	} else if _, ok := errors.AsType[*url.Error](err); ok {
		kind = Unreachable
	}
	return nil, &Error{
		Kind: kind, cause: err,
		Message: "There is no token for the service account: " + secrets.Short(netguard.WithoutAddress(err).Error(), 300) + ".",
	}
}

// tokenBytes is how much memory the tokens of service accounts take. One that is forgotten is asked for again.
const tokenBytes = 1 << 20

// tokens keeps the tokens of stored connections until shortly before they end.
type tokens struct {
	mu   sync.Mutex
	kept *lru.Cache[string, *oauth2.Token]
}

func newTokens() *tokens { return &tokens{kept: lru.New[string, *oauth2.Token](tokenBytes, nil)} }

// of returns the token of a connection. Those of connections that are not stored are not kept.
func (t *tokens) of(key string, ask func() (*oauth2.Token, error)) (*oauth2.Token, error) {
	if key != "" {
		t.mu.Lock()
		token, ok := t.kept.Get(key)
		t.mu.Unlock()
		if ok && time.Until(token.Expiry) > time.Minute {
			return token, nil
		}
	}
	token, err := ask()
	if err != nil || key == "" || token.Expiry.IsZero() {
		return token, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept.Put(key, token, int64(len(key)+len(token.AccessToken)+200))
	return token, nil
}
