-- Which words are in the inputs and outputs of a granule, for conditions that look for words; see words.go, whose expression
-- must be this one. Parts that are there already get it when they are merged, or by MATERIALIZE INDEX.
--
-- With 64 KiB for 20,000 different words in a granule, one in 200 others is mistaken for one of them; with 100,000, one in ten.

ALTER TABLE observations{local}{on_cluster}
    ADD INDEX IF NOT EXISTS input_words_seen replaceRegexpAll(lower(input), '[^\\x00-\\x7F]+', ' ') TYPE tokenbf_v1(65536, 2, 0) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS output_words_seen replaceRegexpAll(lower(output), '[^\\x00-\\x7F]+', ' ') TYPE tokenbf_v1(65536, 2, 0) GRANULARITY 1;
