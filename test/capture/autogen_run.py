"""AutoGen with its own telemetry: an agent with a tool."""

import asyncio

import common
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient

common.provider()


async def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


async def main():
    info = {"vision": False, "function_calling": True, "json_output": True, "family": "gpt-5", "structured_output": True}
    client = OpenAIChatCompletionClient(model=common.MODEL, base_url=common.OPENAI_URL, api_key="unused", model_info=info)
    agent = AssistantAgent("weather_agent", model_client=client, tools=[get_weather], system_message="Be brief.", reflect_on_tool_use=True)
    await agent.run(task=common.QUESTION)


asyncio.run(main())
