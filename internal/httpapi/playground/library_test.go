package playground_test

import (
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/httpapi/apitest"
)

func idIn(t *testing.T, answer string) string {
	t.Helper()
	return apitest.DecodeJSON[struct{ ID string }](t, []byte(answer)).ID
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s is not in %s", part, text)
		}
	}
}

func TestToolsAndSchemas(t *testing.T) {
	f := apitest.New(t, nil)
	member := f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	annotator := f.As(t, f.NewMember(t, "annotator@a.test", domain.RoleAnnotator).ID)
	for noun, at := range map[string]struct{ path, member string }{
		"tool": {apitest.UIProject + "/llm-tools", "parameters"}, "schema": {apitest.UIProject + "/llm-schemas", "schema"},
	} {
		body := func(name string) string {
			return `{"name":"` + name + `","description":"d","` + at.member + `":{"type":"object"}}`
		}
		answer := member.Ask(t, "POST", at.path, body("weather"), 201)
		contains(t, answer, `"name":"weather"`, `"`+at.member+`":{"type":"object"}`)
		one := at.path + "/" + idIn(t, answer)
		contains(t, member.Ask(t, "POST", at.path, body("weather"), 409), "has a "+noun+" with this name already")
		contains(t, member.Ask(t, "POST", at.path, body("no spaces"), 400), "letters, digits")
		contains(t, member.Ask(t, "POST", at.path, `{"name":"x","`+at.member+`":[]}`, 400), `"path":["`+at.member+`"]`)
		contains(t, member.Ask(t, "PUT", one, body("climate"), 200), `"name":"climate"`)
		contains(t, member.Ask(t, "GET", at.path, "", 200), `"name":"climate"`)
		for _, other := range []*apitest.Browser{viewer, annotator} {
			other.Ask(t, "GET", at.path, "", 403)
			other.Ask(t, "POST", at.path, body("mine"), 403)
			other.Ask(t, "PUT", one, body("mine"), 403)
			other.Ask(t, "DELETE", one, "", 403)
		}
		member.Ask(t, "DELETE", one, "", 204)
		member.Ask(t, "DELETE", one, "", 404)
		member.Ask(t, "PUT", one, body("climate"), 404)
	}
}

func TestPlaygrounds(t *testing.T) {
	f := apitest.New(t, nil)
	user := f.NewMember(t, "member@a.test", domain.RoleMember)
	member := f.As(t, user.ID)
	viewer := f.As(t, f.NewMember(t, "viewer@a.test", domain.RoleViewer).ID)
	const path = apitest.UIProject + "/playgrounds"
	first := member.Ask(t, "POST", path, `{"name":" mine ","state":{"windows":[1]}}`, 201)
	contains(t, first, `"name":"mine"`, `"state":{"windows":[1]}`, `"changedBy":"`+user.ID+`"`)
	one := path + "/" + idIn(t, first)
	seen := apitest.DecodeJSON[struct{ UpdatedAt string }](t, []byte(first)).UpdatedAt
	member.Ask(t, "POST", path, `{"name":"mine","state":{}}`, 409)
	member.Ask(t, "POST", path, `{"name":"","state":{}}`, 400)
	member.Ask(t, "POST", path, `{"name":"x","state":"text"}`, 400)
	if list := member.Ask(t, "GET", path, "", 200); strings.Contains(list, "windows") {
		t.Errorf("the list has the states: %s", list)
	}
	apitest.WaitForNextMillisecond()
	member.Ask(t, "PUT", one, `{"name":"mine","state":{"windows":[2]},"basedOn":"`+seen+`"}`, 200)
	contains(t, member.Ask(t, "PUT", one, `{"name":"mine","state":{},"basedOn":"`+seen+`"}`, 409), "Somebody else has saved")
	contains(t, member.Ask(t, "GET", one, "", 200), `"windows":[2]`)
	viewer.Ask(t, "GET", path, "", 403)
	viewer.Ask(t, "POST", path, `{"name":"x","state":{}}`, 403)
	viewer.Ask(t, "GET", one, "", 403)
	viewer.Ask(t, "PUT", one, `{"name":"x","state":{}}`, 403)
	viewer.Ask(t, "DELETE", one, "", 403)
	member.Ask(t, "DELETE", one, "", 204)
	member.Ask(t, "GET", one, "", 404)
	member.Ask(t, "DELETE", one, "", 404)
}

func TestModels(t *testing.T) {
	f := apitest.New(t, nil)
	admin := f.As(t, f.NewMember(t, "admin@a.test", domain.RoleAdmin).ID)
	member := f.As(t, f.NewMember(t, "member@a.test", domain.RoleMember).ID)
	annotator := f.As(t, f.NewMember(t, "annotator@a.test", domain.RoleAnnotator).ID)
	const models, chosen = apitest.UIProject + "/llm-models", apitest.UIProject + "/default-model"
	contains(t, member.Ask(t, "GET", models, "", 200), `{"connections":[],"default":null}`)
	f.Ask(t, apitest.Scenario{
		Method: "PUT", Path: "/api/public/llm-connections", Key: "project", Status: 201,
		Body: apitest.Connection("anthropic", `,"customModels":["own"]`),
	})
	answer := member.Ask(t, "GET", models, "", 200)
	contains(t, answer, `"connection":"p"`, `"models":["own","claude-`, `"ranges":{"temperature":1,"topK":true,"seed":false,"penalties":false}`)
	admin.Ask(t, "PUT", chosen, `{"default":{"connection":"p","model":"own"}}`, 204)
	contains(t, member.Ask(t, "GET", models, "", 200), `"default":{"connection":"p","model":"own"}`)
	admin.Ask(t, "PUT", chosen, `{"default":{"connection":"nowhere","model":"own"}}`, 404)
	admin.Ask(t, "PUT", chosen, `{"default":{"connection":"p"}}`, 400)
	member.Ask(t, "PUT", chosen, `{}`, 403)
	annotator.Ask(t, "GET", models, "", 403)
	admin.Ask(t, "PUT", chosen, `{}`, 204)
	contains(t, member.Ask(t, "GET", models, "", 200), `"default":null`)
}
