package ui_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/access/viewlog"
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

// TestViews: objects that people open by id are recorded in the audit log, once, and nothing else is.
func TestViews(t *testing.T) {
	var log *viewlog.Log
	f := apitest.New(t, func(o *httpapi.Options) {
		log = viewlog.New(viewlog.Options{Record: o.Catalog.RecordViews, Log: o.Log, Dropped: func(count int) {
			t.Errorf("%d views are lost", count)
		}})
		o.People.Views = log
	})
	f.Keep(t, "project-a", []domain.Observation{
		{
			TraceID: "t1", ID: "o1", SessionID: "s1", StartTime: 1, Type: "SPAN",
		}, {TraceID: "t1", ID: "o2", SessionID: "s1", StartTime: 2, Type: "SPAN"}, {TraceID: "t2", ID: "o3", StartTime: 3, Type: "SPAN"},
	}, nil)
	viewer, owner := f.NewMember(t, "viewer@a.test", domain.RoleViewer), f.NewMember(t, "owner@a.test", domain.RoleOwner)
	const observations = "/api/ui/projects/project-a/v2/observations"
	filtered := func(filter string) string { return observations + "?filter=" + url.QueryEscape("["+filter+"]") }
	open := func(b *apitest.Browser, paths ...string) {
		t.Helper()
		for _, path := range paths {
			b.Ask(t, "GET", path, "", http.StatusOK)
		}
	}
	written := func() []string {
		t.Helper()
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		log.Run(ended) // writes pending views
		entries, err := apitest.OldestFirst(t.Context(), f.Catalog, domain.OfOrganization("org-a"))
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, e := range entries {
			if e.Action == "view" {
				if e.ProjectID != "project-a" || e.Origin.Address != "192.0.2.1" || e.Origin.RequestID == "" || e.Before != nil ||
					e.After != nil {
					t.Errorf("the entry is %+v", e)
				}
				list = append(list, e.ActorName+" "+e.ResourceKind+" "+e.ResourceID)
			}
		}
		return list
	}

	b := f.As(t, viewer.ID)
	open(b, observations, observations+"?traceId=nope", observations+"?userId=u",
		filtered(`{"type":"string","column":"traceId","operator":"contains","value":"t"}`))
	f.Ask(t, apitest.Get("v2/observations?traceId=t1").Gives(http.StatusOK, ""))
	if list := written(); len(list) != 0 {
		t.Errorf("lists, searches and programs are recorded: %q", list)
	}
	open(b, observations+"?traceId=t1", observations+"?traceId=t1&limit=1", observations+"?sessionId=s1",
		filtered(`{"type":"string","column":"id","operator":"=","value":"o3"}`),
		"/api/ui/projects/project-a/traces/t2/tree", "/api/ui/projects/project-a/traces/t1/tree",
		"/api/ui/projects/project-a/observations/o2/detail")
	b.Ask(t, "GET", "/api/ui/projects/project-a/traces/nope/tree", "", http.StatusNotFound)
	open(f.As(t, owner.ID), filtered(`{"type":"stringOptions","column":"traceId","operator":"any of","value":["t1","t2","nope"]}`))
	want := []string{
		"Name of viewer@a.test trace t1", "Name of viewer@a.test traceSession s1", "Name of viewer@a.test observation o3",
		"Name of viewer@a.test trace t2", "Name of viewer@a.test observation o2",
		"Name of owner@a.test trace t2", "Name of owner@a.test trace t1",
	}
	if list := written(); strings.Join(list, ", ") != strings.Join(want, ", ") {
		t.Errorf("recorded: %q\n    want: %q", list, want)
	}

	// Another server, or this one after a restart, does not know what was recorded, but the catalog does.
	log = viewlog.New(log.Options)
	f.People.Views = log
	open(b, observations+"?traceId=t1")
	if list := written(); len(list) != len(want) {
		t.Errorf("recorded again: %q", list)
	}
	if log := f.As(t, owner.ID).Ask(t, "GET", "/api/ui/projects/project-a/audit-log?action=view&resourceType=trace", "",
		http.StatusOK); strings.Count(log, `"action":"view"`) != 4 {
		t.Errorf("the log of the project: %s", log)
	}
}
