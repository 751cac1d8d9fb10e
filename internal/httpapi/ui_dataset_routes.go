package httpapi

import (
	"almanac/internal/domain"
	"almanac/internal/httpapi/datasets"
	"almanac/internal/httpapi/respond"
)

// datasetRoutes returns the routes behind the pages of datasets, beside those of the public API.
func (a *API) datasetRoutes() []route {
	h := a.datasets
	page := rules{errors: respond.ForPeople, pages: noPages, private: true}
	item, importing := page, page
	item.maxBody, importing.maxBody = datasets.MaxItemBody, datasets.MaxImportBody
	const (
		project = "/api/ui/projects/{projectId}/"
		one     = project + "datasets/{datasetId}"
	)
	return []route{
		{"POST", project + "query/datasets", projectMember(domain.DatasetsRead, h.BrowseDatasets), page},
		{"POST", project + "datasets/create", projectMember(domain.DatasetsWrite, h.CreateDataset), page},
		{"GET", one + "/details", projectMember(domain.DatasetsRead, h.GetDatasetDetails), page},
		{"PATCH", one, projectMember(domain.DatasetsWrite, h.ChangeDataset), page},
		{"DELETE", one, projectMember(domain.DatasetsDelete, h.DeleteDataset), page},
		{"POST", one + "/items/query", projectMember(domain.DatasetsRead, h.BrowseItems), page},
		{"POST", one + "/items", projectMember(domain.DatasetsWrite, h.SaveItem), item},
		{"GET", one + "/items/{itemId}", projectMember(domain.DatasetsRead, h.GetItemDetails), page},
		{"GET", one + "/items/{itemId}/versions", projectMember(domain.DatasetsRead, h.ListItemVersions), page},
		{"POST", one + "/items/status", projectMember(domain.DatasetsWrite, h.SetItemsStatus), page},
		{"POST", one + "/items/delete", projectMember(domain.DatasetsDelete, h.DeleteItems), page},
		{"POST", one + "/import", projectMember(domain.DatasetsWrite, h.ImportItems), importing},
		{"GET", one + "/versions", projectMember(domain.DatasetsRead, h.ListDatasetVersions), page},
		{"GET", one + "/export", projectMember(domain.DatasetsRead, h.ExportItems), page},
	}
}
