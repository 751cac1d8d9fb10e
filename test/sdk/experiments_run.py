"""Runs experiments with the official Python client, on a dataset and on local data, reads them back with it, and prints
what it knows of them. What the server says about them is compared with that by experiments_test.go.
"""

import json
import os
from datetime import datetime, timedelta, timezone

from langfuse import Evaluation, Langfuse

langfuse = Langfuse(
    public_key=os.environ["ALMANAC_PUBLIC_KEY"],
    secret_key=os.environ["ALMANAC_SECRET_KEY"],
    base_url=os.environ["ALMANAC_URL"],
)

DATASET = "capitals/of the world"
RUN = "run 1/a"
METADATA = {"model": "gpt-4o", "temperature": 0.5, "nested": {"list": [1, 2]}}
ANSWERS = {"France": "Paris", "Spain": "Barcelona", "Italy": {"city": "Rome"}}

langfuse.create_dataset(name=DATASET, description="Which city?")
for id, country, expected, metadata in [
    ("item-1", "France", "Paris", {"lang": "fr", "hard": False}),
    ("item-2", "Spain", "Madrid", None),
    ("item-3", "Italy", {"city": "Rome"}, None),
]:
    langfuse.create_dataset_item(
        dataset_name=DATASET, id=id, input={"country": country}, expected_output=expected, metadata=metadata
    )


def field(item, name):
    return item.get(name) if isinstance(item, dict) else getattr(item, name)


def task(*, item, **_):
    country = field(item, "input")["country"]
    with langfuse.start_as_current_observation(name="look up", as_type="retriever", input=country) as span:
        answer = ANSWERS[country]
        span.update(output=answer)
    return answer


def right(*, output, expected_output, **_):
    return Evaluation(name="right", value=output == expected_output, data_type="BOOLEAN", comment="compared")


def words(*, output, **_):
    return [
        Evaluation(name="length", value=float(len(str(output)))),
        Evaluation(name="kind", value=type(output).__name__, data_type="CATEGORICAL"),
    ]


def accuracy(*, item_results, **_):
    rights = [e.value for r in item_results for e in r.evaluations if e.name == "right"]
    return Evaluation(name="accuracy", value=sum(rights) / len(rights), comment="of this run")


def run(data, run_name, **options):
    return langfuse.run_experiment(
        name="capitals", run_name=run_name, data=data, task=task, evaluators=[right, words], run_evaluators=[accuracy],
        metadata=METADATA, **options
    )


def told(*results):
    return {
        "experimentId": results[0].experiment_id,
        "runName": results[0].run_name,
        "url": getattr(results[0], "experiment_url", None) or results[0].dataset_run_url,
        "items": [
            {
                "id": getattr(r.item, "id", None),
                "traceId": r.trace_id,
                "output": r.output,
                "evaluations": {e.name: e.value for e in r.evaluations},
            }
            for result in results
            for r in result.item_results
        ],
        "runEvaluations": [e.value for result in results for e in result.run_evaluations],
    }


dataset = langfuse.get_dataset(DATASET)
assert sorted(item.id for item in dataset.items) == ["item-1", "item-2", "item-3"], dataset.items
whole = dataset.run_experiment(
    name="capitals", run_name=RUN, description="Do models know capitals?", task=task, evaluators=[right, words],
    run_evaluators=[accuracy], metadata=METADATA,
)
again = run([item for item in dataset.items if item.id == "item-2"], RUN, description="Do models know capitals?")
assert again.experiment_id == whole.experiment_id, (again, whole)

local = run(
    [
        {"input": {"country": "France"}, "expected_output": "Paris", "metadata": {"local": "yes"}},
        {"input": {"country": "Atlantis"}},  # its task fails
    ],
    "local run",
)
assert len(local.item_results) == 1, local.item_results

# The client's own types take what the server returns.
since = datetime.now(timezone.utc) - timedelta(hours=1)
listed = langfuse.api.experiments.list(from_start_time=since, fields="core,metadata,scores")
assert [e.id for e in listed.data] == [local.experiment_id, whole.experiment_id], listed
assert listed.data[1].dataset_id == dataset.id and listed.data[1].item_count == 4, listed
items = langfuse.api.experiments.list_items(
    from_start_time=since, dataset_id=dataset.id, fields="core,dataset,io,metadata,itemMetadata,experimentMetadata,scores"
)
assert sorted(i.trace_id for i in items.data) == sorted(
    r.trace_id for result in (whole, again) for r in result.item_results
), items
assert all(len(i.scores) == 3 for i in items.data), items
first = langfuse.api.experiments.list_items(from_start_time=since, limit=3)
second = langfuse.api.experiments.list_items(from_start_time=since, limit=3, cursor=first.meta.cursor)
assert len({i.trace_id for i in first.data + second.data}) == 6 and second.meta.cursor is None, (first, second)

print(json.dumps({"dataset": {"id": dataset.id, "name": DATASET}, "run": told(whole, again), "local": told(local)}))
