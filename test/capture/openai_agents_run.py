"""OpenAI's agents with a tool, through OpenInference."""

import common
from agents import Agent, Runner, function_tool, set_default_openai_api
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

OpenAIAgentsInstrumentor().instrument(tracer_provider=common.provider())


@function_tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


agent = Agent(name="weather_agent", instructions="Be brief.", model=common.MODEL, tools=[get_weather])
Runner.run_sync(agent, common.QUESTION)
