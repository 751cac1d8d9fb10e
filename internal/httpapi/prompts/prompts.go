package prompts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"almanac/internal/catalog/prompts"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
	queryPrompts "almanac/internal/query/prompts"
)

// defaultPromptPage is the default number of prompts on a page.
const defaultPromptPage = 10

// ListPrompts returns a numbered page of names, each with a summary of the versions that match the query.
func (h *Handlers) ListPrompts(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	filter := prompts.PromptFilter{
		Name: endpoint.ValueOr(q.String("name"), ""), Label: endpoint.ValueOr(q.String("label"), ""),
		Tag: endpoint.ValueOr(q.String("tag"), ""), Version: promptVersion(q),
		UpdatedFrom: q.Time("fromUpdatedAt"), UpdatedBefore: q.Time("toUpdatedAt"),
	}
	page := q.Page(defaultPromptPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	found, total, err := h.Catalog.Prompts(c.Context(), scope, filter, endpoint.CatalogPage(page))
	if err != nil {
		return nil, err
	}
	list := endpoint.Numbered(page, total, endpoint.Bodies(found, newPromptSummaryBody))
	list.Finish = func(dst []byte, _ bool) []byte {
		meta := fmt.Appendf(nil, `{"page":%d,"limit":%d,"totalPages":%d,"totalItems":%d}`, page.Number, page.Limit,
			(total+page.Limit-1)/page.Limit, total)
		dst = append(append(dst, `,"meta":`...), meta...)
		return append(append(dst, `,"pagination":`...), meta...) // its former name
	}
	return list.Answer(c)
}

// promptVersion reads the parameter version; 0 means absent.
func promptVersion(q *decode.Query) int {
	return q.Int("version", decode.IntRule{Min: math.MinInt32, Max: math.MaxInt32})
}

// GetPrompt returns a version of a prompt.
func (h *Handlers) GetPrompt(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	ref, err := readPromptSelection(c.Path("promptName"), q)
	resolve := q.Bool("resolve")
	if issues := q.Err(); issues != nil {
		return nil, issues
	}
	if err != nil {
		return nil, err
	}
	return h.readPrompt(c, scope, ref, resolve == nil || *resolve)
}

// readPromptSelection reads the requested version or label of a prompt; both are empty if the client names neither.
func readPromptSelection(name string, q *decode.Query) (domain.PromptReference, error) {
	ref := domain.PromptReference{Name: name, Version: promptVersion(q), Label: endpoint.ValueOr(q.String("label"), "")}
	if ref.Version != 0 && ref.Label != "" {
		return ref, respond.InvalidRequest("Cannot specify both version and label")
	}
	return ref, nil
}

// readOnlySelection is readPromptSelection for a request without other parameters, with the name in the path.
func readOnlySelection(c *endpoint.Call, name string) (domain.PromptReference, error) {
	q := c.Query()
	ref, err := readPromptSelection(c.Path(name), q)
	if issues := q.Err(); issues != nil {
		return ref, issues
	}
	return ref, err
}

// readPrompt returns a version, by default the one in production.
func (h *Handlers) readPrompt(c *endpoint.Call, scope domain.ProjectScope, ref domain.PromptReference, resolve bool) (any, error) {
	if ref.Version == 0 && ref.Label == "" {
		ref.Label = domain.ProductionLabel
	}
	answer, err := h.Prompts.Read(c.Context(), scope, ref, resolve,
		func(p domain.Prompt, graph *queryPrompts.Graph) (queryPrompts.Answer, error) {
			if err := memory.Of(c.Context()).Grow(c.Context(), promptCopies*promptBytes(&p)); err != nil {
				return nil, err
			}
			body, err := respond.Marshal(newReadPromptBody(p, graph, scope.ProjectID()))
			return respond.Prepare(body), err
		})
	if err == nil {
		err = holdPrompt(c, answer)
	}
	var unresolvable *queryPrompts.Unresolvable
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return nil, respond.NotFound("Prompt not found: " + ref.String())
	case errors.As(err, &unresolvable):
		return nil, respond.Conflict(unresolvable.Message)
	}
	return answer, err
}

// promptCopies is the number of copies of a prompt in memory until it is first sent: as JSON, in a growing buffer, and
// compressed.
const promptCopies = 3

// promptBytes returns the length of a prompt's content and config.
func promptBytes(p *domain.Prompt) int64 {
	bytes := len(p.Text) + len(p.Config)
	for n := range p.Messages {
		bytes += len(p.Messages[n].Content)
	}
	return int64(bytes)
}

// holdPrompt reserves the memory of a long response while it is sent, since the cache may evict it in the meantime.
func holdPrompt(c *endpoint.Call, answer queryPrompts.Answer) error {
	const short = 16 << 10
	if answer.Size() <= short {
		return nil
	}
	return memory.Of(c.Context()).Grow(c.Context(), int64(answer.Size()))
}

// CreatePrompt stores a new version of a prompt.
func (h *Handlers) CreatePrompt(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readNewPrompt(c.Body())
	if err != nil {
		return nil, err
	}
	return h.storePrompt(c, scope, n)
}

func (h *Handlers) storePrompt(c *endpoint.Call, scope domain.ProjectScope, n domain.Prompt) (any, error) {
	n.CreatedBy = author(c)
	created, err := h.Catalog.CreatePrompt(c.Context(), scope, n, resolvable(c.Context(), n), editor(c))
	if err != nil {
		return nil, storingError(err, n)
	}
	return respond.Status{Code: http.StatusCreated, Body: newPromptBody(created, scope.ProjectID())}, nil
}

// editor returns the caller as an editor of prompts.
func editor(c *endpoint.Call) prompts.Editor {
	return prompts.Editor{Actor: c.Actor(), MovesProtected: c.May(domain.ProjectAdmin)}
}

// author returns who is recorded as the author of a version: a person, or that it was created with a key.
func author(c *endpoint.Call) string {
	if person := c.Person(); person != nil {
		return person.User.ID
	}
	return createdWithKey
}

// resolvable returns the check that the references of a new version can be resolved.
func resolvable(ctx context.Context, n domain.Prompt) prompts.CheckPrompt {
	return func(find prompts.FindPrompt) error {
		_, _, err := queryPrompts.Resolve(ctx, n, queryPrompts.Find(find))
		if unresolvable, ok := errors.AsType[*queryPrompts.Unresolvable](err); ok {
			return &prompts.Refused{Message: unresolvable.Message}
		}
		return err
	}
}

// storingError returns the error for a version that could not be stored.
func storingError(err error, n domain.Prompt) error {
	if refused, ok := errors.AsType[*prompts.Refused](err); ok {
		return respond.InvalidRequest(refused.Message)
	}
	switch {
	case errors.Is(err, prompts.ErrPromptType):
		return respond.InvalidRequest("The versions of prompt '" + n.Name + "' are of another type than " + n.Type + ". Use another name.")
	case errors.Is(err, prompts.ErrPromptLabels):
		return respond.InvalidRequest("The version would have too many labels: " + prompts.ErrPromptLabels.Error())
	}
	return protectedError(err)
}

// protectedError returns the error for a change of protected labels, and other errors unchanged.
func protectedError(err error) error {
	protected, ok := errors.AsType[*prompts.ProtectedLabels](err)
	if !ok {
		return err
	}
	return &respond.Error{
		Status: http.StatusForbidden, Name: "ForbiddenError",
		Message: "Only those with the permission " + domain.ProjectAdmin.String() + " may give, move or remove the protected labels of " +
			"this project: " + strings.Join(protected.Labels, ", "),
	}
}

// LabelPrompt adds labels to a version.
func (h *Handlers) LabelPrompt(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	version, err := pathVersion(c, "version")
	if err != nil {
		return nil, err
	}
	labels, err := readNewLabels(c.Body())
	if err != nil {
		return nil, err
	}
	name := c.Path("promptName")
	notFound := respond.NotFound("Prompt '" + name + "' version " + strconv.Itoa(version) + " not found in project")
	if version < 1 {
		return nil, notFound
	}
	p, err := h.Catalog.LabelPrompt(c.Context(), scope, name, version, labels, editor(c))
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return nil, notFound
	case err != nil:
		return nil, storingError(err, p)
	}
	return newPromptBody(p, scope.ProjectID()), nil
}

// DeletePrompt deletes a version of a prompt, or all of them.
func (h *Handlers) DeletePrompt(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	ref, err := readOnlySelection(c, "promptName")
	if err != nil {
		return nil, err
	}
	_, err = h.Catalog.DeletePrompt(c.Context(), scope, ref, editor(c))
	var inUse *prompts.PromptInUse
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return nil, respond.NotFound("Prompt not found")
	case errors.As(err, &inUse):
		return nil,
			respond.InvalidRequest("Other prompts depend on prompt versions that would be deleted: " + inUse.Dependents() +
				". Delete the dependent prompts first.")
	case err != nil:
		return nil, protectedError(err)
	}
	return respond.NoContent{}, nil
}
