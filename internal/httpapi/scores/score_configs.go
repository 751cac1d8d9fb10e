package scores

import (
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// scoreConfigBody is a score config as clients see it.
type scoreConfigBody struct {
	ID          string                 `json:"id"`
	ProjectID   string                 `json:"projectId"`
	Name        string                 `json:"name"`
	DataType    string                 `json:"dataType"`
	IsArchived  bool                   `json:"isArchived"`
	Description *string                `json:"description"`
	MinValue    *float64               `json:"minValue"`
	MaxValue    *float64               `json:"maxValue"`
	Categories  []domain.ScoreCategory `json:"categories"`
	CreatedAt   respond.Time           `json:"createdAt"`
	UpdatedAt   respond.Time           `json:"updatedAt"`
}

func newScoreConfigBody(config domain.ScoreConfig, scope domain.ProjectScope) scoreConfigBody {
	return scoreConfigBody{
		ID: config.ID, ProjectID: scope.ProjectID(), Name: config.Name, DataType: config.DataType, IsArchived: config.Archived,
		Description: config.Description, MinValue: config.MinValue, MaxValue: config.MaxValue, Categories: config.Categories,
		CreatedAt: respond.Time(config.CreatedAt), UpdatedAt: respond.Time(config.UpdatedAt),
	}
}

// CreateScoreConfig serves POST /api/public/score-configs.
func (h *Handlers) CreateScoreConfig(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readScoreConfig(c.Body())
	if err != nil {
		return nil, err
	}
	config, err := h.Catalog.CreateScoreConfig(c.Context(), scope, n, c.Actor())
	if err != nil {
		return nil, err
	}
	return newScoreConfigBody(config, scope), nil
}

// ListScoreConfigs returns a numbered page of configs, including archived ones, newest first.
func (h *Handlers) ListScoreConfigs(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	return endpoint.CatalogList(c, scope, page, h.Catalog.ScoreConfigs, func(config domain.ScoreConfig) scoreConfigBody { return newScoreConfigBody(config, scope) })
}

// GetScoreConfig serves GET /api/public/score-configs/{configId}.
func (h *Handlers) GetScoreConfig(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	config, err := h.Catalog.ScoreConfig(c.Context(), scope, c.Path("configId"))
	if err != nil {
		return nil, scoreConfigError(err)
	}
	return newScoreConfigBody(config, scope), nil
}

// UpdateScoreConfig changes the members that are present in the body. The result must be a config that could have been
// created.
func (h *Handlers) UpdateScoreConfig(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	change, err := readScoreConfigChange(c.Body())
	if err != nil {
		return nil, err
	}
	config, err := h.Catalog.UpdateScoreConfig(c.Context(), scope, c.Path("configId"), func(config domain.ScoreConfig) (domain.ScoreConfig, error) {
		change.apply(&config)
		return config, refuseMisfits(config)
	}, c.Actor())
	if err != nil {
		return nil, scoreConfigError(err)
	}
	return newScoreConfigBody(config, scope), nil
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
	if change.archived != nil {
		config.Archived = *change.archived
	}
	if change.name != nil {
		config.Name = *change.name
	}
	if change.description != nil {
		config.Description = change.description
	}
	if change.minValue != nil {
		config.MinValue = change.minValue
	}
	if change.maxValue != nil {
		config.MaxValue = change.maxValue
	}
	if change.categories != nil {
		config.Categories = *change.categories
	}
}
