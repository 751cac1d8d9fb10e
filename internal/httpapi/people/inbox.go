package people

import (
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// maxReadAtOnce is how many entries can be marked as read by their ids.
const maxReadAtOnce = 100

// maxExcerpt is how much of a comment an entry shows, in characters.
const maxExcerpt = 300

type inboxBody struct {
	ID          string            `json:"id"`
	Kind        string            `json:"kind"`
	ProjectID   string            `json:"projectId"`
	ProjectName string            `json:"projectName"`
	CreatedAt   respond.Time      `json:"createdAt"`
	Read        bool              `json:"read"`
	Comment     *inboxCommentBody `json:"comment"`
	Export      *inboxExportBody  `json:"export"`
}

type inboxCommentBody struct {
	ID         string `json:"id"`
	ObjectType string `json:"objectType"`
	ObjectID   string `json:"objectId"`
	TraceID    string `json:"traceId"`
	Excerpt    string `json:"excerpt"`
	AuthorName string `json:"authorName"`
	// PromptName and PromptVersion are null unless it is on a version of a prompt that exists.
	PromptName    *string `json:"promptName"`
	PromptVersion *int64  `json:"promptVersion"`
}

type inboxExportBody struct {
	ID     string `json:"id"`
	Table  string `json:"table"`
	Format string `json:"format"`
	State  string `json:"state"`
	Error  string `json:"error"`
	Rows   int64  `json:"rows"`
}

type inboxPage struct {
	endpoint.CursorPage[inboxBody]
	Unread int `json:"unread"`
}

func newInboxBody(e domain.InboxEntry) inboxBody {
	b := inboxBody{
		ID: e.ID, Kind: "export", ProjectID: e.ProjectID, ProjectName: e.ProjectName, CreatedAt: respond.Time(e.CreatedAt),
		Read: e.ReadAt != nil,
	}
	if c := e.Comment; c != nil {
		b.Kind = "mention"
		b.Comment = &inboxCommentBody{
			ID: c.ID, ObjectType: c.ObjectType, ObjectID: c.ObjectID, TraceID: c.TraceID, Excerpt: excerpt(c.Content),
			AuthorName: c.AuthorName,
		}
		if c.Version != 0 {
			b.Comment.PromptName, b.Comment.PromptVersion = &c.Prompt, &c.Version
		}
	}
	if x := e.Export; x != nil {
		b.Export = &inboxExportBody{x.ID, x.Table, x.Format, x.State, x.Error, x.Rows}
	}
	return b
}

// excerpt returns the beginning of a text.
func excerpt(text string) string {
	count := 0
	for at := range text {
		if count == maxExcerpt {
			return text[:at] + "…"
		}
		count++
	}
	return text
}

// GetInbox serves GET /api/ui/inbox.
func (h *Handlers) GetInbox(c *endpoint.Call) (any, error) {
	before, limit, err := endpoint.ReadCursorPage(c, endpoint.ValidPlace)
	if err != nil {
		return nil, err
	}
	user := c.Person().User.ID
	entries, err := h.Catalog.Inbox.Entries(c.Context(), user, before, limit+1)
	if err != nil {
		return nil, err
	}
	unread, err := h.Catalog.Inbox.Unread(c.Context(), user)
	if err != nil {
		return nil, err
	}
	return inboxPage{
		endpoint.NewCursorPage(entries, limit, func(e domain.InboxEntry) string { return e.ID }, newInboxBody), unread,
	}, nil
}

// ReadInbox serves POST /api/ui/inbox/read.
func (h *Handlers) ReadInbox(c *endpoint.Call) (any, error) {
	b := c.Body().Object()
	ids := decode.Nullish(b.Field("ids"), func(v decode.Value) []string {
		list := []string{}
		for _, id := range v.ArrayLen(1, maxReadAtOnce) {
			list = append(list, id.TextLen(1, endpoint.MaxUserID))
		}
		return list
	})
	upTo := decode.Nullish(b.Field("upTo"), func(v decode.Value) string { return v.TextLen(1, endpoint.MaxUserID) })
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if (ids == nil) == (upTo == nil) {
		return nil, respond.InvalidRequest("Say either ids or upTo.")
	}
	var list []string
	if ids != nil {
		list = *ids
	}
	err := h.Catalog.Inbox.Read(c.Context(), c.Person().User.ID, list, endpoint.ValueOr(upTo, ""))
	return endpoint.Confirm(err, respond.NoContent{})
}
