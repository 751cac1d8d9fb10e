"""LlamaIndex through OpenInference: a model that is offered a tool, and a streamed answer."""

import common
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai import OpenAI
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

LlamaIndexInstrumentor().instrument(tracer_provider=common.provider())


def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


model = OpenAI(model=common.MODEL, api_base=common.OPENAI_URL, api_key="unused", max_retries=0)
tool = FunctionTool.from_defaults(get_weather)
model.chat_with_tools([tool], user_msg=common.QUESTION)
tool.call(city="Oslo")
for _ in model.stream_chat([ChatMessage(role="user", content=common.QUESTION)], stream_options={"include_usage": True}):
    pass
