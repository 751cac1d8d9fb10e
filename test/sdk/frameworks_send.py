"""Calls a model through libraries that trace such calls, each with its own conventions, and prints which ids it saw.

The model is a server of the test. What is sent here is looked for in the store by frameworks_test.go.
"""

import base64
import json
import os
import sys

from langfuse import Langfuse
from langfuse.langchain import CallbackHandler
from langchain_core.prompts import ChatPromptTemplate
from langchain_openai import ChatOpenAI
from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor as OpenInference
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.openai import OpenAIInstrumentor as OpenLLMetry
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

public_key, secret_key = os.environ["ALMANAC_PUBLIC_KEY"], os.environ["ALMANAC_SECRET_KEY"]
url, model_url = os.environ["ALMANAC_URL"], os.environ["MODEL_URL"]

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "The weather of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
    }
]


def plain_provider(service):
    """Exports with nothing but OpenTelemetry."""
    credential = base64.b64encode(f"{public_key}:{secret_key}".encode()).decode()
    exporter = OTLPSpanExporter(
        endpoint=f"{url}/api/public/otel/v1/traces",
        headers={"Authorization": f"Basic {credential}"},
        compression=Compression.Gzip,
    )
    resource = Resource.create({"service.name": service, "deployment.environment.name": "Production"})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider


def calls(provider, prefix):
    """Calls the model in several ways, each within a span that names it."""
    tracer = provider.get_tracer("the-application", "1.0")
    client = OpenAI(base_url=model_url, api_key="unused", max_retries=0)

    def within(name, call):
        with tracer.start_as_current_span(f"{prefix} {name}") as span:
            call()
        return span

    within(
        "chat",
        lambda: client.chat.completions.create(
            model="gpt-4o",
            temperature=0.5,
            max_tokens=100,
            messages=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Wie heißt 東京?"}],
        ),
    )
    within(
        "stream",
        lambda: list(
            client.chat.completions.create(
                model="gpt-4o",
                stream=True,
                stream_options={"include_usage": True},
                messages=[{"role": "user", "content": "Stream, please."}],
            )
        ),
    )
    within(
        "tools",
        lambda: client.chat.completions.create(
            model="gpt-4o", tools=TOOLS, messages=[{"role": "user", "content": "Weather in Oslo?"}]
        ),
    )
    within("embedding", lambda: client.embeddings.create(model="text-embedding-3-small", input="to embed"))

    def refused():
        try:
            client.chat.completions.create(model="no-such-model", messages=[{"role": "user", "content": "Hello?"}])
        except Exception as error:
            assert type(error).__name__ == "NotFoundError", repr(error)
        else:
            sys.exit("the model answered")

    within("error", refused)


def traced_by(instrumentor, service):
    provider = plain_provider(service)
    instrumentor.instrument(tracer_provider=provider)
    calls(provider, service)
    instrumentor.uninstrument()
    assert provider.force_flush()
    provider.shutdown()  # one library goes on to trace what comes later, and would send it if that takes long enough


def langchain():
    """Hands the callback handler of the client to LangChain."""
    handler = CallbackHandler()
    model = ChatOpenAI(model="gpt-4o", base_url=model_url, api_key="unused", temperature=0.5, max_retries=0)
    prompt = ChatPromptTemplate.from_messages([("system", "Be brief."), ("user", "Wie heißt {city}?")])
    config = {
        "callbacks": [handler],
        "run_name": "langchain chain",
        "tags": ["from-config"],
        "metadata": {"langfuse_user_id": "user-1", "langfuse_session_id": "session-1", "langfuse_tags": ["blue"], "order": 7},
    }
    (prompt | model).invoke({"city": "東京"}, config)
    ids = {"langchain chain": {"traceId": handler.last_trace_id}}
    for _ in (prompt | model).stream({"city": "Oslo"}, {"callbacks": [handler], "run_name": "langchain stream"}):
        pass
    ids["langchain stream"] = {"traceId": handler.last_trace_id}
    return ids


def replacement():
    """Uses what the client offers in place of OpenAI's library. Its import changes that library, so it comes last."""
    from langfuse.openai import OpenAI as TracedOpenAI

    client = TracedOpenAI(base_url=model_url, api_key="unused", max_retries=0)
    messages = [{"role": "user", "content": "Wie heißt 東京?"}]
    client.chat.completions.create(name="replaced chat", metadata={"order": 7}, model="gpt-4o", temperature=0.5, messages=messages)
    for _ in client.chat.completions.create(
        name="replaced stream", model="gpt-4o", stream=True, stream_options={"include_usage": True}, messages=messages
    ):
        pass
    client.chat.completions.create(name="replaced tools", model="gpt-4o", tools=TOOLS, messages=messages)
    client.embeddings.create(name="replaced embedding", model="text-embedding-3-small", input="to embed")
    try:
        client.chat.completions.create(name="replaced error", model="no-such-model", messages=messages)
    except Exception as error:
        assert type(error).__name__ == "NotFoundError", repr(error)
    else:
        sys.exit("the model answered")


traced_by(OpenInference(), "openinference")
traced_by(OpenLLMetry(), "openllmetry")
langfuse = Langfuse(
    public_key=public_key, secret_key=secret_key, base_url=url, tracer_provider=TracerProvider(), flush_interval=3600
)
ids = langchain()
replacement()
langfuse.flush()
print(json.dumps(ids))
sys.stdout.flush()
os._exit(0)  # whatever was not flushed is lost
