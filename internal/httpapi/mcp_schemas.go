package httpapi

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/filter"
	"almanac/internal/httpapi/mcp"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/analytics"
)

// schemaFor returns the result of a tool that describes the arguments of other tools; nil for all other tools.
func schemaFor(tool string) any {
	switch tool {
	case "getObservationFieldSchema":
		return respond.FieldGroups()
	case "getObservationFilterSchema":
		return observationColumns()
	case "getMetricsSchema":
		return analytics.Schema()
	}
	return nil
}

func schemaResult(answer any) *sdk.CallToolResult {
	body, err := respond.Marshal(answer)
	if err != nil {
		panic("BUG: a schema does not marshal: " + err.Error())
	}
	return mcp.Success(mcp.Pretty(body, maxToolAnswer))
}

// filterColumn is a column that observations can be filtered by.
type filterColumn struct {
	Column     string                 `json:"column"`
	Aliases    []string               `json:"aliases,omitempty"`
	Conditions []filter.ConditionSpec `json:"conditions"`
}

func observationColumns() []filterColumn {
	var all []filterColumn
	for _, c := range filter.Observations().Columns() {
		all = append(all, filterColumn{c.ID(), c.Aliases(), c.ConditionSpecs()})
	}
	return all
}
