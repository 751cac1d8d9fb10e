"""Traces an application with the official Python client in every way that it offers, and prints which ids it gave.

What is sent here is looked for in the store by tracing_python_test.go. Names are unique, so that rows can be told apart.
"""

import asyncio
import json
import os
import re
import sys
from datetime import datetime, timezone

from langfuse import Langfuse, LangfuseSpan, get_client, observe, propagate_attributes
from langfuse.model import Prompt_Text, TextPromptClient


def mask(*, data, **_):
    """Hides what looks like a secret, wherever it is in a value."""
    if isinstance(data, str):
        return re.sub(r"sesame-\d+", "***", data)
    if isinstance(data, dict):
        return {key: mask(data=value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [mask(data=value) for value in data]
    return data


langfuse = Langfuse(
    public_key=os.environ["ALMANAC_PUBLIC_KEY"],
    secret_key=os.environ["ALMANAC_SECRET_KEY"],
    base_url=os.environ["ALMANAC_URL"],
    environment="staging",
    release="release-7",
    mask=mask,
    flush_interval=3600,  # nothing but flush sends
)

ids = {}


def sent(name, observation):
    """Notes the ids that the client gave to an observation."""
    assert name not in ids, name
    ids[name] = {"traceId": observation.trace_id, "id": observation.id}
    return observation


def sent_current(name):
    assert name not in ids, name
    ids[name] = {"traceId": langfuse.get_current_trace_id(), "id": langfuse.get_current_observation_id()}


METADATA = {
    "text": "plain",
    "number text": "42",
    "true text": "true",
    "object text": '{"a": 1}',
    "empty": "",
    "int": 42,
    "negative": -7,
    "large": 9007199254740993,
    "float": 1.5,
    "whole float": 2.0,
    "tiny": 1e-7,
    "bool": True,
    "nested": {"a": {"b": [1, 2]}, "c": None, "d": "x"},
    "list": [1, "zwei", None, {"k": True}],
    "none": None,
    "unicode": "Größe 東京 😀 \"quoted\" \\ \n\t",
    "dotted.key": "dots",
    "when": datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc),
}

PROMPT = TextPromptClient(
    Prompt_Text(
        name="answer-politely", version=3, prompt="Be polite.", config={}, labels=["production"], tags=[], type="text"
    )
)


def context_managers():
    with langfuse.start_as_current_observation(
        name="root", input={"question": "Où est la clé? 東京 😀", "n": 1}, metadata=METADATA, version="before"
    ) as root:
        sent("root", root)
        langfuse.start_observation(name="before propagation").end()
        with propagate_attributes(
            user_id="user-1",
            session_id="session-1",
            tags=["blue", "green", "with, comma"],
            trace_name="support request",
            version="2.0",
            metadata={
                "tenant": "acme", "seats": 7, "code": "42", "ratio": 0.5, "beta": True, "plan": {"tier": "gold"}, "where": "東京"
            },
        ):
            with langfuse.start_as_current_observation(
                name="generation",
                as_type="generation",
                model="gpt-4o",
                model_parameters={"temperature": 0.2, "max_tokens": 1000, "stream": True, "stop": ["a", "b"], "user": "u"},
                input=[{"role": "user", "content": "Hello \"you\"\n東京"}],
                usage_details={"input": 1000, "output": 500, "total": 1500},
                prompt=PROMPT,
                completion_start_time=datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=timezone.utc),
            ) as generation:
                sent("generation", generation)
                generation.update(output={"role": "assistant", "content": "Grüß Gott"})
                with propagate_attributes(tags=["inner", "blue"], metadata={"seats": 8, "step": 1}, user_id="user-2"):
                    sent("inner", langfuse.start_observation(name="inner")).end()
            for kind in ["span", "agent", "tool", "chain", "retriever", "evaluator", "guardrail", "embedding"]:
                with langfuse.start_as_current_observation(
                    name="type " + kind, as_type=kind, input=kind + " in", output=kind + " out"
                ) as typed:
                    sent("type " + kind, typed)
            sent(
                "event",
                langfuse.create_event(
                    name="event", input="what", output=["happened"], metadata={"k": "v"}, level="WARNING",
                    status_message="look at this", version="event-1",
                ),
            )
            langfuse.update_current_span(output="plain text, not JSON", metadata={"int": 43, "added": "later"})
        root.set_trace_as_public()
    ids["before propagation"] = {"traceId": root.trace_id}


def levels():
    for level in ["DEBUG", "DEFAULT", "WARNING", "ERROR"]:
        observation = langfuse.start_observation(name="level " + level, level=level, status_message="message of " + level)
        sent("level " + level, observation).end()
    try:
        with langfuse.start_as_current_observation(name="raises") as observation:
            sent("raises", observation)
            raise ValueError("it broke: \"why\"")
    except ValueError:
        pass


def usage_and_cost():
    def generation(name, **details):
        sent(name, langfuse.start_observation(name=name, as_type="generation", **details)).end()

    generation(
        "usage openai", model="gpt-4o-2024-08-06",
        usage_details={"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
                       "prompt_tokens_details": {"cached_tokens": 40, "audio_tokens": 0},
                       "completion_tokens_details": {"reasoning_tokens": 5}},
    )
    generation("usage without total", model="a-model-of-ours", usage_details={"prompt_tokens": 10, "completion_tokens": 20})
    generation("usage own keys", model="a-model-of-ours", usage_details={"input": 3, "images": 2})
    generation("cost given", model="gpt-4o", usage_details={"input": 51, "output": 0, "total": 100},
               cost_details={"input": 111, "output": 222, "total": 444})
    generation("cost without total", model="gpt-4o", usage_details={"input": 1, "output": 1},
               cost_details={"input": 0.25, "output": 0.5})
    generation("cost own keys", cost_details={"search": 0.125, "input": 0.5})
    generation("model unknown", model="a-model-of-ours", input="x", output="y")
    embedding = langfuse.start_observation(name="embedding with usage", as_type="embedding", model="text-embedding-3-small",
                                           input="to embed", usage_details={"input": 2000})
    sent("embedding with usage", embedding).end()


def content():
    def span(name, **attributes):
        sent(name, langfuse.start_observation(name=name, **attributes)).end()

    span("content empty", input="", output="")
    span("content none", input=None, output=None)
    span("content number", input=2, output=2.5)
    span("content zero", input=0, output=False)
    span("content list", input=[], output={})
    span("content text", input="  two\n\"lines\" \\ 東京 😀 \u0000 \u2028 end ", output='{"looks": "like JSON" }')
    span("content long", input="x" * 300_000, output=["é" * 1000])
    span("content special", input={"nan": float("nan"), "inf": float("inf"), "bytes": b"abc", "set": {1},
                                   "when": datetime(2026, 1, 2, tzinfo=timezone.utc)})
    span("content secret", input="open sesame-1", output={"deep": ["sesame-22", 1]}, metadata={"word": "sesame-333"},
         status_message="sesame-4444")
    span("metadata list", metadata=[1, "two", {"three": 3}])
    span("metadata text", metadata="only text")
    span("metadata groups", metadata={"scope": "mine", "attributes": {"x": 1}, "resourceAttributes.extra": "y"})


def contexts():
    trace_id = Langfuse.create_trace_id(seed="contexts")
    with langfuse.start_as_current_observation(name="given trace", trace_context={"trace_id": trace_id}) as observation:
        sent("given trace", observation)
        sent("child of given trace", observation.start_observation(name="child of given trace")).end()
    context = {"trace_id": trace_id, "parent_span_id": "0123456789abcdef"}
    sent("given parent", langfuse.start_observation(name="given parent", trace_context=context)).end()
    with propagate_attributes(prompt={"name": "propagated-prompt", "version": 12}, environment="from-context"):
        sent("propagated prompt", langfuse.start_observation(name="propagated prompt", as_type="generation", model="m")).end()
        sent("prompt on a span", langfuse.start_observation(name="prompt on a span")).end()
        explicit = langfuse.start_observation(name="explicit prompt", as_type="generation", model="m", prompt=PROMPT)
        sent("explicit prompt", explicit).end()
    timed = sent("end time given", langfuse.start_observation(name="end time given"))
    timed.end(end_time=timed._otel_span.start_time + 90_000_000_000)


@observe
def decorated(question, *, lang="en"):
    sent_current("decorated")
    return {"answer": decorated_child(question, 2), "lang": lang}


@observe(name="decorated child", as_type="tool")
def decorated_child(question, times):
    sent_current("decorated child")
    get_client().update_current_span(metadata={"times": times})
    return question * times


@observe(as_type="generation", name="decorated generation")
def decorated_generation(messages):
    sent_current("decorated generation")
    langfuse.update_current_generation(
        model="gpt-4o-mini", usage_details={"input": 10, "output": 20}, model_parameters={"temperature": 0.7}
    )
    return "generated"


@observe(name="decorated without content", capture_input=False, capture_output=False)
def decorated_without_content(secret):
    sent_current("decorated without content")
    return secret


@observe(name="decorated error")
def decorated_error(n):
    sent_current("decorated error")
    raise KeyError("missing %d" % n)


@observe(name="decorated generator")
def decorated_generator(n):
    sent_current("decorated generator")
    for i in range(n):
        sent("within generator %d" % i, langfuse.start_observation(name="within generator %d" % i)).end()
        yield "part %d;" % i


@observe(name="decorated list generator")
def decorated_list_generator():
    sent_current("decorated list generator")
    yield {"n": 1}
    yield 2


@observe(name="async parent")
async def async_parent():
    sent_current("async parent")
    with propagate_attributes(user_id="async-user"):
        return await asyncio.gather(*[async_child(n) for n in range(3)])


@observe(name="async child")
async def async_child(n):
    langfuse.update_current_span(name="async child %d" % n)
    sent_current("async child %d" % n)
    await asyncio.sleep(0.01 * (3 - n))
    with langfuse.start_as_current_observation(name="async grandchild %d" % n, as_type="retriever") as grandchild:
        sent("async grandchild %d" % n, grandchild)
        await asyncio.sleep(0)
    return n


@observe(name="async generator", transform_to_string=lambda parts: "+".join(str(part) for part in parts))
async def async_generator():
    sent_current("async generator")
    for n in range(3):
        await asyncio.sleep(0)
        yield n


class Service:
    @observe(name="method")
    def method(self, argument):
        sent_current("method")
        return argument


async def asynchronous():
    assert await async_parent() == [0, 1, 2]
    assert [n async for n in async_generator()] == [0, 1, 2]


def decorators():
    decorated("why?", lang="de")
    decorated_generation([{"role": "user", "content": "hi"}])
    decorated_without_content("hidden")
    try:
        decorated_error(7)
    except KeyError:
        pass
    assert "".join(decorated_generator(2)) == "part 0;part 1;"
    assert list(decorated_list_generator()) == [{"n": 1}, 2]
    asyncio.run(asynchronous())
    Service().method(["a", 1])
    decorated_given = observe(name="decorated given trace")(lambda: sent_current("decorated given trace"))
    decorated_given(langfuse_trace_id="00000000000000000000000000000abc", langfuse_parent_observation_id="00000000000000de")


def experiment():
    def task(*, item, **_):
        sent_current("experiment-item-task")
        sent("experiment step", langfuse.start_observation(name="experiment step")).end()
        return "PARIS"

    result = langfuse.run_experiment(
        name="capitals",
        run_name="capitals run 1",
        description="Does it know capitals?",
        data=[{"input": {"country": "France"}, "expected_output": "Paris", "metadata": {"continent": "Europe", "rank": 1}}],
        task=task,
        metadata={"model": "gpt-4o", "nested": {"a": 1}},
    )
    assert [item.output for item in result.item_results] == ["PARIS"]
    ids["experiment-item-run"] = {"traceId": result.item_results[0].trace_id}


def older():
    """What only the major version before can do."""
    if hasattr(LangfuseSpan, "set_trace_io"):
        with langfuse.start_as_current_observation(name="trace content", input="own in", output="own out") as observation:
            sent("trace content", observation)
            observation.set_trace_io(input={"from": "trace"}, output="to trace sesame-5")


if sys.argv[1] == "everything":
    context_managers()
    levels()
    usage_and_cost()
    content()
    contexts()
    decorators()
    experiment()
    older()
else:  # a little, for those who want to see nothing arrive
    with langfuse.start_as_current_observation(name="little") as little:
        sent("little", little)
        langfuse.start_observation(name="little child").end()

langfuse.flush()
print(json.dumps(ids))
sys.stdout.flush()
os._exit(0)  # whatever flush did not send is lost
