package scores

import (
	"context"
	"fmt"
	"net/http"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// maxComment is the maximum length of a comment, in characters.
const maxComment = 5000

func commentObjectTypes() []string {
	return []string{domain.ObjectTrace, domain.ObjectObservation, domain.ObjectSession, domain.ObjectPrompt}
}

// ReadNewComment reads a comment that is to be stored.
func ReadNewComment(c *endpoint.Call) (domain.Comment, error) { return readComment(c.Body()) }

// CreateComment stores a comment on an existing object. With a key, the author is a member of the organization or
// nobody; people can comment only as themselves.
func (h *Handlers) CreateComment(c *endpoint.Call, scope domain.ProjectScope, n domain.Comment) (any, error) {
	if person := c.Person(); person != nil {
		if n.AuthorUserID != nil && *n.AuthorUserID != person.User.ID {
			return nil, respond.InvalidRequest("authorUserId must be your own id: nobody comments in the name of somebody else.")
		}
		n.AuthorUserID = &person.User.ID
	}
	if n.AuthorUserID != nil {
		member, err := h.Catalog.IsMember(c.Context(), scope, *n.AuthorUserID)
		if err != nil {
			return nil, err
		}
		if !member {
			return nil,
				respond.InvalidRequest("authorUserId must belong to a member of the organization that owns the authenticated project.")
		}
	}
	traceID, exists, err := h.findObject(c.Context(), scope, n.ObjectType, n.ObjectID)
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil,
			respond.NotFound(fmt.Sprintf("Reference object, %s: %s not found. Skipping comment creation.", n.ObjectType, n.ObjectID))
	}
	created, err := h.Catalog.CreateComment(c.Context(), scope, n, traceID, c.Actor())
	if err != nil {
		return nil, err
	}
	return struct {
		ID string `json:"id"`
	}{created.ID}, nil
}

func readComment(body decode.Value) (domain.Comment, error) {
	b := body.Object()
	b.Field("projectId").Text() // required by the API, but known from the key
	n := domain.Comment{
		ObjectType:   b.Field("objectType").Enum(commentObjectTypes()...),
		ObjectID:     b.Field("objectId").TextLen(0, endpoint.MaxObjectID),
		Content:      readContent(b),
		AuthorUserID: decode.Nullish(b.Field("authorUserId"), func(v decode.Value) string { return v.TextLen(0, endpoint.MaxUserID) }),
	}
	n.Anchor = readAnchor(b, n.ObjectType)
	b.Strict()
	return n, b.Err()
}

// readContent reads the text of a comment, which can mention people.
func readContent(b *decode.Object) string {
	field := b.Field("content")
	content := field.TrimmedLen(1, maxComment)
	if len(domain.Mentions(content)) > domain.MaxMentions {
		field.Reject(decode.Violation(field.Path(), fmt.Sprintf("a comment can mention at most %d people", domain.MaxMentions)))
	}
	return content
}

// The limits of an anchor.
const (
	maxAnchorPath = 100  // steps
	maxAnchorStep = 1000 // characters
	maxAnchorEnd  = 100 << 20
)

// readAnchor reads the range of text to which a comment refers; nil if there is none.
func readAnchor(b *decode.Object, objectType string) *domain.Anchor {
	field, path, start, end := b.Field("dataField"), b.Field("path"), b.Field("rangeStart"), b.Field("rangeEnd")
	said := 0
	for _, v := range []decode.Value{field, path, start, end} {
		if kind := v.Kind(); kind != "undefined" && kind != "null" {
			said++
		}
	}
	if said == 0 {
		return nil
	}
	a := &domain.Anchor{
		Field: field.Enum("input", "output", "metadata"), Path: []string{}, Start: start.IntWithin(0, maxAnchorEnd),
		End: end.IntWithin(1, maxAnchorEnd),
	}
	for _, step := range path.ArrayLen(0, maxAnchorPath) {
		a.Path = append(a.Path, step.TextLen(0, maxAnchorStep))
	}
	switch {
	case a.End <= a.Start:
		end.Reject(decode.Violation(end.Path(), "rangeEnd must be greater than rangeStart"))
	case objectType != domain.ObjectTrace && objectType != domain.ObjectObservation:
		field.Reject(decode.Violation(field.Path(), "only comments on traces and observations belong to a place in a text"))
	}
	return a
}

// CommentRequest is a request about one comment.
type CommentRequest struct{ id, content string }

// ReadComment reads a request for a comment. It takes no parameters.
func ReadComment(c *endpoint.Call) (CommentRequest, error) {
	return CommentRequest{id: c.Path("commentId")}, noParameters(c)
}

// ReadCommentID reads a request that names a comment.
func ReadCommentID(c *endpoint.Call) (CommentRequest, error) {
	return CommentRequest{id: c.Path("commentId")}, nil
}

// ReadChangedComment reads a comment's new content.
func ReadChangedComment(c *endpoint.Call) (CommentRequest, error) {
	b := c.Body().Object()
	q := CommentRequest{c.Path("commentId"), readContent(b)}
	b.Strict()
	return q, b.Err()
}

// UpdateComment changes the content of a comment. Only its author may do so.
func (h *Handlers) UpdateComment(c *endpoint.Call, scope domain.ProjectScope, q CommentRequest) (any, error) {
	traceID, err := h.traceOfMention(c.Context(), scope, q)
	if err != nil {
		return nil, endpoint.NotFoundAs(err, noComment)
	}
	changed, err := h.Catalog.ChangeComment(c.Context(), scope, q.id, traceID, func(comment domain.Comment) (domain.Comment, error) {
		if !isAuthor(c, &comment) {
			return comment, notAuthor("change")
		}
		comment.Content = q.content
		return comment, nil
	}, c.Actor())
	return endpoint.Show(changed, endpoint.NotFoundAs(err, noComment), wire.Comments(scope))
}

// DeleteComment deletes a comment. Only its author and project administrators may do so.
func (h *Handlers) DeleteComment(c *endpoint.Call, scope domain.ProjectScope, q CommentRequest) (any, error) {
	comment, err := h.Catalog.Comments.Get(c.Context(), scope, q.id)
	if err != nil {
		return nil, endpoint.NotFoundAs(err, noComment)
	}
	if !isAuthor(c, &comment) && !c.May(domain.ProjectAdmin) {
		return nil, notAuthor("delete")
	}
	if err := h.Catalog.Comments.Delete(c.Context(), scope, q.id, c.Actor()); err != nil {
		return nil, endpoint.NotFoundAs(err, noComment)
	}
	return respond.NoContent{}, nil
}

const noComment = "Comment not found within authorized project"

func isAuthor(c *endpoint.Call, comment *domain.Comment) bool {
	return c.Person() != nil && comment.AuthorUserID != nil && *comment.AuthorUserID == c.Person().User.ID
}

func notAuthor(what string) *respond.Error {
	return &respond.Error{
		Status: http.StatusForbidden, Name: "ForbiddenError", Message: "Somebody else wrote this comment. Only they can " + what + " it.",
	}
}

// traceOfMention returns the trace of the observation that a changed comment is on, for those whom it mentions.
func (h *Handlers) traceOfMention(ctx context.Context, scope domain.ProjectScope, q CommentRequest) (string, error) {
	if len(domain.Mentions(q.content)) == 0 {
		return "", nil
	}
	comment, err := h.Catalog.Comments.Get(ctx, scope, q.id)
	if err != nil || comment.ObjectType != domain.ObjectObservation {
		return "", err
	}
	traceID, _, err := h.findObject(ctx, scope, comment.ObjectType, comment.ObjectID)
	return traceID, err
}

// findObject reports whether the project has a trace, an observation, a session or a prompt with this id, and in which
// trace an observation is.
func (h *Handlers) findObject(
	ctx context.Context, scope domain.ProjectScope, objectType, id string,
) (traceID string, exists bool, err error) {
	if id == "" {
		return "", false, nil // rows without a session have an empty session id
	}
	var lookup store.Lookup
	switch objectType {
	case domain.ObjectTrace:
		lookup.TraceIDs = []string{id}
	case domain.ObjectObservation:
		lookup.IDs = []string{id}
	case domain.ObjectSession:
		lookup.SessionIDs = []string{id}
	default:
		exists, err = h.Catalog.PromptExists(ctx, scope, id)
		return "", exists, err
	}
	for row, err := range h.Store.Observations().Lookup(ctx, scope, lookup) {
		if err != nil {
			return "", false, err
		}
		if objectType == domain.ObjectObservation {
			traceID = row.TraceID
		}
		return traceID, true, nil
	}
	return "", false, nil
}

// CommentsQuery is a query for comments.
type CommentsQuery struct {
	page   decode.Page
	filter catalog.CommentFilter
}

// ListComments returns a numbered page of comments, in the order in which they were created.
func (h *Handlers) ListComments(c *endpoint.Call, scope domain.ProjectScope, q CommentsQuery) (any, error) {
	return endpoint.CatalogList(c, scope, q.page, h.Catalog.Comments, wire.Comments(scope), q.filter.Where()...)
}

// ReadComments reads a request for comments.
func ReadComments(c *endpoint.Call) (CommentsQuery, error) {
	q := c.Query()
	filter := catalog.CommentFilter{
		ObjectType: q.Enum("objectType", commentObjectTypes()...), ObjectID: endpoint.ValueOr(q.String("objectId"), ""),
		AuthorUserID: q.String("authorUserId"),
	}
	page := q.Page(endpoint.DefaultPage)
	q.Strict()
	if q.Err() == nil && filter.ObjectID != "" && filter.ObjectType == "" {
		q.Add(decode.Violation([]any{"objectType"}, "objectType is required when objectId is provided"))
	}
	return CommentsQuery{page, filter}, q.Err()
}

// GetComment serves GET /api/public/comments/{commentId}.
func (h *Handlers) GetComment(c *endpoint.Call, scope domain.ProjectScope, q CommentRequest) (any, error) {
	comment, err := h.Catalog.Comments.Get(c.Context(), scope, q.id)
	return endpoint.Show(comment, endpoint.NotFoundAs(err, noComment), wire.Comments(scope))
}
