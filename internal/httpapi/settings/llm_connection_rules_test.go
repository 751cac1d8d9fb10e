package settings

import (
	"testing"

	"almanac/internal/decode"
	"almanac/internal/netguard"
)

// FuzzLLMConnection checks that no body makes the reader panic, and that it never repeats a secret.
func FuzzLLMConnection(f *testing.F) {
	for _, seed := range []string{
		`{"provider":"p","adapter":"openai","secretKey":"sk-1234","baseURL":"https://example.org","extraHeaders":{"a":"b"},"config":{}}`,
		`{"provider":"p","adapter":"bedrock","secretKey":"{}","config":{"region":"r"}}`,
		`{"provider":"p","adapter":"bedrock","secretKey":"{\"apiKey\":1}"}`, `{"baseURL":"http://[::1%25]"}`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if decode.CheckJSON(text) != nil {
			return
		}
		in, err := readLLMConnection(decode.NewBody(text), netguard.Guard{})
		if err == nil && (in.secret == "" || in.connection.Provider == "" || in.connection.Adapter == "" ||
			len(in.connection.DisplaySecret) > len("...")+4*4) {
			t.Errorf("accepted %s as %+v", text, in)
		}
	})
}
