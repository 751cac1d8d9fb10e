package respond

import (
	"testing"

	"almanac/internal/decode"
)

func TestCodedBodies(t *testing.T) {
	issue := []decode.Issue{decode.Violation([]any{"a", 0}, "m")}
	const issues = `"details":{"issues":[{"code":"custom","path":["a",0],"message":"m"}]}`
	for _, test := range []struct {
		err            *Error
		coded, plainly string
	}{
		{InvalidRequest("m"), `{"message":"m","code":"invalid_request"}`, ""},
		{InvalidData(issue), `{"message":"Invalid request data","code":"invalid_body",` + issues + `}`, ""},
		{InvalidQuery(issue), `{"message":"Invalid request data","code":"invalid_query",` + issues + `}`, ""},
		{&Error{Status: 401, Message: "m"}, `{"message":"m","code":"authentication_failed"}`, ""},
		{&Error{Status: 403, Message: "m"}, `{"message":"m","code":"access_denied"}`, ""},
		{NotFound("m"), `{"message":"m","code":"resource_not_found"}`, ""},
		{MethodNotAllowed(), `{"message":"Method not allowed","code":"method_not_allowed"}`, ""},
		{Conflict("m"), `{"message":"m","code":"conflict"}`, ""},
		{Busy("m", 1), `{"message":"m","code":"internal_error"}`, ""},
		{Internal(), `{"message":"Internal Server Error","code":"internal_error"}`, ""},
		{&Error{Status: 422, Message: "m"}, `{"message":"m","code":"unprocessable_content"}`, `{"message":"m","code":"invalid_request"}`},
		{
			&Error{Status: 409, Message: "m", Code: CodeNameConflict, Details: &Details{Field: "name", Value: "v"}},
			`{"message":"m","code":"name_conflict","details":{"field":"name","value":"v"}}`,
			`{"message":"m","code":"conflict","details":{"field":"name","value":"v"}}`,
		},
		{
			InvalidCoded(CodeFilterValue, "m", Details{Column: "c", InvalidValues: []string{"x"}, AllowedValues: []string{"y"}}),
			`{"message":"m","code":"invalid_filter_value","details":{"column":"c","invalidValues":["x"],"allowedValues":["y"]}}`,
			`{"message":"m","code":"invalid_body","details":{"column":"c","invalidValues":["x"],"allowedValues":["y"]}}`,
		},
		{
			InvalidCoded(CodeMissingMapping, "m", Details{Variables: []string{"a"}, EvaluatorName: "e"}),
			`{"message":"m","code":"missing_variable_mapping","details":{"variables":["a"],"evaluatorName":"e"}}`,
			`{"message":"m","code":"invalid_body","details":{"variables":["a"],"evaluatorName":"e"}}`,
		},
	} {
		if test.plainly == "" {
			test.plainly = test.coded
		}
		for family, want := range map[ErrorFormat]string{Coded: test.coded, CodedGeneric: test.plainly} {
			if got, err := Marshal(test.err.Body(family)); err != nil || string(got) != want {
				t.Errorf("family %d: %s, %v; want %s", family, got, err, want)
			}
		}
	}
}
