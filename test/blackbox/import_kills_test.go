package blackbox

import (
	"encoding/json"
	"flag"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/test/harness"
	"almanac/test/langfusetest"
)

var importKills = flag.Int("import-kills", 3, "how often tests of imports kill each of them")

var reportLine = regexp.MustCompile(`(?m)^(\w+) +(\d+) +\d+ +\d+ +(\d+) +([0-9a-f]{64}|-)$`)

// digestsOf returns the figures of each table in a report that do not depend on whether its records were new: how many
// there are, how many were skipped, and the digest.
func digestsOf(t *testing.T, report string) map[string][3]string {
	t.Helper()
	tables := make(map[string][3]string)
	for _, line := range reportLine.FindAllStringSubmatch(report, -1) {
		tables[line[1]] = [3]string{line[2], line[3], line[4]}
	}
	if len(tables) < 15 {
		t.Fatalf("the report has %d tables:\n%s", len(tables), report)
	}
	return tables
}

func sameDigests(t *testing.T, first, second string) {
	t.Helper()
	if !maps.Equal(digestsOf(t, first), digestsOf(t, second)) {
		t.Errorf("the reports differ:\n%s\n%s", first, second)
	}
}

// importKilled imports without interruption, and then into another directory, which it returns, with kills at random
// moments. The reports must be equal, also that of a further import.
func importKilled(t *testing.T, args []string) (data string) {
	t.Helper()
	toTheEnd := func(data string) string {
		t.Helper()
		stdout, stderr, code := harness.Run(t, append(slices.Clone(args), "--data", data)...)
		if code != 0 {
			t.Fatalf("%d %s\n%s", code, stderr, stdout)
		}
		return stdout
	}
	began := time.Now()
	whole := toTheEnd(filepath.Join(t.TempDir(), "whole"))
	took := time.Since(began)
	data = filepath.Join(t.TempDir(), "killed")
	kills := 0
	for kills < *importKills {
		process := exec.Command(harness.Binary(t), append(slices.Clone(args), "--data", data)...)
		process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(rand.N(took), func() { _ = process.Process.Kill() })
		// One that completes starts over, and finds everything already imported.
		if err := process.Wait(); err != nil {
			if process.ProcessState.ExitCode() >= 0 {
				t.Fatalf("an import that follows %d kills fails: %v", kills, err)
			}
			kills++
		}
		timer.Stop()
	}
	sameDigests(t, whole, toTheEnd(data))
	sameDigests(t, whole, toTheEnd(data))
	return data
}

// TestImportDatabases imports an installation from its databases: into a directory, into another with kills, and into
// PostgreSQL and ClickHouse. Servers on all of them must respond the same, with the old key.
func TestImportDatabases(t *testing.T) {
	t.Parallel()
	old := langfusetest.Start(t)
	args := []string{
		"import", "langfuse", "--postgres", old.Postgres, "--clickhouse", old.ClickHouse,
		"--salt", langfusetest.Salt, "--source-encryption-key", langfusetest.EncryptionKey,
		"--source-media-bucket", "media", "--source-media-endpoint", langfusetest.StartBucket(t), "--source-media-access-key", "a",
		"--source-media-secret-key", "s",
	}
	embedded := harness.StartOn(t, importKilled(t, args))
	embedded.PublicKey, embedded.SecretKey = langfusetest.ProjectKey, langfusetest.Secret

	elsewhere := []string{
		"--catalog", old.NewPostgresDatabase(t, "catalog"), "--store",
		old.ClickHouseServer.StoreAddress(langfusetest.NewDatabase(t, old.ClickHouseServer)),
	}
	data := filepath.Join(t.TempDir(), "elsewhere")
	stdout, stderr, code := harness.Run(t, slices.Concat(args, elsewhere, []string{"--data", data})...)
	if code != 0 || !strings.Contains(stdout, `media: 1 skipped, its file does not exist (for example "me2")`) {
		t.Fatalf("%d %s\n%s", code, stderr, stdout)
	}
	remote := harness.StartOn(t, data, elsewhere...)
	hasMedium(t, embedded)
	hasMedium(t, remote)
	answersAlike(t, embedded, remote, []string{
		"projects", "v2/observations?limit=1000&fields=core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context", "traces/t1",
		"traces/old",
		"sessions?limit=100", "v3/scores?limit=100&fields=core,details,subject,annotation", "score-configs", "v2/prompts",
		"v2/prompts/greet", "v2/prompts/chat?label=latest",
		"models?limit=100&page=1", "v2/datasets", "dataset-items", "datasets/questions/runs", "datasets/questions/runs/run%20one",
		"annotation-queues", "comments",
		"unstable/dashboard-widgets", "unstable/dashboards", "v2/evaluators", "v2/evaluation-rules", "llm-connections",
		"experiment-items?fromStartTime=2020-01-01T00:00:00Z&fields=core,dataset,io,metadata,itemMetadata,experimentMetadata",
	})
}

// hasMedium downloads the imported media file.
func hasMedium(t *testing.T, s *harness.Server) {
	t.Helper()
	status, answer := s.Do(t, "GET", "/api/public/media/me1", langfusetest.ProjectKey, langfusetest.Secret, "")
	var medium struct {
		ContentType string
		URL         string
	}
	if err := json.Unmarshal([]byte(answer), &medium); err != nil || status != http.StatusOK || medium.ContentType != "image/png" {
		t.Fatalf("%d %s, %v", status, answer, err)
	}
	response, err := http.Get(medium.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if content, err := io.ReadAll(response.Body); err != nil || string(content) != langfusetest.Medium {
		t.Errorf("the file is %q, %v", content, err)
	}
}
