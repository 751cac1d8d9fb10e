package settings

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
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/netguard"
)

// ask makes the test call for a connection.
func ask(t *testing.T, h *Handlers, connection map[string]any, model string) (string, error) {
	t.Helper()
	body, err := json.Marshal(connection)
	if err != nil {
		t.Fatal(err)
	}
	in, err := readLLMConnection(decode.NewBody(body), netguard.Guard{Private: true})
	if err != nil {
		return "", err
	}
	call, err := callOf(h.Guard, in, model)
	if err != nil {
		return "", err
	}
	return h.askModel(t.Context(), in, call)
}

// signatureV4 returns the expected signature of a request, following the specification of AWS Signature Version 4.
func signatureV4(r *http.Request, body []byte, secret, region string) string {
	authorization := r.Header.Get("Authorization")
	_, rest, _ := strings.Cut(authorization, "SignedHeaders=")
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

func TestBedrockCall(t *testing.T) {
	var path, authorization, want, sent string
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		path, authorization, sent = r.URL.EscapedPath(), r.Header.Get("Authorization"), string(body)
		if strings.HasPrefix(authorization, "AWS4") {
			want = signatureV4(r, body, "secret", "eu-west-1")
		}
		_, _ = io.WriteString(w, `{"output":{"message":{"role":"assistant","content":[{"text":"OK"}]}},"stopReason":"end_turn"}`)
	}))
	defer provider.Close()
	h := &Handlers{Guard: netguard.Guard{Private: true}}
	connection := map[string]any{
		"provider": "p", "adapter": "bedrock", "baseURL": provider.URL, "config": map[string]any{"region": "eu-west-1"},
		"secretKey": `{"accessKeyId":"AKID","secretAccessKey":"secret"}`, "extraHeaders": map[string]string{"X-Team": "a"},
	}
	const model = "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude:0"
	text, err := ask(t, h, connection, model)
	if err != nil || text != "The model answered: OK" {
		t.Fatalf("%q, %v", text, err)
	}
	if want := "/model/arn%3Aaws%3Abedrock%3Aeu-west-1%3A1%3Ainference-profile%2Feu.anthropic.claude%3A0/converse"; path != want {
		t.Errorf("asked for %s, want %s", path, want)
	}
	if sent != `{"messages":[{"role":"user","content":[{"text":"`+callPrompt+`"}]}]}` {
		t.Errorf("sent %s", sent)
	}
	if !strings.HasPrefix(authorization, "AWS4-HMAC-SHA256 Credential=AKID/") ||
		!strings.Contains(authorization, "/eu-west-1/bedrock/aws4_request, SignedHeaders=") ||
		!strings.Contains(authorization, "host;") || !strings.HasSuffix(authorization, ", Signature="+want) {
		t.Errorf("signed with %s, want the signature %s", authorization, want)
	}

	connection["secretKey"] = `{"apiKey":"bedrock-key"}`
	if text, err := ask(t, h, connection, "m"); err != nil || text != "The model answered: OK" || authorization != "Bearer bedrock-key" ||
		path != "/model/m/converse" {
		t.Errorf("with a key: %q, %v, %s %s", text, err, path, authorization)
	}
	for _, wrong := range []map[string]any{
		{"secretKey": bedrockHostCredentials},
		{"config": map[string]any{"region": "evil.example/?"}},
		{"config": map[string]any{"region": "us.east"}},
	} {
		refused := maps.Clone(connection)
		maps.Copy(refused, wrong)
		path = ""
		if text, err := ask(t, h, refused, "m"); err == nil || path != "" {
			t.Errorf("%v: %q, asked for %q", wrong, text, path)
		}
	}
	if _, err := ask(t, &Handlers{}, connection, "m"); err == nil || !strings.Contains(err.Error(), "which the operator does not allow") {
		t.Errorf("an address of this machine: %v", err)
	}
}

func TestBedrockHosts(t *testing.T) {
	for region, want := range map[string]string{
		"us-east-1":  "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse",
		"cn-north-1": "https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model/m/converse",
	} {
		in := connectionInput{secret: `{"apiKey":"k"}`}
		in.connection.Config = json.RawMessage(`{"region":"` + region + `"}`)
		if call, err := bedrockCall(in, "m"); err != nil || call.address != want {
			t.Errorf("%s: %s, %v", region, call.address, err)
		}
	}
	for location, want := range map[string]string{
		``:                      "https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/us-central1/publishers/google/models/m:generateContent",
		`{"location":"global"}`: "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/m:generateContent",
	} {
		in := connectionInput{secret: `{"project_id":"p","client_email":"e","private_key":"k"}`}
		in.connection.Config = json.RawMessage(location)
		if call, err := vertexCall(netguard.Guard{}, in, "m"); err != nil || call.address != want {
			t.Errorf("%s: %s, %v", location, call.address, err)
		}
	}
}

func TestVertexCall(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	var path, authorization string
	mux := http.NewServeMux()
	provider := httptest.NewServer(mux)
	defer provider.Close()
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(r.PostFormValue("assertion"), ".")
		if len(parts) != 3 || r.PostFormValue("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" {
			t.Errorf("the token is asked for with %v", r.PostForm)
			return
		}
		signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
		payload, _ := base64.RawURLEncoding.DecodeString(parts[1])
		sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, sum[:], signature); err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"Invalid JWT Signature."}`)
			return
		}
		var claims struct {
			Iss, Aud, Scope string
			Exp             int64
		}
		if err := json.Unmarshal(payload, &claims); err != nil || claims.Iss != "robot@p.test" || claims.Aud != provider.URL+"/token" ||
			claims.Scope != "https://www.googleapis.com/auth/cloud-platform" || claims.Exp < time.Now().Unix() {
			t.Errorf("the claims are %s", payload)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"short-lived","token_type":"Bearer","expires_in":3600}`)
	})
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		path, authorization = r.URL.EscapedPath(), r.Header.Get("Authorization")
		_, _ = io.WriteString(w, `{"candidates":[{"content":{"parts":[{"text":"OK"}]}}]}`)
	})
	account := func(key []byte) string {
		text, err := json.Marshal(map[string]string{
			"type": "service_account", "project_id": "my-project", "client_email": "robot@p.test", "private_key_id": "1",
			"token_uri":   provider.URL + "/token",
			"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	h := &Handlers{Guard: netguard.Guard{Private: true}}
	connection := map[string]any{
		"provider": "p", "adapter": "google-vertex-ai", "baseURL": provider.URL, "config": map[string]any{"location": "europe-west4"},
		"secretKey": account(der),
	}
	if text, err := ask(t, h, connection, "gemini"); err != nil || text != "The model answered: OK" ||
		authorization != "Bearer short-lived" {
		t.Errorf("%q, %v, asked with %q", text, err, authorization)
	}
	if want := "/v1/projects/my-project/locations/europe-west4/publishers/google/models/gemini:generateContent"; path != want {
		t.Errorf("asked for %s, want %s", path, want)
	}
	// The token URL is part of the secret: it must not lead into the private network either.
	if _, err := ask(t, &Handlers{}, connection, "gemini"); err == nil ||
		!strings.Contains(err.Error(), "which the operator does not allow") {
		t.Errorf("a token from this machine: %v", err)
	}

	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err = x509.MarshalPKCS8PrivateKey(other)
	if err != nil {
		t.Fatal(err)
	}
	for secret, want := range map[string]string{
		account(der):                "no token for the service account: 401 Unauthorized: ",
		account([]byte("nonsense")): "no token for the service account", "{}": "JSON file with the key of a service account",
		"sk-1": "JSON file",
	} {
		connection["secretKey"], path = secret, ""
		if _, err := ask(t, h, connection, "gemini"); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "PRIVATE KEY") || path != "" {
			t.Errorf("%.40s: %v, asked for %q", secret, err, path)
		}
	}
	// It may have been stored before it was checked.
	stored := connectionInput{secret: account(der)}
	stored.connection.Adapter, stored.connection.Config = domain.AdapterVertexAI, json.RawMessage(`{"location":"evil.example/"}`)
	if _, err := callOf(netguard.Guard{}, stored, "gemini"); err == nil || !strings.Contains(err.Error(), "location") {
		t.Errorf("a stored location that is none: %v", err)
	}
	connection["secretKey"], connection["config"] = account(der), map[string]any{"location": "evil.example/"}
	if _, err := ask(t, h, connection, "gemini"); err == nil || !strings.Contains(err.Error(), "location") {
		t.Errorf("a location that is none: %v", err)
	}
}
