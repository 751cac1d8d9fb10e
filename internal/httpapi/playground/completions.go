package playground

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/llm"
)

const (
	// stall is how long a browser may take to receive an event; slower ones end their run.
	stall = 10 * time.Second
	// retry is what browsers are told about reconnecting. The page does not: a run is not repeated by itself.
	retry = time.Hour
	// runMemory is what a run holds besides its texts: the connections, their buffers, and the row.
	runMemory = 256 << 10
	// answerStep is by how much the reserved memory of a run grows. A part of an answer is held about four times: as it
	// arrived, in the result, in the row, and while that is stored.
	answerStep   = 64 << 10
	answerFactor = 4
	// storing is how long storing the trace of a run may take, also after the browser has gone.
	storing = 30 * time.Second
	// recheck is how often the right to run models is checked while an answer arrives.
	recheck = 2 * time.Second
	// catalogTurn is how long the entry in the audit log and the files may take.
	catalogTurn = 15 * time.Second
)

// Complete calls a model and streams the answer. The run becomes a trace, however it ends.
func (h *Handlers) Complete(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	in, err := readRun(c.Body())
	if err != nil {
		return nil, err
	}
	connection, err := h.connection(c.Context(), scope, in.provider)
	if err != nil {
		return nil, err
	}
	media, err := h.findMedia(c.Context(), scope, in)
	if err != nil {
		return nil, err
	}
	user := c.Person().User
	s := &session{
		h: h, scope: scope, in: in, connection: connection, user: user, by: c.Consumer(), traceID: randomHex(16), id: randomHex(8),
		// The files are encoded as text for the provider.
		base: runMemory + 3*in.bytes + 3*media, origin: domain.OriginOf(c.Context()),
	}
	actor := c.Actor()
	return c.Events(stall, func(e *endpoint.Events) error {
		end, err := h.Runs.begin(scope.ProjectID(), user.ID)
		if err != nil {
			return err
		}
		defer end()
		if err := e.Keep(s.base); err != nil {
			return err
		}
		if err := e.Work(catalogTurn, func(ctx context.Context) error {
			if err := h.readMedia(ctx, in); err != nil {
				return err
			}
			return h.Catalog.RecordModelRun(domain.WithOrigin(ctx, s.origin), scope, domain.ModelRun{
				TraceID: s.traceID, Provider: in.provider, Model: in.request.Model, PromptName: in.prompt.Name,
				PromptVersion: in.prompt.Version,
			}, actor)
		}); err != nil {
			return err
		}
		if err := e.Begin(retry); err != nil {
			return err
		}
		s.events = e
		return s.run()
	}), nil
}

// randomHex returns a random id of so many bytes, as traces and spans have them.
func randomHex(bytes int) string {
	id := make([]byte, bytes)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}

// session is a run in progress.
type session struct {
	h           *Handlers
	scope       domain.ProjectScope
	in          *run
	connection  llm.Connection
	user        domain.User
	by          domain.Consumer
	origin      domain.Origin
	traceID, id string
	events      *endpoint.Events
	base        int64 // of memory
	received    int64 // bytes of the answer
	kept        int64
	checked     time.Time
}

// errNoLonger ends the run of somebody who lost the right to it.
var errNoLonger = errors.New("you may no longer run models in this project")

// run calls the model, streams what it says, and records the run.
func (s *session) run() error {
	started := time.Now()
	s.checked = started
	result, err := s.h.Models.Stream(s.events.Context(), s.connection, s.in.request, s.pass)
	if result == nil {
		result = new(llm.Result)
	}
	o := outcome{started: started, ended: time.Now(), result: result, err: err, gone: s.events.Context().Err() != nil}
	recorded, problem := s.record(o)
	if problem != nil {
		s.h.Log.Error("cannot record a run of the playground", "project", s.scope.ProjectID(), "trace", s.traceID, "error", problem)
	}
	if o.gone && !errors.Is(context.Cause(s.events.Context()), endpoint.ErrStopping) {
		return nil // nobody reads the rest
	}
	return s.finish(o, recorded)
}

// The events of a run.
type (
	textBody struct {
		Text string `json:"text"`
	}
	callBody struct {
		Index     int    `json:"index"`
		ID        string `json:"id,omitempty"`
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	}
)

// pass passes a piece of the answer on.
func (s *session) pass(e llm.Event) error {
	if now := time.Now(); now.Sub(s.checked) > cmp.Or(s.h.Recheck, recheck) {
		if s.events.Admitted() != nil {
			return errNoLonger
		}
		s.checked = now
	}
	if s.received += int64(len(e.Text) + len(e.Name) + len(e.ID)); s.received*answerFactor > s.kept {
		s.kept = s.received*answerFactor + answerStep
		if err := s.events.Keep(s.base + s.kept); err != nil {
			return err
		}
	}
	switch e.Kind {
	case llm.TextEvent:
		return s.send("delta", textBody{e.Text})
	case llm.RefusalEvent:
		return s.send("refusal", textBody{e.Text})
	case llm.ReasoningEvent:
		return s.send("reasoning", textBody{e.Text})
	case llm.ToolCallEvent:
		return s.send("toolCall", callBody{e.Call, e.ID, e.Name, e.Text})
	case llm.RestartEvent:
		return s.send("restart", textBody{e.Text})
	}
	return nil
}

func (s *session) send(name string, body any) error {
	data, err := respond.Marshal(body)
	if err != nil {
		return err
	}
	return s.events.Send("", name, data)
}
