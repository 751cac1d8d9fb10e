// Package httpapi is the HTTP interface: the table of all routes (routes.go), who may call them (route.go), and the path of every
// request through credentials, limits and errors (wrap.go). The handlers are in packages below it, one for each group of routes;
// what they share is in endpoint.
//
// A handler returns a value and an error. The value becomes a JSON body with status 200; respond.Status, Content,
// Redirect and Stream are for other answers, and nil is {"message":"OK"}. Errors become the body that the route's
// format of errors prescribes. A handler of a project route receives a domain.ProjectScope and can get it nowhere else; a group
// of handlers holds only what it needs.
package httpapi
