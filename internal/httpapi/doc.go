// Package httpapi is the HTTP interface: the table of all routes (routes.go), the access each one requires (route.go),
// and the pipeline that takes every request through credentials, limits and error handling (wrap.go). The handlers live
// in subpackages, one for each group of routes; package endpoint holds what they share.
//
// A handler returns a value and an error. The value becomes a JSON body with status 200; respond.Status, Content,
// Redirect and Stream are for other responses, and nil is {"message":"OK"}. Errors are written in the route's error
// format. The handler of a project route receives a domain.ProjectScope and has no other way to obtain one; each group
// of handlers holds only the dependencies it needs.
package httpapi
