// Package prompts reads prompts for clients: with the prompts that they name put in place, and from memory where nothing has
// changed.
package prompts
