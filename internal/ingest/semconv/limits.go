package semconv

// Limits for client-controlled data. They are far above what libraries send; where possible, data that exceeds them is
// kept in a simpler form.
const (
	// maxMembers is the maximum number of members of one JSON object that become separate metadata, parameters or
	// experiment metadata. A larger object is kept as a string, under the key "metadata" if it has no key.
	maxMembers = 10_000
	// maxLeaves is the maximum number of values in one flattened metadata object. A larger object is kept as a string.
	maxLeaves = 10_000
	// maxGrowth is how many bytes flattening may add to the metadata of a row, beyond twice its length: every value
	// repeats its path. An object that would exceed it is kept as a string.
	maxGrowth = 256 << 10
	// maxSlots is the maximum number of list elements, including holes, when flattened messages are rebuilt.
	maxSlots = 10_001
	// maxNodes is the maximum number of values, lists and objects in them.
	maxNodes = 40_000
	// maxTags, maxTools and maxKinds are the maximum numbers of tags, of tools or tool calls, and of usage or cost kinds
	// in a row. The first ones are kept.
	maxTags  = 10_000
	maxTools = 10_000
	maxKinds = 256
	// maxSeenKinds is the maximum number of members of a usage or cost object that are examined.
	maxSeenKinds = 1024
)
