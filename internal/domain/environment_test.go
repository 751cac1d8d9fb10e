package domain

import (
	"strings"
	"testing"
)

func TestNormalEnvironment(t *testing.T) {
	for name, want := range map[string]string{
		"Prod": "prod", "langfuse-x": "x", "langfuse_x": "x", "langfuselangfuse-y": "y", "langfuse": "default", "": "default",
		"a b": "default", "é": "default",
		"a_1-b": "a_1-b", strings.Repeat("a", 41): strings.Repeat("a", 40), strings.Repeat("a", 40) + " ": strings.Repeat("a", 40),
	} {
		if got := NormalEnvironment(name); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}

func TestPermissionNames(t *testing.T) {
	for permission, want := range map[Permission]string{
		ScoresWrite: "scores:write", TracesWrite | ScoresWrite: "traces:write or scores:write", 0: "Permission(0)",
		permissionEnd: "Permission(68719476736)", ProjectAdmin: "project:admin",
		ProjectAdmin | permissionEnd: "Permission(68719509504)",
	} {
		if got := permission.String(); got != want {
			t.Errorf("%d is %q, want %q", permission, got, want)
		}
	}
}
