-- Distributed tables, which a cluster has in addition to the local tables of its servers. All versions of a row, and its
-- index entries, are on the same shard.

CREATE TABLE IF NOT EXISTS observations{on_cluster} AS observations{local}
ENGINE = Distributed('{cluster}', '{database}', 'observations{local}', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS observations_index{on_cluster} AS observations_index{local}
ENGINE = Distributed('{cluster}', '{database}', 'observations_index{local}');

CREATE TABLE IF NOT EXISTS scores{on_cluster} AS scores{local}
ENGINE = Distributed('{cluster}', '{database}', 'scores{local}', cityHash64(project_id, id));

CREATE TABLE IF NOT EXISTS scores_index{on_cluster} AS scores_index{local}
ENGINE = Distributed('{cluster}', '{database}', 'scores_index{local}');
