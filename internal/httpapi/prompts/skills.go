package prompts

import (
	"errors"
	"math"
	"path"
	"strconv"

	"almanac/internal/catalog/prompts"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// skillBody is a version of a skill as clients see it.
type skillBody struct {
	ID            string          `json:"id"`
	CreatedAt     respond.Time    `json:"createdAt"`
	UpdatedAt     respond.Time    `json:"updatedAt"`
	ProjectID     string          `json:"projectId"`
	CreatedBy     string          `json:"createdBy"`
	Name          string          `json:"name"`
	Description   string          `json:"description"`
	Frontmatter   any             `json:"frontmatter"`
	Version       int             `json:"version"`
	Tags          []string        `json:"tags"`
	Labels        []string        `json:"labels"`
	CommitMessage *string         `json:"commitMessage"`
	Files         []skillFileBody `json:"files"`
}

type skillFileBody struct {
	ID            string `json:"id"`
	Path          string `json:"path"`
	BlobID        string `json:"blobId"`
	Hash          string `json:"sha256Hash"`
	ContentType   string `json:"contentType"`
	ContentLength int    `json:"contentLength"`
}

func newSkillBody(k domain.Skill, project string) skillBody {
	body := skillBody{
		ID: k.ID, CreatedAt: respond.Time(k.CreatedAt), UpdatedAt: respond.Time(k.UpdatedAt), ProjectID: project, CreatedBy: k.CreatedBy,
		Name: k.Name, Description: k.Description, Frontmatter: k.Frontmatter, Version: k.Version,
		Tags: domain.NotNil(k.Tags), Labels: domain.NotNil(k.Labels), CommitMessage: k.CommitMessage,
		Files: make([]skillFileBody, len(k.Files)),
	}
	for n, f := range k.Files {
		body.Files[n] = skillFileBody{
			ID: f.ID, Path: f.Path, BlobID: f.BlobID, Hash: f.Hash, ContentType: skillFileType(f.Path), ContentLength: f.Length,
		}
	}
	return body
}

// skillFileType returns the content type of a file. All files are text; those that a browser would run are plain text.
func skillFileType(name string) string {
	switch path.Ext(name) {
	case ".md":
		return "text/markdown"
	case ".json":
		return "application/json"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".csv":
		return "text/csv"
	}
	return "text/plain"
}

// skillSummaryBody is a skill in a list.
type skillSummaryBody struct {
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Tags        []string     `json:"tags"`
	Latest      int          `json:"latestVersion"`
	CreatedAt   respond.Time `json:"latestVersionCreatedAt"`
	UpdatedAt   respond.Time `json:"latestVersionLastUpdatedAt"`
	Production  *int         `json:"productionVersion"`
}

// ListSkills returns a numbered page of skills by name.
func (h *Handlers) ListSkills(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	filter := prompts.SkillFilter{
		Name: endpoint.ValueOr(q.String("name"), ""), Search: endpoint.ValueOr(q.String("search"), ""),
		Tag:         endpoint.ValueOr(q.String("tag"), ""),
		UpdatedFrom: q.Time("fromUpdatedAt"), UpdatedBefore: q.Time("toUpdatedAt"),
	}
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	found, total, err := h.Catalog.Skills(c.Context(), scope, filter, endpoint.CatalogPage(page))
	if err != nil {
		return nil, err
	}
	data := make([]skillSummaryBody, len(found))
	for n, k := range found {
		data[n] = skillSummaryBody{
			k.Name, k.Description, domain.NotNil(k.Tags), k.Latest, respond.Time(k.CreatedAt), respond.Time(k.UpdatedAt), k.Production,
		}
	}
	pages := (total + page.Limit - 1) / page.Limit
	return map[string]any{"data": data, "meta": skillPageBody{page.Number, page.Limit, total, pages, page.Number < pages}}, nil
}

type skillPageBody struct {
	Page        int  `json:"page"`
	Limit       int  `json:"limit"`
	TotalItems  int  `json:"totalItems"`
	TotalPages  int  `json:"totalPages"`
	HasNextPage bool `json:"hasNextPage"`
}

// CreateSkill stores a new version of the skill named in the manifest.
func (h *Handlers) CreateSkill(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	files, message, err := readSkillFiles(c.Body())
	if err != nil {
		return nil, err
	}
	created, err := h.Catalog.CreateSkill(c.Context(), scope, files, func(manifest string) (domain.Skill, error) {
		k, err := readManifest(manifest)
		k.CommitMessage, k.CreatedBy = message, author(c)
		return k, err
	}, c.Actor())
	if missing, ok := errors.AsType[*prompts.MissingContentError](err); ok {
		return nil, respond.InvalidRequest("The project has no content with the SHA-256 " + missing.Hash + ": send the content instead")
	}
	if err != nil {
		return nil, err
	}
	return newSkillBody(created, scope.ProjectID()), nil
}

// GetSkill returns a version of a skill, by default the one in production.
func (h *Handlers) GetSkill(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	ref, err := readOnlySelection(c, "skillName")
	if err != nil {
		return nil, err
	}
	if ref.Version == 0 && ref.Label == "" {
		ref.Label = domain.ProductionLabel
	}
	k, err := h.Catalog.Skill(c.Context(), scope, ref.Name, ref.Version, ref.Label)
	return skillAnswer(k, scope, err, "Skill not found: "+ref.String())
}

// skillAnswer returns a handler's result: a version, or the error.
func skillAnswer(k domain.Skill, scope domain.ProjectScope, err error, notFound string) (any, error) {
	if err != nil {
		return nil, endpoint.NotFoundAs(err, notFound)
	}
	return newSkillBody(k, scope.ProjectID()), nil
}

// TagSkill replaces the tags of a skill.
func (h *Handlers) TagSkill(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	tags := readPromptTags(b.Field("tags"))
	if err := b.Err(); err != nil {
		return nil, err
	}
	name := c.Path("skillName")
	k, err := h.Catalog.TagSkill(c.Context(), scope, name, tags, c.Actor())
	return skillAnswer(k, scope, err, "Skill not found: '"+name+"'")
}

// LabelSkill replaces the labels of a version.
func (h *Handlers) LabelSkill(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	name, version, err := skillVersion(c)
	if err != nil {
		return nil, err
	}
	b := c.Body().Object()
	labels := readGivenLabels(b.Field("labels"))
	if err := b.Err(); err != nil {
		return nil, err
	}
	k, err := h.Catalog.LabelSkill(c.Context(), scope, name, version, labels, c.Actor())
	return skillAnswer(k, scope, err, noSkillVersion(name, version))
}

// DeleteSkill deletes a version.
func (h *Handlers) DeleteSkill(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	name, version, err := skillVersion(c)
	if err != nil {
		return nil, err
	}
	err = h.Catalog.DeleteSkill(c.Context(), scope, name, version, c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, noSkillVersion(name, version)), map[string]bool{"deleted": true})
}

func noSkillVersion(name string, version int) string {
	return "Skill '" + name + "' version " + strconv.Itoa(version) + " not found in project"
}

// skillVersion reads the name and version from the path.
func skillVersion(c *endpoint.Call) (name string, version int, err error) {
	version, err = pathVersion(c, "skillVersion")
	if name = c.Path("skillName"); err == nil && version < 1 {
		err = respond.NotFound(noSkillVersion(name, version))
	}
	return name, version, err
}

// pathVersion reads a version number from the path.
func pathVersion(c *endpoint.Call, parameter string) (int, error) {
	number, ok := decode.ParseNumber(c.Path(parameter))
	if !ok || number != math.Trunc(number) || math.Abs(number) > math.MaxInt32 {
		return 0, respond.InvalidData([]decode.Issue{decode.NotANumber([]any{parameter})})
	}
	return int(number), nil
}

type skillContentBody struct {
	Hash    string `json:"sha256Hash"`
	Content string `json:"content"`
}

// GetSkillContents returns the contents of files by their hashes.
func (h *Handlers) GetSkillContents(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	hashes := readSkillHashes(q)
	if err := q.Err(); err != nil {
		return nil, err
	}
	found, err := h.Catalog.SkillContents(c.Context(), scope, hashes)
	if err != nil {
		return nil, endpoint.NotFoundAs(err, "The project has no content with one of the hashes")
	}
	body := func(content *prompts.SkillContent) skillContentBody {
		return skillContentBody{content.Hash, content.Content}
	}
	return endpoint.Whole(endpoint.Bodies(found, body), func(dst []byte) []byte { return dst }).Answer(c)
}
