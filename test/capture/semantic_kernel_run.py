"""Semantic Kernel with its own telemetry: an agent with a tool."""

import asyncio
import os

import common

os.environ["SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE"] = "true"
common.provider()

from openai import AsyncOpenAI
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function


class Weather:
    @kernel_function(name="get_weather", description="The weather of a city.")
    def get_weather(self, city: str) -> str:
        return f"sunny in {city}"


async def main():
    service = OpenAIChatCompletion(ai_model_id=common.MODEL, async_client=AsyncOpenAI(base_url=common.OPENAI_URL, api_key="unused"))
    agent = ChatCompletionAgent(service=service, name="weather_agent", instructions="Be brief.", plugins=[Weather()])
    await agent.get_response(messages=common.QUESTION)


asyncio.run(main())
