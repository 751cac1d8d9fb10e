package domain

import "testing"

func TestMediaID(t *testing.T) {
	for hash, want := range map[string]string{
		"TEtqO+ExSrhhOL70MU3eAi5gCWDYaJosj4YxgC0g2rY=": "TEtqO-ExSrhhOL70MU3eAi",
		"pA/z1ZAPt2mLjIZQQTR8tJ7M7cj5OUX4limtEEquzOQ=": "pA_z1ZAPt2mLjIZQQTR8tJ",
		"": "", "ab+": "ab-",
	} {
		if got := MediaID(hash); got != want {
			t.Errorf("the id of %s is %s, want %s", hash, got, want)
		}
	}
}

func TestMediaReferences(t *testing.T) {
	for text, want := range map[string]string{
		MediaReference("image/png", "abc", "bytes"):                   "abc",
		"@@@langfuseMedia:type=image/png|id=a-_1|source=file@@@":      "a-_1",
		"see @@@langfuseMedia:type=image/png|id=abc|source=bytes@@@":  "",
		"@@@langfuseMedia:type=image/png|id=abc|source=bytes@@@ and":  "",
		"@@@langfuseMedia:type=image/png|id=|source=bytes@@@":         "",
		"@@@langfuseMedia:type=image/png|source=bytes@@@":             "",
		"@@@langfuseMedia:id=abc|type=image/png|source=bytes@@@":      "",
		"@@@langfuseMedia:type=|id=abc|source=bytes@@@":               "",
		"@@@langfuseMedia:type=image/png|id=abc|source=bytes|more@@@": "",
		"@@@langfuseMedia:@@@":                                        "",
		"@@@langfuseMedia:":                                           "",
		"":                                                            "",
	} {
		if got, ok := ReferredMedium(text); got != want || ok != (want != "") {
			t.Errorf("%q refers to %q, %t; want %q", text, got, ok, want)
		}
	}
}

func TestMediaTypes(t *testing.T) {
	const inTheAPI = 52
	if got := len(MediaTypes()); got != inTheAPI {
		t.Errorf("%d types, want %d", got, inTheAPI)
	}
	for name, want := range map[string]string{
		"image/png": "png", "audio/mpeg": "mp3", "application/x-7z-compressed": "7z", "image/x-png": "", "": "",
	} {
		if got := MediaFileExtension(name); got != want || IsMediaType(name) != (want != "") {
			t.Errorf("files of %q end with %q, want %q", name, got, want)
		}
	}
}
