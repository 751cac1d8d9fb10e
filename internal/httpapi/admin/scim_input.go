package admin

import (
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
)

// The names of schemas and messages in SCIM.
const (
	SCIMUserSchema   = "urn:ietf:params:scim:schemas:core:2.0:User"
	scimListSchema   = "urn:ietf:params:scim:api:messages:2.0:ListResponse"
	SCIMPatchSchema  = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
	scimConfigSchema = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"
	scimTypeSchema   = "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
	scimSchemaSchema = "urn:ietf:params:scim:schemas:core:2.0:Schema"
)

// The limits of what identity providers send.
const (
	maxEmail          = 320
	maxUserName       = 1000
	maxSCIMSchemas    = 50
	maxSCIMRoles      = 50
	maxSCIMOperations = 100
)

// scimBody returns the body of a SCIM request. Some clients send JSON within a JSON string, or without a content type.
func scimBody(body decode.Value) decode.Value {
	if body.Kind() == "string" {
		if text := []byte(body.Text()); decode.CheckJSON(text) == nil {
			return decode.NewBody(text)
		}
	}
	return body
}

// newSCIMUser is the input of POST.
type newSCIMUser struct {
	email  string
	name   string
	role   *domain.Role // nil if not given
	active bool
}

func readNewSCIMUser(body decode.Value) (newSCIMUser, error) {
	b := body.Object()
	in := newSCIMUser{email: readEmail(b.Field("userName")), name: readSCIMName(b), role: readSCIMRole(b), active: true}
	decode.Set(&in.active, decode.Nullish(b.Field("active"), readSCIMBool))
	return in, b.Err()
}

// scimUserChange is what PUT and PATCH can change.
type scimUserChange struct {
	role   *domain.Role // nil if not given
	active bool
}

func readSCIMUser(body decode.Value) (scimUserChange, error) {
	b := body.Object()
	readSCIMSchemas(b, SCIMUserSchema)
	in := scimUserChange{role: readSCIMRole(b), active: true}
	decode.Set(&in.active, decode.Nullish(b.Field("active"), readSCIMBool))
	return in, b.Err()
}

// readSCIMPatch reads operations that replace active, and rejects all others. The last one wins.
func readSCIMPatch(body decode.Value) (active bool, err error) {
	b := body.Object()
	readSCIMSchemas(b, SCIMPatchSchema)
	for _, operation := range b.Field("Operations").ArrayLen(1, maxSCIMOperations) {
		o := operation.Object()
		op := o.Field("op")
		if text := op.Text(); op.Kind() == "string" && !strings.EqualFold(text, "replace") {
			op.Reject(decode.Violation(op.Path(), "Only the operation replace is supported"))
		}
		path := o.Field("path")
		value := o.Field("value")
		switch attribute := decode.Nullish(path, decode.Value.Text); {
		case attribute == nil || *attribute == "":
			members := value.Object()
			active = readSCIMBool(members.Field("active"))
			members.Strict()
		case strings.EqualFold(*attribute, "active"):
			active = readSCIMBool(value)
		default:
			path.Reject(decode.Violation(path.Path(), "Only the attribute active can be changed"))
		}
	}
	return active, b.Err()
}

// readSCIMSchemas checks that a body declares the wanted schema.
func readSCIMSchemas(b *decode.Object, wanted string) {
	list := b.Field("schemas")
	items := list.Array()
	if len(items) > maxSCIMSchemas {
		list.Reject(decode.TooLong(list.Path(), "array", maxSCIMSchemas))
		return
	}
	names := make([]string, len(items))
	for n, item := range items {
		names[n] = item.Text()
	}
	if list.Kind() == "array" && !slices.Contains(names, wanted) {
		list.Reject(decode.Violation(list.Path(), "The schema "+wanted+" is missing"))
	}
}

// readSCIMBool reads a boolean or a string: some identity providers send "True" and "False".
func readSCIMBool(v decode.Value) bool {
	if v.Kind() == "string" {
		switch strings.ToLower(v.Text()) {
		case "true":
			return true
		case "false":
			return false
		}
	}
	return v.Bool()
}

// readSCIMRole returns the first of the roles, which are strings or objects with a value; nil if there are none.
func readSCIMRole(b *decode.Object) *domain.Role {
	list := b.Field("roles")
	items := decode.Nullish(list, decode.Value.Array)
	if items == nil || len(*items) == 0 {
		return nil
	}
	if len(*items) > maxSCIMRoles {
		list.Reject(decode.TooLong(list.Path(), "array", maxSCIMRoles))
		return nil
	}
	first := (*items)[0]
	if first.Kind() == "object" {
		first = first.Object().Field("value")
	}
	return new(domain.Role(first.Enum(domain.RoleNames()...)))
}

// readSCIMName returns a person's name: name.formatted, displayName, or the given and family names, whichever is set
// first.
func readSCIMName(b *decode.Object) string {
	text := func(v decode.Value) string {
		if s := decode.Nullish(v, func(v decode.Value) string { return v.TextLen(0, maxUserName) }); s != nil {
			return strings.TrimSpace(*s)
		}
		return ""
	}
	var formatted, whole string
	if name := decode.Nullish(b.Field("name"), decode.Value.Object); name != nil {
		formatted = text((*name).Field("formatted"))
		whole = strings.TrimSpace(text((*name).Field("givenName")) + " " + text((*name).Field("familyName")))
	}
	display := text(b.Field("displayName"))
	switch {
	case formatted != "":
		return formatted
	case display != "":
		return display
	}
	return whole
}

// readEmail reads an email address and returns it in lower case.
func readEmail(v decode.Value) string {
	return endpoint.ReadEmail(v, maxEmail, "The user name must be an email address")
}
