package httpapi

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// mediaReference is a place in an item where media belong.
type mediaReference struct{}

// mediaReferences returns where media belong in an item. There are none: an item that refers to media we do not have is refused.
func mediaReferences(*domain.DatasetItem) []mediaReference { return []mediaReference{} }

// mediaToken finds texts that are references to media as a whole, in JSON without blanks. What follows tells a value from the
// name of a member.
var mediaToken = regexp.MustCompile(`"@@@langfuseMedia:type=[^"|]+\|id=([^"|]+)\|source=[^"|]+@@@"(:?)`)

// maxUnknownMedia is how many media a client is told of that we do not have.
const maxUnknownMedia = 100

// checkMedia refuses values with references to media that we do not have.
func (a *API) checkMedia(values ...json.RawMessage) error {
	var unknown []string
	for _, value := range values {
		for _, id := range mediaIDs(value) {
			if !a.knowsMedia(id) && !slices.Contains(unknown, id) && len(unknown) < maxUnknownMedia {
				unknown = append(unknown, id)
			}
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return respond.InvalidRequest("Dataset item references unknown media: " + strings.Join(unknown, ", "))
}

// knowsMedia says whether we have the media. We keep none yet.
func (a *API) knowsMedia(string) bool { return false }

// mediaIDs returns the ids of the media that a value refers to.
func mediaIDs(value json.RawMessage) (ids []string) {
	for _, found := range mediaToken.FindAllSubmatchIndex(value, -1) {
		start, isName := found[0], found[4] < found[5]
		if isName || start > 0 && value[start-1] == '\\' {
			continue
		}
		ids = append(ids, string(value[found[2]:found[3]]))
	}
	return ids
}
