package scores

import (
	"cmp"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// CreateScoreConfig serves POST /api/public/score-configs.
func (h *Handlers) CreateScoreConfig(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readScoreConfig(c.Body())
	if err != nil {
		return nil, err
	}
	config, err := h.Catalog.ScoreConfigs.Create(c.Context(), scope, n, c.Actor())
	return endpoint.Show(config, err, wire.ScoreConfigs(scope))
}

// ListScoreConfigs returns a numbered page of configs, including archived ones, newest first.
func (h *Handlers) ListScoreConfigs(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.ScoreConfigs, wire.ScoreConfigs(scope))
}

// GetScoreConfig serves GET /api/public/score-configs/{configId}.
func (h *Handlers) GetScoreConfig(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	config, err := h.Catalog.ScoreConfigs.Get(c.Context(), scope, c.Path("configId"))
	return endpoint.Show(config, scoreConfigError(err), wire.ScoreConfigs(scope))
}

// UpdateScoreConfig changes the members that are present in the body. The result must be a config that could have been
// created.
func (h *Handlers) UpdateScoreConfig(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	change, err := readScoreConfigChange(c.Body())
	if err != nil {
		return nil, err
	}
	config, err := h.Catalog.ScoreConfigs.Change(c.Context(), scope, c.Path("configId"),
		func(config domain.ScoreConfig) (domain.ScoreConfig, error) {
			change.apply(&config)
			return config, refuseMisfits(config)
		}, c.Actor())
	return endpoint.Show(config, scoreConfigError(err), wire.ScoreConfigs(scope))
}

func refuseMisfits(config domain.ScoreConfig) error {
	issues := scoreConfigMisfits(config)
	if len(issues) == 0 {
		return nil
	}
	messages := make([]string, len(issues))
	for n, issue := range issues {
		messages[n] = issue.Message
	}
	return respond.InvalidRequest(strings.Join(messages, ", "))
}

func scoreConfigError(err error) error {
	return endpoint.NotFoundAs(err, "Score config not found within authorized project")
}

// scoreConfigChange is a change of a config; nil members stay unchanged.
type scoreConfigChange struct {
	archived           *bool
	name, description  *string
	minValue, maxValue *float64
	categories         *[]domain.ScoreCategory
}

func readScoreConfigChange(body decode.Value) (scoreConfigChange, error) {
	b := body.Object()
	change := scoreConfigChange{
		archived:    decode.Optional(b.Field("isArchived"), decode.Value.Bool),
		name:        decode.Optional(b.Field("name"), readScoreConfigName),
		minValue:    decode.Optional(b.Field("minValue"), decode.Value.Number),
		maxValue:    decode.Optional(b.Field("maxValue"), decode.Value.Number),
		categories:  decode.Optional(b.Field("categories"), readCategories),
		description: decode.Optional(b.Field("description"), readScoreConfigDescription),
	}
	if body.Kind() == "object" && change == (scoreConfigChange{}) {
		body.Reject(decode.Violation(nil, "Request body cannot be empty. At least one field must be provided for update."))
	}
	return change, b.Err()
}

func (change scoreConfigChange) apply(config *domain.ScoreConfig) {
	decode.Set(&config.Archived, change.archived)
	decode.Set(&config.Name, change.name)
	config.Description = cmp.Or(change.description, config.Description)
	config.MinValue = cmp.Or(change.minValue, config.MinValue)
	config.MaxValue = cmp.Or(change.maxValue, config.MaxValue)
	decode.Set(&config.Categories, change.categories)
}
