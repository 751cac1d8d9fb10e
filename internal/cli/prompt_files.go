package cli

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The names of files of prompts end with these.
const (
	textSuffix   = ".txt"
	chatSuffix   = ".chat.yaml"
	configSuffix = ".config.json"
)

// maxPromptFile is the maximum size of a file of a prompt, in bytes.
const maxPromptFile = 4 << 20

// promptFile is a prompt as files keep it.
type promptFile struct {
	name, kind string
	text       string
	messages   []messageInFile
	config     json.RawMessage
	tags       []string // nil if the files do not tell
}

// messageInFile is a message, or a placeholder for messages of the application.
type messageInFile struct {
	Role        string `json:"role,omitempty"    yaml:"role,omitempty"`
	Content     string `json:"content,omitempty" yaml:"content,omitempty"`
	Placeholder string `json:"-"                 yaml:"placeholder,omitempty"`
}

// configInFile is the content of the file with the config.
type configInFile struct {
	Config json.RawMessage `json:"config,omitempty"`
	Tags   []string        `json:"tags,omitempty"`
}

// fileOf returns a prompt of a server as its files keep it.
func fileOf(p *remotePrompt) (*promptFile, error) {
	f := &promptFile{name: p.Name, kind: p.Type, config: p.Config, tags: append([]string{}, p.Tags...)}
	if p.Type != "chat" {
		return f, json.Unmarshal(p.Prompt, &f.text)
	}
	var messages []struct{ Type, Name, Role, Content string }
	if err := json.Unmarshal(p.Prompt, &messages); err != nil {
		return nil, err
	}
	for _, m := range messages {
		if m.Type == "placeholder" {
			f.messages = append(f.messages, messageInFile{Placeholder: m.Name})
		} else {
			f.messages = append(f.messages, messageInFile{Role: m.Role, Content: m.Content})
		}
	}
	return f, nil
}

// content returns the prompt as the API takes it.
func (f *promptFile) content() any {
	if f.kind != "chat" {
		return f.text
	}
	list := make([]map[string]string, len(f.messages))
	for n, m := range f.messages {
		if m.Placeholder != "" {
			list[n] = map[string]string{"type": "placeholder", "name": m.Placeholder}
		} else {
			list[n] = map[string]string{"role": m.Role, "content": m.Content}
		}
	}
	return list
}

// base returns the path of the files of a prompt without its suffix, with slashes. What some system does not allow in
// the name of a file is escaped with percent signs, and so are names that would lead elsewhere.
func (f *promptFile) base() string {
	parts := strings.Split(f.name, "/")
	for n, part := range parts {
		var b strings.Builder
		for at, c := range []byte(part) {
			if c < ' ' || c == 0x7f || strings.IndexByte(`\:*?"<>|%`, c) >= 0 || at == 0 && c == '.' ||
				at == len(part)-1 && (c == '.' || c == ' ') {
				fmt.Fprintf(&b, "%%%02X", c)
			} else {
				b.WriteByte(c)
			}
		}
		parts[n] = b.String()
	}
	return strings.Join(parts, "/")
}

// path returns the path of the file with the content.
func (f *promptFile) path() string {
	if f.kind == "chat" {
		return f.base() + chatSuffix
	}
	return f.base() + textSuffix
}

// encode returns the files of a prompt by their paths. A nil file must not exist.
func (f *promptFile) encode() (map[string][]byte, error) {
	files := map[string][]byte{f.base() + configSuffix: nil, f.path(): []byte(f.text + "\n")}
	if f.kind == "chat" {
		var b bytes.Buffer
		e := yaml.NewEncoder(&b)
		e.SetIndent(2)
		if err := errors.Join(e.Encode(map[string]any{"messages": f.messages}), e.Close()); err != nil {
			return nil, err
		}
		files[f.path()] = b.Bytes()
	}
	if !sameJSON(f.config, []byte("{}")) || len(f.tags) > 0 {
		c := configInFile{Config: f.config, Tags: f.tags}
		if sameJSON(f.config, []byte("{}")) {
			c.Config = nil
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(c); err != nil {
			return nil, err
		}
		files[f.base()+configSuffix] = b.Bytes()
	}
	return files, nil
}

// promptFolder is a directory with files of prompts. Nothing outside of it is read or written, wherever links lead: whoever
// contributes to a repository could publish files of the machine that pushes its prompts, or replace files of the one that
// pulls them.
type promptFolder struct{ root *os.Root }

// openPromptFolder opens a directory, which is made if it is missing; without make, that is an empty folder.
func openPromptFolder(t *terminal, directory string, create bool) (*promptFolder, error) {
	if create {
		if err := makeDirectories(t, directory); err != nil {
			return nil, fmt.Errorf("cannot make the directory: %w", err)
		}
	}
	root, err := os.OpenRoot(directory)
	if errors.Is(err, fs.ErrNotExist) && !create {
		return &promptFolder{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the files of prompts: %w", err)
	}
	return &promptFolder{root}, nil
}

func (d *promptFolder) close() {
	if d.root != nil {
		_ = d.root.Close() // there is nothing left to write
	}
}

// content returns what a file has, nil if there is none. A file that cannot be read, such as a link that leads elsewhere, has
// some content.
func (d *promptFolder) content(path string) ([]byte, error) {
	if d.root == nil {
		return nil, nil
	}
	_, err := d.root.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the file: %w", err)
	}
	raw, err := readLimited(d.root.FS(), path)
	if err != nil {
		return []byte("unreadable"), nil //nolint:nilerr // it is no file of ours
	}
	return append([]byte{}, raw...), nil
}

// pending returns the files of a prompt that differ from what they should have. A nil content is that of a file that must not
// exist.
func (d *promptFolder) pending(f *promptFile) (changes map[string][]byte, outcome string, err error) {
	changes, err = f.encode()
	if err != nil {
		return nil, "", fmt.Errorf("cannot write prompt %q: %w", f.name, err)
	}
	outcome = "changed"
	for path, content := range changes {
		before, err := d.content(path)
		if err != nil {
			return nil, "", err
		}
		if path == f.path() && before == nil {
			outcome = "new"
		}
		if (content == nil) == (before == nil) && bytes.Equal(before, content) {
			delete(changes, path)
		}
	}
	if len(changes) == 0 {
		outcome = "unchanged"
	}
	return changes, outcome, nil
}

// current returns the prompt that the files with the name of a prompt have now; nil if there is none, or if what is there is
// no prompt. HasFiles tells whether there are such files.
func (d *promptFolder) current(f *promptFile) (now *promptFile, hasFiles bool, err error) {
	text, err := d.content(f.path())
	if err != nil {
		return nil, false, err
	}
	config, err := d.content(f.base() + configSuffix)
	if err != nil || text == nil {
		return nil, config != nil, err
	}
	now, err = readPromptFile(d.root.FS(), f.path())
	if err != nil {
		return nil, true, nil //nolint:nilerr // whatever it is, this program has not written it
	}
	return now, true, nil
}

// apply writes and removes files.
func (d *promptFolder) apply(changes map[string][]byte) error {
	for path, content := range changes {
		var err error
		if content == nil {
			err = d.root.Remove(path)
		} else {
			err = d.replace(path, content)
		}
		if err != nil {
			return fmt.Errorf("cannot write the file: %w", err)
		}
	}
	return nil
}

// replace writes a file under another name beside it first. A link is replaced, not what it leads to.
func (d *promptFolder) replace(name string, content []byte) error {
	directory, file := path.Split(name)
	if directory != "" {
		if err := d.root.MkdirAll(strings.TrimSuffix(directory, "/"), 0o700); err != nil {
			return err
		}
	}
	beside := directory + "." + file + "." + rand.Text()[:10]
	temporary, err := d.root.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = temporary.Write(content)
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = d.root.Rename(beside, name)
	}
	if err != nil {
		return errors.Join(err, d.root.Remove(beside))
	}
	return nil
}

// makeDirectories makes a directory and those above it, unless they exist.
func makeDirectories(t *terminal, path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if parent := filepath.Dir(path); parent != path {
		if err := makeDirectories(t, parent); err != nil {
			return err
		}
	}
	return t.disk.Mkdir(path)
}

// readPromptFiles returns the prompts whose files are in a directory, by name. Hidden files and directories are ignored,
// such as those of a version control system. Links that lead out of the directory are refused: whoever contributes to a
// repository could publish files of the machine that pushes its prompts.
func readPromptFiles(directory string) (files []*promptFile, err error) {
	within, err := os.OpenRoot(directory)
	if err != nil {
		return nil, fmt.Errorf("cannot read the files of prompts: %w", err)
	}
	defer within.Close() //nolint:errcheck // only read
	root := within.FS()
	err = fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != "." && strings.HasPrefix(entry.Name(), ".") {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() || !strings.HasSuffix(path, textSuffix) && !strings.HasSuffix(path, chatSuffix) {
			return nil
		}
		f, err := readPromptFile(root, path)
		if err != nil {
			return fmt.Errorf("%s: %w", printable(path), err)
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("cannot read the files of prompts: %w", err)
	}
	slices.SortFunc(files, func(a, b *promptFile) int { return strings.Compare(a.name, b.name) })
	for n := 1; n < len(files); n++ {
		if files[n].name == files[n-1].name {
			return nil, fmt.Errorf("prompt %q has two files, %s and %s: a prompt is either a text or a chat", files[n].name,
				files[n-1].path(), files[n].path())
		}
	}
	return files, nil
}

func readPromptFile(root fs.FS, path string) (*promptFile, error) {
	base, isChat := strings.CutSuffix(path, chatSuffix)
	if !isChat {
		base = strings.TrimSuffix(path, textSuffix)
	}
	name, err := url.PathUnescape(base)
	if err != nil {
		return nil, fmt.Errorf("the name of the file has a percent sign that escapes nothing: %w", err)
	}
	f := &promptFile{name: name, kind: "text", config: json.RawMessage("{}")}
	raw, err := readLimited(root, path)
	if err != nil {
		return nil, err
	}
	if f.text = strings.TrimSuffix(string(raw), "\n"); isChat {
		f.kind, f.text = "chat", ""
		var chat struct {
			Messages []messageInFile `yaml:"messages"`
		}
		d := yaml.NewDecoder(bytes.NewReader(raw))
		d.KnownFields(true)
		if err := d.Decode(&chat); err != nil {
			return nil, fmt.Errorf("not a list of messages: %w", err)
		}
		f.messages = chat.Messages
	}
	raw, err = readLimited(root, base+configSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	var c configInFile
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("its file %s is not valid: %w", configSuffix, err)
	}
	if c.Config != nil {
		f.config = c.Config
	}
	f.tags = append([]string{}, c.Tags...)
	return f, nil
}

// readLimited returns the content of a file that is not too large.
func readLimited(root fs.FS, path string) ([]byte, error) {
	file, err := root.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	raw, err := io.ReadAll(io.LimitReader(file, maxPromptFile+1))
	if err == nil && len(raw) > maxPromptFile {
		err = fmt.Errorf("the file is larger than %d MiB", maxPromptFile>>20)
	}
	return raw, err
}
