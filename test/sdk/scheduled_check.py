"""Reads Parquet files of scheduled exports with DuckDB and compares each with the JSONL file of the same rows."""

import datetime
import json
import sys

import duckdb

db = duckdb.connect()
db.sql("SET TimeZone = 'UTC'")
rows = 0
for parquet, jsonl in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    written = [json.loads(line) for line in open(jsonl, encoding="utf-8")]
    schema = db.execute("SELECT name, type, converted_type FROM parquet_schema(?) OFFSET 1", [parquet]).fetchall()
    names = [row[0] for row in schema]
    if written:
        assert names == [name for name in written[0] if not name.endswith("_price")], (parquet, names)
    times = {name for name, _, converted in schema if converted == "TIMESTAMP_MICROS"}
    wanted = ", ".join(f'epoch_us("{name}")' if name in times else f'"{name}"' for name in names)
    for want, row in zip(written, db.execute(f"SELECT {wanted} FROM read_parquet(?)", [parquet]).fetchall(), strict=True):
        rows += 1
        for name, value in zip(names, row, strict=True):
            if name in ("project_id", "deleted_at"):  # which differ
                continue
            expected = want[name]
            if isinstance(expected, (list, dict)):
                value = json.loads(value)
            elif name in times and value is not None:
                at = datetime.datetime.fromtimestamp(value // 1_000_000, datetime.UTC)
                value = at.strftime("%Y-%m-%d %H:%M:%S.") + f"{value % 1_000_000:06d}"
            assert value == expected, (parquet, name, value, expected)
assert rows > 1400, rows
print("ok")
