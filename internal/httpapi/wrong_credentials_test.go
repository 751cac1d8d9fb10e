package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/access/clientaddr"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/apitest"
)

// TestWrongCredentialsAreCounted: every kind of wrong credential is counted once; valid, missing and insufficient ones
// are not.
func TestWrongCredentialsAreCounted(t *testing.T) {
	counts := map[string]int{}
	f := apitest.New(t, func(o *httpapi.Options) {
		o.Failures = auth.NewFailures(o.Log, func(reason string) { counts[reason]++ })
		o.Proxies = clientaddr.Proxies{}
	})
	get := func(path, authorization string, status int) {
		t.Helper()
		f.Run(t, apitest.Scenario{Path: path, Header: map[string]string{"Authorization": authorization}, Status: status})
	}
	const path, admin = "/api/public/projects", "/api/admin/organizations"
	get(path, apitest.BasicHeader("pk-lf-a", "x"), http.StatusUnauthorized)
	get(path, apitest.BasicHeader("pk-lf-unknown", "x"), http.StatusUnauthorized)
	get(path, "Bearer "+apitest.Keys["project"].SecretKey, http.StatusUnauthorized)
	get(admin, "Bearer x", http.StatusUnauthorized)
	get(path, apitest.BasicHeader("pk-lf-a", apitest.Keys["project"].SecretKey), http.StatusOK)
	get(admin, "Bearer admin-secret", http.StatusOK)
	get(path, "Bearer pk-lf-a", http.StatusForbidden)
	f.Run(t, apitest.Scenario{Path: path, Status: http.StatusUnauthorized})
	if counts["wrong secret"] != 1 || counts["unknown key"] != 2 || counts["wrong admin key"] != 1 || len(counts) != 3 {
		t.Errorf("counted are %v", counts)
	}
	if strings.Contains(f.Logged.String(), apitest.Keys["project"].SecretKey) {
		t.Error("the log holds a secret")
	}
}
