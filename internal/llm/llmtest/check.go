package llmtest

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// addresses are where requests must go: a path, and one for streams.
var addresses = map[API][2]string{
	OpenAI:     {"/v1/chat/completions", "/v1/chat/completions"},
	Responses:  {"/v1/responses", "/v1/responses"},
	Compatible: {"/v1/chat/completions", "/v1/chat/completions"},
	Azure: {
		"/openai/deployments/my-deployment/chat/completions?api-version=2025-02-01-preview",
		"/openai/deployments/my-deployment/chat/completions?api-version=2025-02-01-preview",
	},
	Anthropic: {"/v1/messages", "/v1/messages"},
	Bedrock: {
		"/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse",
		"/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream",
	},
	VertexGemini: {
		"/v1beta1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:generateContent",
		"/v1beta1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
	},
	VertexClaude: {
		"/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-6:rawPredict",
		"/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-6:streamRawPredict",
	},
	Studio: {
		"/v1beta/models/gemini-2.5-flash:generateContent", "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
	},
}

// check returns what is wrong with a request, "" if nothing is. Requests for other models than that of the provider may go
// to other addresses.
func (p *Provider) check(r *http.Request, body []byte, asked Request) string {
	want := addresses[p.API][0]
	if asked.Stream {
		want = addresses[p.API][1]
	}
	last := func(path string) string { return path[strings.LastIndexAny(path, ":/"):] }
	if last(asked.Path) != last(want) || asked.Body["model"] == p.Model() && asked.Path != want {
		return "it is asked at " + asked.Path + ", want " + want
	}
	if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
		return "the request is " + r.Method + " " + r.Header.Get("Content-Type")
	}
	if problem := p.checkCredentials(r, body); problem != "" {
		return problem
	}
	return p.checkBody(asked)
}

func (p *Provider) checkCredentials(r *http.Request, body []byte) string {
	header, want := "Authorization", "Bearer "+Secret
	switch p.API {
	case Azure:
		header, want = "Api-Key", Secret
	case Anthropic:
		header, want = "X-Api-Key", Secret
		if r.Header.Get("Anthropic-Version") != "2023-06-01" {
			return "the version is " + r.Header.Get("Anthropic-Version")
		}
	case Studio:
		header, want = "X-Goog-Api-Key", Secret
	case VertexGemini, VertexClaude:
		want = "Bearer " + Token
	case Bedrock:
		authorization := r.Header.Get("Authorization")
		if strings.HasPrefix(authorization, "Bearer ") {
			return ""
		}
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		want = ", Signature=" + signature(r, body, Secret, "eu-central-1")
		if !strings.HasPrefix(authorization, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/") || !strings.HasSuffix(authorization, want) {
			return "it is signed with " + authorization + ", want " + want
		}
		return ""
	}
	if got := r.Header.Get(header); got != want {
		return header + " is " + got
	}
	return ""
}

// required are members that requests must have, and forbidden ones that APIs do not know.
var required, forbidden = map[API][]string{
	OpenAI: {"model", "messages"}, Compatible: {"model", "messages"}, Azure: {"model", "messages"}, Responses: {"model", "input"},
	Anthropic: {"model", "messages", "max_tokens"}, VertexClaude: {"anthropic_version", "messages", "max_tokens"},
	Bedrock: {"messages"}, VertexGemini: {"contents"}, Studio: {"contents"},
}, map[API][]string{
	Responses: {"messages", "max_tokens", "response_format", "stop"}, Anthropic: {"seed", "stop", "response_format"},
	VertexClaude: {"model"}, Bedrock: {"model", "stream", "max_tokens"}, VertexGemini: {"model", "stream"}, Studio: {"model", "stream"},
}

func (p *Provider) checkBody(asked Request) string {
	for _, name := range required[p.API] {
		if asked.Body[name] == nil {
			return "the request has no " + name
		}
	}
	for _, name := range forbidden[p.API] {
		if asked.Body[name] != nil {
			return "the request has " + name
		}
	}
	turns, _ := asked.Body["messages"].([]any)
	if p.API == Anthropic || p.API == VertexClaude || p.API == Bedrock {
		before := ""
		for _, turn := range turns {
			m, _ := turn.(map[string]any)
			role, _ := m["role"].(string)
			if role == before || role != "user" && role != "assistant" {
				return "the roles do not alternate, there is " + role + " after " + before
			}
			before = role
		}
	}
	return ""
}

// signature returns the expected signature of a request, following the specification of AWS Signature Version 4.
func signature(r *http.Request, body []byte, secret, region string) string {
	_, rest, _ := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
	signed, _, _ := strings.Cut(rest, ",")
	segments := strings.Split(r.URL.EscapedPath(), "/")
	for n, segment := range segments {
		segments[n] = strings.ReplaceAll(url.QueryEscape(segment), "+", "%20")
	}
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	var headers strings.Builder
	for name := range strings.SplitSeq(signed, ";") {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	canonical := strings.Join([]string{r.Method, strings.Join(segments, "/"), "", headers.String(), signed, hash(string(body))}, "\n")
	at := r.Header.Get("X-Amz-Date")
	if len(at) < 8 {
		return "none: there is no date"
	}
	scope := at[:8] + "/" + region + "/bedrock/aws4_request"
	key := []byte("AWS4" + secret)
	for part := range strings.SplitSeq(scope, "/") {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("AWS4-HMAC-SHA256\n" + at + "\n" + scope + "\n" + hash(canonical)))
	return hex.EncodeToString(mac.Sum(nil))
}

// accountKey returns the key of the service account of the fakes.
var accountKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// serviceAccount returns the JSON file of a service account.
func serviceAccount(tokens string) string {
	der, err := x509.MarshalPKCS8PrivateKey(accountKey())
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "p", "client_email": "robot@p.test", "private_key_id": "id-of-the-private-key",
		"token_uri":   tokens,
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// giveToken gives a token to those who can prove that they are the service account.
func giveToken(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	parts := strings.Split(r.PostFormValue("assertion"), ".")
	if len(parts) == 3 && r.PostFormValue("grant_type") == "urn:ietf:params:oauth:grant-type:jwt-bearer" {
		signed, _ := base64.RawURLEncoding.DecodeString(parts[2])
		sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		if rsa.VerifyPKCS1v15(&accountKey().PublicKey, crypto.SHA256, sum[:], signed) == nil {
			_, _ = io.WriteString(w, `{"access_token":"`+Token+`","token_type":"Bearer","expires_in":3600}`)
			return
		}
	}
	w.WriteHeader(http.StatusUnauthorized)
	_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"Invalid JWT Signature."}`)
}
