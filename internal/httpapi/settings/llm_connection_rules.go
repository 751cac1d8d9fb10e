package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/http/httpguts"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/llm"
	"almanac/internal/netguard"
)

// The limits of a connection.
const (
	maxProviderName     = 200
	maxConnectionSecret = 20_000 // service account keys are long
	maxConnectionURL    = 2000
	maxCustomModels     = 500
	maxExtraHeaders     = 50
	maxHeaderValue      = 8000
	maxConfigText       = 200
)

// connectionInput is a connection with its secrets before they are sealed.
type connectionInput struct {
	connection domain.LLMConnection
	secret     string
	headers    map[string]string
}

// readLLMConnection reads a connection. Errors do not repeat rejected values, which may be misplaced secrets.
func readLLMConnection(body decode.Value, guard netguard.Guard) (connectionInput, error) {
	b := body.Object()
	var in connectionInput
	n := &in.connection
	n.Provider = b.Field("provider").TextLen(1, maxProviderName)
	n.Adapter = b.Field("adapter").Enum(domain.AdapterAnthropic, domain.AdapterOpenAI, domain.AdapterAzure, domain.AdapterBedrock,
		domain.AdapterVertexAI, domain.AdapterAIStudio)
	secret := b.Field("secretKey")
	in.secret = secret.TextLen(1, maxConnectionSecret)
	n.DisplaySecret = displaySecret(in.secret)
	n.BaseURL = decode.Nullish(b.Field("baseURL"), func(v decode.Value) string { return readBaseURL(v, guard) })
	decode.Set(&n.CustomModels, decode.Nullish(b.Field("customModels"), readCustomModels))
	n.WithDefaultModels = true
	decode.Set(&n.WithDefaultModels, decode.Nullish(b.Field("withDefaultModels"), decode.Value.Bool))
	decode.Set(&in.headers, decode.Nullish(b.Field("extraHeaders"), readExtraHeaders))
	n.Config = readConnectionConfig(b.Field("config"), n.Adapter)
	if n.Adapter == domain.AdapterBedrock && secret.Kind() == "string" && !isBedrockSecret(in.secret) {
		secret.Reject(decode.Violation(secret.Path(),
			"The secretKey of a bedrock connection is a JSON object with accessKeyId and secretAccessKey, or with apiKey, or "+
				llm.BedrockHostCredentials))
	}
	return in, b.Err()
}

// displaySecret returns the last characters of a secret, provided that enough of it stays hidden.
func displaySecret(secret string) string {
	const shown, leastHidden = 4, 8
	end := secret
	for n := utf8.RuneCountInString(secret); n > shown; n-- {
		_, size := utf8.DecodeRuneInString(end)
		end = end[size:]
	}
	if utf8.RuneCountInString(secret) < shown+leastHidden {
		return "..."
	}
	return "..." + end
}

func readBaseURL(v decode.Value, guard netguard.Guard) string {
	text := v.WebAddress(maxConnectionURL)
	if text != "" && errors.Is(guard.CheckURL(text), netguard.ErrPrivate) {
		v.Reject(decode.Violation(v.Path(), "baseURL leads to this machine or its private network, which the operator does not allow"))
	}
	return text
}

func readCustomModels(v decode.Value) []string {
	models := []string{}
	for _, item := range v.ArrayLen(0, maxCustomModels) {
		models = append(models, item.TextLen(1, maxModelName))
	}
	return models
}

func readExtraHeaders(v decode.Value) map[string]string {
	b := v.Object()
	headers := make(map[string]string)
	if len(b.Names()) > maxExtraHeaders {
		v.Reject(decode.Violation(v.Path(), fmt.Sprintf("A connection has at most %d extra headers", maxExtraHeaders)))
		return headers
	}
	for _, name := range b.Names() {
		value := b.Field(name)
		headers[name] = value.TextLen(0, maxHeaderValue)
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(headers[name]) {
			value.Reject(decode.Violation(value.Path(), "This cannot be sent as an HTTP header"))
		}
	}
	return headers
}

// readConnectionConfig reads the config of an adapter. Each adapter has its own settings.
func readConnectionConfig(v decode.Value, adapter string) json.RawMessage {
	absent := v.Kind() == "undefined" || v.Kind() == "null"
	if absent && adapter != domain.AdapterBedrock {
		return nil
	}
	config := make(map[string]any)
	switch adapter {
	case domain.AdapterBedrock:
		if absent {
			v.Reject(decode.Violation(v.Path(), "A bedrock connection needs the config {region}"))
			return nil
		}
		b := v.Object()
		config["region"] = readCloudRegion(b.Field("region"))
		b.Strict()
	case domain.AdapterOpenAI:
		b := v.Object()
		if use := decode.Optional(b.Field("useResponsesApi"), decode.Value.Bool); use != nil {
			config["useResponsesApi"] = *use
		}
		b.Strict()
	case domain.AdapterVertexAI:
		b := v.Object()
		if location := decode.Optional(b.Field("location"), readCloudRegion); location != nil {
			config["location"] = *location
		}
		b.Strict()
	case "": // the invalid adapter has already been reported
		return nil
	default:
		v.Reject(decode.Violation(v.Path(), "A connection of the adapter "+adapter+" has no config"))
		return nil
	}
	text, err := json.Marshal(config)
	if err != nil {
		return nil // cannot happen: strings and booleans always marshal
	}
	return text
}

// readCloudRegion reads the name of a region or location, which becomes part of a host name.
func readCloudRegion(v decode.Value) string {
	text := v.TextLen(1, maxConfigText)
	if text != "" && !netguard.IsCloudRegion(text) {
		v.Reject(decode.Violation(v.Path(), "This is not the name of a region or location, such as us-east-1"))
	}
	return text
}

// bedrockSecret is the content of a Bedrock secret: an access key pair or an API key.
type bedrockSecret struct {
	AccessKeyID     string `json:"accessKeyId"`
	SecretAccessKey string `json:"secretAccessKey"`
	APIKey          string `json:"apiKey"`
}

// isBedrockSecret reports whether a secret has one of the formats for Bedrock.
func isBedrockSecret(secret string) bool {
	if secret == llm.BedrockHostCredentials {
		return true
	}
	var parts bedrockSecret
	if decode.CheckJSON([]byte(secret)) != nil || !strings.HasPrefix(strings.TrimSpace(secret), "{") ||
		json.Unmarshal([]byte(secret), &parts) != nil {
		return false
	}
	return parts.APIKey != "" || parts.AccessKeyID != "" && parts.SecretAccessKey != ""
}
