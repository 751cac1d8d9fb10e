package llmtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

// Answer is what a provider answers. The zero value of each member means that the answer has none of it.
type Answer struct {
	Text      []string // in pieces
	Reasoning string
	Calls     []Call
	Refusal   string // what a model says that declines
	Blocked   bool   // a filter withholds the answer
	Length    bool   // it ends at the limit of tokens

	Status  int // of an error
	Header  map[string]string
	Code    string // of an error, in place of the usual one of the status
	Message string // of an error
	Param   string // that an error names
	Body    string // in place of what the API documents
	Type    string // the content type, in place of the right one

	Fault Fault
	// Wait, if it is not nil, is waited for after each piece.
	Wait <-chan struct{}
	// Write, if it is not nil, is called before each piece is written.
	Write func()
}

// Call is a tool call of a model.
type Call struct{ ID, Name, Arguments string }

// Fault is a way in which a connection fails.
type Fault string

// The ways in which connections fail.
const (
	Cut         Fault = "cut in the middle"
	SlowHeaders Fault = "slow headers"
	SlowBody    Fault = "slow body"
	Drip        Fault = "a byte at a time" // for ever
	Endless     Fault = "endless"
	Garbled     Fault = "malformed JSON"
	Hangup      Fault = "hang up" // before any answer
)

// event is an event of a stream.
type event struct {
	name string
	data any
}

// write writes an answer.
func (p *Provider) write(w http.ResponseWriter, r *http.Request, a Answer, stream bool) {
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	switch {
	case a.Fault == SlowHeaders:
		p.wait(r)
		return
	case a.Fault == Hangup:
		panic(http.ErrAbortHandler)
	case a.Status != 0 && a.Status != http.StatusOK:
		p.writeError(w, a)
		return
	case a.Body != "":
		p.head(w, a, firstOf(a.Type, "application/json"))
		_, _ = io.WriteString(w, a.Body)
		return
	case !stream:
		text, err := json.Marshal(p.whole(a))
		if err != nil {
			p.t.Error(err)
		}
		p.head(w, a, "application/json")
		p.pieces(w, r, a, [][]byte{text[:len(text)/2], text[len(text)/2:]})
		return
	}
	var pieces [][]byte
	for _, e := range p.events(a) {
		pieces = append(pieces, p.frame(e))
	}
	kind := "text/event-stream; charset=utf-8"
	if p.API == Bedrock {
		kind = "application/vnd.amazon.eventstream"
	}
	p.head(w, a, kind)
	p.pieces(w, r, a, pieces)
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func (p *Provider) head(w http.ResponseWriter, a Answer, kind string) {
	w.Header().Set("Content-Type", firstOf(a.Type, kind))
	w.WriteHeader(http.StatusOK)
}

// wait waits until the client is gone.
func (p *Provider) wait(r *http.Request) {
	select {
	case <-r.Context().Done():
		p.closed <- r.URL.Path
	case <-p.done:
	}
}

// pieces writes the pieces of an answer, with its fault in the middle.
func (p *Provider) pieces(w http.ResponseWriter, r *http.Request, a Answer, pieces [][]byte) {
	flush := func() { _ = http.NewResponseController(w).Flush() }
	for n, piece := range pieces {
		if n == len(pieces)/2 {
			if !p.fault(w, r, a.Fault, piece) {
				return
			}
			if a.Fault == Garbled {
				piece = p.frame(event{"message", json.RawMessage(`"not what is expected`)})
			}
		}
		if a.Write != nil {
			a.Write()
		}
		if _, err := w.Write(piece); err != nil {
			p.closed <- r.URL.Path
			return
		}
		flush()
		if a.Wait == nil {
			continue
		}
		select {
		case <-a.Wait:
		case <-r.Context().Done():
			p.closed <- r.URL.Path
			return
		case <-p.done:
			return
		}
	}
}

// fault fails in the middle of an answer, and reports whether it goes on.
func (p *Provider) fault(w http.ResponseWriter, r *http.Request, fault Fault, piece []byte) bool {
	flush := func() { _ = http.NewResponseController(w).Flush() }
	switch fault {
	case Cut:
		_, _ = w.Write(piece[:len(piece)/2])
		flush()
		panic(http.ErrAbortHandler)
	case SlowBody:
		p.wait(r)
		return false
	case Drip, Endless:
		more := bytes.Repeat([]byte(" "), 64<<10)
		if p.API == Bedrock {
			more = p.frame(event{"unknown", map[string]string{"p": strings.Repeat("x", 60<<10)}})
		}
		for at := -1; r.Context().Err() == nil; {
			if fault == Drip {
				select {
				case <-r.Context().Done():
				case <-p.done:
					return false
				case <-p.tick():
				}
				at = (at + 1) % len(more)
				_, _ = w.Write(more[at : at+1])
				flush()
				continue
			}
			if _, err := w.Write(more); err != nil {
				break
			}
			flush()
		}
		p.closed <- r.URL.Path
		return false
	}
	return true
}

// frame writes an event as the API does.
func (p *Provider) frame(e event) []byte {
	var data []byte
	switch d := e.data.(type) {
	case string:
		data = []byte(d)
	case json.RawMessage:
		data = d
	default:
		var err error
		if data, err = json.Marshal(d); err != nil {
			p.t.Error(err)
		}
	}
	if p.API != Bedrock {
		text := "data: " + string(data) + "\n\n"
		if e.name != "" {
			text = "event: " + e.name + "\n" + text
		}
		return []byte(text)
	}
	kind, header := "event", ":event-type"
	name, isException := strings.CutPrefix(e.name, "exception:")
	if isException {
		kind, header = "exception", ":exception-type"
	}
	var b bytes.Buffer
	message := eventstream.Message{Payload: data, Headers: eventstream.Headers{
		{Name: header, Value: eventstream.StringValue(name)},
		{Name: ":content-type", Value: eventstream.StringValue("application/json")},
		{Name: ":message-type", Value: eventstream.StringValue(kind)},
	}}
	if err := eventstream.NewEncoder().Encode(&b, message); err != nil {
		p.t.Error(err)
	}
	return b.Bytes()
}
