"""Goes on with the official Python client after a move: it has the old keys, and only another address."""

import os
from datetime import datetime, timezone

from langfuse import Langfuse

langfuse = Langfuse(
    public_key=os.environ["ALMANAC_PUBLIC_KEY"],
    secret_key=os.environ["ALMANAC_SECRET_KEY"],
    base_url=os.environ["ALMANAC_URL"],
)
assert langfuse.auth_check() is True
assert [project.id for project in langfuse.api.projects.get().data] == ["p1"]

# What was there before is there.
prompt = langfuse.get_prompt("greet")
assert (prompt.version, prompt.compile(name="Ada"), prompt.config) == (1, "Hello Ada", {"b": 2, "a": 1}), vars(prompt)
assert langfuse.get_prompt("greet", label="latest").version == 2
dataset = langfuse.get_dataset("questions")
(item,) = dataset.items
assert (item.id, item.input, item.expected_output) == ("i1", {"q": 2}, "b"), item
rows = langfuse.api.observations.get_many(trace_id="t1", fields="core,basic,io,usage,trace_context").data
assert sorted(row.id for row in rows) == ["s0", "s1", "s2"], rows
assert {(row.name, row.trace_name, row.user_id, row.total_cost) for row in rows} == {("step", "trace", "user", 0.25)}, rows
assert {score.id: score.value for score in langfuse.api.scores.get_many(trace_id="t1").data}.keys() == {"sc1", "sc3"}

# What is new comes along.
with langfuse.start_as_current_observation(name="after the move", as_type="generation", prompt=prompt, input="hi") as span:
    span.update(output="ho")
    langfuse.score_current_trace(name="moved", value=1)
    trace = span.trace_id
result = dataset.run_experiment(name="after the move", run_name="second run", task=lambda *, item, **_: item.input["q"])
assert [(r.item.id, r.output) for r in result.item_results] == [("i1", 2)], result
langfuse.flush()
(row,) = langfuse.api.observations.get_many(trace_id=trace, fields="core,basic,io,prompt").data
assert (row.name, row.input, row.output, row.prompt_name, row.prompt_version) == ("after the move", "hi", "ho", "greet", 1), row
assert [(score.name, score.value) for score in langfuse.api.scores.get_many(trace_id=trace).data] == [("moved", 1)]
experiments = langfuse.api.experiments.list(from_start_time=datetime(2024, 1, 1, tzinfo=timezone.utc)).data
assert {"x1", result.experiment_id} <= {experiment.id for experiment in experiments}, experiments
made = langfuse.create_prompt(name="greet", prompt="Hey {{name}}", labels=["python"])
assert made.version >= 3 and langfuse.get_prompt("greet", label="python").version == made.version, made.version
langfuse.shutdown()
print("ok")
