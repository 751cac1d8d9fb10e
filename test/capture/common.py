"""What the programs that are captured have in common."""

import os

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

MODEL_URL, SINK_URL = os.environ["MODEL_URL"], os.environ["SINK_URL"]
OPENAI_URL = MODEL_URL + "/v1"
MODEL = "gpt-5-mini"
CLAUDE = "claude-sonnet-4-5"
QUESTION = "What is the weather in Oslo?"
os.environ.update(
    OPENAI_API_KEY="unused", OPENAI_BASE_URL=OPENAI_URL, ANTHROPIC_API_KEY="unused", ANTHROPIC_BASE_URL=MODEL_URL,
    GOOGLE_API_KEY="unused", OTEL_EXPORTER_OTLP_ENDPOINT=SINK_URL, OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf",
)

WEATHER_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def provider(everywhere=True):
    """Exports with nothing but OpenTelemetry. Libraries that trace themselves find it if it is everywhere."""
    it = TracerProvider()
    it.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(endpoint=SINK_URL + "/v1/traces")))
    if everywhere:
        trace.set_tracer_provider(it)
    return it
