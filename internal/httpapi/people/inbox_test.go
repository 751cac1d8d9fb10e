package people_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

type inboxPage struct {
	Data []struct {
		ID, Kind, ProjectID, ProjectName string
		Read                             bool
		Comment                          *struct {
			ID, ObjectType, ObjectID, TraceID, Excerpt, AuthorName, PromptName string
			PromptVersion                                                      int
		}
		Export *struct{ ID, State, Error string }
	}
	Meta   struct{ Cursor string }
	Unread int
}

func inboxOf(t *testing.T, b *apitest.Browser, query string) inboxPage {
	t.Helper()
	return apitest.DecodeJSON[inboxPage](t, []byte(b.Ask(t, "GET", "/api/ui/inbox"+query, "", 200)))
}

// TestInbox: a comment reaches those whom it mentions, as long as they may read it.
func TestInbox(t *testing.T) {
	f := apitest.New(t, nil)
	ann, bo := f.NewMember(t, "ann@a.test", domain.RoleMember), f.NewMember(t, "bo@a.test", domain.RoleViewer)
	stranger := f.NewMember(t, "stranger@a.test", domain.RoleNone)
	owner, author, reader := f.As(t, f.NewMember(t, "owner@a.test", domain.RoleOwner).ID), f.As(t, ann.ID), f.As(t, bo.ID)
	f.Browser().Ask(t, "GET", "/api/ui/inbox", "", 401)
	f.Browser().Ask(t, "POST", "/api/ui/inbox/read", `{"upTo":"a"}`, 401)
	if got := reader.Ask(t, "GET", "/api/ui/inbox", "", 200); got != `{"data":[],"meta":{},"unread":0}` {
		t.Errorf("at first: %s", got)
	}
	prompt := apitest.DecodeJSON[struct{ ID string }](t, []byte(author.Ask(t, "POST", apitest.UIProject+"/v2/prompts",
		`{"name":"greet","type":"text","prompt":"Hi"}`, 201))).ID
	comment := func(content string) string {
		t.Helper()
		return apitest.DecodeJSON[struct{ ID string }](t, []byte(author.Ask(t, "POST", apitest.UIProject+"/comments",
			fmt.Sprintf(`{"projectId":"project-a","objectType":"PROMPT","objectId":%q,"content":%q}`, prompt, content), 200))).ID
	}
	mention := func(user string) string { return "@[Somebody](user:" + user + ")" }
	// Neither oneself, nor twice, nor people who cannot see the project, nor unknown ones.
	first := comment("see " + mention(bo.ID) + mention(bo.ID) + mention(ann.ID) + mention(stranger.ID) + mention("unknown"))
	got := inboxOf(t, reader, "")
	if len(got.Data) != 1 || got.Unread != 1 || got.Data[0].Kind != "mention" || got.Data[0].Comment.ID != first ||
		got.Data[0].Comment.ObjectID != prompt || got.Data[0].Comment.AuthorName == "" || got.Data[0].ProjectID != "project-a" {
		t.Fatalf("the person mentioned is told %+v", got)
	}
	if c := got.Data[0].Comment; c.PromptName != "greet" || c.PromptVersion != 1 {
		t.Errorf("the comment is on %+v", c)
	}
	for who, b := range map[string]*apitest.Browser{"the author": author, "a stranger": f.As(t, stranger.ID)} {
		if told := inboxOf(t, b, ""); len(told.Data) != 0 {
			t.Errorf("%s is told %+v", who, told)
		}
	}
	// An edit tells those who are new, and takes back what others were told.
	reader.Ask(t, "POST", "/api/ui/inbox/read", `{"ids":["`+got.Data[0].ID+`"]}`, 204)
	path := apitest.UIProject + "/comments/" + first
	author.Ask(t, "PATCH", path, `{"content":"changed `+mention(bo.ID)+`"}`, 200)
	if told := inboxOf(t, reader, ""); told.Unread != 0 || len(told.Data) != 1 || !strings.HasPrefix(told.Data[0].Comment.Excerpt, "changed") {
		t.Errorf("after an edit that mentions them still: %+v", told)
	}
	author.Ask(t, "PATCH", path, `{"content":"nobody"}`, 200)
	if told := inboxOf(t, reader, ""); len(told.Data) != 0 {
		t.Errorf("after an edit that mentions nobody: %+v", told)
	}
	author.Ask(t, "POST", apitest.UIProject+"/comments", `{"projectId":"project-a","objectType":"PROMPT","objectId":"`+prompt+
		`","content":"`+manyMentions()+`"}`, 400)

	// Pages, and reading up to one.
	second, third := comment("2 "+mention(bo.ID)), comment("3 "+mention(bo.ID))
	page := inboxOf(t, reader, "?limit=1")
	if len(page.Data) != 1 || page.Data[0].Comment.ID != third || page.Unread != 2 || page.Meta.Cursor == "" {
		t.Fatalf("the first page: %+v", page)
	}
	rest := inboxOf(t, reader, "?limit=1&cursor="+page.Meta.Cursor)
	if len(rest.Data) != 1 || rest.Data[0].Comment.ID != second || rest.Meta.Cursor != "" {
		t.Errorf("the second page: %+v", rest)
	}
	reader.Ask(t, "GET", "/api/ui/inbox?cursor=x", "", 400)
	reader.Ask(t, "GET", "/api/ui/inbox?limit=1000", "", 400)
	author.Ask(t, "POST", "/api/ui/inbox/read", `{"upTo":"`+page.Data[0].ID+`"}`, 204)
	if told := inboxOf(t, reader, ""); told.Unread != 2 {
		t.Errorf("somebody else has read them: %+v", told)
	}
	for _, body := range []string{`{}`, `{"ids":[]}`, `{"ids":["a"],"upTo":"a"}`, `{"all":true}`} {
		reader.Ask(t, "POST", "/api/ui/inbox/read", body, 400)
	}
	reader.Ask(t, "POST", "/api/ui/inbox/read", `{"upTo":"`+rest.Data[0].ID+`"}`, 204)
	if told := inboxOf(t, reader, ""); told.Unread != 1 || !told.Data[1].Read || told.Data[0].Read {
		t.Errorf("after reading the older one: %+v", told)
	}

	// A comment that is deleted is not told of any more, and those who lose their role see nothing.
	author.Ask(t, "DELETE", apitest.UIProject+"/comments/"+third, "", 204)
	if told := inboxOf(t, reader, ""); len(told.Data) != 1 || told.Unread != 0 {
		t.Errorf("after the comment is gone: %+v", told)
	}
	owner.Ask(t, "PUT", apitest.UIProject+"/members/"+bo.ID, `{"role":"NONE"}`, 200)
	if told := inboxOf(t, reader, ""); len(told.Data) != 0 {
		t.Errorf("without a role: %+v", told)
	}
	owner.Ask(t, "DELETE", apitest.UIProject+"/members/"+bo.ID, "", 204)
	if told := inboxOf(t, reader, ""); len(told.Data) != 1 {
		t.Errorf("with the role again: %+v", told)
	}
}

func manyMentions() string {
	var b strings.Builder
	for n := range domain.MaxMentions + 1 {
		fmt.Fprintf(&b, "@[a](user:%d)", n)
	}
	return b.String()
}
