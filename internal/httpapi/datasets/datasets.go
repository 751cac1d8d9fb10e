package datasets

import (
	"bytes"
	"encoding/json"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// ListDatasets returns a numbered page of datasets, newest first.
func (h *Handlers) ListDatasets(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	page := q.Page(endpoint.DefaultPage)
	if err := q.Err(); err != nil {
		return nil, err
	}
	datasets, total, err := h.Catalog.Datasets(c.Context(), scope, page.Offset(), page.Limit)
	if err != nil {
		return nil, err
	}
	return endpoint.Numbered(page, total, endpoint.Bodies(datasets, func(d *domain.Dataset) wire.Dataset {
		return wire.FromDataset(d, scope.ProjectID())
	})).Answer(c)
}

// GetDataset serves GET /api/public/v2/datasets/{datasetName}.
func (h *Handlers) GetDataset(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := h.findDataset(c, scope, c.Path("datasetName"))
	if err != nil {
		return nil, err
	}
	return wire.FromDataset(&d, scope.ProjectID()), nil
}

// findDataset returns the dataset with a name, or the client's error.
func (h *Handlers) findDataset(c *endpoint.Call, scope domain.ProjectScope, name string) (domain.Dataset, error) {
	d, err := h.Catalog.Dataset(c.Context(), scope, name)
	return d, endpoint.NotFoundAs(err, "Dataset not found")
}

// PutDataset creates a dataset, or updates the one with this name.
func (h *Handlers) PutDataset(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	d, err := h.storeDataset(c, scope)
	if err != nil {
		return nil, err
	}
	return wire.FromDataset(&d, scope.ProjectID()), nil
}

// storeDataset creates or updates a dataset.
func (h *Handlers) storeDataset(c *endpoint.Call, scope domain.ProjectScope) (domain.Dataset, error) {
	change, err := readDataset(c.Body())
	if err != nil {
		return domain.Dataset{}, err
	}
	schemas, err := compileSchemas(change.InputSchema.Schema, change.ExpectedOutputSchema.Schema)
	if err != nil {
		return domain.Dataset{}, err
	}
	return h.Catalog.PutDataset(c.Context(), scope, change, schemas.checkAll, c.Actor())
}

func readDataset(body decode.Value) (catalog.DatasetChange, error) {
	b := body.Object()
	change := catalog.DatasetChange{Name: endpoint.ReadName(b.Field("name"), 0)}
	change.Description = decode.Nullish(b.Field("description"), endpoint.ReadPlainText)
	change.Metadata = endpoint.ReadJSON(b.Field("metadata"))
	change.InputSchema = readSchema(b.Field("inputSchema"))
	change.ExpectedOutputSchema = readSchema(b.Field("expectedOutputSchema"))
	if err := b.Err(); err != nil {
		return change, err
	}
	return change, checkDatasetName(change.Name)
}

// checkDatasetName validates a name. Slashes within it denote folders.
func checkDatasetName(name string) error {
	issues := datasetNameIssues(name)
	if issues == nil {
		return nil
	}
	text, err := respond.Marshal(issues)
	if err != nil {
		return err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		return err
	}
	return respond.InvalidRequest("Dataset name not valid. " + indented.String())
}

// datasetNameIssues says what is wrong with a name.
func datasetNameIssues(name string) (issues []decode.Issue) {
	refuse := func(is bool, message string) {
		if is {
			issues = append(issues, decode.Violation(nil, message))
		}
	}
	refuse(strings.TrimSpace(name) == "", "The name is blank")
	refuse(endpoint.HTMLTag.MatchString(name), "The name contains an HTML tag")
	refuse(strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/"), "The name begins or ends with a slash")
	refuse(strings.Contains(name, "//"), "The name contains two slashes in a row")
	return issues
}
