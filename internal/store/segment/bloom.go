package segment

// A blocked Bloom filter: blocks of 512 bits, one for each hash, in which the hash sets eight bits, one in each word. A
// lookup touches a single cache line. At 12 bits per hash the false positive rate is about 1 in 200.
const bloomBitsPerKey = 12

func buildBloom(hashes []uint64) []byte {
	blocks := max(1, (len(hashes)*bloomBitsPerKey+511)/512)
	words := make([]uint64, blocks*8)
	for _, hash := range hashes {
		block := bloomBlock(words, hash)
		for n := range block {
			block[n] |= bloomBit(hash, n)
		}
	}
	return bytesOf(words)
}

func bloomBlock(words []uint64, hash uint64) []uint64 {
	blocks := uint64(len(words) / 8)
	n := (hash >> 32) * blocks >> 32
	return words[n*8 : n*8+8 : n*8+8]
}

// bloomBit chooses a bit of word n, using other bits of the hash than bloomBlock.
func bloomBit(hash uint64, n int) uint64 {
	mixed := (hash & 0xffffffff) * (0x9e3779b97f4a7c15 + uint64(n)*0xbf58476d1ce4e5b9*2)
	return 1 << (mixed >> 58)
}

func bloomHas(words []uint64, hash uint64) bool {
	if len(words) < 8 {
		return true
	}
	block := bloomBlock(words, hash)
	for n := range block {
		if block[n]&bloomBit(hash, n) == 0 {
			return false
		}
	}
	return true
}
