package apitest

// UIProject is the path of project A in the API of the web application.
const UIProject = "/api/ui/projects/project-a"
