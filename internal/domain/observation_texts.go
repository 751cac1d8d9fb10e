package domain

import "strings"

// eachText calls visit for every string of the row, including list elements.
func (o *Observation) eachText(visit func(*string)) {
	for _, text := range [...]*string{
		&o.TraceID, &o.ID, &o.ParentID,
		&o.Type, &o.Name, &o.Environment, &o.Version, &o.Release, &o.Level, &o.StatusMessage,
		&o.TraceName, &o.UserID, &o.SessionID, &o.TraceInput, &o.TraceOutput, &o.TraceMetadata,
		&o.Input, &o.Output, &o.Metadata,
		&o.Model, &o.ModelID, &o.ModelParameters,
		&o.ProvidedUsage, &o.Usage, &o.ProvidedCost, &o.Cost, &o.PricingTierID, &o.PricingTierName,
		&o.PromptID, &o.PromptName, &o.ToolDefinitions, &o.ToolCalls,
		&o.ExperimentID, &o.ExperimentName, &o.ExperimentDescription, &o.ExperimentDatasetID,
		&o.ExperimentMetadata, &o.ExperimentItemID, &o.ExperimentItemVersion, &o.ExperimentItemRootSpanID,
		&o.ExperimentItemExpectedOutput, &o.ExperimentItemMetadata,
		&o.Source, &o.IngestionKey, &o.SDKName, &o.SDKVersion, &o.ServiceName, &o.ServiceVersion,
		&o.ScopeName, &o.ScopeVersion, &o.TelemetryLanguage, &o.TelemetryName, &o.TelemetryVersion, &o.Inherited,
	} {
		visit(text)
	}
	for _, list := range [...][]string{o.Tags, o.ToolNames, o.ToolCallNames} {
		for n := range list {
			visit(&list[n])
		}
	}
}

// TextBytes returns the total length of the strings of the row.
func (o *Observation) TextBytes() int {
	bytes := 0
	o.eachText(func(text *string) { bytes += len(*text) })
	return bytes
}

// Clone returns a deep copy of the row, for rows whose strings do not stay valid.
func (o *Observation) Clone() Observation {
	c := *o
	for _, list := range [...]*[]string{&c.Tags, &c.ToolNames, &c.ToolCallNames} {
		if *list != nil {
			*list = append(make([]string, 0, len(*list)), *list...)
		}
	}
	c.eachText(func(text *string) { *text = strings.Clone(*text) })
	return c
}
