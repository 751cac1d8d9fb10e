"""Google's Agent Development Kit with its own telemetry: an agent with a tool."""

import asyncio
import os

import common

os.environ["GOOGLE_GENAI_USE_VERTEXAI"] = "false"
os.environ["GOOGLE_GEMINI_BASE_URL"] = common.MODEL_URL
common.provider()

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.genai import types


def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


async def main():
    agent = LlmAgent(name="weather_agent", model="gemini-2.5-flash", instruction="Be brief.", tools=[get_weather])
    runner = InMemoryRunner(agent=agent, app_name="weather")
    session = await runner.session_service.create_session(app_name="weather", user_id="user-1", session_id="session-1")
    message = types.Content(role="user", parts=[types.Part(text=common.QUESTION)])
    async for _ in runner.run_async(user_id="user-1", session_id=session.id, new_message=message):
        pass


asyncio.run(main())
