package sdk

import (
	"strings"
	"testing"

	"almanac/test/harness"
)

// olderPython is the Python with the client in requirements-older.txt.
const olderPython = "../../.tools/python-older/bin/python"

// TestOlderClients runs clients that send events instead of spans, against a server that accepts them.
func TestOlderClients(t *testing.T) {
	t.Parallel()
	for name, command := range map[string][]string{"Python": {olderPython, "older_check.py"}, "JavaScript": {"node", "older_check.mjs"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.Start(t, "--legacy-ingestion=accept")
			environment := []string{"ALMANAC_URL=" + s.URL, "ALMANAC_PUBLIC_KEY=" + s.PublicKey, "ALMANAC_SECRET_KEY=" + s.SecretKey}
			if out := run(t, environment, command[0], command[1:]...); !strings.HasSuffix(out, "ok\n") {
				t.Error(out)
			}
		})
	}
}

// TestOlderClientsAreTold runs one against a server with default options: the client must report an error.
func TestOlderClientsAreTold(t *testing.T) {
	t.Parallel()
	s := harness.Start(t)
	environment := []string{"ALMANAC_URL=" + s.URL, "ALMANAC_PUBLIC_KEY=" + s.PublicKey, "ALMANAC_SECRET_KEY=" + s.SecretKey}
	const program = `import os
from langfuse import Langfuse
langfuse = Langfuse(host=os.environ["ALMANAC_URL"], public_key=os.environ["ALMANAC_PUBLIC_KEY"], secret_key=os.environ["ALMANAC_SECRET_KEY"], max_retries=1)
langfuse.trace(name="x").score(name="kept", value=1)
langfuse.flush()`
	if out := run(t, environment, olderPython, "-c", program); !strings.Contains(out, "API errors occurred: Bad request") {
		t.Errorf("the client says %s", out)
	}
	if status, body := s.Get(t, "/api/public/traces"); status != 200 || !strings.Contains(body, `"totalItems":0`) {
		t.Errorf("%d %s", status, body)
	}
}
