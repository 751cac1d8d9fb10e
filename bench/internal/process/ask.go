package process

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Get sends a request with the server's keys and returns the body of a successful response.
func (t *Server) Get(ctx context.Context, path string) ([]byte, error) {
	return t.ask(ctx, http.MethodGet, path, "")
}

// Post sends JSON with the server's keys and returns the body of a successful response.
func (t *Server) Post(ctx context.Context, path, body string) ([]byte, error) {
	return t.ask(ctx, http.MethodPost, path, body)
}

func (t *Server) ask(ctx context.Context, method, path, body string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, t.URL+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.SetBasicAuth(t.PublicKey, t.SecretKey)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s %.300s", method, path, answer.Status, text)
	}
	return text, err
}

// Project returns the id of the project that the server's keys belong to.
func (t *Server) Project(ctx context.Context) (string, error) {
	body, err := t.Get(ctx, "/api/public/projects")
	if err != nil {
		return "", err
	}
	var answer struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Data) != 1 {
		return "", fmt.Errorf("the server answered %.200s: %w", body, err)
	}
	return answer.Data[0].ID, nil
}
