-- Which words are in the inputs and outputs of a granule, for conditions that look for words; see words.go, whose expression
-- must be this one. Parts that are there already get it when they are merged, or by MATERIALIZE INDEX.
--
-- 64 KiB have room for 100,000 different words of a granule, of which one in ten is then taken for one that is there; of
-- 20,000 it is one in 200.

ALTER TABLE observations{local}{on_cluster}
    ADD INDEX IF NOT EXISTS input_words_seen replaceRegexpAll(lower(input), '[^\\x00-\\x7F]+', ' ') TYPE tokenbf_v1(65536, 2, 0) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS output_words_seen replaceRegexpAll(lower(output), '[^\\x00-\\x7F]+', ' ') TYPE tokenbf_v1(65536, 2, 0) GRANULARITY 1;
