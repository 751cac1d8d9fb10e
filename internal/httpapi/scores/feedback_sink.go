package scores

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"almanac/internal/netguard"
)

// FeedbackMessage is one piece of feedback as sent to the sink.
type FeedbackMessage struct {
	ID           string    `json:"id"`
	ProjectID    string    `json:"projectId"`
	SubmittedAt  time.Time `json:"submittedAt"`
	TargetType   string    `json:"targetType"`
	Target       string    `json:"target"`
	Feedback     string    `json:"feedback"`
	Goal         *string   `json:"goal"`
	ReferenceURL *string   `json:"referenceUrl"`
}

// feedbackTimeout is the timeout for the sink.
const feedbackTimeout = 5 * time.Second

// FeedbackSink forwards feedback as JSON in POST requests to a URL.
type FeedbackSink struct {
	address string
	timeout time.Duration
	client  *netguard.Client
}

// NewFeedbackSink returns a sink that sends to a URL.
func NewFeedbackSink(address string) *FeedbackSink {
	transport := netguard.TrustedTransport()
	transport.DisableKeepAlives = true // feedback is rare
	// A redirect would turn the POST into a GET and lose the message.
	return &FeedbackSink{address: address, timeout: feedbackTimeout, client: netguard.ExactClient(transport, 0)}
}

// Send forwards a message. It returns nil only if the sink confirms it with a 2xx status. Errors do not contain the
// URL, which may hold a secret.
func (s *FeedbackSink) Send(ctx context.Context, m FeedbackMessage) error {
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("cannot write feedback %s: %w", m.ID, err)
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("cannot send feedback %s: %w", m.ID, netguard.WithoutAddress(err))
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := s.client.Do(request)
	if err != nil {
		return fmt.Errorf("cannot send feedback %s: %w", m.ID, netguard.WithoutAddress(err))
	}
	defer answer.Body.Close() //nolint:errcheck // nothing of it is read
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return fmt.Errorf("cannot send feedback %s: the sink answered %d", m.ID, answer.StatusCode)
	}
	return nil
}
