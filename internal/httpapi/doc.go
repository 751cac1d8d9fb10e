// Package httpapi is the HTTP interface: the table of all routes (routes.go), the way every request takes through
// credentials, limits and errors (wrap.go), and one file per resource with its handlers.
//
// A handler returns a value and an error. The value becomes a JSON body with status 200; respond.Status, Content,
// Redirect and Stream are for other answers, and nil is {"message":"OK"}. Errors become the body that the route's
// family of errors prescribes. What a handler may touch is given to it by its signature: a handler of a project route
// receives a domain.ProjectScope and can get it nowhere else.
package httpapi
