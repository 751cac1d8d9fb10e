-- What a cluster has beside the tables of its servers: tables that lead to all of them. All versions of a row are on one
-- shard, and so is what the index says of it.

CREATE TABLE IF NOT EXISTS observations{on_cluster} AS observations{local}
ENGINE = Distributed('{cluster}', '{database}', 'observations{local}', cityHash64(project_id, trace_id));

CREATE TABLE IF NOT EXISTS observations_index{on_cluster} AS observations_index{local}
ENGINE = Distributed('{cluster}', '{database}', 'observations_index{local}');

CREATE TABLE IF NOT EXISTS scores{on_cluster} AS scores{local}
ENGINE = Distributed('{cluster}', '{database}', 'scores{local}', cityHash64(project_id, id));

CREATE TABLE IF NOT EXISTS scores_index{on_cluster} AS scores_index{local}
ENGINE = Distributed('{cluster}', '{database}', 'scores_index{local}');
