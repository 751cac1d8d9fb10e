package prompts

import (
	"math"
	"strconv"

	"almanac/internal/catalog/prompts"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

type skillVersionBody struct {
	ID            string       `json:"id"`
	Version       int          `json:"version"`
	CreatedAt     respond.Time `json:"createdAt"`
	CreatedBy     authorBody   `json:"createdBy"`
	Labels        []string     `json:"labels"`
	CommitMessage *string      `json:"commitMessage"`
	Description   string       `json:"description"`
	Files         int          `json:"files"`
}

// ListSkillVersions returns a page of the versions of a skill, newest first.
func (h *Handlers) ListSkillVersions(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	name := c.Path("skillName")
	before := q.Int("cursor", decode.IntRule{Min: 1, Max: math.MaxInt32})
	limit := q.Int("limit", decode.IntRule{Default: defaultHeads, Min: 1, Max: maxVersionPage})
	if err := q.Err(); err != nil {
		return nil, err
	}
	versions, err := h.Catalog.SkillVersions(c.Context(), scope, name, before, limit+1)
	if err != nil {
		return nil, err
	}
	if len(versions) == 0 && before == 0 {
		return nil, respond.NotFound("There is no skill '" + name + "'.")
	}
	var cursor *string
	if len(versions) > limit {
		versions = versions[:limit]
		cursor = new(strconv.Itoa(versions[limit-1].Version))
	}
	ids := make([]string, len(versions))
	for n, v := range versions {
		ids[n] = v.CreatedBy
	}
	by, err := h.authors(c.Context(), ids...)
	return map[string]any{
		"name": name, "cursor": cursor,
		"versions": endpoint.Map(versions, func(v prompts.SkillVersion) skillVersionBody {
			return skillVersionBody{
				v.ID, v.Version, respond.Time(v.CreatedAt), by.body(v.CreatedBy), domain.NotNil(v.Labels), v.CommitMessage, v.Description,
				v.Files,
			}
		}),
	}, err
}
