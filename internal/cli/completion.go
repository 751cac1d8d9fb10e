package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completeWord is the hidden command with which shell scripts ask for completions of the last word. The words follow
// it.
const completeWord = "__complete"

type completionCommand struct {
	Shell string `arg:"" help:"One of bash, zsh and fish." enum:"bash,zsh,fish"`
}

// Help returns the text shown below the options of the command.
func (*completionCommand) Help() string {
	return `bash: add the line  source <(almanac completion bash)  to ~/.bashrc.

zsh: add the line  source <(almanac completion zsh)  to ~/.zshrc, after compinit.

fish: almanac completion fish > ~/.config/fish/completions/almanac.fish`
}

// completionScripts ask the program for completions and know nothing about it themselves. bash splits "--name=value"
// and passes "=" as a separate word. Where the program offers nothing, the shells complete file names.
var completionScripts = map[string]string{
	"bash": `_almanac() {
	local IFS=$'\n' current=${COMP_WORDS[COMP_CWORD]}
	[ "$current" != = ] || current=
	COMPREPLY=($(compgen -W "$("$1" ` + completeWord + ` "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "$current"))
}
complete -o default -F _almanac almanac
`,
	"zsh": `_almanac() {
	local -a found
	found=(${(f)"$("$words[1]" ` + completeWord + ` "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	compadd -a found || _files
}
compdef _almanac almanac
`,
	"fish": `complete -c almanac -a '(almanac ` + completeWord + ` (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

func (c *completionCommand) Run(t *terminal) error {
	t.printf("%s", completionScripts[c.Shell])
	return nil
}

// complete returns the completions of the last word, one per line: commands, options, or values of an option.
func (p *parser) complete(words []string) string {
	if n := len(words); n > 0 && words[n-1] == "=" { // the value is still empty
		words[n-1] = ""
	}
	words = slices.DeleteFunc(words, func(word string) bool { return word == "=" })
	node, last := p.Model.Node, ""
	var wants *kong.Flag // takes the next word as its value
	for n, word := range words {
		if n == len(words)-1 {
			last = word
			break
		}
		name, _, whole := strings.Cut(word, "=")
		if flag := flagOf(node, name); flag != nil && wants == nil && !whole && !flag.IsBool() {
			wants = flag
			continue
		}
		if child := childOf(node, word); child != nil && wants == nil {
			node = child
		}
		wants = nil
	}
	var found []string
	name, _, whole := strings.Cut(last, "=")
	switch {
	case wants != nil:
		found = values(wants, "")
	case whole:
		found = values(flagOf(node, name), name+"=")
	case strings.HasPrefix(last, "-"):
		for _, group := range node.AllFlags(true) {
			for _, flag := range group {
				found = append(found, "--"+flag.Name)
			}
		}
	default:
		for _, child := range node.Children {
			found = append(found, child.Name)
		}
		for _, argument := range node.Positional {
			found = append(found, argument.EnumSlice()...)
		}
	}
	found = slices.DeleteFunc(found, func(word string) bool { return !strings.HasPrefix(word, last) && wants == nil || word == "" })
	if len(found) == 0 {
		return ""
	}
	return strings.Join(found, "\n") + "\n"
}

func childOf(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

func flagOf(node *kong.Node, name string) *kong.Flag {
	for _, group := range node.AllFlags(false) {
		for _, flag := range group {
			if "--"+flag.Name == name {
				return flag
			}
		}
	}
	return nil
}

// values returns the possible values of an option if they can be listed.
func values(flag *kong.Flag, prefix string) []string {
	if flag == nil {
		return nil
	}
	all := flag.EnumSlice()
	for n := range all {
		all[n] = prefix + all[n]
	}
	return all
}
