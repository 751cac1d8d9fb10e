package sdk

import (
	"strings"
	"testing"
)

func TestOrganization(t *testing.T) {
	t.Parallel()
	const admin = "an-admin-key-of-a-test"
	for name, program := range map[string]string{"newest": python, "previous major": previousPython} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			variables := append(environment(t, "--admin-api-key", admin), "ALMANAC_ADMIN="+admin)
			if out := run(t, variables, program, "organization.py"); !strings.HasSuffix(out, "ok\n") {
				t.Error(out)
			}
		})
	}
}
