-- The tables. Placeholders in braces differ between a single server and a cluster; see schema.go.
--
-- place is the negated time in milliseconds, so that the newest rows come first. Partitions are months of the time; rows
-- before 2000 or after 2100 go into the first or the last of them, so that the number of partitions is bounded.

CREATE TABLE IF NOT EXISTS observations{local}{on_cluster} (
    project_id String,
    place Int64 CODEC(Delta, ZSTD(1)),
    trace_id String CODEC(ZSTD(1)),
    id String CODEC(ZSTD(1)),
    start_time Int64 CODEC(Delta, ZSTD(1)),
    parent_id String CODEC(ZSTD(1)),
    is_app_root Bool,
    as_root Bool,
    type LowCardinality(String),
    name LowCardinality(String),
    environment LowCardinality(String),
    version_of_app LowCardinality(String),
    release LowCardinality(String),
    level LowCardinality(String),
    status_message String CODEC(ZSTD(3)),
    end_time Int64 CODEC(Delta, ZSTD(1)),
    completion_start_time Int64 CODEC(Delta, ZSTD(1)),
    created_at Int64 CODEC(Delta, ZSTD(1)),
    updated_at Int64 CODEC(Delta, ZSTD(1)),
    trace_name LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    session_id String CODEC(ZSTD(1)),
    tags Array(String) CODEC(ZSTD(1)),
    public Bool,
    bookmarked Bool,
    trace_input String CODEC(ZSTD(3)),
    trace_output String CODEC(ZSTD(3)),
    trace_metadata String CODEC(ZSTD(3)),
    input String CODEC(ZSTD(3)),
    output String CODEC(ZSTD(3)),
    metadata String CODEC(ZSTD(3)),
    model LowCardinality(String),
    model_id LowCardinality(String),
    model_parameters String CODEC(ZSTD(1)),
    provided_usage String CODEC(ZSTD(1)),
    usage String CODEC(ZSTD(1)),
    provided_cost String CODEC(ZSTD(1)),
    cost String CODEC(ZSTD(1)),
    input_tokens Int64 CODEC(Delta, ZSTD(1)),
    output_tokens Int64 CODEC(Delta, ZSTD(1)),
    total_tokens Nullable(Int64),
    input_cost Float64,
    output_cost Float64,
    total_cost Nullable(Float64),
    pricing_tier_id LowCardinality(String),
    pricing_tier_name LowCardinality(String),
    prompt_id LowCardinality(String),
    prompt_name LowCardinality(String),
    prompt_version Nullable(Int64),
    tool_definitions String CODEC(ZSTD(3)),
    tool_calls String CODEC(ZSTD(3)),
    tool_names Array(String) CODEC(ZSTD(1)),
    tool_call_names Array(String) CODEC(ZSTD(1)),
    experiment_id String CODEC(ZSTD(1)),
    experiment_name String CODEC(ZSTD(1)),
    experiment_description String CODEC(ZSTD(1)),
    experiment_dataset_id String CODEC(ZSTD(1)),
    experiment_metadata String CODEC(ZSTD(1)),
    experiment_item_id String CODEC(ZSTD(1)),
    experiment_item_version String CODEC(ZSTD(1)),
    experiment_item_root_span_id String CODEC(ZSTD(1)),
    experiment_item_expected_output String CODEC(ZSTD(3)),
    experiment_item_metadata String CODEC(ZSTD(1)),
    source LowCardinality(String),
    ingestion_key LowCardinality(String),
    sdk_name LowCardinality(String),
    sdk_version LowCardinality(String),
    service_name LowCardinality(String),
    service_version LowCardinality(String),
    scope_name LowCardinality(String),
    scope_version LowCardinality(String),
    telemetry_language LowCardinality(String),
    telemetry_name LowCardinality(String),
    telemetry_version LowCardinality(String),
    metadata_keys Array(String) CODEC(ZSTD(1)),
    metadata_values Array(String) CODEC(ZSTD(3)),
    metadata_numbers Array(Float64) CODEC(ZSTD(1)),
    has_metadata Bool,
    deleted UInt8,
    version UInt64 CODEC(Delta, ZSTD(1)),
    INDEX metadata_keys_seen metadata_keys TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX metadata_values_seen metadata_values TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX user_ids_seen user_id TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {replicated}ReplacingMergeTree(version, deleted)
PARTITION BY toYYYYMM(fromUnixTimestamp64Milli(least(greatest(-place, 946684800000), 4102444800000), 'UTC'))
PRIMARY KEY (project_id, place)
ORDER BY (project_id, place, trace_id, id)
SETTINGS index_granularity = 2048, fsync_after_insert = 1, fsync_part_directory = 1{dedup};

CREATE TABLE IF NOT EXISTS observations_index{local}{on_cluster} (
    hash UInt64 CODEC(Delta, LZ4),
    place Int64 CODEC(LZ4)
) ENGINE = {replicated}ReplacingMergeTree
ORDER BY (hash, place)
SETTINGS index_granularity = 256, min_compress_block_size = 4096, max_compress_block_size = 8192,
    fsync_after_insert = 1, fsync_part_directory = 1{dedup};

CREATE MATERIALIZED VIEW IF NOT EXISTS observations_to_index{on_cluster} TO observations_index{local} AS
SELECT sipHash64(named.1, project_id, named.2) AS hash, place
FROM observations{local}
ARRAY JOIN [('t', trace_id), ('i', id), ('s', session_id)] AS named
WHERE NOT deleted AND named.2 != '';

CREATE TABLE IF NOT EXISTS scores{local}{on_cluster} (
    project_id String,
    place Int64 CODEC(Delta, ZSTD(1)),
    id String CODEC(ZSTD(1)),
    timestamp Int64 CODEC(Delta, ZSTD(1)),
    trace_id String CODEC(ZSTD(1)),
    observation_id String CODEC(ZSTD(1)),
    session_id String CODEC(ZSTD(1)),
    experiment_id String CODEC(ZSTD(1)),
    name LowCardinality(String),
    source LowCardinality(String),
    data_type LowCardinality(String),
    value Nullable(Float64),
    string_value String CODEC(ZSTD(1)),
    environment LowCardinality(String),
    comment String CODEC(ZSTD(3)),
    config_id LowCardinality(String),
    queue_id LowCardinality(String),
    author_user_id LowCardinality(String),
    execution_trace_id String CODEC(ZSTD(1)),
    metadata String CODEC(ZSTD(3)),
    created_at Int64 CODEC(Delta, ZSTD(1)),
    updated_at Int64 CODEC(Delta, ZSTD(1)),
    event_at Int64 CODEC(Delta, ZSTD(1)),
    metadata_keys Array(String) CODEC(ZSTD(1)),
    metadata_values Array(String) CODEC(ZSTD(3)),
    metadata_numbers Array(Float64) CODEC(ZSTD(1)),
    has_metadata Bool,
    deleted UInt8,
    version UInt64 CODEC(Delta, ZSTD(1)),
    INDEX metadata_keys_seen metadata_keys TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX metadata_values_seen metadata_values TYPE bloom_filter(0.01) GRANULARITY 1
) ENGINE = {replicated}ReplacingMergeTree(version, deleted)
PARTITION BY toYYYYMM(fromUnixTimestamp64Milli(least(greatest(-place, 946684800000), 4102444800000), 'UTC'))
PRIMARY KEY (project_id, place)
ORDER BY (project_id, place, id)
SETTINGS index_granularity = 2048, fsync_after_insert = 1, fsync_part_directory = 1{dedup};

CREATE TABLE IF NOT EXISTS scores_index{local}{on_cluster} (
    hash UInt64 CODEC(Delta, LZ4),
    place Int64 CODEC(LZ4)
) ENGINE = {replicated}ReplacingMergeTree
ORDER BY (hash, place)
SETTINGS index_granularity = 256, min_compress_block_size = 4096, max_compress_block_size = 8192,
    fsync_after_insert = 1, fsync_part_directory = 1{dedup};

CREATE MATERIALIZED VIEW IF NOT EXISTS scores_to_index{on_cluster} TO scores_index{local} AS
SELECT sipHash64(named.1, project_id, named.2) AS hash, place
FROM scores{local}
ARRAY JOIN [('t', trace_id), ('i', id), ('s', session_id), ('o', observation_id), ('e', experiment_id)] AS named
WHERE NOT deleted AND named.2 != '';
