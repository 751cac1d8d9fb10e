package inflate

const (
	// The number of symbols that a block may use. The fixed code has codes for more, which must not occur.
	mostLiterals  = 286
	mostDistances = 30
	codeSymbols   = 19
	endOfBlock    = 256
)

// Entries of symbols, without their code lengths.
var (
	literalSymbols  = makeLiteralSymbols()
	distanceSymbols = makeDistanceSymbols()
	lengthSymbols   = makeLengthSymbols()
)

// codeOrder is the order in which the lengths of the codes for code lengths are sent.
var codeOrder = [codeSymbols]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

func makeLiteralSymbols() (symbols [288]entry) {
	for n := range entry(endOfBlock) {
		symbols[n] = literal | n<<16
	}
	symbols[endOfBlock] = ending
	length := entry(3)
	for n := range entry(28) {
		extra := max(n/4, 1) - 1
		symbols[endOfBlock+1+n] = length<<16 | extra
		length += 1 << extra
	}
	symbols[285] = 258 << 16
	symbols[286], symbols[287] = invalid, invalid
	return symbols
}

func makeDistanceSymbols() (symbols [32]entry) {
	distance := entry(1)
	for n := range entry(mostDistances) {
		extra := max(n/2, 1) - 1
		symbols[n] = distance<<16 | extra
		distance += 1 << extra
	}
	symbols[30], symbols[31] = invalid, invalid
	return symbols
}

func makeLengthSymbols() (symbols [codeSymbols]entry) {
	for n := range symbols {
		symbols[n] = entry(n) << 16
	}
	return symbols
}
