package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"almanac/internal/access/auth"
	"almanac/internal/access/clientaddr"
)

// TestWrongCredentialsAreCounted: every kind of wrong credential is counted once; valid, missing and insufficient ones
// are not.
func TestWrongCredentialsAreCounted(t *testing.T) {
	counts := map[string]int{}
	f := newFixture(t, func(o *Options) {
		o.Failures = auth.NewFailures(o.Log, func(reason string) { counts[reason]++ })
		o.Proxies = clientaddr.Proxies{}
	})
	get := func(path, authorization string, status int) {
		t.Helper()
		f.run(t, scenario{path: path, header: map[string]string{"Authorization": authorization}, status: status})
	}
	const path, admin = "/api/public/projects", "/api/admin/organizations"
	get(path, basicHeader("pk-lf-a", "x"), http.StatusUnauthorized)
	get(path, basicHeader("pk-lf-unknown", "x"), http.StatusUnauthorized)
	get(path, "Bearer "+fixtureKeys["project"].SecretKey, http.StatusUnauthorized)
	get(admin, "Bearer x", http.StatusUnauthorized)
	get(path, basicHeader("pk-lf-a", fixtureKeys["project"].SecretKey), http.StatusOK)
	get(admin, "Bearer admin-secret", http.StatusOK)
	get(path, "Bearer pk-lf-a", http.StatusForbidden)
	f.run(t, scenario{path: path, status: http.StatusUnauthorized})
	if counts["wrong secret"] != 1 || counts["unknown key"] != 2 || counts["wrong admin key"] != 1 || len(counts) != 3 {
		t.Errorf("counted are %v", counts)
	}
	if strings.Contains(f.log.String(), fixtureKeys["project"].SecretKey) {
		t.Error("the log holds a secret")
	}
}
