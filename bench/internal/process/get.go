package process

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Get sends one request with the server's keys and returns the body of a success.
func (t *Server) Get(ctx context.Context, client *http.Client, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, t.URL+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	r.SetBasicAuth(t.PublicKey, t.SecretKey)
	r.Header.Set("Accept-Encoding", "identity")
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %d %.300s", path, answer.StatusCode, body)
	}
	return body, err
}

// Project returns the id of the project of the server's keys.
func (t *Server) Project(ctx context.Context) (string, error) {
	body, err := t.Get(ctx, http.DefaultClient, "/api/public/projects")
	if err != nil {
		return "", err
	}
	var answer struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Data) != 1 {
		return "", fmt.Errorf("the server answered %.200s: %w", body, err)
	}
	return answer.Data[0].ID, nil
}
