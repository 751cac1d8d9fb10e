package blackbox

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"almanac/internal/ingest/otlp"
	"almanac/test/harness"
)

// sendingPage is docs/sending-traces.md, whose examples must work.
type sendingPage struct {
	*guide
	used map[int]bool
}

func readSendingPage(t *testing.T) *sendingPage {
	t.Helper()
	return &sendingPage{readGuide(t, "../../docs/sending-traces.md"), make(map[int]bool)}
}

// block returns the n-th block, from 0, with a language under a heading.
func (p *sendingPage) block(t *testing.T, heading, language string, n int) string {
	t.Helper()
	for i, b := range p.blocks {
		if b.section != heading || b.language != language {
			continue
		}
		if n == 0 {
			p.used[i] = true
			return b.text
		}
		n--
	}
	t.Fatalf("the page has no such block of %s under %q", language, heading)
	return ""
}

// Where `make test-tools` installs the packages of the examples.
const (
	frameworks      = "../../.tools/python-frameworks/bin/python"
	javascriptHome  = "../sdk"
	goExportersHome = "../exporters"
)

// TestSendingTracesPage runs the examples in docs/sending-traces.md as if pasted by a reader.
func TestSendingTracesPage(t *testing.T) {
	p := readSendingPage(t)
	rules := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(rules, []byte(p.block(t, "Masking", "json", 0)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startForExports(t, t.TempDir(), "--masking-rules", rules, "--otlp-grpc-listen=127.0.0.1:0")
	grpcAddress := s.GRPCAddress(t)
	model := playModel(t)
	otelVariables := p.block(t, "Before you start", "sh", 1)
	paste := func(t *testing.T, directory, before, program string, args ...string) string {
		t.Helper()
		if strings.Contains(program, "/") {
			absolute, err := filepath.Abs(program)
			if err != nil {
				t.Fatal(err)
			}
			program = absolute
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
		defer cancel()
		command := exec.CommandContext(ctx, "sh", append([]string{"-c", before + "\n" + `exec "$@"`, "sh", program}, args...)...)
		command.Dir = directory
		command.Env = append(os.Environ(), keysOf(s)...)
		command.Env = append(command.Env, "OPENAI_API_KEY=none", "OPENAI_BASE_URL="+model+"/v1")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v (is everything there? `make test-tools` installs it)\n%s", program, err, out)
		}
		return string(out)
	}

	sendIt, readIt := p.block(t, "curl", "sh", 0), p.block(t, "curl", "sh", 1)
	auth := p.block(t, "OpenTelemetry Collector", "sh", 0)
	nativePython, nativeJS := p.block(t, "Python SDK", "python", 0), p.block(t, "JavaScript SDK", "js", 0)
	langchain, otelPython := p.block(t, "LangChain", "python", 0), p.block(t, "OpenTelemetry in Python", "python", 0)
	openInference, openLLMetry := p.block(t, "OpenInference and OpenLLMetry", "python", 0),
		p.block(t, "OpenInference and OpenLLMetry", "python", 1)
	otelGo, grpcVariable := p.block(t, "OpenTelemetry in Go", "go", 0), p.block(t, "OpenTelemetry in Go", "sh", 0)

	// Each example has its own session or trace, so they can run concurrently.
	t.Run("examples", func(t *testing.T) {
		t.Run("curl", func(t *testing.T) {
			t.Parallel()
			if out := paste(t, ".", "", "sh", "-c", sendIt); !strings.HasSuffix(out, "{}") {
				t.Errorf("sending answers %s", out)
			}
			out := paste(t, ".", "", "sh", "-c", readIt)
			for _, want := range []string{
				`"type":"GENERATION"`, `"output":"Paris. More at <email>."`, `"totalUsage":15`, `"userId":"user-7"`,
			} {
				if !strings.Contains(out, want) {
					t.Errorf("%s is missing from %s", want, out)
				}
			}
		})
		t.Run("Python SDK", func(t *testing.T) {
			t.Parallel()
			paste(t, ".", "", frameworks, "-c", nativePython)
			wantSession(t, s, "chat-1", "GENERATION write", "RETRIEVER find", "SPAN answer")
		})
		t.Run("JavaScript SDK", func(t *testing.T) {
			t.Parallel()
			paste(t, javascriptHome, "", "node", "--input-type=module", "-e", nativeJS)
			wantSession(t, s, "chat-2", "GENERATION write", "RETRIEVER find", "SPAN answer")
		})
		t.Run("LangChain", func(t *testing.T) {
			t.Parallel()
			paste(t, ".", "", frameworks, "-c", langchain)
			wantSession(t, s, "chat-3", "GENERATION ChatOpenAI")
		})
		t.Run("OpenTelemetry in Python", func(t *testing.T) {
			t.Parallel()
			paste(t, ".", otelVariables, frameworks, "-c", otelPython)
			wantSession(t, s, "chat-5", "GENERATION chat gpt-4o-mini", "SPAN answer")
		})
		t.Run("OpenInference", func(t *testing.T) {
			t.Parallel()
			paste(t, ".", otelVariables, frameworks, "-c", openInference)
			wantSession(t, s, "chat-6", "GENERATION ChatCompletion")
		})
		t.Run("OpenLLMetry", func(t *testing.T) {
			t.Parallel()
			paste(t, ".", otelVariables, frameworks, "-c", openLLMetry)
			wantGeneration(t, s, "openai.chat")
		})
		t.Run("Go", func(t *testing.T) {
			t.Parallel()
			grpcVariables := otelVariables + strings.Replace(grpcVariable, "127.0.0.1:4317", grpcAddress, 1)
			overGRPC := strings.NewReplacer("otlptracehttp", "otlptracegrpc", "chat gpt-4o-mini", "chat over gRPC").Replace(otelGo)
			for name, program := range map[string][2]string{
				"chat gpt-4o-mini": {otelGo, otelVariables}, "chat over gRPC": {overGRPC, grpcVariables},
			} {
				file := filepath.Join(t.TempDir(), "main.go")
				if err := os.WriteFile(file, []byte(program[0]), 0o600); err != nil {
					t.Fatal(err)
				}
				if out := paste(t, goExportersHome, program[1], "go", "run", file); out != "" {
					t.Error(out)
				}
				wantGeneration(t, s, name)
			}
		})
		t.Run("Collector", func(t *testing.T) {
			t.Parallel()
			want := base64.StdEncoding.EncodeToString([]byte(s.PublicKey + ":" + s.SecretKey))
			if out := paste(t, ".", auth, "sh", "-c", "printenv ALMANAC_AUTH"); strings.TrimSpace(out) != want {
				t.Errorf("the credential is %q, want %q", out, want)
			}
		})
	})
	p.checkCollector(t)
	p.checkPartialSuccess(t, s)
	p.checkRefusals(t, s)
	p.checkMasking(t, s)
	p.checkLimits(t)
	p.checkOptions(t)
	p.checkUnused(t)
}

// wantSession checks the types and names of the observations of a session, and that they have the user of the examples.
func wantSession(t *testing.T, s *harness.Server, session string, want ...string) {
	t.Helper()
	var got []string
	for _, o := range observationsOf(t, s, url.Values{"sessionId": {session}}) {
		got = append(got, o.Type+" "+o.Name)
		if o.UserID != "user-7" {
			t.Errorf("%q is of user %q", o.Name, o.UserID)
		}
		checkGeneration(t, o)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("session %s has %q, want %q", session, got, want)
	}
}

func wantGeneration(t *testing.T, s *harness.Server, name string) {
	t.Helper()
	found := observationsOf(t, s, url.Values{"name": {name}, "type": {"GENERATION"}})
	if len(found) == 0 {
		t.Errorf("there is no generation %q", name)
	}
	for _, o := range found {
		checkGeneration(t, o)
	}
}

// checkGeneration checks the fields that all generations of the examples have in common.
func checkGeneration(t *testing.T, o observation) {
	t.Helper()
	if o.Type == "GENERATION" && (o.Model != "gpt-4o-mini" || o.TotalUsage != 15 || o.TotalCost == 0 ||
		!strings.Contains(o.Input, "What is the capital of France?") || !strings.Contains(o.Output, "Paris.")) {
		t.Errorf("a generation is stored as %+v", o)
	}
}

// playModel starts a server that responds like the OpenAI API and returns its URL.
func playModel(t *testing.T) string {
	t.Helper()
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w,
			`{"id":"c1","object":"chat.completion","created":1,"model":"gpt-4o-mini","choices":[{"index":0,"finish_reason":"stop",`+
				`"message":{"role":"assistant","content":"Paris."}}],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}`)
	}))
	t.Cleanup(model.Close)
	return model.URL
}

// checkCollector checks as much of the Collector's configuration as possible without a Collector.
func (p *sendingPage) checkCollector(t *testing.T) {
	t.Helper()
	type exporter struct {
		Endpoint string
		Headers  map[string]string
	}
	for n, want := range []map[string]string{
		{"otlphttp/almanac": "${env:LANGFUSE_BASE_URL}/api/public/otel"},
		{"otlp/almanac": "127.0.0.1:4317"},
	} {
		var config struct{ Exporters map[string]exporter }
		if err := yaml.Unmarshal([]byte(p.block(t, "OpenTelemetry Collector", "yaml", n)), &config); err != nil {
			t.Errorf("configuration %d: %v", n, err)
		}
		for name, endpoint := range want {
			e := config.Exporters[name]
			if e.Endpoint != endpoint || e.Headers["authorization"] != "Basic ${env:ALMANAC_AUTH}" {
				t.Errorf("exporter %s is %+v", name, e)
			}
		}
	}
}

// checkPartialSuccess sends the request whose response is the example of a partial success.
func (p *sendingPage) checkPartialSuccess(t *testing.T, s *harness.Server) {
	t.Helper()
	const export = `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"by-hand"},"spans":[
		{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b175","name":"good"},
		{"traceId":"5b8efff798038103d269b633813fc60c","name":"bad"}]}]}]}`
	want := strings.TrimSpace(p.block(t, "What an answer means", "json", 0))
	if code, body, _, err := post(t.Context(), s, "application/json", "", strings.NewReader(export)); err != nil || code != 200 ||
		body != want {
		t.Errorf("%d %s, %v; the page says %s", code, body, err, want)
	}
}

// checkRefusals provokes errors and looks for their messages on the page.
func (p *sendingPage) checkRefusals(t *testing.T, s *harness.Server) {
	t.Helper()
	for _, c := range []struct {
		contentType, encoding, body string
		status                      int
		wording                     string // on the page; the response begins with it, up to the dots
	}{
		{"application/json", "", `{`, 400, "Failed to parse OTel JSON Trace"},
		{"application/x-protobuf", "", "\xff", 400, "Failed to parse OTel Protobuf Trace"},
		{"text/plain", "", "{}", 400, "Invalid content type"},
		{"application/json", "br", "{}", 400, "Unsupported content encoding …"},
		{"application/json", "gzip", "{}", 400, "Failed to decompress request body"},
		{"application/json", "", `{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}`, 400, "Invalid OTLP trace export: …"},
		{"application/json", "", strings.Repeat(" ", 32<<20+1), 413, "The export is larger than the limit of … bytes…"},
	} {
		code, body, _, err := post(t.Context(), s, c.contentType, c.encoding, strings.NewReader(c.body))
		begin, _, _ := strings.Cut(c.wording, "…")
		if err != nil || code != c.status || !strings.HasPrefix(body, `{"error":"`+begin) {
			t.Errorf("%d %.200s, %v; want %d and %q", code, body, err, c.status, begin)
		}
		if !strings.Contains(p.text, "`"+c.wording+"`") {
			t.Errorf("the page does not mention %q", c.wording)
		}
	}
	stdout, stderr, code := harness.Run(t, "keys", "create", "--data", s.Data, "--permissions", "traces:read")
	reader := regexp.MustCompile(`LANGFUSE_PUBLIC_KEY=(\S+)\nLANGFUSE_SECRET_KEY=(\S+)`).FindStringSubmatch(stdout)
	if code != 0 || reader == nil {
		t.Fatalf("keys create: %d %s%s", code, stdout, stderr)
	}
	for _, c := range []struct {
		public, secret string
		status         int
		want           string
	}{{"pk-lf-unknown", exportPass, 401, "Invalid credentials"}, {reader[1], reader[2], 403, "Access denied"}} {
		status, body := s.Do(t, http.MethodPost, tracesPath, c.public, c.secret, "{}")
		if wording := fmt.Sprintf("%d `%s…`", c.status, c.want); status != c.status || !strings.Contains(body, c.want) ||
			!strings.Contains(p.text, wording) {
			t.Errorf("%d %s; the page should say %s", status, body, wording)
		}
	}
}

// checkMasking sends values that the rules on the page must mask.
func (p *sendingPage) checkMasking(t *testing.T, s *harness.Server) {
	t.Helper()
	const export = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"6b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"masked","attributes":[
		{"key":"langfuse.observation.input","value":{"stringValue":"{\"from\":\"ann@example.org\",\"card\":\"4111 1111 1111 1234\"}"}},
		{"key":"langfuse.observation.output","value":{"stringValue":"charged 4111-1111-1111-1234, wrote to ann@example.org"}}]}]}]}]}`
	if code, body, _, err := post(t.Context(), s, "application/json", "", strings.NewReader(export)); err != nil || code != 200 {
		t.Fatalf("%d %s, %v", code, body, err)
	}
	found := observationsOf(t, s, url.Values{"name": {"masked"}})
	if len(found) != 1 || found[0].Input != `{"from":"<email>","card":"<card ending in 1234>"}` ||
		found[0].Output != "charged <card ending in 1234>, wrote to <email>" {
		t.Errorf("stored as %+v", found)
	}
}

// checkLimits compares the numbers on the page with those in force.
func (p *sendingPage) checkLimits(t *testing.T) {
	t.Helper()
	limits := otlp.DefaultLimits()
	for what, limit := range map[string]int{
		"| spans of an export |": limits.Spans, "groups of an export |": limits.Items,
		"| attributes of a span or an event |": limits.Attributes,
		"| events of a span |":                 limits.Events, "| items of a list |": limits.ListItems,
		"inside one another |": limits.Depth,
	} {
		if want := what + " " + grouped(limit); !strings.Contains(p.text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if want := fmt.Sprintf("value of an attribute | %d MB |", limits.AttributeBytes>>20); !strings.Contains(p.text, want) {
		t.Errorf("the page does not say %q", want)
	}
}

// grouped formats a number with commas between thousands.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// checkOptions checks that the options mentioned on the page exist and have the defaults it gives.
func (p *sendingPage) checkOptions(t *testing.T) {
	t.Helper()
	content, err := os.ReadFile("../../docs/configuration.md") // generated
	if err != nil {
		t.Fatal(err)
	}
	known := string(content)
	for _, found := range regexp.MustCompile("`(?:almanac serve )?(--[a-z-]+)").FindAllStringSubmatch(p.text, -1) {
		if option := found[1]; option != "--permissions" && !strings.Contains(known, "`"+option+"`") {
			t.Errorf("there is no option %s", option)
		}
	}
	for option, value := range map[string]string{"--max-export": "32 MB", "--ingest-memory": "256 MB", "--ingest-queue-timeout": "2 s"} {
		row := regexp.MustCompile("(?m)^\\| `" + option + "`.*$").FindString(known)
		if !strings.Contains(row, "`"+strings.ReplaceAll(value, " ", "")+"`") || !strings.Contains(p.text, "`"+option+"`, "+value) {
			t.Errorf("%s: the page says %s; %s", option, value, row)
		}
	}
}

// checkUnused checks that the page has no blocks that no test runs.
func (p *sendingPage) checkUnused(t *testing.T) {
	t.Helper()
	installs := regexp.MustCompile(`^(pip|npm) install [^\n]+\n$`)
	for i, b := range p.blocks {
		switch {
		case p.used[i], b.language == "sh" && installs.MatchString(b.text):
		case b.section == "Before you start" && strings.Contains(b.text, "pk-lf-…"): // readers fill in their own keys
		case b.section == "Vercel AI SDK" && b.language == "js": // its packages are not installed for the tests
		default:
			t.Errorf("no test runs this example of %q:\n%s", b.section, b.text)
		}
	}
}
