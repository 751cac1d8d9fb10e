// Package apitest is the fixture of the tests of the API: it starts the API on a catalog and a store of its own, runs
// scenarios against it, checks every response against the description, and makes each call that a request causes fail.
package apitest

import (
	"fmt"
	"regexp"
	"strings"
)

// OwnTime matches times in responses, which differ from run to run.
var OwnTime = regexp.MustCompile(`"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"`)

var ownID = regexp.MustCompile(`"([a-z2-7]{26}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16})"`)

var anonymous = strings.NewReplacer(`"createdAt":"TIME","updatedAt":"TIME"`, `TIMES`)

// Meta returns the end of a numbered page.
func Meta(page, limit, items, pages int) string {
	return fmt.Sprintf(`],"meta":{"page":%d,"limit":%d,"totalItems":%d,"totalPages":%d}}`, page, limit, items, pages)
}

// Invalid returns the response to an invalid request.
func Invalid(issues ...string) string {
	return `{"message":"Invalid request data","error":[` + strings.Join(issues, ",") + `]}`
}

// Custom returns an issue with a custom message; path is JSON.
func Custom(path, message string) string {
	return fmt.Sprintf(`{"code":"custom","path":%s,"message":%q}`, path, message)
}

// WrongType returns the issue of a value of a wrong type.
func WrongType(path, expected, received string) string {
	return fmt.Sprintf(`{"expected":%q,"code":"invalid_type","path":[%q],"message":"Invalid input: expected %s, received %s"}`, expected,
		path, expected, received)
}
