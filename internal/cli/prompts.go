package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os/signal"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"almanac/internal/config"
)

// promptServer has the options of commands that exchange prompts with a server.
type promptServer struct {
	Directory string        `arg:"" help:"Directory with one file for each prompt." placeholder:"DIR"`
	Folder    string        `help:"Only prompts in this folder, such as support for support/greeting." placeholder:"NAME"`
	DryRun    bool          `help:"Only print what would be done."`
	URL       string        `name:"url" help:"Address of the server." placeholder:"URL" also:"LANGFUSE_BASE_URL"`
	PublicKey string        `help:"Public key of the project." placeholder:"KEY" also:"LANGFUSE_PUBLIC_KEY"`
	SecretKey config.Secret `help:"Its secret key." placeholder:"KEY" also:"LANGFUSE_SECRET_KEY"`
}

const promptRequestTime = time.Minute

func (p *promptServer) connect() (*remoteServer, error) {
	if p.PublicKey == "" || p.SecretKey == "" {
		return nil, errors.New("set --public-key and --secret-key to the keys of the project")
	}
	return newRemoteServer(cmp.Or(p.URL, "http://127.0.0.1:3000"), p.PublicKey, p.SecretKey, promptRequestTime), nil
}

// includes reports whether a prompt is in the selected folder.
func (p *promptServer) includes(name string) bool {
	folder := strings.Trim(p.Folder, "/")
	return folder == "" || strings.HasPrefix(name, folder+"/")
}

const promptFilesHelp = "A text prompt NAME is the file NAME.txt, and a chat prompt is NAME.chat.yaml. Its config and its tags, if there are " +
	"any, are in NAME.config.json. Slashes in names are directories. The last line break of a text file is not part of the prompt."

const promptsPath = "/api/public/v2/prompts"

// remotePrompt is a version of a prompt as the API returns it.
type remotePrompt struct {
	Name    string          `json:"name"`
	Version int             `json:"version"`
	Type    string          `json:"type"`
	Prompt  json.RawMessage `json:"prompt"`
	Config  json.RawMessage `json:"config"`
	Tags    []string        `json:"tags"`
	Labels  []string        `json:"labels"`
}

// read returns the version of a prompt with a label, as it was written; nil if there is none.
func (p *promptServer) read(ctx context.Context, t *terminal, server *remoteServer, name, label string) (*remotePrompt, error) {
	return readPrompt(ctx, t, server, name, url.Values{"label": {label}})
}

func readPrompt(ctx context.Context, t *terminal, server *remoteServer, name string, which url.Values) (*remotePrompt, error) {
	which.Set("resolve", "false")
	path := promptsPath + "/" + url.PathEscape(name) + "?" + which.Encode()
	var found remotePrompt
	err := server.retry(ctx, t, func() error { return server.call(ctx, http.MethodGet, path, nil, &found) })
	if refused, ok := errors.AsType[*refusedError](err); ok && refused.status == http.StatusNotFound {
		return nil, nil
	}
	return &found, err
}

// equal reports whether a prompt on a server is the same as one of a file.
func (f *promptFile) equal(found *remotePrompt) bool {
	known, err := fileOf(found)
	if err != nil || known.kind != f.kind || known.text != f.text || !slices.Equal(known.messages, f.messages) {
		return false
	}
	if f.tags != nil && !slices.Equal(f.tags, known.tags) {
		return false
	}
	return sameJSON(known.config, f.config)
}

func sameJSON(a, b []byte) bool {
	read := func(text []byte) (value any) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&value); err != nil {
			return string(text)
		}
		return value
	}
	return reflect.DeepEqual(read(a), read(b))
}

type pullPromptsCommand struct {
	promptServer `embed:""`

	Label string `help:"The version to write: the one with this label." default:"latest" placeholder:"LABEL"`
	Tag   string `help:"Only prompts with this tag." placeholder:"TAG"`
	Force bool   `help:"Also replace files that are no version of their prompt."`
}

// Help returns the text shown below the options of the command.
func (*pullPromptsCommand) Help() string {
	return `Writes the prompts of a project to files, for a repository. Files without a prompt on the server are listed and left alone.

Files are only replaced if nothing is lost: if they have what some version of the prompt has. Others, such as those that were edited and not pushed, are kept and listed, and the command fails. --force replaces them. Tags have no versions: those of the server replace those of the files. Nothing is written through links that lead out of the directory.

` + promptFilesHelp + `

With address and keys from LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY:
  almanac prompts pull prompts
  almanac prompts pull prompts --label production --folder support
  almanac prompts pull prompts --dry-run`
}

func (c *pullPromptsCommand) Run(t *terminal) error {
	ctx, stop := signal.NotifyContext(t.ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	server, err := c.connect()
	if err != nil {
		return err
	}
	defer server.http.CloseIdleConnections()
	names, err := c.names(ctx, t, server)
	if err != nil {
		return err
	}
	folder, err := openPromptFolder(t, c.Directory, !c.DryRun && len(names) > 0)
	if err != nil {
		return err
	}
	defer folder.close()
	written := make(map[string]string, len(names)) // names by lower-case path: some file systems ignore case
	counts := make(map[string]int)
	for _, name := range names {
		found, err := c.read(ctx, t, server, name, c.Label)
		if err != nil {
			return fmt.Errorf("cannot read prompt %q: %w", name, err)
		}
		if found == nil {
			continue // deleted or relabelled meanwhile
		}
		file, err := fileOf(found)
		if err != nil {
			return fmt.Errorf("cannot write prompt %q: %w", name, err)
		}
		lower := strings.ToLower(file.path())
		if other, taken := written[lower]; taken {
			return fmt.Errorf("the prompts %q and %q would have the same file", other, name)
		}
		written[lower] = name
		outcome, err := c.store(ctx, t, server, folder, file, found)
		if err != nil {
			return err
		}
		if counts[outcome]++; outcome != "unchanged" {
			t.printf("%-9s %s (version %d)\n", outcome, printable(name), found.Version)
		}
	}
	files, err := readPromptFiles(c.Directory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, file := range files {
		if _, ok := written[strings.ToLower(file.path())]; !ok && c.includes(file.name) {
			t.printf("%-9s %s\n", "only here", printable(file.path()))
		}
	}
	t.say("%s%d new, %d changed, %d unchanged", dryRunPrefix(c.DryRun), counts["new"], counts["changed"], counts["unchanged"])
	if counts[kept] > 0 {
		return fmt.Errorf("the files of %d prompts were kept: what they have is in no version of the prompt. Push them, or replace them with --force",
			counts[kept])
	}
	return nil
}

// kept is the outcome for prompts whose files were not replaced.
const kept = "kept"

// store writes the files of a prompt where they differ, and returns whether they are new, changed, unchanged or kept.
func (c *pullPromptsCommand) store(
	ctx context.Context, t *terminal, server *remoteServer, folder *promptFolder, file *promptFile, found *remotePrompt,
) (outcome string, err error) {
	changes, outcome, err := folder.pending(file)
	if err != nil || len(changes) == 0 {
		return outcome, err
	}
	now, hasFiles, err := folder.current(file)
	if err != nil {
		return "", err
	}
	if now != nil && now.equal(found) {
		return "unchanged", nil // but for the way in which they are written
	}
	if hasFiles && !c.Force {
		known := false
		if now != nil {
			if known, err = isKnown(ctx, t, server, now, found); err != nil {
				return "", fmt.Errorf("cannot read the versions of prompt %q: %w", file.name, err)
			}
		}
		if !known {
			return kept, nil
		}
	}
	if c.DryRun {
		return outcome, nil
	}
	return outcome, folder.apply(changes)
}

// maxComparedVersions is how many versions of a prompt a file is compared with before it counts as none of them.
const maxComparedVersions = 100

// isKnown reports whether a file has what a version of its prompt has, besides tags. The version that is pulled comes first,
// then all from the newest one down.
func isKnown(ctx context.Context, t *terminal, server *remoteServer, file *promptFile, found *remotePrompt) (bool, error) {
	untagged := *file
	untagged.tags = nil
	if untagged.equal(found) {
		return true, nil
	}
	newest, err := readPrompt(ctx, t, server, file.name, url.Values{"label": {"latest"}})
	if err != nil || newest == nil {
		return false, err
	}
	if untagged.equal(newest) {
		return true, nil
	}
	for version := newest.Version - 1; version > max(0, newest.Version-maxComparedVersions); version-- {
		other, err := readPrompt(ctx, t, server, file.name, url.Values{"version": {strconv.Itoa(version)}})
		if err != nil {
			return false, err
		}
		if other != nil && untagged.equal(other) {
			return true, nil
		}
	}
	return false, nil
}

func dryRunPrefix(dry bool) string {
	if dry {
		return "Dry run, nothing was changed: "
	}
	return ""
}

// names returns the names of the selected prompts.
func (c *pullPromptsCommand) names(ctx context.Context, t *terminal, server *remoteServer) (names []string, err error) {
	query := url.Values{"limit": {"100"}, "label": {c.Label}}
	if c.Tag != "" {
		query.Set("tag", c.Tag)
	}
	for page, pages := 1, 1; page <= pages; page++ {
		query.Set("page", strconv.Itoa(page))
		var list struct {
			Data []struct{ Name string }
			Meta struct{ TotalPages int }
		}
		if err := server.retry(ctx, t, func() error {
			return server.call(ctx, http.MethodGet, promptsPath+"?"+query.Encode(), nil, &list)
		}); err != nil {
			return nil, fmt.Errorf("cannot list the prompts: %w", err)
		}
		for _, prompt := range list.Data {
			if c.includes(prompt.Name) {
				names = append(names, prompt.Name)
			}
		}
		pages = list.Meta.TotalPages
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

type pushPromptsCommand struct {
	promptServer `embed:""`

	Label   nameList `help:"Labels for the versions that equal the files, such as production." placeholder:"LABEL"`
	Message string   `help:"Commit message of new versions." short:"m" placeholder:"TEXT"`
}

// Help returns the text shown below the options of the command.
func (*pushPromptsCommand) Help() string {
	return `Creates a new version of each prompt whose file differs from its newest version. Prompts without a file are left alone.

` + promptFilesHelp + `

With address and keys from LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY:
  almanac prompts push prompts --dry-run
  almanac prompts push prompts --label staging -m "$(git log -1 --format=%s)"
  almanac prompts push prompts --folder support --label production`
}

func (c *pushPromptsCommand) Run(t *terminal) error {
	ctx, stop := signal.NotifyContext(t.ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	server, err := c.connect()
	if err != nil {
		return err
	}
	defer server.http.CloseIdleConnections()
	files, err := readPromptFiles(c.Directory)
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f *promptFile) bool { return !c.includes(f.name) })
	if len(files) == 0 {
		return fmt.Errorf("%s has no files of prompts, whose names end in %s or %s", c.Directory, textSuffix, chatSuffix)
	}
	counts := make(map[string]int)
	// Prompts can include others, which must be there first: those that are refused are tried again after the rest.
	for {
		var refused []*promptFile
		var failures []error
		for _, file := range files {
			outcome, err := c.push(ctx, t, server, file)
			if told, ok := errors.AsType[*refusedError](err); ok && told.status == http.StatusBadRequest {
				refused, failures = append(refused, file), append(failures, fmt.Errorf("%s: %w", printable(file.path()), err))
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", printable(file.path()), err)
			}
			if counts[outcome]++; outcome != "unchanged" {
				t.printf("%-9s %s\n", outcome, printable(file.name))
			}
		}
		if len(refused) > 0 && len(refused) < len(files) {
			files = refused
			continue
		}
		t.say("%s%d new, %d changed, %d labelled, %d unchanged, %d refused", dryRunPrefix(c.DryRun), counts["new"], counts["changed"],
			counts["labelled"], counts["unchanged"], len(refused))
		return errors.Join(failures...)
	}
}

// push makes the newest version of a prompt equal its file, and returns what that took.
func (c *pushPromptsCommand) push(ctx context.Context, t *terminal, server *remoteServer, file *promptFile) (outcome string, err error) {
	newest, err := c.read(ctx, t, server, file.name, "latest")
	if err != nil {
		return "", err
	}
	if newest != nil && file.equal(newest) {
		missing := slices.DeleteFunc(slices.Clone([]string(c.Label)), func(label string) bool {
			return slices.Contains(newest.Labels, label)
		})
		if len(missing) == 0 {
			return "unchanged", nil
		}
		return "labelled", c.send(ctx, t, server, http.MethodPatch,
			promptsPath+"/"+url.PathEscape(file.name)+"/versions/"+strconv.Itoa(newest.Version), map[string]any{"newLabels": missing})
	}
	if outcome = "new"; newest != nil {
		outcome = "changed"
	}
	body := map[string]any{
		"name": file.name, "type": file.kind, "prompt": file.content(), "config": file.config, "labels": append([]string{}, c.Label...),
	}
	if file.tags != nil {
		body["tags"] = file.tags
	}
	if c.Message != "" {
		body["commitMessage"] = c.Message
	}
	return outcome, c.send(ctx, t, server, http.MethodPost, promptsPath, body)
}

func (c *pushPromptsCommand) send(ctx context.Context, t *terminal, server *remoteServer, method, path string, body any) error {
	if c.DryRun {
		return nil
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return server.retry(ctx, t, func() error { return server.call(ctx, method, path, raw, nil) })
}
