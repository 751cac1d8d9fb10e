package segment

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/jsontext"
)

// A list is stored as a JSON array, which other programs understand. JSON cannot represent strings that are not UTF-8;
// a list with such a string is stored as a NUL followed by length-prefixed strings.
const rawList = "\x00"

func listText(list []string) string {
	if slices.ContainsFunc(list, func(item string) bool { return !utf8.ValidString(item) }) {
		b := []byte(rawList)
		for _, item := range list {
			b = append(binary.AppendUvarint(b, uint64(len(item))), item...)
		}
		return viewString(b)
	}
	text, err := jsontext.Marshal(list)
	if err != nil {
		panic("BUG: a list of texts does not marshal: " + err.Error())
	}
	return viewString(text)
}

// readPlainList parses an array of strings without escapes, which covers almost all lists.
func readPlainList(text string) ([]string, bool) {
	if strings.IndexByte(text, '\\') >= 0 || !strings.HasPrefix(text, `["`) || !strings.HasSuffix(text, `"]`) {
		return nil, false
	}
	return strings.Split(text[2:len(text)-2], `","`), true
}

// readList decodes what listText wrote. The empty string is an empty list.
func readList(text string) (list []string, err error) {
	if text == "" {
		return nil, nil
	}
	if list, ok := readPlainList(text); ok {
		return list, nil
	}
	raw, found := strings.CutPrefix(text, rawList)
	if !found {
		err = json.Unmarshal(viewBytes(text), &list)
		return list, err
	}
	for d := (decoder{src: viewBytes(raw)}); len(d.src) > 0; {
		list = append(list, d.text())
		if d.failed {
			return nil, errPage
		}
	}
	return list, nil
}
