"""Traces an application with a Python client that does not speak OpenTelemetry, and reads everything back."""

import os
from datetime import datetime, timedelta, timezone

import httpx
from langfuse import Langfuse
from langfuse.decorators import langfuse_context, observe

url, keys = os.environ["ALMANAC_URL"], (os.environ["ALMANAC_PUBLIC_KEY"], os.environ["ALMANAC_SECRET_KEY"])
langfuse = Langfuse(host=url, public_key=keys[0], secret_key=keys[1], environment="staging", release="release-7")
langfuse_context.configure(host=url, public_key=keys[0], secret_key=keys[1], environment="staging")
began = datetime(2026, 3, 1, 10, 0, 0, 123000, tzinfo=timezone.utc)


def rows(trace):
    """Returns the rows of a trace by their names, as the current read returns them."""
    answer = httpx.get(
        f"{url}/api/public/v2/observations",
        params={"traceId": trace, "fields": "core,basic,io,metadata,model,usage,trace_context"},
        auth=keys,
    ).raise_for_status()
    return {row["name"]: row for row in answer.json()["data"]}


def plain():
    trace = langfuse.trace(
        name="chat", user_id="ada", session_id="s-1", version="v1", input={"q": "hi"}, metadata={"tier": {"plan": "pro"}},
        tags=["b", "a"], public=True, timestamp=began,
    )
    span = trace.span(name="answer", start_time=began + timedelta(seconds=1), input="hi", metadata={"step": 1})
    generation = span.generation(
        name="llm", start_time=began + timedelta(seconds=2), model="gpt-4o", model_parameters={"temperature": 0.5, "stop": ["x"]},
        input=[{"role": "user", "content": "hi"}],
    )
    generation.end(
        output="hello", usage={"input": 1000, "output": 100, "unit": "TOKENS"}, completion_start_time=began + timedelta(seconds=3),
    )
    details = span.generation(
        name="details", model="of ours", usage_details={"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}, cost_details={"total": 1.5},
    )
    details.end()
    span.event(name="click", start_time=began + timedelta(seconds=3), level="DEBUG", metadata={"x": [1, {"y": None}]})
    generation.score(name="quality", value=0.5)
    span.update(level="WARNING", status_message="slow")
    span.end(output={"a": 1})
    trace.score(name="helpful", value=1, data_type="BOOLEAN")
    trace.update(output="hello", metadata={"tier": {"seats": 3}}, tags=["c"], user_id="grace")
    langfuse.flush()

    read = langfuse.fetch_trace(trace.id).data
    assert read.name == "chat" and read.user_id == "grace" and read.session_id == "s-1" and read.version == "v1", read
    assert read.release == "release-7" and read.public and read.tags == ["a", "b", "c"] and read.environment == "staging", read
    assert read.timestamp == began, read.timestamp
    assert read.input == {"q": "hi"} and read.output == "hello", read
    assert read.metadata == {"tier": {"plan": "pro", "seats": 3}}, read.metadata
    assert {s.name: s.value for s in read.scores} == {"helpful": 1, "quality": 0.5}, read.scores
    assert abs(read.total_cost - (0.0035 + 1.5)) < 1e-9, read.total_cost

    found = {o.name: o for o in read.observations}
    assert sorted(found) == ["answer", "click", "details", "llm"], found
    assert found["answer"].type == "SPAN" and found["answer"].parent_observation_id is None, found["answer"]
    assert found["answer"].level == "WARNING" and found["answer"].status_message == "slow", found["answer"]
    assert found["answer"].input == "hi" and found["answer"].output == {"a": 1} and found["answer"].metadata == {"step": 1}
    assert found["answer"].start_time == began + timedelta(seconds=1) and found["answer"].end_time is not None
    llm = found["llm"]
    assert llm.type == "GENERATION" and llm.parent_observation_id == span.id and llm.model == "gpt-4o", llm
    assert llm.usage.input == 1000 and llm.usage.output == 100 and llm.usage.total == 1100, llm.usage
    assert abs(llm.calculated_total_cost - 0.0035) < 1e-9 and llm.completion_start_time == began + timedelta(seconds=3), llm
    assert llm.input == [{"role": "user", "content": "hi"}] and llm.output == "hello", llm
    assert found["details"].usage_details == {"input": 5, "output": 3, "total": 8}, found["details"].usage_details
    assert found["details"].cost_details == {"total": 1.5}, found["details"].cost_details
    click = found["click"]
    assert click.type == "EVENT" and click.end_time is None and click.level == "DEBUG" and click.parent_observation_id == span.id
    assert click.metadata == {"x": [1, {"y": None}]}, click.metadata

    assert langfuse.fetch_observation(llm.id).data.output == "hello"
    assert [t.id for t in langfuse.fetch_traces(user_id="grace").data] == [trace.id]
    assert langfuse.fetch_traces(user_id="ada").data == []
    assert [s.id for s in langfuse.fetch_sessions().data] == ["s-1"]
    assert len(langfuse.fetch_observations(trace_id=trace.id).data) == 4

    current = rows(trace.id)
    assert sorted(current) == ["answer", "chat", "click", "details", "llm"], current
    for row in current.values():
        assert row["userId"] == "grace" and row["sessionId"] == "s-1" and row["tags"] == ["a", "b", "c"], row
        assert row["traceName"] == "chat" and row["release"] == "release-7" and row["public"], row
        assert row["isRootObservation"] == (row["name"] == "chat"), row
    # The client itself makes a text of the number.
    assert current["llm"]["modelParameters"] == {"temperature": "0.5", "stop": '["x"]'}, current["llm"]
    assert current["chat"]["output"] == "hello" and current["chat"]["metadata"] == {"tier.plan": "pro", "tier.seats": 3}
    assert current["answer"]["parentObservationId"] == current["chat"]["id"]


def decorated():
    @observe(as_type="generation")
    def model(question):
        langfuse_context.update_current_observation(model="gpt-4o", usage={"promptTokens": 10, "completionTokens": 5, "totalTokens": 15})
        return question.upper()

    @observe()
    def application(question):
        langfuse_context.update_current_trace(user_id="eve", session_id="s-2", tags=["t"])
        return model(question)

    @observe()
    def failing():
        raise ValueError("no")

    trace = "decorated-trace"
    assert application("hi", langfuse_observation_id=trace) == "HI"
    try:
        failing(langfuse_observation_id="failing-trace")
    except ValueError:
        pass
    langfuse_context.flush()

    read = langfuse.fetch_trace(trace).data
    assert read.name == "application" and read.user_id == "eve" and read.session_id == "s-2" and read.tags == ["t"], read
    assert read.output == "HI", read
    (generation,) = read.observations
    assert generation.name == "model" and generation.usage.total == 15 and generation.output == "HI", generation
    assert generation.input == {"args": ["hi"], "kwargs": {}}, generation.input
    assert langfuse.fetch_trace("failing-trace").data.name == "failing"


plain()
decorated()
assert langfuse.auth_check()
print("ok")
