"""LlamaIndex through OpenInference: an agent with a tool, and a streamed answer."""

import asyncio

import common
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.llms.openai import OpenAI
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

LlamaIndexInstrumentor().instrument(tracer_provider=common.provider())


def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


model = OpenAI(model=common.MODEL, api_base=common.OPENAI_URL, api_key="unused", max_retries=0)


async def main():
    agent = FunctionAgent(tools=[get_weather], llm=model, system_prompt="Be brief.", streaming=False)
    await agent.run(common.QUESTION)


asyncio.run(main())
for _ in model.stream_chat([ChatMessage(role="user", content=common.QUESTION)], stream_options={"include_usage": True}):
    pass
