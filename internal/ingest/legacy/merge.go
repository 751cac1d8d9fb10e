package legacy

import (
	"cmp"
	"fmt"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
)

const (
	defaultLevel = "DEFAULT"
	unknownSDK   = "unknown"
)

// newRow returns a row for a new trace or observation.
func (w *work) newRow(c *change, id, traceID string) *domain.Observation {
	row := &domain.Observation{
		TraceID: traceID, ID: id, Environment: c.environment, StartTime: c.begin(), CreatedAt: w.now, Level: defaultLevel,
		Source: domain.SourceIngestion, IngestionKey: w.key, SDKName: unknownSDK, SDKVersion: unknownSDK,
	}
	if c.isTrace() {
		row.Source, row.Type = domain.SourceIngestionTrace, "SPAN"
		return row
	}
	row.Type = c.kind
	if c.update && c.start.value == 0 {
		row.Source = domain.SourceIngestionEarly
	}
	return row
}

// begin returns the start time according to the event, in whole milliseconds.
func (c *change) begin() domain.Micros {
	const milli = 1000
	if c.start.value != 0 {
		return c.start.value
	}
	if at := domain.Micros(c.at.Millis() * milli); at != 0 {
		return at
	}
	return 1 // zero means unset
}

// applyTo applies a change to a row. On error the row is partially changed.
func (w *work) applyTo(c *change, row *domain.Observation) error {
	row.UpdatedAt = w.now
	c.name.to(&row.Name)
	c.version.to(&row.Version)
	if c.input != "" {
		row.Input = c.input
	}
	if c.output != "" {
		row.Output = c.output
	}
	if c.metadata.sent {
		merged, err := mergeMetadata(row.Metadata, c.metadata.value)
		if err != nil {
			return err
		}
		row.Metadata = merged
	}
	if c.isTrace() {
		return c.applyToTrace(row)
	}
	c.applyToObservation(row)
	if c.input != "" || c.output != "" {
		w.mapper.FindTools(row)
	}
	w.price(c, row)
	return nil
}

// applyToTrace sets the fields specific to traces.
func (c *change) applyToTrace(row *domain.Observation) error {
	row.TraceName = row.Name
	c.userID.to(&row.UserID)
	c.sessionID.to(&row.SessionID)
	c.release.to(&row.Release)
	c.public.to(&row.Public)
	switch {
	case !c.tags.sent:
	case c.tags.value == nil:
		row.Tags = nil
	default:
		tags := slices.Concat(row.Tags, c.tags.value)
		slices.Sort(tags)
		tags = slices.Compact(tags)
		if bytes := textBytes(tags); len(tags) > maxTags || bytes > tagBytes {
			return refuse(decode.Violation([]any{"body", "tags"}, fmt.Sprintf(
				"The tags of a trace may be %d and have %d bytes together; these would be %d with %d bytes", maxTags, tagBytes,
				len(tags), bytes)))
		}
		row.Tags = tags
	}
	return nil
}

func textBytes(list []string) (bytes int) {
	for _, text := range list {
		bytes += len(text)
	}
	return bytes
}

// applyToObservation sets the fields specific to observations.
func (c *change) applyToObservation(row *domain.Observation) {
	if row.Source == domain.SourceIngestionEarly && (c.start.value != 0 || !c.update) {
		row.Source, row.StartTime = domain.SourceIngestion, c.begin()
	}
	if c.decides {
		row.Type = c.kind
	}
	c.end.to(&row.EndTime)
	if row.EndTime != 0 {
		row.EndTime = max(row.EndTime, row.StartTime)
	}
	c.completionStart.to(&row.CompletionStartTime)
	c.parent.to(&row.ParentID)
	c.status.to(&row.StatusMessage)
	c.level.to(&row.Level)
	row.Level = cmp.Or(row.Level, defaultLevel)
	c.model.to(&row.Model)
	c.parameters.to(&row.ModelParameters)
	c.promptName.to(&row.PromptName)
	c.promptVersion.to(&row.PromptVersion)
}

// price recomputes usage and cost if the change can affect them. Tokens are counted in the stored, that is, masked
// strings: an update does not include the unchanged input or output.
func (w *work) price(c *change, row *domain.Observation) {
	texts := c.input != "" || c.output != ""
	if !c.model.sent && !c.parameters.sent && !c.usage.sent && !c.cost.sent && !c.metadata.sent && !texts {
		return
	}
	usage, cost := providedUsage(row), providedCost(row)
	c.usage.to(&usage)
	c.cost.to(&cost)
	row.ModelID, row.PricingTierID, row.PricingTierName = "", "", ""
	row.ProvidedUsage, row.Usage, row.ProvidedCost, row.Cost = "", "", "", ""
	row.InputTokens, row.OutputTokens, row.TotalTokens = 0, 0, domain.OptInt{}
	row.InputCost, row.OutputCost, row.TotalCost = 0, 0, domain.OptFloat{}
	w.prices.Apply(row, usage, cost)
}

// sameInherited reports whether two rows agree in all fields that observations inherit from their trace.
func sameInherited(a, b *domain.Observation) bool {
	return a.TraceName == b.TraceName && a.UserID == b.UserID && a.SessionID == b.SessionID && a.Release == b.Release &&
		a.Public == b.Public && slices.Equal(a.Tags, b.Tags)
}

// inherit copies the inherited fields of a trace to an observation, and reports whether that changed it. An observation
// sent without a parent becomes a child of the trace record.
func inherit(row, trace *domain.Observation) (changed bool) {
	if row.ParentID == "" {
		row.ParentID, changed = trace.ID, true
	}
	if sameInherited(row, trace) {
		return changed
	}
	row.TraceName, row.UserID, row.SessionID = trace.TraceName, trace.UserID, trace.SessionID
	row.Release, row.Public, row.Tags = trace.Release, trace.Public, trace.Tags
	return true
}
