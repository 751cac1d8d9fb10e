package langfuse

import (
	"encoding/json"
	"slices"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/transfer/importing"
)

// Project tables in PostgreSQL. Rows that belong to no project come with the installation and are left out.

// each returns a function that converts a row and adds it to a page.
func each[R, T any](record func(*R) T) func(*Database, *importing.Page, *R) {
	return func(_ *Database, page *importing.Page, row *R) { page.Records = append(page.Records, record(row)) }
}

func ofProjects(table string) func(*Database) string {
	return fixed("SELECT * FROM " + table + " WHERE project_id IS NOT NULL")
}

var projectKeys = []string{"project_id text", "id text"}

var scoreConfigRows = relation[wire.ScoreConfig]{
	table:   "score_configs",
	columns: "id project_id name data_type is_archived min_value max_value categories description created_at updated_at",
	keys:    projectKeys, add: each((*wire.ScoreConfig).Domain),
}

var modelRows = relation[wire.Model]{
	table: "models", columns: "id project_id model_name match_pattern start_date unit tokenizer_id tokenizer_config created_at",
	keys: projectKeys,
	query: func(d *Database) string {
		tiers := "NULL::json"
		if d.has("pricing_tiers", "id") {
			tiers = `(SELECT json_agg(json_build_object('id', t.id, 'name', t.name, 'isDefault', t.is_default, 'priority', t.priority,
				'conditions', t.conditions, 'prices', (SELECT json_object_agg(x.usage_type, x.price) FROM prices x WHERE x.pricing_tier_id = t.id)))
				FROM pricing_tiers t WHERE t.model_id = m.id)`
		}
		prices := "NULL::json"
		if d.has("prices", "id") {
			prices = `(SELECT json_object_agg(x.usage_type, json_build_object('price', x.price)) FROM prices x WHERE x.model_id = m.id)`
		}
		return "SELECT m.*, " + tiers + " AS pricing_tiers, " + prices + " AS prices FROM models m WHERE m.project_id IS NOT NULL"
	},
	add: each((*wire.Model).Domain),
}

type llmKeyRow struct {
	ID                string          `json:"id"`
	ProjectID         string          `json:"projectId"`
	Provider          string          `json:"provider"`
	Adapter           string          `json:"adapter"`
	Secret            string          `json:"secretKey"`
	Shown             string          `json:"displaySecretKey"`
	BaseURL           *string         `json:"baseUrl"`
	CustomModels      []string        `json:"customModels"`
	WithDefaultModels *bool           `json:"withDefaultModels"`
	ExtraHeaders      string          `json:"extraHeaders"`
	HeaderNames       []string        `json:"extraHeaderKeys"`
	Config            json.RawMessage `json:"config"`
	CreatedAt         Timestamp       `json:"createdAt"`
	UpdatedAt         Timestamp       `json:"updatedAt"`
}

var connectionRows = relation[llmKeyRow]{
	table: "llm_api_keys",
	columns: "id project_id provider adapter secret_key display_secret_key base_url custom_models with_default_models extra_headers " +
		"extra_header_keys config created_at updated_at",
	keys: projectKeys,
	add: func(d *Database, page *importing.Page, k *llmKeyRow) {
		secret, err := d.secrets.open(k.Secret)
		if err != nil {
			skip(page, err.Error(), k.Provider)
			return
		}
		scope := d.options.Scope(k.ProjectID)
		n := domain.LLMConnection{
			ID: k.ID, Provider: k.Provider, Adapter: k.Adapter, DisplaySecret: k.Shown, BaseURL: k.BaseURL,
			CustomModels:      orNone(k.CustomModels),
			WithDefaultModels: k.WithDefaultModels == nil || *k.WithDefaultModels, HeaderNames: orNone(k.HeaderNames),
			Config:       wire.OptionalRaw(k.Config),
			SealedSecret: d.options.Secrets.Seal(secret, domain.ConnectionSecretPlace(scope, k.Provider, "secret")),
			CreatedAt:    k.CreatedAt.Time(), UpdatedAt: k.UpdatedAt.Time(),
		}
		if k.ExtraHeaders != "" {
			headers, err := d.secrets.open(k.ExtraHeaders)
			if err != nil {
				skip(page, err.Error(), k.Provider)
				return
			}
			n.SealedHeaders = new(d.options.Secrets.Seal(headers, domain.ConnectionSecretPlace(scope, k.Provider, "headers")))
		}
		page.Records = append(page.Records, n)
	},
}

func orNone(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

// promptRows are read in version order, so that labels move last.
var promptRows = relation[promptRow]{
	table: "prompts", columns: "id project_id name version type prompt config labels tags commit_message created_by created_at updated_at",
	keys: []string{"project_id text", "name text", "version int"},
	add: func(_ *Database, page *importing.Page, p *promptRow) {
		prompt, err := p.prompt()
		if err != nil {
			skip(page, err.Error(), p.Name)
			return
		}
		page.Records = append(page.Records, prompt)
	},
}

var datasetRows = relation[wire.Dataset]{
	table: "datasets", columns: "id project_id name description metadata input_schema expected_output_schema created_at updated_at",
	keys: projectKeys, add: each((*wire.Dataset).Domain),
}

type itemVersionRow struct {
	wire.Item
	ValidFrom wire.Time `json:"validFrom"`
	IsDeleted bool      `json:"isDeleted"`
}

// itemRows are all versions of items. In sources without versions, only the latest state of an item exists.
var itemRows = relation[itemVersionRow]{
	table: "dataset_items",
	columns: "id project_id dataset_id status input expected_output metadata source_trace_id source_observation_id created_at updated_at " +
		"valid_from is_deleted",
	keys: []string{"project_id text", "valid_from timestamp", "id text"},
	query: func(d *Database) string {
		if d.has("dataset_items", "valid_from") {
			return "SELECT * FROM dataset_items"
		}
		return "SELECT *, updated_at AS valid_from FROM dataset_items"
	},
	add: func(_ *Database, page *importing.Page, i *itemVersionRow) {
		item := i.Domain(i.ValidFrom)
		if i.IsDeleted {
			item.Status = catalog.ItemDeleted
		}
		page.Records = append(page.Records, item)
	},
}

type storedRun struct {
	wire.Run
	ProjectID string `json:"projectId"`
}

var runRows = relation[storedRun]{
	table: "dataset_runs", columns: "id project_id dataset_id name description metadata created_at updated_at", keys: projectKeys,
	add: each(func(r *storedRun) domain.DatasetRun { return r.Domain(r.ProjectID) }),
}

var queueRows = relation[wire.AnnotationQueue]{
	table: "annotation_queues", columns: "id project_id name description score_config_ids created_at updated_at", keys: projectKeys,
	add: func(_ *Database, page *importing.Page, q *wire.AnnotationQueue) {
		q.ScoreConfigIDs = orNone(q.ScoreConfigIDs)
		page.Records = append(page.Records, q.Domain())
	},
}

var queueItemRows = relation[wire.AnnotationItem]{
	table: "annotation_queue_items", columns: "id project_id queue_id object_type object_id status completed_at created_at updated_at",
	keys: projectKeys, add: each((*wire.AnnotationItem).Domain),
}

type assignmentRow struct {
	QueueID   string    `json:"queueId"`
	Email     string    `json:"memberEmail"`
	CreatedAt Timestamp `json:"createdAt"`
}

var assignmentRows = relation[assignmentRow]{
	table: "annotation_queue_assignments", columns: "id project_id queue_id user_id created_at", keys: []string{"id text"}, own: true,
	query: fixed("SELECT a.*, u.email AS member_email FROM annotation_queue_assignments a JOIN users u ON u.id = a.user_id"),
	add: each(func(a *assignmentRow) catalog.ImportedAssignment {
		return catalog.ImportedAssignment{QueueID: a.QueueID, Email: a.Email, CreatedAt: a.CreatedAt.Time()}
	}),
}

var commentRows = relation[wire.Comment]{
	table: "comments", columns: "id project_id object_type object_id content author_user_id created_at updated_at", keys: projectKeys,
	add: each((*wire.Comment).Domain),
}

var widgetRows = relation[wire.Widget]{
	table:   "dashboard_widgets",
	columns: "id project_id name description view dimensions metrics filters chart_type chart_config created_at updated_at",
	keys:    projectKeys, query: ofProjects("dashboard_widgets"),
	add: func(_ *Database, page *importing.Page, w *wire.Widget) {
		// The database has SCORES_NUMERIC where the API has scores-numeric.
		w.View = strings.ReplaceAll(strings.ToLower(w.View), "_", "-")
		page.Records = append(page.Records, w.Domain())
	},
}

// storedPlacement is a placement with the database's names for its size.
type storedPlacement struct {
	domain.Placement
	XSize int `json:"x_size"`
	YSize int `json:"y_size"`
}

type storedDashboardRow struct {
	wire.Dashboard
	Definition struct {
		Widgets []storedPlacement `json:"widgets"`
	} `json:"definition"`
}

var dashboardRows = relation[storedDashboardRow]{
	table: "dashboards", columns: "id project_id name description definition filters created_at updated_at", keys: projectKeys,
	query: ofProjects("dashboards"),
	add: func(_ *Database, page *importing.Page, d *storedDashboardRow) {
		for _, p := range d.Definition.Widgets {
			p.Width, p.Height = max(p.Width, p.XSize), max(p.Height, p.YSize)
			d.Dashboard.Definition.Widgets = append(d.Dashboard.Definition.Widgets, p.Placement)
		}
		page.Records = append(page.Records, d.Domain())
	},
}

type storedVersion struct {
	ID        string          `json:"id"`
	Version   int             `json:"version"`
	CreatedAt Timestamp       `json:"createdAt"`
	Prompt    *string         `json:"prompt"`
	Messages  json.RawMessage `json:"promptMessages"`
	Model     string          `json:"model"`
	Provider  string          `json:"provider"`
	Mapping   json.RawMessage `json:"variableMapping"`
	Output    json.RawMessage `json:"outputDefinition"`
	Source    string          `json:"sourceCode"`
	Language  string          `json:"sourceCodeLanguage"`
}

// definition returns the definition of a version; ok is false if its form is unknown.
func (v *storedVersion) definition(kind string) (definition domain.EvaluatorDefinition, ok bool) {
	row := evaluatorDefinition{Source: v.Source, Language: v.Language, Prompt: v.Messages}
	if v.Prompt != nil && wire.OptionalRaw(v.Messages) == nil {
		row.Prompt, _ = json.Marshal(*v.Prompt) // a string cannot fail
	}
	if v.Model != "" && v.Provider != "" {
		row.Model = &domain.EvaluatorModel{Provider: v.Provider, Model: v.Model}
	}
	if raw := wire.OptionalRaw(v.Mapping); raw != nil && json.Unmarshal(raw, &row.Mapping) != nil {
		return definition, false
	}
	if raw := wire.OptionalRaw(v.Output); raw != nil && json.Unmarshal(raw, &row.Output) != nil {
		return definition, false
	}
	definition = row.definition()
	if kind == domain.EvaluatorCode {
		return definition, definition.SourceCode != ""
	}
	return definition, len(definition.Prompt) > 0 && definition.Output != nil && definition.Output.DataType != ""
}

type storedEvaluator struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Description *string         `json:"description"`
	Type        string          `json:"type"`
	CreatedAt   Timestamp       `json:"createdAt"`
	UpdatedAt   Timestamp       `json:"updatedAt"`
	Versions    []storedVersion `json:"versions"`
}

// aggregated returns an SQL expression for the rows of a table that match a condition, as a list of objects with the
// API's names.
func aggregated(d *Database, table, where string) string {
	var members []string
	for _, column := range d.columns[table] {
		name := string(appendCamel(nil, column))
		members = append(members, "'"+name+"', x."+column)
	}
	if members == nil {
		return "NULL::json"
	}
	return "(SELECT json_agg(json_build_object(" + strings.Join(members, ", ") + ")) FROM " + table + " x WHERE " + where + ")"
}

var evaluatorRows = relation[storedEvaluator]{
	table: "evaluators", columns: "id project_id name type description created_at updated_at", keys: projectKeys,
	query: func(d *Database) string {
		return "SELECT e.*, " + aggregated(d, "evaluator_versions", "x.evaluator_id = e.id") + " AS versions FROM evaluators e"
	},
	add: func(_ *Database, page *importing.Page, e *storedEvaluator) {
		kind := strings.ToLower(e.Type)
		if kind != domain.EvaluatorJudge && kind != domain.EvaluatorCode {
			skip(page, "evaluators of the type "+e.Type+" are unknown", e.Name)
			return
		}
		history := catalog.EvaluatorHistory{Evaluator: domain.Evaluator{
			ID: e.ID, Name: e.Name, Description: e.Description, Type: kind, CreatedAt: e.CreatedAt.Time(), UpdatedAt: e.UpdatedAt.Time(),
		}}
		for _, v := range e.Versions {
			definition, ok := v.definition(kind)
			if !ok {
				skip(page, "its definition has an unknown format: import evaluators through the API", e.Name)
				return
			}
			history.Versions = append(history.Versions, domain.EvaluatorVersion{
				ID: v.ID, Number: v.Version, CreatedAt: v.CreatedAt.Time(), EvaluatorDefinition: definition,
			})
		}
		page.Records = append(page.Records, history)
	},
}

type storedRule struct {
	ID          string                `json:"id"`
	Name        string                `json:"name"`
	Status      string                `json:"status"`
	Target      string                `json:"targetObject"`
	Filter      []domain.StoredFilter `json:"filter"`
	Sampling    float64               `json:"sampling"`
	CreatedAt   Timestamp             `json:"createdAt"`
	UpdatedAt   Timestamp             `json:"updatedAt"`
	Assignments []struct {
		EvaluatorID string          `json:"evaluatorId"`
		Mapping     json.RawMessage `json:"variableMapping"`
	} `json:"assignments"`
}

var ruleRows = relation[storedRule]{
	table: "evaluation_rules", columns: "id project_id name status target_object filter sampling created_at updated_at", keys: projectKeys,
	query: func(d *Database) string {
		return "SELECT r.*, " + aggregated(d, "evaluation_rule_evaluator_assignments", "x.evaluation_rule_id = r.id") +
			" AS assignments FROM evaluation_rules r"
	},
	add: func(_ *Database, page *importing.Page, r *storedRule) {
		rule := domain.EvaluationRule{
			ID: r.ID, Name: r.Name, Target: domain.TargetObservation, Enabled: r.Status == "ACTIVE", Sampling: r.Sampling, Filter: r.Filter,
			CreatedAt: r.CreatedAt.Time(), UpdatedAt: r.UpdatedAt.Time(),
		}
		if r.Target == domain.TargetExperiment ||
			slices.ContainsFunc(r.Filter, func(f domain.StoredFilter) bool { return domain.IsExperimentColumn(f.Column) }) {
			rule.Target = domain.TargetExperiment
		}
		for _, a := range r.Assignments {
			var mapping []variableMapping
			if raw := wire.OptionalRaw(a.Mapping); raw != nil && json.Unmarshal(raw, &mapping) != nil {
				skip(page, "its mapping has an unknown format: import evaluation rules through the API", r.Name)
				return
			}
			rule.Assignments = append(rule.Assignments, domain.EvaluatorAssignment{EvaluatorID: a.EvaluatorID, Mapping: mappingOf(mapping)})
		}
		page.Records = append(page.Records, rule)
	},
}
