"""LiteLLM: its own OpenTelemetry callback, or OpenInference."""

import sys

import common
import litellm

instrumentation = sys.argv[1]
if instrumentation == "openinference":
    from openinference.instrumentation.litellm import LiteLLMInstrumentor

    provider = common.provider()
    LiteLLMInstrumentor().instrument(tracer_provider=provider)
else:
    from litellm.integrations.opentelemetry import OpenTelemetry, OpenTelemetryConfig

    provider = common.provider()
    litellm.callbacks = [OpenTelemetry(config=OpenTelemetryConfig(exporter="otlp_http", endpoint=common.SINK_URL + "/v1/traces"))]

ask = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": common.QUESTION}]
common_arguments = {"model": "openai/" + common.MODEL, "api_base": common.OPENAI_URL, "api_key": "unused"}
litellm.completion(messages=ask, tools=[common.WEATHER_TOOL], metadata={"session_id": "session-1"}, user="user-1", **common_arguments)
for _ in litellm.completion(messages=ask, stream=True, stream_options={"include_usage": True}, **common_arguments):
    pass
litellm.embedding(model="openai/text-embedding-3-small", input=["to embed"], api_base=common.OPENAI_URL, api_key="unused")
import time
time.sleep(2)  # callbacks run in threads
provider.force_flush()
from opentelemetry import trace
trace.get_tracer_provider().force_flush()
