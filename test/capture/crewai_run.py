"""CrewAI through OpenInference: a crew of one agent with a tool."""

import os

import common

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false", OTEL_SDK_DISABLED="false", CREWAI_TESTING="true")
provider = common.provider()

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from openinference.instrumentation.crewai import CrewAIInstrumentor

CrewAIInstrumentor().instrument(tracer_provider=provider)


@tool("get_weather")
def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


model = LLM(model="openai/" + common.MODEL, base_url=common.OPENAI_URL, api_key="unused")
agent = Agent(role="weather_agent", goal="Be brief.", backstory="You know the weather.", tools=[get_weather], llm=model, verbose=False)
task = Task(description=common.QUESTION, expected_output="A sentence.", agent=agent)
Crew(agents=[agent], tasks=[task], verbose=False).kickoff()
