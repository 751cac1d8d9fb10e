-- Publishing traces has a permission of its own. Keys that can read what they publish keep it; '*' holds everything anyway.
UPDATE api_keys SET permissions = permissions || ',traces:publish'
WHERE ',' || permissions || ',' LIKE '%,traces:write,%' AND ',' || permissions || ',' LIKE '%,traces:read,%';
