"""Uses the tools as assistants do, with the official MCP client for Python."""

import asyncio
import json
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

base_url = os.environ["ALMANAC_URL"]
keys = (os.environ["ALMANAC_PUBLIC_KEY"], os.environ["ALMANAC_SECRET_KEY"])


async def call(client, tool, **arguments):
    """Returns what a tool answers."""
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text
    assert not result.is_error, (tool, text)
    return json.loads(text)


async def refused(client, tool, **arguments):
    """Returns why a tool refuses to answer."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, (tool, result)
    return result.content[0].text


async def check(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools["listObservations"].annotations.read_only_hint, tools["listObservations"]
    assert tools["createScore"].input_schema["required"] == ["name", "value"], tools["createScore"]

    await call(client, "createTextPrompt", name="folder/greeting", prompt="Hello {{name}}", labels=["production"])
    prompt = await call(client, "getPrompt", promptName="folder/greeting")
    assert prompt["prompt"] == "Hello {{name}}" and prompt["version"] == 1, prompt

    await call(client, "upsertDataset", name="questions")
    item = await call(client, "upsertDatasetItem", datasetName="questions", input={"question": "Why?"}, expectedOutput="Because.")
    items = await call(client, "listDatasetItems", datasetName="questions")
    assert [i["id"] for i in items["data"]] == [item["id"]], items

    score = await call(client, "createScore", name="quality", value=0.5, traceId="a-trace")
    scores = await call(client, "listScores", traceId="a-trace", limit=10)
    assert [(s["id"], s["value"]) for s in scores["data"]] == [(score["id"], 0.5)], scores

    metrics = await call(
        client, "queryMetrics", view="scores-numeric", metrics=[{"measure": "value", "aggregation": "avg"}],
        fromTimestamp="2020-01-01T00:00:00Z", toTimestamp="2100-01-01T00:00:00Z",
    )
    assert metrics["data"] == [{"avg_value": 0.5}], metrics

    assert "404" in await refused(client, "getTrace", traceId="nope")
    assert "Invalid request data" in await refused(client, "createScore", name="quality", value=None)
    assert "takes no argument" in await refused(client, "listTraces", misspelt=1)


async def main():
    async with httpx2.AsyncClient(auth=keys) as http:
        async with Client(streamable_http_client(f"{base_url}/api/public/mcp", http_client=http)) as client:
            await check(client)
        discovered = (await http.get(f"{base_url}/.well-known/mcp.json")).json()
        assert discovered["remotes"] == [{"type": "streamable-http", "url": f"{base_url}/api/public/mcp"}], discovered


asyncio.run(main())
print("ok")
