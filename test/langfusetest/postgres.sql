-- The documented tables of Langfuse 4 in PostgreSQL, with the columns that an import reads, and one installation in them.
CREATE TYPE kind AS ENUM ('LLM_AS_JUDGE', 'CODE');
CREATE TABLE organizations (id text PRIMARY KEY, name text NOT NULL, metadata jsonb, created_at timestamp(3) NOT NULL, updated_at timestamp(3) NOT NULL);
CREATE TABLE projects (id text PRIMARY KEY, org_id text NOT NULL, name text NOT NULL, metadata jsonb, retention_days int, deleted_at timestamp(3), created_at timestamp(3) NOT NULL, updated_at timestamp(3) NOT NULL);
CREATE TABLE users (id text PRIMARY KEY, name text, email text UNIQUE, email_verified timestamp(3), password text, created_at timestamp(3) NOT NULL, updated_at timestamp(3) NOT NULL);
CREATE TABLE organization_memberships (id text PRIMARY KEY, org_id text, user_id text, role text, created_at timestamp(3), updated_at timestamp(3));
CREATE TABLE project_memberships (project_id text, user_id text, role text, created_at timestamp(3), updated_at timestamp(3), PRIMARY KEY (project_id, user_id));
CREATE TABLE api_keys (id text PRIMARY KEY, created_at timestamp(3), note text, public_key text UNIQUE, hashed_secret_key text, fast_hashed_secret_key text, display_secret_key text, last_used_at timestamp(3), expires_at timestamp(3), project_id text, organization_id text, scope text);
CREATE TABLE llm_api_keys (id text PRIMARY KEY, created_at timestamp(3), updated_at timestamp(3), provider text, adapter text, display_secret_key text, secret_key text, base_url text, custom_models text[], with_default_models bool, extra_headers text, extra_header_keys text[], config jsonb, project_id text);
CREATE TABLE blob_storage_integrations (project_id text PRIMARY KEY, type text, bucket_name text, prefix text, access_key_id text, secret_access_key text, region text, endpoint text, force_path_style bool, enabled bool, export_frequency text, file_type text, export_mode text, export_start_date timestamp(3), created_at timestamp(3), updated_at timestamp(3));
CREATE TABLE score_configs (id text PRIMARY KEY, created_at timestamp(3), updated_at timestamp(3), project_id text, name text, data_type text, is_archived bool, min_value float8, max_value float8, categories jsonb, description text);
CREATE TABLE models (id text PRIMARY KEY, created_at timestamp(3), updated_at timestamp(3), project_id text, model_name text, match_pattern text, start_date timestamp(3), unit text, tokenizer_id text, tokenizer_config jsonb);
CREATE TABLE pricing_tiers (id text PRIMARY KEY, model_id text, name text, is_default bool, priority int, conditions jsonb);
CREATE TABLE prices (id text PRIMARY KEY, model_id text, pricing_tier_id text, usage_type text, price decimal(65, 30));
CREATE TABLE prompts (id text PRIMARY KEY, created_at timestamp(3), updated_at timestamp(3), project_id text, created_by text, prompt jsonb, name text, version int, type text, config json, tags text[], labels text[], commit_message text);
CREATE TABLE datasets (id text, project_id text, name text, description text, metadata jsonb, input_schema json, expected_output_schema json, created_at timestamp(3), updated_at timestamp(3), PRIMARY KEY (id, project_id));
CREATE TABLE dataset_items (id text, project_id text, status text, input jsonb, expected_output jsonb, metadata jsonb, source_trace_id text, source_observation_id text, dataset_id text, created_at timestamp(3), updated_at timestamp(3), valid_from timestamp(3), valid_to timestamp(3), is_deleted bool, PRIMARY KEY (id, project_id, valid_from));
CREATE TABLE dataset_runs (id text, project_id text, name text, description text, metadata jsonb, dataset_id text, created_at timestamp(3), updated_at timestamp(3), PRIMARY KEY (id, project_id));
CREATE TABLE dataset_run_items (id text, project_id text, dataset_run_id text, dataset_item_id text, trace_id text, observation_id text, created_at timestamp(3), updated_at timestamp(3), PRIMARY KEY (id, project_id));
CREATE TABLE annotation_queues (id text PRIMARY KEY, name text, description text, score_config_ids text[], project_id text, created_at timestamp(3), updated_at timestamp(3));
CREATE TABLE annotation_queue_items (id text PRIMARY KEY, queue_id text, object_id text, object_type text, status text, completed_at timestamp(3), project_id text, created_at timestamp(3), updated_at timestamp(3));
CREATE TABLE annotation_queue_assignments (id text PRIMARY KEY, project_id text, user_id text, queue_id text, created_at timestamp(3), updated_at timestamp(3));
CREATE TABLE comments (id text PRIMARY KEY, project_id text, object_type text, object_id text, created_at timestamp(3), updated_at timestamp(3), content text, author_user_id text);
CREATE TABLE dashboard_widgets (id text PRIMARY KEY, created_at timestamp(3), updated_at timestamp(3), project_id text, name text, description text, view text, dimensions jsonb, metrics jsonb, filters jsonb, chart_type text, chart_config jsonb);
CREATE TABLE dashboards (id text PRIMARY KEY, created_at timestamp(3), updated_at timestamp(3), project_id text, name text, description text, definition jsonb, filters jsonb);
CREATE TABLE evaluators (id text PRIMARY KEY, created_at timestamp(3), updated_at timestamp(3), project_id text, name text, type kind, description text);
CREATE TABLE evaluator_versions (id text PRIMARY KEY, created_at timestamp(3), evaluator_id text, version int, prompt text, model text, provider text, variable_mapping jsonb, output_definition jsonb, source_code text, source_code_language text);
CREATE TABLE evaluation_rules (id text PRIMARY KEY, created_at timestamp(3), updated_at timestamp(3), project_id text, name text, status text, target_object text, filter jsonb, sampling decimal(65, 30));
CREATE TABLE evaluation_rule_evaluator_assignments (id text PRIMARY KEY, project_id text, evaluation_rule_id text, evaluator_id text, variable_mapping jsonb);
CREATE TABLE media (id text, project_id text, content_type text, content_length bigint, bucket_path text, bucket_name text);
CREATE TABLE trace_media (id text PRIMARY KEY, project_id text, created_at timestamp(3), updated_at timestamp(3), media_id text, trace_id text, field text);
CREATE TABLE observation_media (id text PRIMARY KEY, project_id text, created_at timestamp(3), updated_at timestamp(3), media_id text, trace_id text, observation_id text, field text);
CREATE TABLE dataset_item_media (id text PRIMARY KEY, project_id text, created_at timestamp(3), updated_at timestamp(3), media_id text, dataset_id text, dataset_item_id text, dataset_item_valid_from timestamp(3), field text, json_path text, reference_string text);
CREATE TABLE audit_logs (id text PRIMARY KEY, created_at timestamp(3), updated_at timestamp(3), type text, api_key_id text, user_id text, org_id text, project_id text, resource_type text, resource_id text, action text, before text, after text);

INSERT INTO organizations VALUES ('o1', 'Org', '{"plan": "x"}', '2024-01-01 00:00:00.001', '2024-01-02');
INSERT INTO projects VALUES
    ('p1', 'o1', 'One', NULL, 36500, NULL, '2024-01-01', '2024-01-02'),
    ('p2', 'o1', 'Two', '{"a": 1}', NULL, NULL, '2024-01-01', '2024-01-02'),
    ('gone', 'o1', 'Gone', NULL, NULL, '2024-02-01', '2024-01-01', '2024-01-02');
INSERT INTO users VALUES ('u1', 'Ada', 'Ada@Example.org', '2024-01-01', '$2a$12$x', '2024-01-01', '2024-01-02'), ('u2', NULL, NULL, NULL, NULL, '2024-01-01', '2024-01-02');
INSERT INTO organization_memberships VALUES ('m1', 'o1', 'u1', 'OWNER', '2024-01-01', '2024-01-02');
INSERT INTO project_memberships VALUES ('p2', 'u1', 'VIEWER', '2024-01-01', '2024-01-02');
INSERT INTO score_configs VALUES
    ('c1', '2024-01-01', '2024-01-02', 'p1', 'mood', 'CATEGORICAL', false, NULL, NULL, '[{"label": "good", "value": 1}, {"label": "bad", "value": 0}]', 'how it feels'),
    ('c2', '2024-01-01', '2024-01-02', 'gone', 'lost', 'NUMERIC', false, 0, 1, NULL, NULL);
INSERT INTO models VALUES ('mo1', '2024-01-01', '2024-01-02', 'p1', 'my-model', '(?i)^my-model$', '2024-01-01', 'TOKENS', NULL, NULL), ('mo2', '2024-01-01', '2024-01-02', NULL, 'built-in', 'x', NULL, NULL, NULL, NULL);
INSERT INTO pricing_tiers VALUES ('ti1', 'mo1', 'Standard', true, 0, '[]');
INSERT INTO prices VALUES ('pr1', 'mo1', 'ti1', 'input', 0.000001), ('pr2', 'mo1', 'ti1', 'output', 0.0000025);
INSERT INTO prompts VALUES
    ('pm1', '2024-01-01', '2024-01-05', 'p1', 'u1', '"Hello {{name}}"', 'greet', 1, 'text', '{"b": 2, "a": 1}', '{t}', '{production}', NULL),
    ('pm2', '2024-01-02', '2024-01-05', 'p1', 'u1', '"Hi {{name}}"', 'greet', 2, 'text', '{}', '{t}', '{latest}', 'shorter'),
    ('pm3', '2024-01-02', '2024-01-05', 'p1', 'u1', '[{"role": "system", "content": "Be brief"}, {"type": "placeholder", "name": "history"}]', 'chat', 1, 'chat', '{}', '{}', '{latest}', NULL);
INSERT INTO datasets VALUES ('d1', 'p1', 'questions', 'all', '{"x": 1}', NULL, NULL, '2024-01-01', '2024-01-02');
INSERT INTO dataset_items VALUES
    ('i1', 'p1', 'ACTIVE', '{"q": 1}', '"a"', NULL, NULL, NULL, 'd1', '2024-01-01', '2024-01-01', '2024-01-01 00:00:01', '2024-01-02 00:00:01', false),
    ('i1', 'p1', 'ACTIVE', '{"q": 2}', '"b"', NULL, NULL, NULL, 'd1', '2024-01-01', '2024-01-02', '2024-01-02 00:00:01', NULL, false),
    ('i2', 'p1', 'ACTIVE', '{"q": 3}', NULL, NULL, 't1', NULL, 'd1', '2024-01-01', '2024-01-01', '2024-01-01 00:00:02', '2024-01-03 00:00:00', false),
    ('i2', 'p1', 'ACTIVE', '{"q": 3}', NULL, NULL, 't1', NULL, 'd1', '2024-01-01', '2024-01-03', '2024-01-03 00:00:00', NULL, true);
INSERT INTO dataset_runs VALUES ('r1', 'p1', 'run one', NULL, '{"m": 1}', 'd1', '2024-01-03', '2024-01-03');
INSERT INTO dataset_run_items VALUES ('ri1', 'p1', 'r1', 'i1', 't1', NULL, '2024-01-03', '2024-01-03');
INSERT INTO annotation_queues VALUES ('q1', 'review', NULL, '{c1}', 'p1', '2024-01-01', '2024-01-02');
INSERT INTO annotation_queue_items VALUES ('qi1', 'q1', 't1', 'TRACE', 'COMPLETED', '2024-01-04', 'p1', '2024-01-01', '2024-01-04');
INSERT INTO annotation_queue_assignments VALUES ('qa1', 'p1', 'u1', 'q1', '2024-01-01', '2024-01-01');
INSERT INTO comments VALUES ('co1', 'p1', 'TRACE', 't1', '2024-01-01', '2024-01-02', 'look at this', 'u1');
INSERT INTO dashboard_widgets VALUES ('w1', '2024-01-01', '2024-01-02', 'p1', 'Cost', '', 'OBSERVATIONS', '[{"field": "name"}]', '[{"measure": "totalCost", "agg": "sum"}]', '[]', 'NUMBER', '{"type": "NUMBER"}');
INSERT INTO dashboards VALUES ('da1', '2024-01-01', '2024-01-02', 'p1', 'Mine', '', '{"widgets": [{"type": "widget", "id": "pl1", "widgetId": "w1", "x": 0, "y": 0, "x_size": 6, "y_size": 4}]}', '[]');
INSERT INTO evaluators VALUES ('e1', '2024-01-01', '2024-01-02', 'p1', 'exact', 'CODE', NULL);
INSERT INTO evaluator_versions (id, created_at, evaluator_id, version, source_code, source_code_language) VALUES ('ev1', '2024-01-01', 'e1', 1, 'x = 1', 'PYTHON');
INSERT INTO evaluation_rules VALUES ('ru1', '2024-01-01', '2024-01-02', 'p1', 'all', 'INACTIVE', 'observation', '[]', 0.5);
INSERT INTO evaluation_rule_evaluator_assignments VALUES ('as1', 'p1', 'ru1', 'e1', NULL);
INSERT INTO media VALUES ('me1', 'p1', 'image/png', 3, 'media/p1/me1.png', 'bucket'), ('me2', 'p1', 'image/png', 5, 'media/p1/lost.png', 'bucket');
INSERT INTO trace_media VALUES ('tm1', 'p1', '2024-01-01', '2024-01-01', 'me1', 't1', 'input');
INSERT INTO observation_media VALUES ('om1', 'p1', '2024-01-01', '2024-01-01', 'me1', 't1', 's1', 'output');
INSERT INTO dataset_item_media VALUES ('dm1', 'p1', '2024-01-01', '2024-01-01', 'me1', 'd1', 'i1', '2024-01-02 00:00:01', 'input', '$', '@@@langfuseMedia:type=image/png|id=me1|source=bytes@@@');
INSERT INTO audit_logs VALUES ('au1', '2024-01-01', '2024-01-01', 'USER', NULL, 'u1', 'o1', 'p1', 'apiKey', 'k1', 'create', NULL, '{"id": "k1", "fastHashedSecretKey": "planted", "note": "n"}');
