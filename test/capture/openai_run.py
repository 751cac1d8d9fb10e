"""OpenAI's and Anthropic's libraries: chat, a stream, tools, responses, through the instrumentation that is named."""

import sys

import common

instrumentation = sys.argv[1]
if instrumentation == "openinference":
    from openinference.instrumentation import using_attributes
    from openinference.instrumentation.anthropic import AnthropicInstrumentor
    from openinference.instrumentation.openai import OpenAIInstrumentor

    provider = common.provider(everywhere=False)  # Anthropic's library traces itself
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    AnthropicInstrumentor().instrument(tracer_provider=provider)
    using_attributes(user_id="user-1", session_id="session-1").__enter__()
elif instrumentation == "none":
    common.provider()
else:
    from traceloop.sdk import Traceloop

    Traceloop.init(app_name="weather", api_endpoint=common.SINK_URL, api_key="unused", disable_batch=True, telemetry_enabled=False)
    Traceloop.set_association_properties({"user_id": "user-1", "session_id": "session-1"})

from anthropic import Anthropic
from openai import OpenAI

openai = OpenAI(max_retries=0)
system, user = {"role": "system", "content": "Be brief."}, {"role": "user", "content": common.QUESTION}
openai.chat.completions.create(model=common.MODEL, messages=[system, user], tools=[common.WEATHER_TOOL])
for _ in openai.chat.completions.create(model=common.MODEL, messages=[user], stream=True, stream_options={"include_usage": True}):
    pass
flat = {"type": "function", **common.WEATHER_TOOL["function"]}
openai.responses.create(model=common.MODEL, instructions="Be brief.", input=common.QUESTION, tools=[flat])
openai.embeddings.create(model="text-embedding-3-small", input="to embed")
anthropic = Anthropic(max_retries=0)
tool = {"name": "get_weather", "description": "The weather of a city.", "input_schema": flat["parameters"]}
anthropic.messages.create(model=common.CLAUDE, max_tokens=100, system="Be brief.", messages=[user], tools=[tool])
with anthropic.messages.stream(model=common.CLAUDE, max_tokens=100, messages=[user]) as stream:
    stream.until_done()
