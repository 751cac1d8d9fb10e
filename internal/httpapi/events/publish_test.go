package events_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/catalog/tenants"
	"almanac/internal/domain"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
	"almanac/internal/ingest"
)

// TestPublishingNeedsAPermission sends spans that publish their trace with keys that may and may not, and reads the
// traces without signing in.
func TestPublishingNeedsAPermission(t *testing.T) {
	f := apitest.New(t, func(o *httpapi.Options) {
		o.Ingest = apitest.NewPipeline(t, o.Store.Observations(), o.Registry, o.Log, func(i *ingest.Options) {
			i.Prices, i.Usage = o.Prices, o.Usage
		})
	})
	const secret = "sk-lf-of-the-publisher"
	for n, c := range []struct {
		may       domain.PermissionSet
		published bool
	}{
		{domain.AllPermissions(), true},
		{domain.PermissionsOf(domain.TracesWrite, domain.TracesPublish), true},
		{domain.PermissionsOf(domain.TracesWrite), false},
		{domain.PermissionsOf(domain.TracesWrite, domain.TracesRead), false},
	} {
		public := fmt.Sprintf("pk-lf-publisher-%d", n)
		if _, err := f.Catalog.CreateKey(t.Context(), domain.OfOrganization("org-a"), tenants.NewKey{
			ProjectID: "project-a", PublicKey: public, SecretHash: auth.HashSecret(secret), Permissions: c.may,
		}, domain.Actor{}); err != nil {
			t.Fatal(err)
		}
		trace := fmt.Sprintf("%032d", n+1)
		f.Keep(t, "project-a", []domain.Observation{
			{TraceID: trace, ID: "older", Type: "SPAN", StartTime: apitest.October, Name: "older", Input: "secret"},
		}, nil)
		answer := f.Ask(t, apitest.Scenario{
			Method: "POST", Path: "/api/public/otel/v1/traces", Header: map[string]string{"Authorization": apitest.BasicHeader(public, secret)},
			Once: true,
			Body: `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"` + trace +
				`","spanId":"0000000000000001","name":"n","startTimeUnixNano":"1790000000000000000","endTimeUnixNano":"1790000001000000000",
				"attributes":[{"key":"langfuse.trace.public","value":{"boolValue":true}}]}]}]}]}`,
		})
		if said := strings.Contains(answer,
			"1 span(s) were stored, but do not publish their trace: the key lacks the permission traces:publish."); said == c.published {
			t.Errorf("%s: %s", c.may, answer)
		}
		status := 401
		if c.published {
			status = 200
		}
		f.Browser().Ask(t, "GET", apitest.UIProject+"/traces/"+trace+"/tree", "", status)
		// The span itself is stored in any case.
		if stored := f.Ask(t, apitest.Scenario{Path: "/api/public/v2/observations?traceId=" + trace, Once: true}); strings.Count(stored,
			`"traceId":"`+trace) != 2 {
			t.Errorf("%s: %s", c.may, stored)
		}
	}
}
