package jsonschema

// keyword describes a keyword of draft-07.
type keyword struct {
	shape   *shape
	rule    bool  // it affects validation; the others are annotations
	applies kinds // the kinds of values that it applies to, 0 for all
}

// keywords are all keywords allowed in a schema.
var keywords = map[string]keyword{
	"$schema":          {shape: isString},
	"$id":              {shape: isString},
	"$comment":         {shape: isString, rule: true}, // Ajv counts it as a rule, which decides where strict checks end
	"$vocabulary":      {},
	"$defs":            {shape: isSchemaMap},
	"definitions":      {shape: isSchemaMap},
	"title":            {shape: isString},
	"description":      {shape: isString},
	"default":          {},
	"deprecated":       {},
	"readOnly":         {shape: isBoolean},
	"writeOnly":        {},
	"examples":         {shape: isList},
	"contentMediaType": {shape: isString},
	"contentEncoding":  {shape: isString},
	"contentSchema":    {},

	"$ref":     {shape: isString, rule: true},
	"type":     {shape: isType, rule: true},
	"nullable": {shape: isBoolean, rule: true},
	"const":    {rule: true},
	"enum":     {shape: isEnum, rule: true},
	"not":      {shape: isSchema, rule: true},
	"anyOf":    {shape: isSchemaList, rule: true},
	"oneOf":    {shape: isSchemaList, rule: true},
	"allOf":    {shape: isSchemaList, rule: true},
	"if":       {shape: isSchema, rule: true},
	"then":     {shape: isSchema, rule: true},
	"else":     {shape: isSchema, rule: true},
	"format":   {shape: isString, rule: true, applies: number | text},

	"maximum":          {shape: isNumber, rule: true, applies: number},
	"minimum":          {shape: isNumber, rule: true, applies: number},
	"exclusiveMaximum": {shape: isNumber, rule: true, applies: number},
	"exclusiveMinimum": {shape: isNumber, rule: true, applies: number},
	"multipleOf":       {shape: isPositive, rule: true, applies: number},

	"maxLength": {shape: isCount, rule: true, applies: text},
	"minLength": {shape: isCount, rule: true, applies: text},
	"pattern":   {shape: isString, rule: true, applies: text},

	"maxItems":        {shape: isCount, rule: true, applies: array},
	"minItems":        {shape: isCount, rule: true, applies: array},
	"additionalItems": {shape: isSchema, rule: true, applies: array},
	"items":           {shape: isItems, rule: true, applies: array},
	"contains":        {shape: isSchema, rule: true, applies: array},
	"uniqueItems":     {shape: isBoolean, rule: true, applies: array},

	"maxProperties":        {shape: isCount, rule: true, applies: object},
	"minProperties":        {shape: isCount, rule: true, applies: object},
	"required":             {shape: isNames, rule: true, applies: object},
	"propertyNames":        {shape: isSchema, rule: true, applies: object},
	"additionalProperties": {shape: isSchema, rule: true, applies: object},
	"dependencies":         {shape: isDependencies, rule: true, applies: object},
	"properties":           {shape: isSchemaMap, rule: true, applies: object},
	"patternProperties":    {shape: isSchemaMap, rule: true, applies: object},
}

// hasRules reports whether a schema has any effect.
func hasRules(schema *value) bool {
	for _, name := range schema.names {
		if keywords[name].rule {
			return true
		}
	}
	return false
}

// hasRulesButRef reports whether a schema has any effect besides referring to another one.
func hasRulesButRef(schema *value) bool {
	for _, name := range schema.names {
		if name != "$ref" && keywords[name].rule {
			return true
		}
	}
	return false
}
