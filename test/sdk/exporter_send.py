"""Exports a small trace with nothing but the OpenTelemetry SDK for Python: exporter_send.py http|grpc ENDPOINT."""

import base64
import os
import sys

import grpc
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter as GRPCExporter
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter as HTTPExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

way, endpoint = sys.argv[1:]
keys = f"{os.environ['ALMANAC_PUBLIC_KEY']}:{os.environ['ALMANAC_SECRET_KEY']}"
headers = {"authorization": "Basic " + base64.b64encode(keys.encode()).decode()}
if way == "grpc":
    exporter = GRPCExporter(endpoint=endpoint, headers=headers, insecure=True, compression=grpc.Compression.Gzip)
else:
    exporter = HTTPExporter(endpoint=endpoint, headers=headers, compression=Compression.Deflate)
provider = TracerProvider(resource=Resource.create({"service.name": f"python {way}"}))
provider.add_span_processor(BatchSpanProcessor(exporter))
tracer = provider.get_tracer("the-application", "1.0")
with tracer.start_as_current_span("request", attributes={"user.id": "user-1", "session.id": "session-1"}):
    with tracer.start_as_current_span("chat gpt-4o") as chat:
        chat.set_attributes(
            {
                "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o", "gen_ai.response.model": "gpt-4o-2024-08-06",
                "gen_ai.usage.input_tokens": 1000, "gen_ai.usage.output_tokens": 500, "gen_ai.request.temperature": 0.5,
                "text": "東京", "yes": True, "whole": 7, "parts": [0.25, 0.5], "names": ["a", "b"],
            }
        )
    with tracer.start_as_current_span("lookup") as lookup:
        lookup.record_exception(ValueError("not there"))
        lookup.set_status(trace.StatusCode.ERROR, "not there")
assert provider.force_flush()
provider.shutdown()
