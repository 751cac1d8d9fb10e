package blob

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// signingKeys sign requests to S3 with signature version 4, as an independent check of the library's signatures.
type signingKeys struct {
	accessKey, secretKey, sessionToken string
	region, service                    string
}

const (
	amzDate = "20060102T150405Z"
	amzDay  = "20060102"
	// emptyPayload is the hash of the empty body, used to sign requests without one.
	emptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
)

// sign adds the headers that authenticate a request. The hash of the body is in hexadecimal. All headers of the request
// are signed.
func (c signingKeys) sign(r *http.Request, payloadHash string, now time.Time) {
	at := now.UTC()
	r.Header.Set("X-Amz-Date", at.Format(amzDate))
	if c.service == "s3" {
		r.Header.Set("X-Amz-Content-Sha256", payloadHash)
	}
	if c.sessionToken != "" {
		r.Header.Set("X-Amz-Security-Token", c.sessionToken)
	}
	names, canonical := canonicalHeaders(r)
	request := strings.Join([]string{
		r.Method, canonicalPath(r.URL), canonicalQuery(r.URL.Query()), canonical, names, payloadHash,
	}, "\n")
	scope := strings.Join([]string{at.Format(amzDay), c.region, c.service, "aws4_request"}, "/")
	hash := sha256.Sum256([]byte(request))
	text := strings.Join([]string{"AWS4-HMAC-SHA256", at.Format(amzDate), scope, hex.EncodeToString(hash[:])}, "\n")
	key := []byte("AWS4" + c.secretKey)
	for part := range strings.SplitSeq(scope, "/") {
		key = mac(key, part)
	}
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+c.accessKey+"/"+scope+", SignedHeaders="+names+
		", Signature="+hex.EncodeToString(mac(key, text)))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// canonicalHeaders returns the names of the headers, and the headers in canonical form.
func canonicalHeaders(r *http.Request) (names, canonical string) {
	host := r.Host
	if host == "" {
		host = r.URL.Host
	}
	values := map[string]string{"host": host}
	list := []string{"host"}
	for name, all := range r.Header {
		lower := strings.ToLower(name)
		if lower == "authorization" {
			continue
		}
		trimmed := make([]string, len(all))
		for n, value := range all {
			trimmed[n] = strings.Join(strings.Fields(value), " ")
		}
		values[lower] = strings.Join(trimmed, ",")
		list = append(list, lower)
	}
	slices.Sort(list)
	var b strings.Builder
	for _, name := range list {
		b.WriteString(name + ":" + values[name] + "\n")
	}
	return strings.Join(list, ";"), b.String()
}

func canonicalPath(u *url.URL) string {
	if u.Path == "" {
		return "/"
	}
	segments := strings.Split(u.Path, "/")
	for n, segment := range segments {
		segments[n] = escape(segment)
	}
	return strings.Join(segments, "/")
}

func canonicalQuery(query url.Values) string {
	var pairs []string
	for name, values := range query {
		for _, value := range values {
			pairs = append(pairs, escape(name)+"="+escape(value))
		}
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

// escape percent-encodes everything but unreserved characters.
func escape(text string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}

func checkSignature(r *http.Request) string {
	at, err := time.Parse(amzDate, r.Header.Get("X-Amz-Date"))
	if err != nil {
		return "no date"
	}
	again := r.Clone(context.Background())
	_, signed, _ := strings.Cut(r.Header.Get("Authorization"), "SignedHeaders=")
	signed, _, _ = strings.Cut(signed, ",")
	for name := range again.Header {
		if !slices.Contains(strings.Split(signed, ";"), strings.ToLower(name)) {
			again.Header.Del(name)
		}
	}
	signingKeys{"key", "secret", "", "us-east-1", "s3"}.sign(again, r.Header.Get("X-Amz-Content-Sha256"), at)
	if got := r.Header.Get("Authorization"); got != again.Header.Get("Authorization") {
		return "the signature is wrong: " + got
	}
	return ""
}

// TestSignatures tests the examples in the AWS documentation.
func TestSignatures(t *testing.T) {
	s3 := signingKeys{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "", "us-east-1", "s3"}
	other := signingKeys{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "", "us-east-1", "service"}
	may := time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		keys        signingKeys
		at          time.Time
		method, url string
		header      map[string]string
		payload     string
		want        string
	}{
		{
			s3, may, "GET", "https://examplebucket.s3.amazonaws.com/test.txt",
			map[string]string{"Range": "bytes=0-9"},
			emptyPayload,
			"f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
		},
		{
			s3, may, "PUT", "https://examplebucket.s3.amazonaws.com/test$file.text",
			map[string]string{"Date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"},
			"44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
			"98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
		},
		{
			s3, may, "GET", "https://examplebucket.s3.amazonaws.com/?lifecycle", nil, emptyPayload,
			"fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
		},
		{
			s3, may, "GET", "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", nil, emptyPayload,
			"34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
		},
		{
			other, time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC), "GET", "https://example.amazonaws.com/", nil, emptyPayload,
			"5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
		},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range c.header {
			r.Header.Set(name, value)
		}
		c.keys.sign(r, c.payload, c.at)
		if _, got, _ := strings.Cut(r.Header.Get("Authorization"), "Signature="); got != c.want {
			t.Errorf("%s %s is signed %s, want %s", c.method, c.url, got, c.want)
		}
	}
	r := httptest.NewRequest("GET", "https://x.test/a%20b/%C3%BC", nil)
	r.Header.Set("X-Twice", "  a   b ")
	r.Header.Add("X-Twice", "c")
	if names, headers := canonicalHeaders(r); names != "host;x-twice" || headers != "host:x.test\nx-twice:a b,c\n" {
		t.Errorf("headers %q of %q", headers, names)
	}
	if got := canonicalPath(r.URL); got != "/a%20b/%C3%BC" {
		t.Errorf("path %q", got)
	}
	withToken := s3
	withToken.sessionToken = "token"
	withToken.sign(r, emptyPayload, may)
	if got := r.Header.Get("Authorization"); !strings.Contains(got, ";x-amz-security-token;") {
		t.Errorf("the session token is not signed: %s", got)
	}
}
