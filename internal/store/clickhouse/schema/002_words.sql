-- Skip indexes of the words in inputs and outputs, for conditions that search for words; see words.go, whose expression
-- must be identical. Existing parts get them when they are merged, or by MATERIALIZE INDEX.
--
-- With 64 KiB for 20,000 distinct words in a granule the false positive rate is 1 in 200; with 100,000 it is 1 in 10.

ALTER TABLE observations{local}{on_cluster}
    ADD INDEX IF NOT EXISTS input_words_seen replaceRegexpAll(lower(input), '[^\\x00-\\x7F]+', ' ') TYPE tokenbf_v1(65536, 2, 0) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS output_words_seen replaceRegexpAll(lower(output), '[^\\x00-\\x7F]+', ' ') TYPE tokenbf_v1(65536, 2, 0) GRANULARITY 1;
