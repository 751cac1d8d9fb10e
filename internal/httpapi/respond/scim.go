package respond

import (
	"fmt"
	"strings"
)

// scimContent is the content type of RFC 7644.
const scimContent = "application/scim+json; charset=utf-8"

// ContentType returns what answers of the family are sent as.
func (f Family) ContentType() string {
	if f == SCIM {
		return scimContent
	}
	return jsonContent
}

// scimError is an error body of RFC 7644, apart from its status, which is a number.
type scimError struct {
	Schemas []string `json:"schemas"`
	Detail  string   `json:"detail"`
	Status  int      `json:"status"`
}

func newSCIMError(e *Error) scimError {
	detail := e.Message
	for n, issue := range e.Issues {
		separator := "; "
		if n == 0 {
			separator = ": "
		}
		detail += separator
		if len(issue.Path) > 0 {
			steps := make([]string, len(issue.Path))
			for n, step := range issue.Path {
				steps[n] = fmt.Sprint(step)
			}
			detail += strings.Join(steps, ".") + ": "
		}
		detail += issue.Message
	}
	return scimError{[]string{"urn:ietf:params:scim:api:messages:2.0:Error"}, detail, e.Status}
}
