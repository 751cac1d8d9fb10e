package semconv

// What a client controls is bounded. These numbers are far beyond what libraries send; what passes them is kept in a
// plainer form where that is possible.
const (
	// maxMembers is how many members of one JSON object become metadata, parameters or experiment metadata of their own.
	// A larger object is kept as text, under the key "metadata" if it has none.
	maxMembers = 10_000
	// maxLeaves is how many values one metadata object may have once it is flattened. A larger one is kept as text.
	maxLeaves = 10_000
	// maxGrowth is how much longer the metadata of a row may become, beyond twice its length, by flattening objects: each
	// of their values repeats the path to it. An object that would make it longer is kept as text.
	maxGrowth = 256 << 10
	// maxSlots is how many list elements, holes included, the messages of one side may be rebuilt to.
	maxSlots = 10_001
	// maxNodes is how many values, lists and objects they may have.
	maxNodes = 40_000
	// maxTags, maxTools and maxKinds are how many tags, tools or tool calls, and kinds of usage or cost a row may have.
	// The first ones are kept.
	maxTags  = 10_000
	maxTools = 10_000
	maxKinds = 256
	// maxSeenKinds is how many members of an object of usage or cost are looked at.
	maxSeenKinds = 1024
)
