package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"almanac/internal/ingest/otlp"
	"almanac/internal/transfer/importing/otlpfiles"
)

// sentFiles counts what became of the messages of files that are sent to a server.
type sentFiles struct {
	messages, refused int
	spans             int // refused spans of other messages
	remarks           []string
}

// maxRemarks is the maximum number of remarks in a report.
const maxRemarks = 20

func (s *sentFiles) remark(text string) {
	if len(s.remarks) < maxRemarks {
		s.remarks = append(s.remarks, text)
	}
}

// toServer sends the files to a running server, one message at a time, as an exporter does. Spans keep their ids, so
// sending a file again stores nothing twice.
func (o *importOTLPCommand) toServer(ctx context.Context, t *terminal) error {
	switch {
	case o.PublicKey == "" || o.SecretKey == "":
		return errors.New("--url requires the keys of the project to import into: --public-key and --secret-key")
	case o.Project != "" || o.MaskingRules != "" || o.ExtractMedia || o.Restart:
		return errors.New("with --url, the keys name the project and the server applies its own rules: omit --project, --masking-rules, " +
			"--extract-media and --restart")
	}
	for _, path := range o.Files { // before anything is sent
		if _, err := os.Stat(path); err != nil {
			return err
		}
	}
	server := newRemoteServer(o.URL, o.PublicKey, o.SecretKey, 0)
	defer server.http.CloseIdleConnections()
	began, last, sent := time.Now(), time.Now(), new(sentFiles)
	for _, path := range o.Files {
		cut, err := otlpfiles.EachMessage(path, int64(o.MaxMessage), func(where, contentType string, message []byte) error {
			if err := server.retry(ctx, t, func() error { return sent.send(ctx, server, where, contentType, message) }); err != nil {
				return err
			}
			if now := time.Now(); now.Sub(last) >= time.Second {
				last = now
				t.say("%d messages, %s", sent.messages, now.Sub(began).Round(time.Second))
			}
			return nil
		})
		if cut {
			sent.remark(path + " ends in the middle of a message")
		}
		if err != nil {
			sent.print(t, len(o.Files))
			return fmt.Errorf("the import is incomplete: %w\nRun the same command again: nothing is stored twice", err)
		}
	}
	sent.print(t, len(o.Files))
	return nil
}

// send sends a message and counts its outcome. The error says whether to send it again.
func (s *sentFiles) send(ctx context.Context, server *remoteServer, where, contentType string, message []byte) error {
	answer, err := server.send(ctx, http.MethodPost, "/api/public/otel/v1/traces", http.Header{"Content-Type": {contentType}}, message)
	if err != nil {
		return err
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusBadRequest:
		s.messages, s.refused = s.messages+1, s.refused+1
		s.remark(where + ": " + refusal(answer).Error())
		return nil
	default:
		return refusal(answer)
	}
	const most = 64 << 10
	body, err := io.ReadAll(io.LimitReader(answer.Body, most))
	if err != nil {
		return fmt.Errorf("%w: its response ended early: %w", errAway, err)
	}
	s.messages++
	if rejected, told := otlp.ReadPartialSuccess(body, contentType == "application/json"); rejected > 0 {
		s.spans += rejected
		s.remark(fmt.Sprintf("%s: %d spans cannot be used: %s", where, rejected, told))
	}
	return nil
}

func (s *sentFiles) print(t *terminal, files int) {
	t.printf("Sent %d messages of %d files. Refused: %d messages, and %d spans of others.\n", s.messages, files, s.refused, s.spans)
	if len(s.remarks) > 0 {
		t.printf("\n%s\n", strings.Join(s.remarks, "\n"))
	}
}
