package httpapi

// Operation is a route as the tests of other packages see it.
type Operation struct {
	Method, Path string // the method is empty if there is any
	// ReadsEvents means that the route reads events.
	ReadsEvents bool
}

// Operations returns the routes of the public API.
func Operations() []Operation { return operationsOf(new(API).routes()) }

// WebOperations returns the routes of the web application.
func WebOperations() []Operation { return operationsOf(new(API).uiRoutes()) }

func operationsOf(table []route) []Operation {
	list := make([]Operation, len(table))
	for n, rt := range table {
		list[n] = Operation{rt.method, rt.path, rt.rules.readsEvents}
		if rt.method == anyMethod {
			list[n].Method = ""
		}
	}
	return list
}

// MuxPattern returns the pattern of a path for an http.ServeMux.
func MuxPattern(path string) string { return muxPattern(path) }
