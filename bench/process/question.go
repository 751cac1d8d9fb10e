package process

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Question is one kind of request. Its path may differ from run to run.
type Question struct {
	Name string
	Path func(r *rand.Rand) string
	// Row is a name that each row of an answer has once; projectId if it is empty.
	Row string
	// Prepare, if set, is done once before.
	Prepare func(ctx context.Context, client *http.Client, s *Server) error
}

// Always is the path of a question that is the same in every run.
func Always(path string) func(*rand.Rand) string { return func(*rand.Rand) string { return path } }

// Heading is the line above those of Ask.
func Heading() string {
	return fmt.Sprintf("%-52s %8s %8s %8s %8s  %s\n", "question", "p50 ms", "p99 ms", "CPU ms", "peak MB", "rows, bytes")
}

// Ask asks a question so many times, or until the time is over, and writes a line about it.
func (t *Server) Ask(ctx context.Context, w io.Writer, q Question, runs int, limit time.Duration) error {
	client := &http.Client{}
	defer client.CloseIdleConnections()
	if q.Prepare != nil {
		if err := q.Prepare(ctx, client, t); err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	var times []time.Duration
	var body []byte
	const warmUps = 5
	var before Usage
	memory := t.WatchMemory()
	defer memory()
	began := time.Now()
	for n := range warmUps + runs {
		if n == warmUps {
			before = t.Usage()
		}
		path := q.Path(r)
		sent := time.Now()
		var err error
		if body, err = t.Get(ctx, client, path); err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
		if n >= warmUps {
			times = append(times, time.Since(sent))
		}
		if time.Since(began) > limit && len(times) > 0 {
			break
		}
	}
	used := t.Usage().Minus(before).CPU
	slices.Sort(times)
	at := func(p float64) float64 { return float64(times[int(p*float64(len(times)-1))].Microseconds()) / 1000 }
	cpu := strconv.FormatFloat(float64(used.Microseconds())/1000/float64(len(times)), 'f', 2, 64)
	rows := bytes.Count(body, []byte(`"`+cmp.Or(q.Row, "projectId")+`":`))
	_, err := fmt.Fprintf(w, "%-52s %8.2f %8.2f %8s %8.0f  %d, %d\n", q.Name, at(0.5), at(0.99), cpu, float64(memory())/(1<<20), rows, len(body))
	return err
}

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
