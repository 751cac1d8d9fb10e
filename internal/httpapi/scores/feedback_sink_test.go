package scores

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestFeedbackSend(t *testing.T) {
	message := FeedbackMessage{
		ID: "f1", ProjectID: "p1", SubmittedAt: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), TargetType: "docs", Target: "Quick start",
		Feedback: "It is <clear>", Goal: new("start"),
	}
	const want = `{"id":"f1","projectId":"p1","submittedAt":"2026-03-04T05:06:07Z","targetType":"docs","target":"Quick start",` +
		`"feedback":"It is \u003cclear\u003e","goal":"start","referenceUrl":null}`
	var status int
	sink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != want || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s with %q: %s, %v", r.Method, r.Header.Get("Content-Type"), body, err)
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	defer sink.Close()
	for code, ok := range map[int]bool{200: true, 201: true, 204: true, 302: false, 307: false, 404: false, 500: false} {
		status = code
		if err := NewFeedbackSink(sink.URL+"/secret-token").Send(t.Context(), message); (err == nil) != ok || err != nil &&
			strings.Contains(err.Error(), "secret") {
			t.Errorf("status %d: %v", code, err)
		}
	}
}

func TestFeedbackSendFails(t *testing.T) {
	waiting := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-waiting:
		}
	}))
	defer slow.Close()
	defer close(waiting)

	for name, c := range map[string]struct {
		address string
		want    error // nil for any
	}{
		"too slow": {slow.URL + "/secret-token", context.DeadlineExceeded}, "nobody there": {"http://127.0.0.1:1/secret-token", nil},
		"no address": {"http://x y/secret-token", nil},
	} {
		s := NewFeedbackSink(c.address)
		s.timeout = 50 * time.Millisecond
		err := s.Send(t.Context(), FeedbackMessage{ID: "f1"})
		if err == nil || c.want != nil && !errors.Is(err, c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
