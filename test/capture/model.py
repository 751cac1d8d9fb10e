"""A model that always says the same, in the ways of OpenAI, Anthropic and Google.

Asked with tools, it calls the first of them; asked with the result of a tool, or without tools, it answers in words. Each
time it used 100 tokens of input, 40 of them cached, and 20 of output, 5 of them for reasoning.
"""

import json

ANSWER = "It is sunny in Oslo."
ARGUMENTS = {"city": "Oslo"}


def answer(path, request):
    """Returns the content type of the answer and its parts, or None if there is no such path."""
    if path.endswith("/chat/completions"):
        return chat(request)
    if path.endswith("/responses"):
        return responses(request)
    if path.endswith("/embeddings"):
        return whole({
            "object": "list", "model": request["model"], "usage": {"prompt_tokens": 10, "total_tokens": 10},
            "data": [{"object": "embedding", "index": 0, "embedding": [0.25, -0.5]}],
        })
    if path.endswith("/messages"):
        return messages(request)
    if "generatecontent" in path.lower():
        return gemini(path, request)
    return None


def whole(value):
    return "application/json", [json.dumps(value)]


def events(values, named=False):
    parts = []
    for value in values:
        if named:
            parts.append(f"event: {value['type']}\n")
        parts.append(f"data: {json.dumps(value)}\n\n")
    return "text/event-stream", parts


def tool_of(tools):
    """The name of the first tool, in whatever way it is told."""
    for tool in tools or []:
        if "functionDeclarations" in tool:
            return tool["functionDeclarations"][0]["name"]
        if "function_declarations" in tool:
            return tool["function_declarations"][0]["name"]
        name = tool.get("function", {}).get("name") or tool.get("name")
        if name:
            return name
    return None


def chat(request):
    last = request["messages"][-1]
    tool = tool_of(request.get("tools")) if last["role"] not in ("tool", "function") else None
    head = {"id": "chatcmpl-1", "created": 1767225600, "model": request["model"]}
    usage = {
        "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
        "prompt_tokens_details": {"cached_tokens": 40}, "completion_tokens_details": {"reasoning_tokens": 5},
    }
    call = {"id": "call_1", "type": "function", "function": {"name": tool, "arguments": json.dumps(ARGUMENTS)}}
    if not request.get("stream"):
        message = {"role": "assistant", "content": None, "tool_calls": [call]} if tool else {"role": "assistant", "content": ANSWER}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if tool else "stop"}
        return whole({**head, "object": "chat.completion", "choices": [choice], "usage": usage})
    deltas = [{"role": "assistant", "content": None if tool else ""}]
    deltas += [{"tool_calls": [{"index": 0, **call}]}] if tool else [{"content": "It is sunny "}, {"content": "in Oslo."}]
    chunks = [{"choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if tool else "stop"}]})
    chunks.append({"choices": [], "usage": usage})
    kind, parts = events({**head, "object": "chat.completion.chunk", **c} for c in chunks)
    return kind, [*parts, "data: [DONE]\n\n"]


def responses(request):
    items = request["input"] if isinstance(request["input"], list) else []
    done = bool(items) and items[-1].get("type") == "function_call_output"
    tool = None if done else tool_of(request.get("tools"))
    message = {
        "type": "message", "id": "msg_1", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": ANSWER, "annotations": []}],
    }
    call = {
        "type": "function_call", "id": "fc_1", "call_id": "call_1", "status": "completed", "name": tool, "arguments": json.dumps(ARGUMENTS),
    }
    it = {
        "id": "resp_1", "object": "response", "created_at": 1767225600, "status": "completed", "model": request["model"],
        "output": [call if tool else message], "parallel_tool_calls": True, "tool_choice": "auto",
        "tools": request.get("tools") or [], "instructions": request.get("instructions"), "metadata": {}, "temperature": 1.0, "top_p": 1.0,
        "usage": {
            "input_tokens": 100, "output_tokens": 20, "total_tokens": 120,
            "input_tokens_details": {"cached_tokens": 40}, "output_tokens_details": {"reasoning_tokens": 5},
        },
    }
    if not request.get("stream"):
        return whole(it)
    begun = {**it, "status": "in_progress", "output": [], "usage": None}
    list_ = [{"type": "response.created", "response": begun}]
    if tool:
        list_ += [
            {"type": "response.output_item.added", "output_index": 0, "item": {**call, "arguments": "", "status": "in_progress"}},
            {"type": "response.function_call_arguments.delta", "item_id": "fc_1", "output_index": 0, "delta": call["arguments"]},
            {"type": "response.function_call_arguments.done", "item_id": "fc_1", "output_index": 0, "name": tool, "arguments": call["arguments"]},
            {"type": "response.output_item.done", "output_index": 0, "item": call},
        ]
    else:
        part = message["content"][0]
        place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        list_ += [
            {"type": "response.output_item.added", "output_index": 0, "item": {**message, "content": [], "status": "in_progress"}},
            {"type": "response.content_part.added", **place, "part": {**part, "text": ""}},
            {"type": "response.output_text.delta", **place, "delta": ANSWER, "logprobs": []},
            {"type": "response.output_text.done", **place, "text": ANSWER, "logprobs": []},
            {"type": "response.content_part.done", **place, "part": part},
            {"type": "response.output_item.done", "output_index": 0, "item": message},
        ]
    list_.append({"type": "response.completed", "response": it})
    return events([{"sequence_number": n, **e} for n, e in enumerate(list_)], named=True)


def messages(request):
    last = request["messages"][-1]["content"]
    done = isinstance(last, list) and any(part.get("type") == "tool_result" for part in last)
    tool = None if done else tool_of(request.get("tools"))
    usage = {"input_tokens": 60, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 0, "output_tokens": 20}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": request["model"]}
    block = {"type": "tool_use", "id": "toolu_1", "name": tool, "input": ARGUMENTS} if tool else {"type": "text", "text": ANSWER}
    reason = "tool_use" if tool else "end_turn"
    if not request.get("stream"):
        return whole({**head, "content": [block], "stop_reason": reason, "stop_sequence": None, "usage": usage})
    empty = {**block, "input": {}} if tool else {"type": "text", "text": ""}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(ARGUMENTS)} if tool else {"type": "text_delta", "text": ANSWER}
    return events([
        {"type": "message_start", "message": {**head, "content": [], "stop_reason": None, "stop_sequence": None, "usage": {**usage, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 20}},
        {"type": "message_stop"},
    ], named=True)


def gemini(path, request):
    parts = request["contents"][-1].get("parts", [])
    done = any("functionResponse" in p or "function_response" in p for p in parts)
    tool = None if done else tool_of(request.get("tools"))
    part = {"functionCall": {"name": tool, "args": ARGUMENTS}} if tool else {"text": ANSWER}
    it = {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "modelVersion": "gemini-2.5-flash", "responseId": "response-1",
        "usageMetadata": {
            "promptTokenCount": 100, "cachedContentTokenCount": 40, "candidatesTokenCount": 15, "thoughtsTokenCount": 5, "totalTokenCount": 120,
        },
    }
    return events([it]) if "stream" in path else whole(it)
