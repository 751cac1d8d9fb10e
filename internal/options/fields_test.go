package options

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestOptionsOfFields(t *testing.T) {
	program, _ := kitchen()
	all, err := program.All()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]*Option{}
	for _, o := range all {
		got[o.Name] = o
	}
	for _, want := range []*Option{
		{Name: "dir", Help: "Where.", Default: "here", Placeholder: "DIR", Group: "Storage", Variables: []string{"ALMANAC_DIR"}},
		{Name: "as-name", Help: "Who.", Group: "User", Variables: []string{"ALMANAC_AS_NAME", "OTHER_NAME"}},
		{Name: "as-key", Help: "Key.", Group: "User", Variables: []string{"ALMANAC_AS_KEY"}, Secret: true},
		{Name: "dish", Help: "What to cook.", Variables: []string{"ALMANAC_DISH"}, Argument: true},
		{Name: "level", Help: "How done: rare,medium.", Default: "rare", Enum: []string{"rare", "medium"}, Variables: []string{"ALMANAC_LEVEL"}},
		{Name: "spices", Help: "Any of pepper, salt.", Placeholder: "NAME,…", Variables: []string{"ALMANAC_SPICES"}},
		{Name: "inner", Help: "Not shown.", Variables: []string{"ALMANAC_INNER"}, Hidden: true},
	} {
		if diff := cmp.Diff(want, got[want.Name], cmpopts.IgnoreUnexported(Option{})); diff != "" {
			t.Errorf("%s: %s", want.Name, diff)
		}
	}
	if len(got) != 18 {
		t.Errorf("%d options", len(got))
	}
}

func TestMistakesInStructs(t *testing.T) {
	type inner struct{ A string }
	cases := []struct {
		name    string
		options any
		want    string
	}{
		{"no pointer", struct{}{}, "command c: the options of a command are not a pointer to a struct"},
		{"no struct", new(int), "command c: the options of a command are not a pointer to a struct"},
		{"a type that cannot be read", new(struct{ A map[string]string }), "command c: the field A cannot be an option: its type is map[string]string"},
		{"elements that cannot be read", new(struct{ A []struct{} }), "command c: the field A cannot be an option: its type is []struct {}"},
		{"a struct that is not embedded", new(struct{ A inner }), "command c: the field A cannot be an option: its type is options.inner"},
		{"something else embedded", new(struct {
			A string `embed:""`
		}), "command c: the field A cannot be embedded: it is no struct"},
		{"not exported", new(struct {
			a string `help:"A."`
		}), "command c: the field a cannot be an option: it is not exported"},
		{"not exported and embedded", new(struct {
			inner `embed:""`
		}), "command c: the field inner cannot be an option: it is not exported"},
		{"two of a name", new(struct {
			A string
			B string `name:"a"`
		}), `command c: there are two options of the name "a"`},
		{"a name that is taken", new(struct{ Help string }), `command c: there are two options of the name "help"`},
		{"options and commands", new(inner), "command c: a command with commands of its own has no options"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			command := &Command{Name: "c", Options: c.options}
			if c.name == "options and commands" {
				command.Commands = []*Command{{Name: "d"}}
			}
			program := &Command{Name: "p", Commands: []*Command{command}}
			if _, err := program.All(); err == nil || err.Error() != c.want {
				t.Errorf("All: %v, want %s", err, c.want)
			}
			if _, err := Parse(program, []string{"c"}, nothing); err == nil || err.Error() != c.want {
				t.Errorf("Parse: %v, want %s", err, c.want)
			}
		})
	}
}

func TestADefaultThatCannotBeRead(t *testing.T) {
	program := &Command{Name: "p", Options: new(struct {
		A int `default:"many"`
	})}
	if _, err := Parse(program, nil, nothing); err == nil || err.Error() != `--a: "many" is not a whole number` {
		t.Error(err)
	}
}

func TestDashed(t *testing.T) {
	for name, want := range map[string]string{
		"Data": "data", "MaxHeader": "max-header", "HTTPPort": "http-port", "PublicURL": "public-url", "ID": "id", "S3Bucket": "s3-bucket", "Größe": "größe",
	} {
		if got := dashed(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
