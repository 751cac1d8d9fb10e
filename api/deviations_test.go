package api

import (
	"slices"
	"strings"
)

// knownDeviation is the reason why our description deviates from the contract at some places of some operations. A
// place is the end of a deviation's text: "usage inputCost: missing" matches every observation in a response, at any
// depth.
type knownDeviation struct {
	reason     string
	operations []string
	places     []string
}

func (k *knownDeviation) explains(operation, text string) bool {
	return slices.Contains(k.operations, operation) && slices.ContainsFunc(k.places, func(place string) bool { return isAt(text, place) })
}

func isAt(text, place string) bool { return text == place || strings.HasSuffix(text, " "+place) }

// knownDeviations returns all known deviations. An entry that no longer explains anything fails the test.
func knownDeviations() []*knownDeviation {
	deprecatedReads := []string{
		"GET /api/public/observations", "GET /api/public/observations/{observationId}", "GET /api/public/sessions",
		"GET /api/public/sessions/{sessionId}",
		"GET /api/public/traces", "GET /api/public/traces/{traceId}", "GET /api/public/v2/scores",
	}
	readRules := []string{"GET /api/public/unstable/evaluation-rules", "GET /api/public/unstable/evaluation-rules/{evaluationRuleId}"}
	changeRules := []string{"POST /api/public/unstable/evaluation-rules", "PATCH /api/public/unstable/evaluation-rules/{evaluationRuleId}"}
	changeWidgets := []string{"POST /api/public/unstable/dashboard-widgets", "PATCH /api/public/unstable/dashboard-widgets/{widgetId}"}
	changeDashboards := []string{"POST /api/public/unstable/dashboards", "PATCH /api/public/unstable/dashboards/{dashboardId}"}
	memberships := []string{
		"GET /api/public/organizations/memberships", "PUT /api/public/organizations/memberships",
		"GET /api/public/projects/{projectId}/memberships", "PUT /api/public/projects/{projectId}/memberships",
	}
	return []*knownDeviation{
		// Differences between the reference and its own published description. Clients see its behaviour.
		{
			"the contract has the values in its text: others are refused there, too",
			[]string{
				"GET /api/public/comments", "POST /api/public/comments", "GET /api/public/v2/scores", "GET /api/public/observations",
				"GET /api/public/v2/observations", "POST /api/public/media", "POST /api/public/models",
			},
			[]string{
				"objectType: refuses string", "operator: refuses string", "type: refuses string", "field: refuses string",
				"tokenizerId: refuses string",
			},
		},
		{
			"the contract has the values in its text: others are refused there, too",
			slices.Concat(changeWidgets, changeDashboards),
			[]string{"filters[] operator: refuses string", "filters[] type: refuses string"},
		},
		{
			"values of filters are texts, numbers, booleans or lists in the reference, too",
			slices.Concat(changeWidgets, changeDashboards),
			[]string{"filters[] value: refuses any"},
		},
		{
			"the reference refuses null, too: a member is left out instead",
			[]string{
				"PATCH /api/public/score-configs/{configId}", "POST /api/public/feedback", "POST /api/public/scores",
				"POST /api/public/projects",
				"PUT /api/public/projects/{projectId}",
			},
			[]string{
				"categories: refuses null", "description: refuses null", "isArchived: refuses null", "maxValue: refuses null",
				"minValue: refuses null", "name: refuses null",
				"goal: refuses null", "referenceUrl: refuses null", "dataType: refuses null", "environment: refuses null",
				"source: refuses null", "metadata: refuses null",
			},
		},
		{
			"the reference demands a unit, too",
			[]string{"POST /api/public/models"},
			[]string{"unit: required", "unit: refuses null"},
		},
		{
			"a schema is an object in the reference, too",
			[]string{"POST /api/public/v2/datasets"},
			[]string{"inputSchema: refuses any", "expectedOutputSchema: refuses any"},
		},
		{
			"the reference demands a date, too",
			[]string{"POST /api/public/ingestion"},
			[]string{"batch[] timestamp: refuses string"},
		},
		{
			"the reference sends them",
			append([]string{"GET /api/public/v2/scores/{scoreId}"}, slices.DeleteFunc(slices.Clone(deprecatedReads), func(o string) bool {
				return o == "GET /api/public/sessions"
			})...),
			[]string{
				"completionTokens: added", "promptTokens: added", "totalTokens: added", "unit: added", "usagePricingTierId: added",
				"usagePricingTierName: added",
				"createdAt: added", "updatedAt: added", "projectId: added", "bookmarked: added", "externalId: added",
				"executionTraceId: added",
				"stringValue: may be null",
			},
		},
		{
			"the reference sends them, and its clients keep them",
			[]string{
				"GET /api/public/v2/prompts/{promptName}", "PATCH /api/public/v2/prompts/{name}/versions/{version}",
				"POST /api/public/v2/prompts", "GET /api/public/v2/prompts",
			},
			[]string{
				"id: added", "createdAt: added", "updatedAt: added", "createdBy: added", "isActive: added", "projectId: added",
				"pagination: added", "query version: added",
			},
		},
		{
			"the reference never sends the sums here: usage holds counts, costDetails the costs",
			[]string{"GET /api/public/observations", "GET /api/public/observations/{observationId}", "GET /api/public/traces/{traceId}"},
			[]string{"usage inputCost: missing", "usage outputCost: missing", "usage totalCost: missing"},
		},
		{
			"only the reference's cloud sends it; we have headers for it",
			slices.Concat(deprecatedReads, []string{
				"GET /api/public/metrics", "GET /api/public/dataset-run-items", "GET /api/public/datasets/{datasetName}/runs",
				"GET /api/public/datasets/{datasetName}/runs/{runName}",
			}),
			[]string{"response _deprecation: missing"},
		},
		{
			"the reference sends a message with this status",
			[]string{"DELETE /api/public/models/{id}", "DELETE /api/public/scores/{scoreId}", "PATCH /api/public/media/{mediaId}"},
			[]string{"response: a body"},
		},
		{
			"the reference sends nothing with 204",
			[]string{"DELETE /api/public/scim/Users/{userId}"},
			[]string{"response: no body"},
		},
		{
			"only a prompt that is read has it in the reference, too",
			[]string{"PATCH /api/public/v2/prompts/{name}/versions/{version}", "POST /api/public/v2/prompts"},
			[]string{"resolutionGraph: missing"},
		},
		{
			"the reference has this role, too: a member of single projects only",
			memberships,
			[]string{"role: may be \"NONE\""},
		},
		{
			"ours: exports every five minutes",
			[]string{"GET /api/public/integrations/blob-storage", "PUT /api/public/integrations/blob-storage"},
			[]string{"exportFrequency: may be \"every_5_minutes\""},
		},
		{
			"the reference accepts and sends what SCIM clients expect",
			[]string{
				"POST /api/public/scim/Users", "GET /api/public/scim/Users", "GET /api/public/scim/Users/{userId}",
				"GET /api/public/scim/Schemas",
			},
			[]string{
				"active: added", "schemas: added", "displayName: added", "roles: added", "name familyName: added", "name givenName: added",
			},
		},
		{
			"the reference's health can be asked this",
			[]string{"GET /api/public/health"},
			[]string{"failIfDatabaseUnavailable: added", "failIfNoRecentEvents: added"},
		},
		// Our own differences; see docs/differences.md.
		{
			"a chart that does not exist would show nothing",
			slices.Concat(changeDashboards, []string{"POST /api/public/unstable/dashboards/{dashboardId}/placements"}),
			[]string{"presetId: refuses string"},
		},
		{
			"clients of today send scores with it; only its events about traces are old",
			[]string{"POST /api/public/ingestion"},
			[]string{"the mark of deprecation"},
		},
		{
			"the version of the program, beside that of the API",
			[]string{"GET /api/public/health"},
			[]string{"build: added"},
		},
		{
			"keys have permissions and may expire",
			[]string{
				"GET /api/public/projects/{projectId}/apiKeys", "POST /api/public/projects/{projectId}/apiKeys",
				"POST /api/admin/organizations/{organizationId}/apiKeys",
			},
			[]string{"permissions: added", "expiresAt: added"},
		},
		{
			"comments can belong to a place in a text",
			[]string{"GET /api/public/comments", "POST /api/public/comments", "GET /api/public/comments/{commentId}"},
			[]string{"dataField: added", "path: added", "rangeStart: added", "rangeEnd: added"},
		},
		{
			"a predefined pair, as for keys of projects",
			[]string{"POST /api/admin/organizations/{organizationId}/apiKeys"},
			[]string{"request publicKey: added", "request secretKey: added"},
		},
		{
			"the specification has them in the groups model and usage",
			[]string{"GET /api/public/v2/observations"},
			[]string{
				"model: added", "usagePricingTierId: added", "inputUsage: added", "outputUsage: added", "totalUsage: added",
				"inputCost: added", "outputCost: added",
			},
		},
		{
			"scores with experiments have the core fields of scores; the others are read from /v3/scores",
			[]string{"GET /api/public/experiments", "GET /api/public/experiment-items"},
			[]string{
				"scores[] authorUserId: missing", "scores[] comment: missing", "scores[] configId: missing", "scores[] metadata: missing",
				"scores[] queueId: missing",
			},
		},
		{
			"one schema for all scores; those of a trace have its id",
			[]string{"GET /api/public/traces/{traceId}"},
			[]string{"scores[] traceId: may be null"},
		},
		{
			"one schema for both directions; no answer has a null here",
			slices.Concat(readRules, changeRules),
			[]string{"filter[] key: may be null"},
		},
		{
			"scores that are booleans can be asked for, as everywhere",
			slices.Concat(readRules, changeRules),
			[]string{"filter[] type: may be \"booleanObject\""},
		},
		{
			"of rules from before observations were rows, which this server never had",
			readRules,
			[]string{"delay: missing", "timeScope: missing", "mapping[] langfuseObject: missing", "mapping[] objectName: missing"},
		},
		{
			"the same form as in a new rule, which has the type",
			[]string{"PATCH /api/public/unstable/evaluation-rules/{evaluationRuleId}"},
			[]string{"request evaluator type: added"},
		},
		{
			"a server without tables in the old form refuses them in the reference, too",
			[]string{"PUT /api/public/integrations/blob-storage"},
			[]string{"exportSource: refuses \"LEGACY_TRACES_AND_ENRICHED_OBSERVATIONS\", \"LEGACY_TRACES_OBSERVATIONS\""},
		},
	}
}
