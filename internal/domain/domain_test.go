package domain

import (
	"strings"
	"testing"
)

func TestPermissionSetRoundTrip(t *testing.T) {
	for _, text := range []string{"", "*", "traces:read", "traces:read,scores:write", "project:admin"} {
		s, err := ParsePermissions(text)
		if err != nil {
			t.Fatalf("ParsePermissions(%q): %v", text, err)
		}
		if s.String() != text {
			t.Errorf("ParsePermissions(%q).String() = %q", text, s.String())
		}
	}
	if _, err := ParsePermissions("traces:read,nope"); err == nil || !strings.Contains(err.Error(), `"nope"`) {
		t.Errorf("an unknown permission is not named in the error: %v", err)
	}
}

func TestPermissionSetHas(t *testing.T) {
	s := PermissionsOf(TracesRead, ScoresWrite)
	for name, want := range map[string]bool{"traces:read": true, "traces:write": false, "scores:write": true, "project:admin": false} {
		p, err := ParsePermission(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Has(p); got != want {
			t.Errorf("Has(%s) = %v, want %v", name, got, want)
		}
		if !AllPermissions().Has(p) {
			t.Errorf("the full set lacks %s", name)
		}
	}
	if got := len(AllPermissions().Names()); got != 17 {
		t.Errorf("the full set names %d permissions, want 17", got)
	}
}

func TestDisplaySecret(t *testing.T) {
	for secret, want := range map[string]string{
		"sk-lf-00000000-0000-4000-8000-000000009f3a": "sk-lf-...9f3a",
		"sk-lf-1234567890":                           "sk-lf-...7890",
		"short-secret":                               "...",
		"":                                           "...",
	} {
		if got := (KeyPair{SecretKey: secret}).DisplaySecret(); got != want {
			t.Errorf("DisplaySecret(%q) = %q, want %q", secret, got, want)
		}
	}
}

func TestScopeWithoutProjectIsRefused(t *testing.T) {
	for name, use := range map[string]func(){
		"project":      func() { _ = ProjectScope{}.ProjectID() },
		"organization": func() { _ = OrganizationScope{}.OrganizationID() },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("an empty scope was accepted")
				}
			}()
			use()
		})
	}
}

func TestNewIDIsRandomAndPlain(t *testing.T) {
	a, b := NewID(), NewID()
	if a == b || len(a) != 26 || strings.ToLower(a) != a {
		t.Errorf("NewID() = %q, %q", a, b)
	}
}
