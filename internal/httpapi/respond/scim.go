package respond

import (
	"fmt"
	"strings"

	"almanac/internal/decode"
)

// scimContent is the content type of RFC 7644.
const scimContent = "application/scim+json; charset=utf-8"

// ContentType returns the content type of responses, errors or not, of routes with this format.
func (f ErrorFormat) ContentType() string {
	if f == SCIM {
		return scimContent
	}
	return jsonContent
}

// scimError is an error body of RFC 7644, except that its status is a number.
type scimError struct {
	Schemas []string `json:"schemas"`
	Detail  string   `json:"detail"`
	Status  int      `json:"status"`
}

func newSCIMError(e *Error) scimError {
	detail := e.Message
	if len(e.Issues) > 0 {
		issues := make([]string, len(e.Issues))
		for n, issue := range e.Issues {
			issues[n] = scimIssue(issue)
		}
		detail += ": " + strings.Join(issues, "; ")
	}
	return scimError{[]string{"urn:ietf:params:scim:api:messages:2.0:Error"}, detail, e.Status}
}

// scimIssue formats an issue as its path and message.
func scimIssue(i decode.Issue) string {
	if len(i.Path) == 0 {
		return i.Message
	}
	steps := make([]string, len(i.Path))
	for n, step := range i.Path {
		steps[n] = fmt.Sprint(step)
	}
	return strings.Join(steps, ".") + ": " + i.Message
}
