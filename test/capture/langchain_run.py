"""LangChain and LangGraph: an agent with a tool, through the instrumentation that is named."""

import sys

import common
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

instrumentation, provider = sys.argv[1], None
callbacks, metadata = [], {}
if instrumentation == "langfuse":
    from langfuse import Langfuse
    from langfuse.langchain import CallbackHandler

    client = Langfuse(public_key="pk", secret_key="sk", base_url=common.SINK_URL)
    callbacks = [CallbackHandler()]
    metadata = {"langfuse_user_id": "user-1", "langfuse_session_id": "session-1"}
elif instrumentation == "openinference":
    from openinference.instrumentation.langchain import LangChainInstrumentor

    LangChainInstrumentor().instrument(tracer_provider=common.provider())
else:
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor

    LangchainInstrumentor().instrument(tracer_provider=common.provider())


@tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"sunny in {city}"


model = ChatOpenAI(model=common.MODEL, base_url=common.OPENAI_URL, max_retries=0)
agent = create_agent(model, tools=[get_weather], system_prompt="Be brief.", name="weather_agent")
config = {"callbacks": callbacks, "metadata": metadata}
agent.invoke({"messages": [{"role": "user", "content": common.QUESTION}]}, config)
for _ in model.stream(common.QUESTION, config):
    pass
if instrumentation == "langfuse":
    client.flush()
