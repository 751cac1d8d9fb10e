"""Reads an exported Parquet file with DuckDB and compares it with the JSONL file of the same rows."""

import datetime
import json
import sys

import duckdb

parquet, jsonl = sys.argv[1:]
db = duckdb.connect()
db.sql("SET TimeZone = 'UTC'")
written = [json.loads(line) for line in open(jsonl, encoding="utf-8")]
schema = db.execute("SELECT name, type, converted_type FROM parquet_schema(?) OFFSET 1", [parquet]).fetchall()
assert [row[0] for row in schema] == list(written[0]), schema
kinds = {name: (type, converted) for name, type, converted in schema}
assert kinds["startTime"] == ("INT64", "TIMESTAMP_MICROS"), kinds
assert kinds["promptVersion"][0] == "INT64" and kinds["totalCost"][0] == "DOUBLE" and kinds["input"] == ("BYTE_ARRAY", "UTF8"), kinds
(groups,) = db.execute("SELECT count(DISTINCT row_group_id) FROM parquet_metadata(?)", [parquet]).fetchone()
assert groups > 1, groups

names = [row[0] for row in schema]
times = {name for name in names if kinds[name][1] == "TIMESTAMP_MICROS"}
wanted = ", ".join(f'epoch_us("{name}")' if name in times else f'"{name}"' for name in names)
read = db.execute(f"SELECT {wanted} FROM read_parquet(?)", [parquet])
count = 0
for want, row in zip(written, read.fetchall(), strict=True):
    for name, value in zip(names, row, strict=True):
        expected = want[name]
        if isinstance(expected, (list, dict)):
            value = json.loads(value)
        elif name in times and value is not None:
            at = datetime.datetime.fromtimestamp(value // 1_000_000, datetime.UTC)
            digits = f"{value % 1_000_000:06d}" if value % 1000 else f"{value // 1000 % 1000:03d}"
            value = at.strftime("%Y-%m-%dT%H:%M:%S.") + digits + "Z"
        assert value == expected, (count, name, value, expected)
    count += 1
assert count == len(written) > 1000, count
print("ok")
