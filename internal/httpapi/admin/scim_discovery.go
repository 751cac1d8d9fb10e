package admin

import (
	"maps"

	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
)

// object is a JSON object.
type object map[string]any

const scimBase = "/api/public/scim"

// SCIMServiceProviderConfig describes the supported parts of SCIM. PATCH is reported as unsupported because too little
// of it is implemented to rely on.
func (h *Handlers) SCIMServiceProviderConfig(*endpoint.Call, domain.OrganizationScope) (any, error) {
	no := object{"supported": false}
	return object{
		"schemas":          []string{scimConfigSchema},
		"documentationUri": h.Links.To("/api/docs"),
		"patch":            no,
		"bulk":             object{"supported": false, "maxOperations": 0, "maxPayloadSize": 0},
		"filter":           object{"supported": true, "maxResults": MaxSCIMResults},
		"changePassword":   no,
		"sort":             no,
		"etag":             no,
		"authenticationSchemes": []object{{
			"type": "httpbasic", "name": "HTTP Basic", "description": "The public and the secret key of an organization",
			"specUri": "https://www.rfc-editor.org/info/rfc7617", "primary": true,
		}},
		"meta": object{"resourceType": "ServiceProviderConfig", "location": h.Links.To(scimBase + "/ServiceProviderConfig")},
	}, nil
}

// SCIMResourceTypes serves GET /api/public/scim/ResourceTypes.
func (h *Handlers) SCIMResourceTypes(*endpoint.Call, domain.OrganizationScope) (any, error) {
	return scimList(object{
		"schemas": []string{scimTypeSchema}, "id": "User", "name": "User", "endpoint": "/Users",
		"description": "Members of the organization",
		"schema":      SCIMUserSchema, "schemaExtensions": []object{},
		"meta": object{"resourceType": "ResourceType", "location": h.Links.To(scimBase + "/ResourceTypes/User")},
	}), nil
}

// SCIMSchemas serves GET /api/public/scim/Schemas.
func (h *Handlers) SCIMSchemas(*endpoint.Call, domain.OrganizationScope) (any, error) {
	attribute := func(name, kind, description string, more object) object {
		o := object{
			"name": name, "type": kind, "description": description, "multiValued": false, "required": false, "caseExact": false,
			"mutability": "readWrite", "returned": "default", "uniqueness": "none",
		}
		maps.Copy(o, more)
		return o
	}
	attributes := []object{
		attribute("userName", "string", "The email address, in lower case", object{
			"required": true, "uniqueness": "server", "mutability": "immutable",
		}),
		attribute("name", "complex", "How the person is called", object{"mutability": "immutable", "subAttributes": []object{
			attribute("formatted", "string", "The whole name", object{"mutability": "immutable"}),
		}}),
		attribute("displayName", "string", "The whole name, if name says nothing", object{"mutability": "immutable", "returned": "never"}),
		attribute("emails", "complex", "The email address once more",
			object{"multiValued": true, "mutability": "readOnly", "subAttributes": []object{
				attribute("value", "string", "The address", object{"mutability": "readOnly"}),
				attribute("type", "string", "Always work", object{"mutability": "readOnly"}),
				attribute("primary", "boolean", "Always true", object{"mutability": "readOnly"}),
			}}),
		attribute("active", "boolean", "Whether the user is a member of the organization", nil),
		attribute("roles", "string", "The role in the organization; the first one counts", object{
			"multiValued": true, "mutability": "writeOnly", "returned": "never", "caseExact": true, "canonicalValues": domain.RoleNames(),
		}),
	}
	return scimList(object{
		"schemas": []string{scimSchemaSchema}, "id": SCIMUserSchema, "name": "User", "description": "Members of the organization",
		"attributes": attributes,
		"meta":       object{"resourceType": "Schema", "location": h.Links.To(scimBase + "/Schemas/" + SCIMUserSchema)},
	}), nil
}

// scimList returns a list of one resource.
func scimList(resource object) object {
	return object{"schemas": []string{scimListSchema}, "totalResults": 1, "Resources": []object{resource}}
}
