package langfuse

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/transfer/importing"
)

type scoreConfigRow struct {
	ID          string                 `json:"id"`
	Name        string                 `json:"name"`
	DataType    string                 `json:"dataType"`
	IsArchived  bool                   `json:"isArchived"`
	Description *string                `json:"description"`
	MinValue    *float64               `json:"minValue"`
	MaxValue    *float64               `json:"maxValue"`
	Categories  []domain.ScoreCategory `json:"categories"`
	CreatedAt   Timestamp              `json:"createdAt"`
	UpdatedAt   Timestamp              `json:"updatedAt"`
}

func scoreConfigOf(c *scoreConfigRow) domain.ScoreConfig {
	return domain.ScoreConfig{
		ID: c.ID, Name: c.Name, DataType: c.DataType, Archived: c.IsArchived, Description: c.Description, MinValue: c.MinValue,
		MaxValue: c.MaxValue, Categories: c.Categories, CreatedAt: c.CreatedAt.Time(), UpdatedAt: c.UpdatedAt.Time(),
	}
}

type modelRow struct {
	ID              string               `json:"id"`
	Name            string               `json:"modelName"`
	MatchPattern    string               `json:"matchPattern"`
	StartDate       Timestamp            `json:"startDate"`
	Unit            domain.ModelUnit     `json:"unit"`
	TokenizerID     string               `json:"tokenizerId"`
	TokenizerConfig json.RawMessage      `json:"tokenizerConfig"`
	BuiltIn         bool                 `json:"isLangfuseManaged"`
	CreatedAt       Timestamp            `json:"createdAt"`
	Prices          map[string]modelCost `json:"prices"`
	Tiers           []modelTier          `json:"pricingTiers"`
}

type modelCost struct {
	Price float64 `json:"price"`
}

type modelTier struct {
	ID         string             `json:"id"`
	Name       string             `json:"name"`
	IsDefault  bool               `json:"isDefault"`
	Priority   int                `json:"priority"`
	Conditions []tierCondition    `json:"conditions"`
	Prices     map[string]float64 `json:"prices"`
}

// tierCondition is a condition of one of two kinds, which have different members.
type tierCondition struct {
	Pattern       string          `json:"usageDetailPattern"`
	Operator      string          `json:"operator"`
	Value         json.RawMessage `json:"value"`
	CaseSensitive bool            `json:"caseSensitive"`
	Source        string          `json:"source"`
	Key           string          `json:"key"`
	Values        []string        `json:"values"`
}

// modelsOf leaves out the built-in models of the source, since this program has its own.
func modelsOf(_ context.Context, rows []modelRow) (*importing.Page, error) {
	page := new(importing.Page)
	for n := range rows {
		if !rows[n].BuiltIn {
			page.Things = append(page.Things, rows[n].model())
		}
	}
	return page, nil
}

func (m *modelRow) model() domain.Model {
	model := domain.Model{
		ID: m.ID, Name: m.Name, MatchPattern: m.MatchPattern, StartDate: m.StartDate.Time(), Unit: m.Unit, TokenizerID: m.TokenizerID,
		TokenizerConfig: optionalRaw(m.TokenizerConfig), CreatedAt: m.CreatedAt.Time(), UpdatedAt: m.CreatedAt.Time(),
	}
	for _, t := range m.Tiers {
		tier := domain.PricingTier{ID: t.ID, Name: t.Name, Default: t.IsDefault, Priority: t.Priority, Prices: pricesOf(t.Prices)}
		for _, c := range t.Conditions {
			tier.Conditions = append(tier.Conditions, c.condition())
		}
		model.Tiers = append(model.Tiers, tier)
	}
	if len(model.Tiers) == 0 { // from before tiers existed
		flat := make(map[string]float64, len(m.Prices))
		for kind, price := range m.Prices {
			flat[kind] = price.Price
		}
		model.Tiers = []domain.PricingTier{{Name: "Standard", Default: true, Prices: pricesOf(flat)}}
	}
	return model
}

func pricesOf(prices map[string]float64) (list []domain.Price) {
	for _, kind := range slices.Sorted(maps.Keys(prices)) {
		list = append(list, domain.Price{Kind: kind, PerUnit: prices[kind]})
	}
	return list
}

func (c *tierCondition) condition() domain.TierCondition {
	if c.Source != "" || c.Key != "" {
		return domain.TierCondition{Attribute: &domain.AttributeCondition{Source: c.Source, Key: c.Key, Values: c.Values}}
	}
	usage := &domain.UsageCondition{KindPattern: c.Pattern, Operator: c.Operator, CaseSensitive: c.CaseSensitive}
	_ = json.Unmarshal(c.Value, &usage.Value) // a number in every version
	return domain.TierCondition{Usage: usage}
}

type connectionRow struct {
	Provider string `json:"provider"`
}

// connectionsOf skips connections: the API does not reveal their secrets, and a connection without its secret is
// useless.
func connectionsOf(_ context.Context, rows []connectionRow) (*importing.Page, error) {
	page := new(importing.Page)
	for _, row := range rows {
		page.Skipped = append(page.Skipped, importing.Skip{
			Reason: "the API does not expose its secret: connect the provider again, or import from the databases", Example: row.Provider,
		})
	}
	return page, nil
}

type queueRow struct {
	ID             string    `json:"id"`
	Name           string    `json:"name"`
	Description    *string   `json:"description"`
	ScoreConfigIDs []string  `json:"scoreConfigIds"`
	CreatedAt      Timestamp `json:"createdAt"`
	UpdatedAt      Timestamp `json:"updatedAt"`
}

func queueOf(q *queueRow) domain.AnnotationQueue {
	return domain.AnnotationQueue{
		ID: q.ID, Name: q.Name, Description: q.Description, ScoreConfigIDs: q.ScoreConfigIDs, CreatedAt: q.CreatedAt.Time(), UpdatedAt: q.UpdatedAt.Time(),
	}
}

type queueItemRow struct {
	ID          string    `json:"id"`
	QueueID     string    `json:"queueId"`
	ObjectType  string    `json:"objectType"`
	ObjectID    string    `json:"objectId"`
	Status      string    `json:"status"`
	CompletedAt Timestamp `json:"completedAt"`
	CreatedAt   Timestamp `json:"createdAt"`
	UpdatedAt   Timestamp `json:"updatedAt"`
}

func queueItemOf(i *queueItemRow) domain.AnnotationItem {
	item := domain.AnnotationItem{
		ID: i.ID, QueueID: i.QueueID, ObjectType: i.ObjectType, ObjectID: i.ObjectID, Status: i.Status,
		CreatedAt: i.CreatedAt.Time(), UpdatedAt: i.UpdatedAt.Time(),
	}
	if i.CompletedAt != 0 {
		item.CompletedAt = new(i.CompletedAt.Time())
	}
	return item
}

type commentRow struct {
	ID           string    `json:"id"`
	ObjectType   string    `json:"objectType"`
	ObjectID     string    `json:"objectId"`
	Content      string    `json:"content"`
	AuthorUserID *string   `json:"authorUserId"`
	CreatedAt    Timestamp `json:"createdAt"`
	UpdatedAt    Timestamp `json:"updatedAt"`
}

func commentOf(c *commentRow) domain.Comment {
	return domain.Comment{
		ID: c.ID, ObjectType: c.ObjectType, ObjectID: c.ObjectID, Content: c.Content, AuthorUserID: c.AuthorUserID,
		CreatedAt: c.CreatedAt.Time(), UpdatedAt: c.UpdatedAt.Time(),
	}
}

type widgetRow struct {
	ID          string                   `json:"id"`
	Name        string                   `json:"name"`
	Description string                   `json:"description"`
	View        string                   `json:"view"`
	Dimensions  []domain.WidgetDimension `json:"dimensions"`
	Metrics     []domain.WidgetMetric    `json:"metrics"`
	Filters     []domain.StoredFilter    `json:"filters"`
	ChartType   string                   `json:"chartType"`
	ChartConfig domain.ChartConfig       `json:"chartConfig"`
	CreatedAt   Timestamp                `json:"createdAt"`
	UpdatedAt   Timestamp                `json:"updatedAt"`
}

func widgetOf(w *widgetRow) domain.Widget {
	return domain.Widget{
		ID: w.ID, Name: w.Name, Description: w.Description, View: w.View, Dimensions: w.Dimensions, Metrics: w.Metrics, Filters: w.Filters,
		ChartType: w.ChartType, Chart: w.ChartConfig, CreatedAt: w.CreatedAt.Time(), UpdatedAt: w.UpdatedAt.Time(),
	}
}

type dashboardRow struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Definition  struct {
		Widgets []domain.Placement `json:"widgets"`
	} `json:"definition"`
	Filters   []domain.StoredFilter `json:"filters"`
	CreatedAt Timestamp             `json:"createdAt"`
	UpdatedAt Timestamp             `json:"updatedAt"`
}

func dashboardOf(d *dashboardRow) domain.Dashboard {
	return domain.Dashboard{
		ID: d.ID, Name: d.Name, Description: d.Description, Placements: d.Definition.Widgets, Filters: d.Filters,
		CreatedAt: d.CreatedAt.Time(), UpdatedAt: d.UpdatedAt.Time(),
	}
}
