package blackbox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"almanac/test/harness"
)

// planted returns secrets of every kind that a server is given, by options or by clients, keyed by description.
func planted() map[string]string {
	return map[string]string{
		"the admin key":                      "planted-0-admin-key",
		"the key of the project":             "sk-lf-planted-1-of-the-project",
		"the password of the user":           "planted-2-password",
		"the encryption key":                 "5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2",
		"the token of the metrics":           "planted-3-token",
		"the password of the feedback":       "planted-4-feedback",
		"a predefined organization key":      "sk-lf-planted-5-of-the-organization",
		"a predefined project key":           "sk-lf-planted-6-predefined",
		"the secret of an LLM connection":    "planted-7-llm-connection",
		"a header of an LLM connection":      "planted-8-header",
		"the secret of a bucket":             "planted-9-bucket",
		"what somebody typed as a key":       "sk-lf-planted-10-mistyped",
		"a secret in a body that is refused": "planted-11-refused",
	}
}

// TestSecretsAreNowhere gives a server secrets of every kind, makes clients misuse them, and then looks for them in its
// logs and output, in all responses except those that show a new key, in every file of the data directory, in the
// output of commands, in all forms of the audit log, and in a backup.
func TestSecretsAreNowhere(t *testing.T) {
	secrets := planted()
	s := harness.Start(t, "--log-level=debug", "--admin-api-key="+secrets["the admin key"],
		"--encryption-key="+secrets["the encryption key"],
		"--metrics-token="+secrets["the token of the metrics"], "--feedback-url=http://u:"+secrets["the password of the feedback"]+
			"@127.0.0.1:9/feedback",
		"--init-org-id=acme", "--init-project-id=bot", "--init-project-public-key=pk-lf-planted",
		"--init-project-secret-key="+secrets["the key of the project"],
		"--init-user-email=ada@example.org", "--init-user-password="+secrets["the password of the user"])
	seen := map[string][]byte{}
	basic := func(public, secret string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(public+":"+secret))
	}
	// ask sends a request and returns the response, which is searched unless it shows what the client sent or a new
	// key.
	ask := func(want int, method, path, authorization, body string, shows bool) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", authorization)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != want {
			t.Errorf("%s %s: %d, want %d: %s", method, path, answer.StatusCode, want, text)
		}
		if !shows {
			seen["the answer to "+method+" "+path] = text
		}
		return string(text)
	}
	const connections, buckets = "/api/public/llm-connections", "/api/public/integrations/blob-storage"
	const organizationKeys, projectKeys = "/api/admin/organizations/acme/apiKeys", "/api/public/projects/bot/apiKeys"
	admin, project := "Bearer "+secrets["the admin key"], basic("pk-lf-planted", secrets["the key of the project"])
	organization := basic("pk-lf-organization", secrets["a predefined organization key"])
	ask(200, "GET", "/api/public/projects", project, "", false)
	ask(200, "GET", "/metrics", "Bearer "+secrets["the token of the metrics"], "", false)
	ask(503, "POST", "/api/public/feedback", project, `{"targetType":"docs","target":"t","feedback":"f"}`, false)

	ask(201, "POST", organizationKeys, admin, `{"publicKey":"pk-lf-organization","secretKey":"`+secrets["a predefined organization key"]+
		`"}`, true)
	ask(200, "GET", organizationKeys, admin, "", false)
	ask(201, "POST", projectKeys, organization, `{"publicKey":"pk-lf-predefined","secretKey":"`+secrets["a predefined project key"]+`"}`,
		true)
	var made struct{ SecretKey string }
	if err := json.Unmarshal([]byte(ask(201, "POST", projectKeys, organization, `{"note":"generated"}`, true)), &made); err != nil ||
		made.SecretKey == "" {
		t.Fatalf("no generated key: %v", err)
	}
	secrets["a generated key"] = made.SecretKey
	ask(200, "GET", projectKeys, organization, "", false)
	ask(200, "GET", "/api/public/organizations/apiKeys", organization, "", false)
	for _, status := range []int{201, 200} {
		ask(status, "PUT", connections, project, `{"provider":"planted-provider","adapter":"openai","secretKey":"`+
			secrets["the secret of an LLM connection"]+
			`","extraHeaders":{"X-Token":"`+secrets["a header of an LLM connection"]+`"}}`, false)
	}
	ask(200, "GET", connections, project, "", false)
	ask(200, "PUT", buckets, organization,
		`{"projectId":"bot","type":"S3","bucketName":"planted-bucket","region":"r","accessKeyId":"a","secretAccessKey":"`+
			secrets["the secret of a bucket"]+
			`","prefix":"","exportFrequency":"daily","enabled":false,"forcePathStyle":false,"fileType":"JSONL","exportMode":"FULL_HISTORY"}`, false)
	ask(200, "GET", buckets, organization, "", false)
	ask(200, "GET", buckets+"/bot", organization, "", false)

	mistyped, refused := secrets["what somebody typed as a key"], secrets["a secret in a body that is refused"]
	ask(401, "GET", "/api/public/projects", basic(mistyped, "pk-lf-planted"), "", false)
	ask(401, "GET", "/api/public/projects", basic("pk-lf-planted", mistyped), "", false)
	ask(401, "GET", "/api/public/projects", "Bearer "+mistyped, "", false)
	ask(401, "GET", "/api/public/projects", mistyped, "", false)
	ask(401, "GET", organizationKeys, "Bearer "+mistyped, "", false)
	ask(404, "DELETE", connections+"/"+mistyped, project, "", true)
	ask(404, "GET", "/api/"+mistyped, project, "", true)
	ask(400, "GET", connections+"?secretKey="+mistyped, project, "", false)
	for _, body := range []string{
		`{"provider":"p","adapter":"openai","secretKey":["` + refused + `"]}`, `{"provider":"p","adapter":"openai","secretKey":"` + refused,
		`{"provider":"p","adapter":"openai","secretKey":"` + refused + `","baseURL":"` + refused + `"}`,
	} {
		ask(400, "PUT", connections, project, body, false)
	}
	ask(400, "POST", projectKeys, organization, `{"publicKey":1,"secretKey":"`+refused+`"}`, false)

	audits := []string{
		ask(200, "GET", "/api/public/organizations/audit-log", organization, "", false),
		ask(200, "GET", "/api/public/organizations/audit-log?format=jsonl", organization, "", false),
		ask(200, "GET", "/api/admin/audit-log", admin, "", false),
		ask(200, "GET", "/api/admin/audit-log?format=jsonl", admin, "", false),
	}
	backup := filepath.Join(t.TempDir(), "backup")
	for _, command := range [][]string{
		{"backup", backup, "--data", s.Data},
		{"keys", "list", "--data", s.Data},
		{"audit", "--data", s.Data},
		{"audit", "--format=jsonl", "--data", s.Data},
	} {
		stdout, stderr, code := harness.Run(t, command...)
		if code != 0 {
			t.Errorf("%v: %d %s%s", command, code, stdout, stderr)
		}
		seen[fmt.Sprint("the command ", command)] = []byte(stdout + stderr)
		if command[0] == "audit" {
			audits = append(audits, stdout)
		}
	}
	for n, audit := range audits {
		for _, kind := range []string{"llmConnection", "blobStorageIntegration", "apiKey", "membership", "user"} {
			if ofOrganization := n < 2; ofOrganization && kind == "user" {
				continue // what happens to an account does not concern the organizations it was added to
			}
			if !strings.Contains(audit, kind) {
				t.Errorf("nothing about %s is in the audit log: %s", kind, audit)
			}
		}
	}
	collect := func() {
		for _, directory := range []string{s.Data, backup} {
			maps.Copy(seen, filesBelow(t, directory))
		}
	}
	collect()
	for name, content := range maps.Clone(seen) { // the files of a running server may differ from those it leaves behind
		seen[name+" (while it ran)"] = content
	}
	s.Signal(t, syscall.SIGTERM)
	collect()
	stdout, log := s.Printed()
	seen["standard output"], seen["the log"] = []byte(stdout), []byte(log)

	for what, secret := range secrets {
		for where, content := range seen {
			if at := bytes.Index(content, []byte(secret)); at >= 0 {
				t.Errorf("%s is in %s: %q", what, where, content[max(0, at-100):min(len(content), at+60)])
			}
		}
	}
	for where, content := range seen {
		for _, header := range []string{project, organization} {
			if _, encoded, _ := strings.Cut(header, " "); bytes.Contains(content, []byte(encoded)) {
				t.Errorf("credentials as they were sent are in %s", where)
			}
		}
	}
	// The search is meaningful only if values that may be stored are found.
	kept := bytes.Join([][]byte{seen[filepath.Join(s.Data, "catalog.db")], seen[filepath.Join(backup, "catalog.db")]}, nil)
	for _, part := range []string{"planted-provider", "planted-bucket", "llmConnection", "X-Token"} {
		if bytes.Count(kept, []byte(part)) < 2 {
			t.Errorf("%s is not in the catalog and its copy", part)
		}
	}
	if !strings.Contains(log, connections) {
		t.Error("the log does not have the requests")
	}
}

// filesBelow returns the content of every file in a directory.
func filesBelow(t *testing.T, directory string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		found[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
