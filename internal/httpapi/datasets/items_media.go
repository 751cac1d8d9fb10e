package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/access/auth"
	"almanac/internal/catalog"
	"almanac/internal/catalog/media"
	"almanac/internal/domain"
	"almanac/internal/domain/wire"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

// mediaReference is a place in an item that refers to a medium.
type mediaReference struct {
	Field           string      `json:"field"`
	ReferenceString string      `json:"referenceString"`
	JSONPath        string      `json:"jsonPath"`
	Media           mediaOfItem `json:"media"`
}

// mediaOfItem is the medium itself.
type mediaOfItem struct {
	MediaID       string       `json:"mediaId"`
	ContentType   string       `json:"contentType"`
	ContentLength int64        `json:"contentLength"`
	URL           string       `json:"url"`
	URLExpiry     respond.Time `json:"urlExpiry"`
}

// reference is a string in an item that refers to a medium.
type reference struct{ field, text, path, mediaID string }

// referencesOf returns the strings in a value that consist of a reference, ordered by path.
func referencesOf(field string, value json.RawMessage) []reference {
	if !bytes.Contains(value, []byte(domain.MediaReferenceStart)) {
		return nil
	}
	r := &referenceReader{field: field, decoder: json.NewDecoder(bytes.NewReader(value))}
	r.decoder.UseNumber()
	r.read("$")
	slices.SortStableFunc(r.found, func(a, b reference) int { return strings.Compare(a.path, b.path) })
	return r.found
}

type referenceReader struct {
	field   string
	decoder *json.Decoder
	found   []reference
}

// read reads one value. Values were validated when they were received, so none is malformed or deeply nested.
func (r *referenceReader) read(path string) {
	token, err := r.decoder.Token()
	if err != nil {
		return
	}
	switch v := token.(type) {
	case string:
		if id, ok := domain.ReferredMedium(v); ok {
			r.found = append(r.found, reference{r.field, v, path, id})
		}
	case json.Delim:
		for n := 0; r.decoder.More(); n++ {
			step := strconv.Itoa(n)
			if v == '{' {
				name, err := r.decoder.Token()
				if err != nil {
					return
				}
				text, _ := name.(string)
				step = "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
			}
			r.read(path + "[" + step + "]")
		}
		_, _ = r.decoder.Token() // the end of the list or the object
	}
}

// MaxItemMedia is the maximum number of media references in an item.
const MaxItemMedia = 1000

// mediaOf returns the media that a change of an item refers to. It returns an error if any of them is not stored.
func (h *Handlers) mediaOf(c *endpoint.Call, scope domain.ProjectScope, change catalog.DatasetItemChange) ([]media.ItemMedium, error) {
	found := slices.Concat(referencesOf(domain.FieldInput, change.Input), referencesOf(domain.FieldExpectedOutput, change.ExpectedOutput),
		referencesOf(domain.FieldMetadata, change.Metadata))
	if len(found) == 0 {
		return nil, nil
	}
	if len(found) > MaxItemMedia {
		return nil, respond.InvalidRequest(fmt.Sprintf("Dataset item refers to media more than %d times", MaxItemMedia))
	}
	stored, err := h.Catalog.StoredMedia(c.Context(), scope, referredIDs(found))
	if err != nil {
		return nil, err
	}
	var (
		items   []media.ItemMedium
		unknown []string
	)
	for _, r := range found {
		if _, ok := stored[r.mediaID]; !ok && !slices.Contains(unknown, r.mediaID) {
			unknown = append(unknown, r.mediaID)
		}
		items = append(items, media.ItemMedium{ID: r.mediaID, Field: r.field})
	}
	if len(unknown) > 0 {
		return nil, unknownMedia(unknown)
	}
	return items, nil
}

// maxUnknownMedia is the maximum number of unknown media that an error lists.
const maxUnknownMedia = 100

func unknownMedia(ids []string) error {
	return respond.InvalidRequest("Dataset item references unknown media: " + strings.Join(ids[:min(maxUnknownMedia, len(ids))], ", "))
}

// asUnknownMedia returns the same error for media that were deleted after the check.
func asUnknownMedia(err error) error {
	if unknown := new(media.UnknownMediaError); errors.As(err, &unknown) {
		return unknownMedia(unknown.IDs)
	}
	return err
}

// referredIDs returns the distinct media ids of references.
func referredIDs(references []reference) []string {
	ids := make([]string, len(references))
	for n, r := range references {
		ids[n] = r.mediaID
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// mediaReferences returns the media references of an item, with temporary URLs. References to media that are not stored
// are omitted.
func (h *Handlers) mediaReferences(
	c *endpoint.Call, scope domain.ProjectScope, item *domain.DatasetItem, media catalog.MediaReader,
) ([]mediaReference, error) {
	list := []mediaReference{}
	found := slices.Concat(referencesOf(domain.FieldInput, item.Input), referencesOf(domain.FieldExpectedOutput, item.ExpectedOutput),
		referencesOf(domain.FieldMetadata, item.Metadata))
	if len(found) == 0 {
		return list, nil
	}
	stored, err := media(referredIDs(found))
	if err != nil {
		return nil, err
	}
	expiry := endpoint.LinkExpiry()
	for _, r := range found {
		m, ok := stored[r.mediaID]
		if !ok {
			continue
		}
		list = append(list, mediaReference{r.field, r.text, r.path, mediaOfItem{
			MediaID: m.ID, ContentType: m.ContentType, ContentLength: m.ContentLength, URLExpiry: respond.Time(expiry),
			URL: h.Media.Address(c, scope, auth.MediaLink{Method: http.MethodGet, MediaID: m.ID, Expires: expiry}),
		}})
	}
	return list, nil
}

// itemBody returns an item as clients see it.
func (h *Handlers) itemBody(c *endpoint.Call, scope domain.ProjectScope, item *domain.DatasetItem) (itemBody, error) {
	return h.itemBodyWith(c, scope, item, func(ids []string) (map[string]domain.Medium, error) {
		return h.Catalog.StoredMedia(c.Context(), scope, ids)
	})
}

// itemBodyWith is like itemBody but reads the media with a function.
func (h *Handlers) itemBodyWith(
	c *endpoint.Call, scope domain.ProjectScope, item *domain.DatasetItem, media catalog.MediaReader,
) (itemBody, error) {
	references, err := h.mediaReferences(c, scope, item, media)
	return itemBody{wire.FromItem(item), references}, err
}

// itemBodies encodes items as JSON.
func (h *Handlers) itemBodies(
	c *endpoint.Call, scope domain.ProjectScope, items iter.Seq2[*domain.DatasetItem, error],
) iter.Seq2[*[]byte, error] {
	return endpoint.Bodies(func(yield func(*itemBody, error) bool) {
		for item, err := range items {
			var body itemBody
			if err == nil {
				body, err = h.itemBody(c, scope, item)
			}
			if !yield(&body, err) || err != nil {
				return
			}
		}
	}, func(body *itemBody) *itemBody { return body })
}
