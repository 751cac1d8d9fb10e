"""Reads the files of an event store with DuckDB and compares them with what was written."""

import collections
import glob
import json
import math
import re
import sys

import duckdb

directory, expected, page = sys.argv[1:]
written = json.load(open(expected, encoding="utf-8"))
by_id = {(row["project_id"], row["trace_id"], row["id"]): row for row in written}
db = duckdb.connect()
db.sql("SET TimeZone = 'UTC'")
files = sorted(glob.glob(f"{directory}/observations/*.parquet"))
assert len(files) >= 3, files


def ask(query, *values):
    return db.execute(query, list(values)).fetchall()


# Every file by itself: its names, its metadata, its rows.
columns = None
found = set()
row_groups = []
for file in files:
    names = [row[0] for row in ask("SELECT name FROM parquet_schema(?) OFFSET 1", file)]
    assert names[0] == "project_id" and len(set(names)) == len(names), names
    assert columns in (None, names), (file, names)
    columns = names
    groups = collections.defaultdict(list)
    for group, path in ask("SELECT row_group_id, path_in_schema FROM parquet_metadata(?) ORDER BY row_group_id, column_id", file):
        groups[group].append(path)
    for group, paths in groups.items():
        assert paths == names, (file, group, paths)
    row_groups.append(len(groups))
    rows = ask(
        """SELECT project_id, trace_id, id, model, epoch_us(start_time), epoch_us(end_time), input_tokens, total_tokens, total_cost,
               public, tags, input, output, metadata FROM read_parquet(?)""",
        file,
    )
    (count,) = ask("SELECT num_rows FROM parquet_file_metadata(?)", file)[0]
    assert count == len(rows), (file, count, len(rows))
    for project, trace, id, model, start, end, input_tokens, total_tokens, total_cost, public, tags, input, output, metadata in rows:
        want = by_id[project, trace, id]
        got = {
            "project_id": project, "trace_id": trace, "id": id, "model": model, "start_time": start, "end_time": end,
            "input_tokens": input_tokens, "total_tokens": total_tokens, "total_cost": total_cost, "public": public,
            "tags": json.loads(tags) if tags else [], "input": input, "output": output, "metadata": metadata,
        }  # fmt: skip
        assert got == want, (file, got, want)
        assert (project, trace, id) not in found, (project, trace, id)
        found.add((project, trace, id))
assert len(found) == len(written), (len(found), len(written))
assert max(row_groups) > 1, "no file was merged"
costs = ask("SELECT DISTINCT encodings FROM parquet_metadata(?) WHERE path_in_schema = 'total_cost'", files)
assert len(costs) == 2 and any("DICTIONARY" in row[0] for row in costs), costs

# The types are those that people expect.
types = {row[0]: row[1] for row in ask("DESCRIBE SELECT * FROM read_parquet(?)", files[1])}
wanted = {
    "start_time": "TIMESTAMP WITH TIME ZONE", "end_time": "TIMESTAMP WITH TIME ZONE", "input_tokens": "BIGINT", "total_cost": "DOUBLE",
    "public": "BOOLEAN", "id": "VARCHAR", "input": "VARCHAR", "tags": "VARCHAR",
}  # fmt: skip
assert {name: types[name] for name in wanted} == wanted, types

# All files but the first together: aggregates, nulls, and conditions that DuckDB may answer from statistics.
rest = files[1:]
of_rest = [by_id[key] for key in ask("SELECT project_id, trace_id, id FROM read_parquet(?)", rest)]
assert of_rest
assert ask("SELECT count(*), count(end_time), count(total_cost), count(total_tokens), sum(input_tokens), sum(total_tokens) FROM read_parquet(?)", rest) == [(
    len(of_rest),
    sum(row["end_time"] is not None for row in of_rest),
    sum(row["total_cost"] is not None for row in of_rest),
    sum(row["total_tokens"] is not None for row in of_rest),
    sum(row["input_tokens"] for row in of_rest),
    sum(row["total_tokens"] or 0 for row in of_rest),
)]  # fmt: skip
for column in ("end_time", "total_cost", "total_tokens"):
    for condition, null in (("IS NULL", True), ("IS NOT NULL", False)):
        (got,) = ask(f"SELECT count(*) FROM read_parquet(?) WHERE {column} {condition}", rest)[0]
        assert got == sum((row[column] is None) == null for row in of_rest), (column, condition, got)
costs = collections.defaultdict(float)
counts = collections.Counter()
for row in of_rest:
    costs[row["model"]] += row["total_cost"] or 0
    counts[row["model"]] += 1
for model, count, cost in ask("SELECT model, count(*), sum(total_cost) FROM read_parquet(?) GROUP BY model", rest):
    assert count == counts.pop(model) and math.isclose(cost, costs[model]), (model, count, cost)
assert not counts, counts
middle = sorted(row["start_time"] for row in of_rest)[len(of_rest) // 2]
(got,) = ask("SELECT count(*) FROM read_parquet(?) WHERE start_time >= make_timestamptz(?)", rest, middle)[0]
assert got == sum(row["start_time"] >= middle for row in of_rest), got

(got,) = ask("SELECT sum(value) FROM read_parquet(?)", f"{directory}/scores/*.parquet")[0]
assert got == sum(n / 4 for n in range(40)), got

# The examples of the documentation work as they are printed.
examples = re.findall(r"```sql\n(.*?)```", open(page, encoding="utf-8").read(), re.S)
assert len(examples) >= 3, "the page has lost its examples"
for example in examples:
    result = db.sql(example.replace("almanac-data/events", directory))
    assert result is not None and result.fetchall(), example

print("ok")
