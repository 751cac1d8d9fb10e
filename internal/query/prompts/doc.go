// Package prompts reads prompts for clients, resolving references to other prompts and caching the results until
// something changes.
package prompts
