package scores

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/ingest/scores"
)

// NewScores are the scores of a request: one, or a list of them.
type NewScores struct {
	isList  bool
	drafts  []scores.Draft
	indexes []int // of each draft in the list
	invalid []invalidScore
}

// invalidScore is a score of a list that cannot be read.
type invalidScore struct {
	index int
	id    string
	err   error
}

// ReadNewScores reads one score or a list of them.
func (h *Handlers) ReadNewScores(c *endpoint.Call) (*NewScores, error) {
	body, received := c.Body(), domain.MicrosOf(time.Now())
	if body.Kind() != "array" {
		draft, err := scores.ReadRequest(body, received)
		if err != nil {
			h.CountScores(0, 1)
			return nil, err
		}
		draft.BrowserKey, draft.AuthorUserID = c.BrowserKey(), authorOf(c)
		return &NewScores{drafts: []scores.Draft{draft}}, nil
	}
	if body.Len() > endpoint.MaxBatchItems {
		body.Reject(decode.TooLong(body.Path(), "array", endpoint.MaxBatchItems))
		return nil, body.Err()
	}
	list := &NewScores{isList: true}
	for index, item := range body.Array() {
		item = item.WithOwnIssues()
		draft, err := scores.ReadListed(item, received)
		if err != nil {
			list.invalid = append(list.invalid, invalidScore{index, sentID(item), err})
			continue
		}
		draft.BrowserKey, draft.AuthorUserID = c.BrowserKey(), authorOf(c)
		list.drafts, list.indexes = append(list.drafts, draft), append(list.indexes, index)
	}
	return list, nil
}

// CreateScores stores one score or a list of them. They are on disk and can be read before a success response is sent.
func (h *Handlers) CreateScores(c *endpoint.Call, scope domain.ProjectScope, q *NewScores) (any, error) {
	if q.isList {
		return h.createScoreList(c, scope, q)
	}
	refusals, err := h.Scores.Write(c.Context(), scope, q.drafts)
	if err != nil {
		return nil, endpoint.WriteError(err)
	}
	if refusal := refusals[0]; refusal != nil {
		h.CountScores(0, 1)
		if errors.Is(refusal, scores.ErrForeign) {
			return nil, &respond.Error{Status: http.StatusForbidden, Name: "ForbiddenError", Message: endpoint.ForeignScore}
		}
		return nil, refusal
	}
	h.CountScores(1, 0)
	return struct {
		ID string `json:"id"`
	}{q.drafts[0].ID}, nil
}

// authorOf returns the id of the person who makes a request, or "" for keys.
func authorOf(c *endpoint.Call) string {
	if person := c.Person(); person != nil {
		return person.User.ID
	}
	return ""
}

// scoreListAnswer is the response to a list of scores of which some were rejected.
type scoreListAnswer struct {
	Accepted int              `json:"accepted"`
	Rejected int              `json:"rejected"`
	Errors   []scoreListError `json:"errors"`
}

// scoreListError says why a score of a list was rejected. Clients show only the message, so that names the score as
// well.
type scoreListError struct {
	ID      string `json:"id"`
	Index   int    `json:"index"`
	Message string `json:"message"`
}

func (s *scoreListAnswer) refuse(index int, id string, err error) {
	var (
		invalid *decode.Invalid
		reasons []string
	)
	switch {
	case errors.Is(err, scores.ErrForeign):
		reasons = []string{endpoint.ForeignScore}
	case !errors.As(err, &invalid):
		panic("BUG: a score is refused with " + err.Error())
	default:
		for _, issue := range invalid.Issues {
			reason := issue.Message
			if len(issue.Path) > 1 { // the first element is the index
				reason = fmt.Sprintf("%v: %s", issue.Path[len(issue.Path)-1], issue.Message)
			}
			reasons = append(reasons, reason)
		}
	}
	s.Rejected++
	message := fmt.Sprintf("Score %d (%s): %s", index, id, strings.Join(reasons, "; "))
	s.Errors = append(s.Errors, scoreListError{ID: id, Index: index, Message: message})
}

// createScoreList stores the valid scores of a list and reports why it rejected the others.
func (h *Handlers) createScoreList(c *endpoint.Call, scope domain.ProjectScope, q *NewScores) (any, error) {
	var answer scoreListAnswer
	for _, item := range q.invalid {
		answer.refuse(item.index, item.id, item.err)
	}
	refusals, err := h.Scores.Write(c.Context(), scope, q.drafts)
	if err != nil {
		return nil, endpoint.WriteError(err)
	}
	for n, refusal := range refusals {
		if refusal != nil {
			answer.refuse(q.indexes[n], q.drafts[n].ID, refusal)
			continue
		}
		answer.Accepted++
	}
	h.CountScores(answer.Accepted, answer.Rejected)
	if answer.Rejected == 0 {
		return respond.Status{Code: http.StatusAccepted, Body: respond.Message{Message: "Accepted"}}, nil
	}
	slices.SortFunc(answer.Errors, func(x, y scoreListError) int { return cmp.Compare(x.Index, y.Index) })
	return respond.Status{Code: http.StatusMultiStatus, Body: answer}, nil
}

// sentID returns the id with which an item was sent.
func sentID(item decode.Value) string {
	item = item.WithOwnIssues() // the issues of the item have already been reported
	if id := item.Object().Field("id"); id.Kind() == "string" {
		if text := id.Text(); text != "" {
			return text
		}
	}
	return endpoint.UnknownID
}

// DeleteScore deletes a score. It succeeds even if there is none with that id.
func (h *Handlers) DeleteScore(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	ids := []string{c.Path("scoreId")}
	if err := h.Catalog.RecordDeletion(c.Context(), scope, "score", ids, c.Actor()); err != nil {
		return nil, err
	}
	if err := h.Scores.Delete(c.Context(), scope, ids); err != nil {
		return nil, endpoint.WriteError(err)
	}
	// It has already been deleted; clients know this message.
	return respond.Status{Code: http.StatusAccepted, Body: respond.Message{Message: "Score deletion queued successfully"}}, nil
}
