-- Deleting, comments and feedback have permissions of their own. Keys keep what they could do: '*' holds everything anyway.
UPDATE api_keys SET permissions = permissions || ',traces:delete,comments:write' WHERE ',' || permissions || ',' LIKE '%,traces:write,%';
UPDATE api_keys SET permissions = permissions || ',comments:read' WHERE ',' || permissions || ',' LIKE '%,traces:read,%';
UPDATE api_keys SET permissions = permissions || ',scores:delete' WHERE ',' || permissions || ',' LIKE '%,scores:write,%';
UPDATE api_keys SET permissions = permissions || ',prompts:delete' WHERE ',' || permissions || ',' LIKE '%,prompts:write,%';
UPDATE api_keys SET permissions = permissions || ',datasets:delete' WHERE ',' || permissions || ',' LIKE '%,datasets:write,%';
UPDATE api_keys SET permissions = 'feedback:write' WHERE permissions = '';
UPDATE api_keys SET permissions = permissions || ',feedback:write' WHERE permissions NOT IN ('*', 'feedback:write');
