package export

import "almanac/internal/domain"

// Tables that only scheduled exports have. Scores have the same name in both.
const (
	ScheduledObservations = "observations_v2"
	Deletions             = "deletions"
)

// Layout describes the columns in the files of a table, so that they can be imported. The columns of comments and
// scores that follow in some tables are left out.
type Layout struct {
	Table string
	// Scheduled marks files of scheduled exports, which may lack some of the columns.
	Scheduled bool
	Columns   []Column
	// Marks are columns that all files of the table have, and that no other table has all of.
	Marks []string
}

// Layouts returns the layouts of all tables.
func Layouts() []Layout {
	var arrived []Column
	for _, g := range arrivalGroups(CSV, nil) {
		arrived = append(arrived, columnsOf(g.fields)...)
	}
	return []Layout{
		{Observations, false, columnsOf(observationFields()), []string{"traceId", "startTime", "providedModelName"}},
		{Traces, false, columnsOf(traceFields()), []string{"timestamp", "latency", "errorCount"}},
		{Sessions, false, columnsOf(sessionFields()), []string{"countTraces", "sessionDuration"}},
		{Users, false, columnsOf(userFields()), []string{"countTraces", "countSessions"}},
		{Scores, false, columnsOf(scoreFields()), []string{"dataType", "stringValue", "observationId"}},
		{DatasetItems, false, columnsOf(itemFields()), []string{"datasetId", "expectedOutput"}},
		{DatasetRunItems, false, columnsOf(runItemFields()), []string{"datasetItemId", "datasetRunId"}},
		{AuditLogs, false, columnsOf(auditFields()), []string{"resourceType", "action", "after"}},
		{ScheduledObservations, true, arrived, []string{"trace_id", "start_time", "parent_observation_id"}},
		{Scores, true, columnsOf(arrivedScoreFields(domain.ProjectScope{})), []string{"trace_id", "data_type", "string_value"}},
		{Deletions, true, columnsOf(deletedFields()), []string{"table", "before", "deleted_at"}},
	}
}
