"""Writes what libraries give and get as values: the requests, responses and messages that people log as they are.

    python values.py OUT_DIRECTORY [LIBRARY...]
    python values.py OUT_DIRECTORY ai node values.mjs

web/src/shared/io/fixtures/captured holds its output; the web application's tests read it. It talks to a model of its own on a free
port of the loopback interface, which thinks, calls a tool and then answers. It needs openai, anthropic, google-genai,
langchain-openai, langgraph, pydantic-ai-slim[openai], mcp, boto3 and, in an environment of its own since it wants an older
openai, llama-index-llms-openai; LIBRARY names some of them, to refresh only these. The second form is for the AI SDK: the command gets MODEL_URL and the file to write.
"""

import asyncio
import http.server
import json
import os
import re
import subprocess
import sys
import threading
from importlib.metadata import version

import model

QUESTION = "What is the weather in Oslo? 天気は？"
THOUGHT = "I need the weather."
SYSTEM = "Be brief."
TOOL = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
DESCRIPTION = "The weather of a city."
CHAT_TOOL = {"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": TOOL}}
IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def thinking(path, request):
    """The answers of the model, with what it thought before them."""
    kind, parts = bedrock(request) if path.endswith("/converse") else model.answer(path, request)
    if kind != "application/json":
        return kind, parts
    it = json.loads(parts[0])
    if "choices" in it:
        it["choices"][0]["message"]["reasoning_content"] = THOUGHT
    elif it.get("object") == "response":
        it["output"].insert(0, {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": THOUGHT}]})
    elif it.get("type") == "message":
        it["content"].insert(0, {"type": "thinking", "thinking": THOUGHT, "signature": "c2lnbmVk"})
    elif "candidates" in it:
        it["candidates"][0]["content"]["parts"].insert(0, {"text": THOUGHT, "thought": True})
    return whole(it)


def whole(value):
    return "application/json", [json.dumps(value)]


def bedrock(request):
    done = any("toolResult" in part for part in request["messages"][-1]["content"])
    part = {"text": model.ANSWER} if done else {"toolUse": {"toolUseId": "tooluse_1", "name": "get_weather", "input": model.ARGUMENTS}}
    reasoning = {"reasoningContent": {"reasoningText": {"text": THOUGHT, "signature": "c2lnbmVk"}}}
    return whole({
        "output": {"message": {"role": "assistant", "content": [reasoning, part]}}, "stopReason": "end_turn" if done else "tool_use",
        "usage": {"inputTokens": 100, "outputTokens": 20, "totalTokens": 120}, "metrics": {"latencyMs": 1},
    })


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        kind, chunks = thinking(self.path, request)
        body = "".join(chunks).encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def openai(url):
    from openai import OpenAI

    client = OpenAI(base_url=url + "/v1", api_key="unused")
    content = [{"type": "text", "text": QUESTION}, {"type": "image_url", "image_url": {"url": "data:image/png;base64," + IMAGE}}]
    request = {"model": "gpt-5-mini", "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": content}], "tools": [CHAT_TOOL]}
    call = client.chat.completions.create(**request)
    history = [*request["messages"], call.choices[0].message.model_dump(), {"role": "tool", "tool_call_id": "call_1", "content": "sunny"}]
    answer = client.chat.completions.create(model="gpt-5-mini", messages=history)
    stream = client.chat.completions.create(model="gpt-5-mini", messages=request["messages"], tools=[CHAT_TOOL], stream=True)
    yield "chat request", request
    yield "chat response with a call", call.model_dump()
    yield "chat message", call.choices[0].message.model_dump()
    yield "chat history", history
    yield "chat choices", [choice.model_dump() for choice in answer.choices]
    yield "chat stream with a call", [chunk.model_dump() for chunk in stream]
    yield "chat stream", [chunk.model_dump() for chunk in client.chat.completions.create(model="gpt-5-mini", messages=request["messages"], stream=True)]

    tool = {"type": "function", "name": "get_weather", "description": DESCRIPTION, "parameters": TOOL, "strict": True}
    request = {"model": "gpt-5-mini", "instructions": SYSTEM, "input": QUESTION, "tools": [tool]}
    call = client.responses.create(**request)
    items = [{"role": "user", "content": QUESTION}, *[item.model_dump() for item in call.output],
             {"type": "function_call_output", "call_id": "call_1", "output": "sunny"}]
    yield "responses request", request
    yield "responses response with a call", call.model_dump()
    yield "responses second request", {"model": "gpt-5-mini", "input": items}
    yield "responses answer", client.responses.create(model="gpt-5-mini", input=items).model_dump()
    yield "responses stream", [event.model_dump() for event in client.responses.create(model="gpt-5-mini", input=QUESTION, stream=True)]


def anthropic(url):
    from anthropic import Anthropic

    client = Anthropic(base_url=url, api_key="unused")
    tool = {"name": "get_weather", "description": DESCRIPTION, "input_schema": TOOL}
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": IMAGE}}
    request = {"model": "claude-sonnet-4-5", "max_tokens": 100, "system": SYSTEM, "tools": [tool],
               "messages": [{"role": "user", "content": [{"type": "text", "text": QUESTION}, image]}]}
    call = client.messages.create(**request)
    used = call.content[-1].id
    result = {"type": "tool_result", "tool_use_id": used, "content": [{"type": "text", "text": "sunny"}]}
    history = [*request["messages"], {"role": "assistant", "content": [b.model_dump() for b in call.content]}, {"role": "user", "content": [result]}]
    yield "request", request
    yield "response with a call", call.model_dump()
    yield "history", {**request, "messages": history}
    yield "answer", client.messages.create(**{**request, "messages": history}).model_dump()
    yield "stream", [event.model_dump() for event in client.messages.create(**request, stream=True)]


def google_genai(url):
    from google import genai
    from google.genai import types

    client = genai.Client(api_key="unused", http_options=types.HttpOptions(base_url=url))
    tool = types.Tool(function_declarations=[types.FunctionDeclaration(name="get_weather", description=DESCRIPTION, parameters_json_schema=TOOL)])
    config = types.GenerateContentConfig(system_instruction=SYSTEM, tools=[tool])
    contents = [types.Content(role="user", parts=[types.Part(text=QUESTION), types.Part(inline_data=types.Blob(mime_type="image/png", data=b"\x89PNG"))])]
    call = client.models.generate_content(model="gemini-2.5-flash", contents=contents, config=config)
    back = types.Part.from_function_response(name="get_weather", response={"result": "sunny"})
    history = [*contents, call.candidates[0].content, types.Content(role="user", parts=[back])]
    answer = client.models.generate_content(model="gemini-2.5-flash", contents=history, config=config)
    plain = {"mode": "json", "exclude_none": True}
    request = {"model": "gemini-2.5-flash", "config": config.model_dump(**plain)}
    yield "request", {**request, "contents": [c.model_dump(**plain) for c in contents]}
    yield "response with a call", call.model_dump(**plain)
    yield "history", {**request, "contents": [c.model_dump(mode="json", by_alias=True, exclude_none=True) for c in history]}
    yield "answer", answer.model_dump(mode="json")
    yield "request of text", {"model": "gemini-2.5-flash", "contents": QUESTION}
    yield "stream", [c.model_dump(**plain) for c in client.models.generate_content_stream(model="gemini-2.5-flash", contents=QUESTION)]


def langchain(url):
    from langchain_core.load import dumpd
    from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage, messages_to_dict
    from langchain_openai import ChatOpenAI

    chat = ChatOpenAI(model="gpt-5-mini", base_url=url + "/v1", api_key="unused").bind_tools([CHAT_TOOL])
    image = {"type": "image", "base64": IMAGE, "mime_type": "image/png"}
    asked = [SystemMessage(SYSTEM), HumanMessage([{"type": "text", "text": QUESTION}, image])]
    call = chat.invoke(asked)
    history = [*asked, call, ToolMessage("it failed", tool_call_id=call.tool_calls[0]["id"], name="get_weather", status="error")]
    yield "messages to dict", messages_to_dict(history)
    yield "dumped", dumpd(history)
    yield "state", {"messages": [message.model_dump() for message in history]}
    yield "answer", chat.invoke(history).model_dump()
    yield "generations", json.loads(chat.bound.generate([asked]).model_dump_json())


def pydantic_ai(url):
    from pydantic_ai import Agent
    from pydantic_ai.messages import BinaryContent, ImageUrl, ModelMessagesTypeAdapter
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    agent = Agent(OpenAIChatModel("gpt-5-mini", provider=OpenAIProvider(base_url=url + "/v1", api_key="unused")), instructions=SYSTEM)

    @agent.tool_plain
    def get_weather(city: str) -> str:
        """The weather of a city."""
        return f"sunny in {city}"

    import base64

    image = BinaryContent(base64.b64decode(IMAGE), media_type="image/png")
    run = agent.run_sync([QUESTION, image, ImageUrl("https://example.com/sky.png")])
    yield "all messages", json.loads(run.all_messages_json())
    yield "new messages", ModelMessagesTypeAdapter.dump_python(run.new_messages()[-1:], mode="json")


def llama_index(url):
    from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock
    from llama_index.core.tools import FunctionTool
    from llama_index.llms.openai import OpenAI

    def get_weather(city: str) -> str:
        """The weather of a city."""
        return f"sunny in {city}"

    llm = OpenAI(model="gpt-5-mini", api_base=url + "/v1", api_key="unused")
    tool = FunctionTool.from_defaults(get_weather)
    image = ImageBlock(url="https://example.com/sky.png")
    asked = ChatMessage(role="user", blocks=[TextBlock(text=QUESTION), image])
    call = llm.chat_with_tools([tool], user_msg=ChatMessage(role="user", content=QUESTION))
    output = tool.call(city="Oslo")
    back = ChatMessage(role="tool", content=str(output), additional_kwargs={"tool_call_id": "call_1", "name": "get_weather"})
    yield "messages", [m.model_dump(mode="json") for m in (ChatMessage(role="system", content=SYSTEM), asked, call.message, back)]
    yield "response", json.loads(call.model_dump_json())
    yield "tool output", json.loads(output.model_dump_json())
    yield "printed messages", {"messages": [repr(ChatMessage(role="user", content="It's \"here\"\n天気"))]}


def mcp(_):
    from mcp.client import Client
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("weather")

    @server.tool(description=DESCRIPTION)
    def get_weather(city: str) -> str:
        if city == "Nowhere":
            raise ValueError("no such city")
        return f"sunny in {city}"

    async def run():
        async with Client(server) as session:
            return [
                ("list of tools", (await session.list_tools()).model_dump(mode="json", exclude_none=True)),
                ("call", {"method": "tools/call", "params": {"name": "get_weather", "arguments": {"city": "Oslo"}}}),
                ("result", (await session.call_tool("get_weather", {"city": "Oslo"})).model_dump(mode="json", by_alias=True)),
                ("error", (await session.call_tool("get_weather", {"city": "Nowhere"})).model_dump(mode="json", by_alias=True, exclude_none=True)),
            ]

    yield from asyncio.run(run())


def boto3(url):
    import boto3 as aws

    client = aws.client("bedrock-runtime", endpoint_url=url, region_name="us-east-1", aws_access_key_id="unused", aws_secret_access_key="unused")
    tools = {"tools": [{"toolSpec": {"name": "get_weather", "description": DESCRIPTION, "inputSchema": {"json": TOOL}}}]}
    request = {"modelId": "model", "system": [{"text": SYSTEM}], "messages": [{"role": "user", "content": [{"text": QUESTION}]}], "toolConfig": tools}
    call = client.converse(**request)
    result = {"toolResult": {"toolUseId": "tooluse_1", "content": [{"json": {"sky": "sunny"}}], "status": "error"}}
    history = [*request["messages"], call["output"]["message"], {"role": "user", "content": [result]}]
    answer = client.converse(**{**request, "messages": history})
    yield "request", request
    yield "response with a call", {k: v for k, v in call.items() if k != "ResponseMetadata"}
    yield "history", {**request, "messages": history}
    yield "answer", {k: v for k, v in answer.items() if k != "ResponseMetadata"}


LIBRARIES = {
    "openai": openai, "anthropic": anthropic, "google-genai": google_genai, "langchain-core": langchain, "pydantic-ai-slim": pydantic_ai,
    "llama-index-core": llama_index, "mcp": mcp, "boto3": boto3,
}


def tidy(text, port):
    """Without what differs from run to run."""
    text = text.replace(f"http://127.0.0.1:{port}", "http://model")
    text = re.sub(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", "2026-01-01T00:00:00Z", text)
    uuids = {}
    return re.sub(
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        lambda m: uuids.setdefault(m[0], f"00000000-0000-4000-8000-{len(uuids) + 1:012x}"), text,
    )


def main():
    out, wanted = sys.argv[1], sys.argv[2:] or list(LIBRARIES)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if wanted[0] == "ai":
        environment = dict(os.environ, MODEL_URL=f"http://127.0.0.1:{port}")
        subprocess.run([*wanted[1:], os.path.join(out, "ai.json")], env=environment, check=True, timeout=300)
        wanted = []
    for name in wanted:
        values = dict(LIBRARIES[name](f"http://127.0.0.1:{port}"))
        text = json.dumps({"library": f"{name} {version(name)}", "values": values}, ensure_ascii=False, indent=1, default=str)
        with open(os.path.join(out, name + ".json"), "w") as file:
            file.write(tidy(text, port) + "\n")
    server.shutdown()


if __name__ == "__main__":
    main()
