package catalog

import (
	"context"
	"errors"
	"slices"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// importModel stores a model definition. Tiers keep their ids, since rows refer to them.
func importModel(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.Model) (tables.ImportOutcome, error) {
	if err := reviseModels(ctx, s, scope); err != nil {
		return tables.Imported, err
	}
	full, err := models.Full(ctx, s, scope)
	if err != nil {
		return tables.Imported, err
	}
	known, err := s.Exists(ctx, "SELECT id FROM models WHERE id = ?", n.ID)
	if err != nil {
		return tables.Imported, err
	}
	if full && !known {
		return tables.ImportSkipped(skippedTooMany), nil
	}
	if slices.ContainsFunc(n.Tiers, func(t domain.PricingTier) bool { return t.ID == "" }) {
		n.Tiers = withTierIDs(n.ID, n.Tiers, nil)
	}
	return models.PutNamed(ctx, s, scope, n.ID, "name", n.Name, n)
}

// importDataset stores a dataset. Its items are imported later.
func importDataset(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.Dataset) (tables.ImportOutcome, error) {
	project := scope.ProjectID()
	taken, err := s.Exists(ctx, "SELECT id FROM datasets WHERE project_id = ? AND name = ? AND id <> ?", project, n.Name, n.ID)
	if err != nil || taken {
		return tables.ImportSkipped(tables.SkippedNameTaken), err
	}
	insert, outcome, err := tables.DecideImport(ctx, s, scope, "datasets", n.ID, tables.Millis(n.UpdatedAt))
	if err != nil || outcome != nil {
		return tables.OrImported(outcome), err
	}
	if insert {
		return tables.Imported,
			s.Insert(ctx, `datasets (id, project_id, name, description, metadata, input_schema, expected_output_schema, last_write,
			active_items, created_at, updated_at)`, n.ID, project, n.Name, n.Description, tables.AsRaw(&n.Metadata),
				tables.AsRaw(&n.InputSchema),
				tables.AsRaw(&n.ExpectedOutputSchema), 0, 0, tables.Millis(n.CreatedAt), tables.Millis(n.UpdatedAt))
	}
	_, err = s.Exec(ctx,
		`UPDATE datasets SET name = ?, description = ?, metadata = ?, input_schema = ?, expected_output_schema = ?, updated_at = ?
		WHERE id = ?`, n.Name, n.Description, tables.AsRaw(&n.Metadata), tables.AsRaw(&n.InputSchema),
		tables.AsRaw(&n.ExpectedOutputSchema), tables.Millis(n.UpdatedAt), n.ID)
	return tables.Imported, err
}

// ItemDeleted is the status of an item version that marks the item as deleted.
const ItemDeleted = itemDeleted

// importItem inserts a version of an item among its existing versions. Versions may arrive in any order.
func importItem(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.DatasetItem) (tables.ImportOutcome, error) {
	project, at := scope.ProjectID(), tables.Millis(n.WrittenAt)
	d, err := tables.Optional(readDataset(ctx, s, scope, "id", n.DatasetID))
	if err != nil || d == nil {
		return tables.ImportSkipped(skippedDataset), err
	}
	type version struct {
		at      int64
		status  string
		dataset string
	}
	neighbour := func(which, order string) (*version, error) {
		return tables.Optional(tables.QueryOne(ctx, s, func(r tables.Row) (v version, err error) {
			err = r.Scan(&v.at, &v.status, &v.dataset)
			return v, err
		}, "SELECT valid_from, status, dataset_id FROM dataset_item_versions WHERE project_id = ? AND item_id = ? AND valid_from "+which+
			" ? ORDER BY valid_from "+order+" LIMIT 1", project, n.ID, at))
	}
	before, err := neighbour("<=", "DESC")
	if err != nil {
		return tables.Imported, err
	}
	after, err := neighbour(">", "ASC")
	if err != nil {
		return tables.Imported, err
	}
	for _, v := range []*version{before, after} {
		if v != nil && v.dataset != n.DatasetID {
			return tables.ImportSkipped("an item of another dataset already has its id"), nil
		}
	}
	if before != nil && before.at == at {
		return tables.ImportUnchanged, nil
	}
	var until *int64
	if after != nil {
		until = &after.at
	}
	active := 0
	if before != nil {
		if _, err := s.Exec(ctx, "UPDATE dataset_item_versions SET valid_to = ? WHERE project_id = ? AND item_id = ? AND valid_from = ?",
			at, project, n.ID, before.at); err != nil {
			return tables.Imported, err
		}
		if before.status == domain.ItemActive {
			active--
		}
	}
	if n.Status == domain.ItemActive {
		active++
	}
	if after != nil { // the current version does not change
		active = 0
	}
	if err := s.Insert(ctx,
		`dataset_item_versions (project_id, item_id, valid_from, valid_to, dataset_id, status, input, expected_output, metadata,
		source_trace_id, source_observation_id)`, project, n.ID, at, until, n.DatasetID, n.Status, tables.AsRaw(&n.Input),
		tables.AsRaw(&n.ExpectedOutput),
		tables.AsRaw(&n.Metadata), n.SourceTraceID, n.SourceObservationID); err != nil {
		return tables.Imported, err
	}
	_, err = s.Exec(ctx,
		`UPDATE datasets SET active_items = active_items + ?, last_write = CASE WHEN last_write < ? THEN ? ELSE last_write END
		WHERE id = ?`, active, at, at, n.DatasetID)
	return tables.Imported, err
}

// importRun stores a run under the id that clients compute.
func importRun(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.DatasetRun) (tables.ImportOutcome, error) {
	d, err := tables.Optional(readDataset(ctx, s, scope, "id", n.DatasetID))
	if err != nil || d == nil {
		return tables.ImportSkipped(skippedDataset), err
	}
	n.ID = domain.ExperimentID(scope.ProjectID(), n.DatasetID, n.Name)
	changed, err := s.Exec(ctx, `INSERT INTO dataset_runs (id, dataset_id, name, description, metadata, last_link, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET description = excluded.description, metadata = excluded.metadata,
		updated_at = excluded.updated_at WHERE dataset_runs.updated_at < excluded.updated_at`,
		n.ID, n.DatasetID, n.Name, n.Description, tables.AsRaw(&n.Metadata), tables.Millis(n.CreatedAt), tables.Millis(n.CreatedAt),
		tables.Millis(n.UpdatedAt))
	return tables.ImportOutcome{Unchanged: changed == 0}, err
}

// importRunItem stores a link of a run, which is found by its id.
func importRunItem(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.DatasetRunItem,
) (tables.ImportOutcome, error) {
	run, err := tables.Optional(readRun(ctx, s, scope, n.RunID))
	if err != nil || run == nil {
		return tables.ImportSkipped(skippedRun), err
	}
	at := tables.Millis(n.CreatedAt)
	changed, err := s.Exec(ctx,
		`INSERT INTO dataset_run_items (run_id, item_id, trace_id, observation_id, created_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (run_id, item_id) DO UPDATE SET trace_id = excluded.trace_id, observation_id = excluded.observation_id,
		created_at = excluded.created_at WHERE dataset_run_items.created_at < excluded.created_at`, n.RunID, n.DatasetItemID, n.TraceID,
		n.ObservationID, at)
	if err != nil || changed == 0 {
		return tables.ImportUnchanged, err
	}
	_, err = s.Exec(ctx, "UPDATE dataset_runs SET last_link = CASE WHEN last_link < ? THEN ? ELSE last_link END WHERE id = ?", at,
		at, n.RunID)
	return tables.Imported, err
}

func importAnnotationItem(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.AnnotationItem,
) (tables.ImportOutcome, error) {
	queue, err := tables.Optional(annotationQueues.Get(ctx, s, scope, n.QueueID))
	if err != nil || queue == nil {
		return tables.ImportSkipped(skippedQueue), err
	}
	before, err := tables.Optional(tables.QueryOne(ctx, s, scanAnnotationItem, "SELECT "+annotationItemColumns+
		" FROM annotation_queue_items WHERE id = ?", n.ID))
	switch {
	case err != nil:
		return tables.Imported, err
	case before == nil:
		return tables.Imported, s.Insert(ctx, "annotation_queue_items ("+annotationItemColumns+")",
			n.ID, n.QueueID, n.ObjectType, n.ObjectID, n.Status, tables.AsOptionalTime(&n.CompletedAt), tables.Millis(n.CreatedAt),
			tables.Millis(n.UpdatedAt))
	case before.QueueID != n.QueueID:
		return tables.ImportSkipped("an item of another annotation queue already has its id"), nil
	case !before.UpdatedAt.Before(tables.FromMillis(tables.Millis(n.UpdatedAt))):
		return tables.ImportUnchanged, nil
	}
	_, err = s.Exec(ctx, "UPDATE annotation_queue_items SET status = ?, completed_at = ?, updated_at = ? WHERE id = ?",
		n.Status, tables.AsOptionalTime(&n.CompletedAt), tables.Millis(n.UpdatedAt), n.ID)
	return tables.Imported, err
}

func importDashboard(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.Dashboard) (tables.ImportOutcome, error) {
	var shown []string
	for _, p := range n.Placements {
		if p.Type == domain.PlacedWidget {
			shown = append(shown, p.WidgetID)
		}
	}
	missing, err := s.Missing(ctx, scope, "SELECT id FROM dashboard_widgets WHERE project_id = ?", "id", shown)
	if err != nil || len(missing) > 0 {
		return tables.ImportSkipped(skippedWidget), err
	}
	outcome, err := dashboards.Put(ctx, s, scope, n.ID, n)
	if err != nil || outcome != tables.Imported {
		return outcome, err
	}
	return outcome, useWidgets(ctx, s, scope, n)
}

// EvaluatorHistory is an evaluator with all its versions.
type EvaluatorHistory struct {
	domain.Evaluator
	Versions []domain.EvaluatorVersion // in any order; the highest is the current one
}

func importEvaluator(ctx context.Context, s tables.Session, scope domain.ProjectScope, n EvaluatorHistory) (tables.ImportOutcome, error) {
	if len(n.Versions) == 0 {
		return tables.ImportSkipped("it has no version"), nil
	}
	insert, outcome, err := tables.DecideImport(ctx, s, scope, "evaluators", n.ID, tables.Millis(n.UpdatedAt))
	if err != nil || outcome != nil {
		return tables.OrImported(outcome), err
	}
	latest := 0
	for _, v := range n.Versions {
		latest = max(latest, v.Number)
	}
	if insert {
		err = s.Insert(ctx, "evaluators (id, project_id, name, description, kind, version, created_at, updated_at)",
			n.ID, scope.ProjectID(), n.Name, n.Description, n.Type, latest, tables.Millis(n.CreatedAt), tables.Millis(n.UpdatedAt))
	} else {
		_, err = s.Exec(ctx, "UPDATE evaluators SET name = ?, description = ?, version = ?, updated_at = ? WHERE id = ?",
			n.Name, n.Description, latest, tables.Millis(n.UpdatedAt), n.ID)
	}
	for _, v := range n.Versions {
		if err != nil {
			break
		}
		_, err = s.Exec(ctx, `INSERT INTO evaluator_versions (id, evaluator_id, version, definition, variables, mapping, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, v.ID, n.ID, v.Number, tables.TextOf(v.EvaluatorDefinition),
			tables.TextOf(v.Variables(n.Type)), tables.AsOptionalJSON(&v.Mapping), tables.Millis(v.CreatedAt))
	}
	return tables.Imported, err
}

func importRule(ctx context.Context, s tables.Session, scope domain.ProjectScope, n domain.EvaluationRule) (tables.ImportOutcome, error) {
	ids := make([]string, len(n.Assignments))
	for i, a := range n.Assignments {
		ids[i] = a.EvaluatorID
	}
	missing, err := s.Missing(ctx, scope, "SELECT id FROM evaluators WHERE project_id = ?", "id", ids)
	if err != nil || len(missing) > 0 {
		return tables.ImportSkipped(skippedEvaluator), err
	}
	if err := checkEnabled(ctx, s, scope, nil, &n); err != nil {
		if errors.Is(err, ErrTooManyRules) {
			return tables.ImportSkipped(skippedTooMany), nil
		}
		return tables.Imported, err
	}
	outcome, err := rules.Put(ctx, s, scope, n.ID, n)
	if err != nil || outcome != tables.Imported {
		return outcome, err
	}
	return tables.Imported, putAssignments(ctx, s, scope, n)
}
