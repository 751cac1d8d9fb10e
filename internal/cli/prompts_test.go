package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// promptsOf is a server with the routes of prompts.
type promptsOf struct {
	*httptest.Server

	mu      sync.Mutex
	stored  map[string][]remotePrompt
	changes int
}

func newPromptServer(t *testing.T) *promptsOf {
	t.Helper()
	s := &promptsOf{stored: map[string][]remotePrompt{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+promptsPath, s.list)
	mux.HandleFunc("GET "+promptsPath+"/{name}", s.read)
	mux.HandleFunc("POST "+promptsPath, s.create)
	mux.HandleFunc("PATCH "+promptsPath+"/{name}/versions/{version}", s.label)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if user, password, _ := r.BasicAuth(); user != demoPublic || password != demoSecret {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *promptsOf) labelled(name, label string) *remotePrompt {
	for n := range s.stored[name] {
		if p := &s.stored[name][n]; slices.Contains(p.Labels, label) {
			return p
		}
	}
	return nil
}

func (s *promptsOf) list(w http.ResponseWriter, r *http.Request) {
	var data []map[string]string
	for name := range s.stored {
		if s.labelled(name, r.URL.Query().Get("label")) != nil {
			data = append(data, map[string]string{"name": name})
		}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "meta": map[string]int{"totalPages": 1}})
}

func (s *promptsOf) read(w http.ResponseWriter, r *http.Request) {
	p := s.labelled(r.PathValue("name"), r.URL.Query().Get("label"))
	if text := r.URL.Query().Get("version"); text != "" {
		version, _ := strconv.Atoi(text)
		for n := range s.stored[r.PathValue("name")] {
			if each := &s.stored[r.PathValue("name")][n]; each.Version == version {
				p = each
			}
		}
	}
	if p == nil {
		http.Error(w, `{"message":"none"}`, http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(p)
}

func (s *promptsOf) create(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	var p remotePrompt
	_ = json.Unmarshal(raw, &p)
	if text := string(p.Prompt); strings.Contains(text, "needs base") && s.stored["base"] == nil {
		http.Error(w, `{"message":"Prompt dependency not found"}`, http.StatusBadRequest)
		return
	}
	s.changes++
	p.Version = len(s.stored[p.Name]) + 1
	for n := range s.stored[p.Name] {
		s.stored[p.Name][n].Labels = nil
	}
	p.Labels = append(p.Labels, "latest")
	s.stored[p.Name] = append(s.stored[p.Name], p)
	w.WriteHeader(http.StatusCreated)
}

func (s *promptsOf) label(_ http.ResponseWriter, r *http.Request) {
	s.changes++
	var body struct{ NewLabels []string }
	_ = json.NewDecoder(r.Body).Decode(&body)
	version, _ := strconv.Atoi(r.PathValue("version"))
	p := &s.stored[r.PathValue("name")][version-1]
	p.Labels = append(p.Labels, body.NewLabels...)
}

// run runs a command with the keys of the server and returns what it printed.
func (s *promptsOf) run(t *testing.T, code int, args ...string) string {
	t.Helper()
	stdout, stderr, got := runHere(append(args, "--url", s.URL, "--public-key", demoPublic, "--secret-key", demoSecret)...)
	if got != code {
		t.Fatalf("%q: exit code %d, want %d; printed %s%s", args, got, code, stdout, stderr)
	}
	return stdout + stderr
}

func TestPromptsPullAndPush(t *testing.T) {
	s := newPromptServer(t)
	text := "Hello {{name}}!\r\n\n  tab\t and trailing \n\n"
	raw, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	empty := json.RawMessage("{}")
	s.stored = map[string][]remotePrompt{
		"support/greeting": {{
			Name: "support/greeting", Version: 1, Type: "text", Prompt: raw, Config: json.RawMessage(`{"n":12345678901234567890,"t":"<b>"}`),
			Tags: []string{"x"}, Labels: []string{"latest", "production"},
		}},
		"../../up.*": {{Name: "../../up.*", Version: 1, Type: "text", Prompt: json.RawMessage(`""`), Config: empty, Labels: []string{"latest"}}},
		"chat": {{
			Name: "chat", Version: 1, Type: "chat", Config: empty, Labels: []string{"latest"},
			Prompt: json.RawMessage(`[{"role":"system","content":"one\ntwo: \"x\" \n"},{"type":"placeholder","name":"history"},{"role":"","content":"- a"}]`),
		}},
	}
	directory := filepath.Join(t.TempDir(), "prompts")
	if got := s.run(t, 0, "prompts", "pull", directory, "--dry-run"); !strings.Contains(got, "3 new") {
		t.Errorf("a dry run: %s", got)
	}
	if _, err := os.Stat(directory); err == nil {
		t.Error("a dry run made the directory")
	}
	s.run(t, 0, "prompts", "pull", directory)
	var paths []string
	for _, f := range mustRead(t, directory) {
		paths = append(paths, f.path())
	}
	if want := []string{"%2E%2E/%2E%2E/up.%2A.txt", "chat.chat.yaml", "support/greeting.txt"}; !slices.Equal(paths, want) {
		t.Fatalf("files %q, want %q", paths, want)
	}
	if got, err := os.ReadFile(filepath.Join(directory, "support", "greeting.txt")); err != nil || string(got) != text+"\n" {
		t.Errorf("the text: %q, %v", got, err)
	}
	// What was pulled is the same.
	if got := s.run(t, 0, "prompts", "push", directory); !strings.Contains(got, "0 new, 0 changed, 0 labelled, 3 unchanged") || s.changes != 0 {
		t.Errorf("pushing what was pulled: %s (%d changes)", got, s.changes)
	}
	if got := s.run(t, 0, "prompts", "pull", directory); !strings.Contains(got, "0 new, 0 changed, 3 unchanged") {
		t.Errorf("pulling again: %s", got)
	}

	// Changed files become new versions, in an order in which they can include each other.
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(directory, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a-first.txt", "needs base")
	write("base.txt", "base\n")
	write("support/greeting.txt", "Good day\n")
	if got := s.run(t, 0, "prompts", "push", directory, "--dry-run"); !strings.Contains(got, "2 new, 1 changed") || s.changes != 0 {
		t.Errorf("a dry run: %s (%d changes)", got, s.changes)
	}
	s.run(t, 0, "prompts", "push", directory, "--label", "staging", "-m", "from the repository")
	newest := s.labelled("support/greeting", "latest")
	if newest.Version != 2 || string(newest.Prompt) != `"Good day"` || !slices.Contains(newest.Labels, "staging") ||
		!sameJSON(newest.Config, s.stored["support/greeting"][0].Config) || !slices.Equal(newest.Tags, []string{"x"}) {
		t.Errorf("the new version: %+v", newest)
	}
	if s.labelled("a-first", "staging") == nil || s.labelled("chat", "staging") == nil {
		t.Error("a label is missing")
	}
	if got := s.run(t, 0, "prompts", "push", directory, "--label", "staging"); !strings.Contains(got, "5 unchanged") {
		t.Errorf("pushing again: %s", got)
	}
	// Files without a prompt are named and left alone.
	write("mine.txt", "x")
	if got := s.run(t, 0, "prompts", "pull", directory); !strings.Contains(got, "only here mine.txt") {
		t.Errorf("a file without a prompt: %s", got)
	}
	if got := s.run(t, 0, "prompts", "pull", directory, "--folder", "support", "--label", "none"); !strings.Contains(got, "only here support/greeting.txt") ||
		strings.Contains(got, "mine") {
		t.Errorf("a folder: %s", got)
	}
}

func mustRead(t *testing.T, directory string) []*promptFile {
	t.Helper()
	files, err := readPromptFiles(directory)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestPromptMistakes(t *testing.T) {
	s := newPromptServer(t)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no files":         {nil, "has no files of prompts"},
		"two types":        {map[string]string{"a.txt": "x", "a.chat.yaml": "messages: []"}, "has two files"},
		"not YAML":         {map[string]string{"a.chat.yaml": "messages: [\n"}, "a.chat.yaml: not a list of messages"},
		"an unknown field": {map[string]string{"a.chat.yaml": "messages:\n  - roll: user\n"}, "roll"},
		"a bad config":     {map[string]string{"a.txt": "x", "a.config.json": `{"confg":{}}`}, "confg"},
		"a bad name":       {map[string]string{"50%.txt": "x"}, "percent sign"},
		"too large":        {map[string]string{"a.txt": strings.Repeat("x", maxPromptFile+1)}, "larger than 4 MiB"},
		"refused":          {map[string]string{"a.txt": "needs base"}, "Prompt dependency not found"},
	} {
		directory := t.TempDir()
		for path, text := range c.files {
			if err := os.WriteFile(filepath.Join(directory, path), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.run(t, 1, "prompts", "push", directory); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	directory, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("a key of the machine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(directory, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if got := s.run(t, 1, "prompts", "push", directory); !strings.Contains(got, "a.txt: ") || !strings.Contains(got, "escapes") {
		t.Errorf("a link out of the directory: %s", got)
	}
	if _, stderr, code := runHere("prompts", "pull", t.TempDir()); code != 1 || !strings.Contains(stderr, "--public-key") {
		t.Errorf("without keys: exit code %d, %s", code, stderr)
	}
	if _, stderr, code := runHere("prompts", "pull", t.TempDir(), "--url", s.URL, "--public-key", "x", "--secret-key", "y"); code != 1 ||
		!strings.Contains(stderr, "401") {
		t.Errorf("with wrong keys: exit code %d, %s", code, stderr)
	}
	s.stored = map[string][]remotePrompt{}
	for _, name := range []string{"a", "A"} {
		s.stored[name] = []remotePrompt{{Name: name, Version: 1, Type: "text", Prompt: json.RawMessage(`"x"`), Labels: []string{"latest"}}}
	}
	if got := s.run(t, 1, "prompts", "pull", t.TempDir()); !strings.Contains(got, "the same file") {
		t.Errorf("names that differ by case: %s", got)
	}
}

// TestPullKeepsFiles: files are replaced if a version of their prompt has what they have, and otherwise only with --force.
func TestPullKeepsFiles(t *testing.T) {
	s := newPromptServer(t)
	put := func(name, kind, content string, version int) {
		for n := range s.stored[name] {
			s.stored[name][n].Labels = nil
		}
		s.stored[name] = append(s.stored[name], remotePrompt{
			Name: name, Version: version, Type: kind, Prompt: json.RawMessage(content), Config: json.RawMessage("{}"), Labels: []string{"latest"},
		})
	}
	put("notes", "text", `"one"`, 1)
	put("support/greeting", "text", `"Hello"`, 1)
	put("talk", "chat", `[{"role":"user","content":"Hi"}]`, 1)
	put("bare", "text", `"x"`, 1)
	directory := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(directory, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	has := func(path, want string) {
		t.Helper()
		if got, err := os.ReadFile(filepath.Join(directory, path)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", path, got, err, want)
		}
	}
	write("notes.txt", "shopping list")
	write("bare.config.json", `{"of":"another program"}`)
	for _, args := range [][]string{{"--dry-run"}, nil} {
		got := s.run(t, 1, append([]string{"prompts", "pull", directory}, args...)...)
		for _, part := range []string{"kept      notes", "kept      bare", "new       talk", "2 new, 0 changed", "--force"} {
			if !strings.Contains(got, part) {
				t.Errorf("%q is missing: %s", part, got)
			}
		}
	}
	has("notes.txt", "shopping list")
	has("bare.config.json", `{"of":"another program"}`)
	has("support/greeting.txt", "Hello\n")

	// Files that are an older version follow the server; those that were edited do not, and what is written differently stays.
	put("support/greeting", "text", `"Hello again"`, 3)
	put("support/greeting", "text", `"Hello you"`, 4)
	write("talk.chat.yaml", "# a comment\nmessages: [{role: user, content: Hi}]\n")
	got := s.run(t, 1, "prompts", "pull", directory)
	if !strings.Contains(got, "changed   support/greeting (version 4)") || !strings.Contains(got, "0 new, 1 changed, 1 unchanged") {
		t.Errorf("a new version: %s", got)
	}
	has("support/greeting.txt", "Hello you\n")
	has("talk.chat.yaml", "# a comment\nmessages: [{role: user, content: Hi}]\n")
	write("support/greeting.txt", "Hello, edited\n")
	if got := s.run(t, 1, "prompts", "pull", directory, "--folder", "support"); !strings.Contains(got, "kept      support/greeting") {
		t.Errorf("an edited file: %s", got)
	}
	has("support/greeting.txt", "Hello, edited\n")
	s.run(t, 0, "prompts", "pull", directory, "--force")
	has("support/greeting.txt", "Hello you\n")
	has("notes.txt", "one\n")
	if _, err := os.Stat(filepath.Join(directory, "bare.config.json")); err == nil {
		t.Error("a config that the prompt does not have is still there")
	}
}

// TestPullStaysInItsDirectory: links that lead elsewhere are not followed, with --force neither.
func TestPullStaysInItsDirectory(t *testing.T) {
	s := newPromptServer(t)
	for _, name := range []string{"a/b", "c"} {
		s.stored[name] = []remotePrompt{{
			Name: name, Version: 1, Type: "text", Prompt: json.RawMessage(`"x"`), Config: json.RawMessage("{}"), Labels: []string{"latest"},
		}}
	}
	outside, directory := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "c"), []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(directory, "a")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "c"), filepath.Join(directory, "c.txt")); err != nil {
		t.Fatal(err)
	}
	for _, force := range [][]string{nil, {"--force"}, {"--dry-run"}} {
		if got := s.run(t, 1, append([]string{"prompts", "pull", directory, "--folder", "a"}, force...)...); !strings.Contains(got, "escapes") {
			t.Errorf("a directory that is a link, with %q: %s", force, got)
		}
	}
	delete(s.stored, "a/b")
	if err := os.Remove(filepath.Join(directory, "a")); err != nil {
		t.Fatal(err)
	}
	if got := s.run(t, 1, "prompts", "pull", directory); !strings.Contains(got, "escapes") && !strings.Contains(got, "kept      c") {
		t.Errorf("a file that is a link: %s", got)
	}
	s.run(t, 0, "prompts", "pull", directory, "--force")
	if got, err := os.ReadFile(filepath.Join(outside, "c")); err != nil || string(got) != "precious" {
		t.Errorf("the file outside: %q, %v", got, err)
	}
	if info, err := os.Lstat(filepath.Join(directory, "c.txt")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link was not replaced: %v", err)
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("files outside: %v, %v", entries, err)
	}
}
