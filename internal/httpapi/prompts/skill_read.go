package prompts

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// The limits of skills. Those of names and descriptions come from the skill format.
const (
	MaxSkillBody        = 8 << 20
	maxSkillFiles       = 200
	maxSkillPath        = 500
	maxSkillContent     = 1 << 20 // bytes of a file
	maxSkillHashes      = 50
	maxSkillName        = 64
	maxSkillDescription = 1024
	maxFrontmatter      = 64 << 10 // bytes
)

var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// readSkillFiles reads the files of a new version, one of which is the manifest.
func readSkillFiles(body decode.Value) (files []domain.NewSkillFile, message *string, err error) {
	b := body.Object()
	list := b.Field("files")
	for _, v := range list.ArrayLen(0, maxSkillFiles) {
		files = append(files, readSkillFile(v))
	}
	message = decode.Nullish(b.Field("commitMessage"), func(v decode.Value) string {
		return endpoint.RejectNUL(v, v.TextLen(0, maxCommitMessage))
	})
	if err := b.Err(); err != nil {
		return nil, nil, err
	}
	paths := make(map[string]bool, len(files))
	for _, file := range files {
		if paths[file.Path] {
			return nil, nil, respond.InvalidRequest("The path " + file.Path + " is there twice")
		}
		paths[file.Path] = true
	}
	if !paths[domain.SkillManifest] {
		return nil, nil, respond.InvalidRequest("A skill needs a file " + domain.SkillManifest)
	}
	return files, message, nil
}

// readSkillFile reads a file with its content, or with the hash of content that the project already has.
func readSkillFile(v decode.Value) domain.NewSkillFile {
	b := v.Object()
	file := domain.NewSkillFile{Path: readSkillPath(b.Field("path"))}
	hash := b.Field("sha256Hash")
	if content := b.Field("content"); content.Kind() != "undefined" || hash.Kind() == "undefined" {
		text := content.Text()
		if len(text) > maxSkillContent {
			content.Reject(decode.TooLong(content.Path(), "string", maxSkillContent))
		}
		file.Content = &text
		return file
	}
	if file.Hash = hash.Text(); hash.Kind() == "string" && !isSkillHash(file.Hash) {
		hash.Reject(decode.Violation(hash.Path(), notSkillHash))
	}
	return file
}

const notSkillHash = "A hash is the SHA-256 of a content in base64, with 44 characters"

// isSkillHash reports whether text is a canonically encoded hash.
func isSkillHash(text string) bool {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	return err == nil && len(raw) == sha256.Size && base64.StdEncoding.EncodeToString(raw) == text
}

// readSkillPath reads the path of a file within the directory of its skill.
func readSkillPath(v decode.Value) string {
	name := endpoint.RejectNUL(v, v.TextLen(1, maxSkillPath))
	if name != "" && (name != path.Clean(name) || path.IsAbs(name) || name == "." || strings.HasPrefix(name, "..") ||
		strings.ContainsAny(name, `\:`)) {
		v.Reject(decode.Violation(v.Path(),
			"A path is relative to the skill, with single slashes, without . and .. and without backslashes and colons"))
	}
	return name
}

// readGivenLabels reads the labels for a version.
func readGivenLabels(v decode.Value) []string {
	labels := readPromptLabels(v)
	if slices.Contains(labels, domain.LatestLabel) {
		v.Reject(decode.Violation(v.Path(), "The label latest always belongs to the newest version and cannot be given"))
	}
	return labels
}

// readSkillHashes reads the parameter with content hashes and removes duplicates.
func readSkillHashes(q *decode.Query) []string {
	const name = "sha256Hashes"
	list := q.CommaList(name)
	var hashes []string
	for _, hash := range list {
		if !isSkillHash(hash) {
			q.Add(decode.Violation([]any{name}, notSkillHash))
			return nil
		}
		if !slices.Contains(hashes, hash) {
			hashes = append(hashes, hash)
		}
	}
	if len(list) == 0 {
		q.Add(decode.TooShort([]any{name}, "array", 1))
	}
	if len(list) > maxSkillHashes {
		q.Add(decode.TooLong([]any{name}, "array", maxSkillHashes))
	}
	return hashes
}

// readManifest reads the frontmatter of a manifest: YAML between two lines of three hyphens.
func readManifest(text string) (domain.Skill, error) {
	refuse := func(reason string) (domain.Skill, error) {
		return domain.Skill{}, respond.InvalidRequest(domain.SkillManifest + ": " + reason)
	}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	head, found := strings.CutPrefix(text, "---\n")
	if found {
		head, _, found = strings.Cut("\n"+head+"\n", "\n---\n")
	}
	switch {
	case !found:
		return refuse("it begins with a frontmatter, which is YAML between two lines of three hyphens")
	case len(head) > maxFrontmatter:
		return refuse("the frontmatter is longer than 64 KB")
	}
	var members map[string]any
	if err := yaml.Unmarshal([]byte(head), &members); err != nil {
		return refuse("the frontmatter is not an object in YAML: " + err.Error())
	}
	name, _ := members["name"].(string)
	description, _ := members["description"].(string)
	switch {
	case len(name) > maxSkillName || !skillName.MatchString(name):
		return refuse("the frontmatter needs a name of at most 64 lower-case letters, digits and single hyphens")
	case strings.TrimSpace(description) == "" || utf8.RuneCountInString(description) > maxSkillDescription:
		return refuse("the frontmatter needs a description of 1 to 1024 characters")
	case strings.Contains(description, "\x00"):
		return refuse("the description contains the character U+0000")
	}
	frontmatter, err := json.Marshal(members)
	if err != nil || decode.CheckJSON(frontmatter) != nil {
		return refuse("the frontmatter has values that JSON cannot have, or is nested too deeply")
	}
	return domain.Skill{Name: name, Description: description, Frontmatter: frontmatter}, nil
}
