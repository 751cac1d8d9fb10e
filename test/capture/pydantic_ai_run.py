"""Pydantic AI with its own instrumentation: an agent that calls a tool, and a streamed answer."""

import asyncio
import sys

import common
from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

settings = InstrumentationSettings(tracer_provider=common.provider(), version=int(sys.argv[1])) if len(sys.argv) > 1 else \
    InstrumentationSettings(tracer_provider=common.provider())
model = OpenAIChatModel(common.MODEL, provider=OpenAIProvider(base_url=common.OPENAI_URL, api_key="unused"))
Agent.instrument_all(settings)
agent = Agent(model, name="weather_agent", instructions="Be brief.")


@agent.tool_plain
def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


agent.run_sync(common.QUESTION)


async def streamed():
    plain = Agent(model, name="plain_agent")
    async with plain.run_stream(common.QUESTION) as result:
        await result.get_output()


asyncio.run(streamed())
