package semconv

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

func TestExperiment(t *testing.T) {
	for _, c := range []struct {
		name  string
		pairs []any
		want  domain.Observation
	}{
		{
			"all",
			[]any{
				"langfuse.experiment.id", "e", "langfuse.experiment.name", 5, "langfuse.experiment.description", "d",
				"langfuse.experiment.dataset.id", "ds", "langfuse.experiment.item.id", "i", "langfuse.experiment.item.version",
				"2026-01-05",
				"almanac.experiment.item.root_observation_id", "root", "langfuse.experiment.item.expected_output", `{"a": 1}`,
			},
			domain.Observation{
				ExperimentID: "e", ExperimentName: "5", ExperimentDescription: "d", ExperimentDatasetID: "ds", ExperimentItemID: "i",
				ExperimentItemVersion: "2026-01-05T00:00:00.000Z", ExperimentItemRootSpanID: "root",
				ExperimentItemExpectedOutput: `{"a": 1}`,
			},
		},
		{
			"nothing is nothing",
			[]any{
				"langfuse.experiment.id", "", "langfuse.experiment.name", 0, "langfuse.experiment.description", false,
				"langfuse.experiment.item.version", "no date", "langfuse.experiment.metadata", "", "langfuse.experiment.item.metadata", nil,
			},
			domain.Observation{},
		},
		{"a version that is no text", []any{"langfuse.experiment.item.version", 20260105}, domain.Observation{}},
		{
			"metadata",
			[]any{
				"langfuse.experiment.metadata.k", `"quoted"`,
				"langfuse.experiment.metadata", `{"a":{"b":1.0,"c":[1, 2]},"t":true,"z":null,"s":"x","k":"of the whole"}`,
				"langfuse.experiment.metadata.o", `{"a":1}`,
				"langfuse.experiment.metadata.n", 7,
				"langfuse.experiment.metadata.l",
				[]any{1},
				"langfuse.experiment.metadata.nil", nil,
				"langfuse.experiment.metadata.a.b", "later",
				"almanac.experiment.metadata.k", "gives way",
			},
			domain.Observation{ExperimentMetadata: `{"a.b":"1","a.c":"[1,2]","t":"true","z":"","s":"x","k":"quoted",` +
				`"o":"{\"a\":1}","n":"7","l":"[1]","nil":""}`},
		},
		{
			"item metadata",
			[]any{
				"langfuse.experiment.item.metadata", `{"lang":"de"}`, "langfuse.experiment.item.metadata.x", "plain",
			},
			domain.Observation{ExperimentItemMetadata: `{"lang":"de","x":"plain"}`},
		},
		{"metadata, no object", []any{"langfuse.experiment.metadata", `[1]`}, domain.Observation{}},
		{"metadata, empty", []any{"langfuse.experiment.metadata", `{}`}, domain.Observation{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			row, _ := mappedAttributes("langfuse-sdk", c.pairs...)
			got := domain.Observation{
				ExperimentID: row.ExperimentID, ExperimentName: row.ExperimentName, ExperimentDescription: row.ExperimentDescription,
				ExperimentDatasetID: row.ExperimentDatasetID, ExperimentMetadata: row.ExperimentMetadata,
				ExperimentItemID: row.ExperimentItemID, ExperimentItemVersion: row.ExperimentItemVersion,
				ExperimentItemRootSpanID:     row.ExperimentItemRootSpanID,
				ExperimentItemExpectedOutput: row.ExperimentItemExpectedOutput, ExperimentItemMetadata: row.ExperimentItemMetadata,
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if row.Metadata != `{"scope.name":"langfuse-sdk"}` {
				t.Errorf("metadata %s", row.Metadata)
			}
		})
	}
}
