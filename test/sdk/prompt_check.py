"""Manages and uses prompts with the official Python client as an application would."""

import os

from langfuse import Langfuse

langfuse = Langfuse(
    public_key=os.environ["ALMANAC_PUBLIC_KEY"],
    secret_key=os.environ["ALMANAC_SECRET_KEY"],
    base_url=os.environ["ALMANAC_URL"],
)


def get(name, **options):
    return langfuse.get_prompt(name, cache_ttl_seconds=0, **options)


# Text: labels, tags, config, commit message.
created = langfuse.create_prompt(
    name="greeting", prompt="Hello {{who}}!", labels=["production"], tags=["a", "b"], config={"temperature": 0.5}, commit_message="first",
)
assert created.version == 1 and created.labels == ["production", "latest"], created.labels
first = get("greeting")
assert first.compile(who="Ada") == "Hello Ada!", first.compile(who="Ada")
assert (first.config, first.tags, first.commit_message) == ({"temperature": 0.5}, ["a", "b"], "first"), vars(first)

second = langfuse.create_prompt(name="greeting", prompt="Hi {{who}}!", labels=["staging"])
assert second.version == 2 and second.tags == ["a", "b"] and second.config == {}, vars(second)
assert get("greeting").version == 1 and get("greeting", label="staging").version == 2 and get("greeting", version=2).version == 2
assert get("greeting", label="latest").version == 2 and get("greeting").labels == ["production"]

moved = langfuse.update_prompt(name="greeting", version=2, new_labels=["production"])
assert moved.labels == ["production", "staging", "latest"], moved.labels
assert get("greeting").version == 2 and get("greeting", version=1).labels == []

cleared = langfuse.create_prompt(name="greeting", prompt="Hey {{who}}!", tags=[])
assert cleared.tags == [] and get("greeting", version=1).tags == [], cleared.tags

# Chat with messages and placeholders.
langfuse.create_prompt(
    name="chat/folder", type="chat", labels=["production"],
    prompt=[{"role": "system", "content": "You are {{who}}"}, {"type": "placeholder", "name": "history"}, {"role": "user", "content": "Go"}],
)
chat = get("chat/folder", type="chat")
compiled = chat.compile(who="Ada", history=[{"role": "user", "content": "before"}])
assert [(m["role"], m["content"]) for m in compiled] == [("system", "You are Ada"), ("user", "before"), ("user", "Go")], compiled

# Prompts within prompts.
langfuse.create_prompt(name="outer", prompt="<@@@langfusePrompt:name=greeting|label=production@@@>", labels=["production"])
outer = get("outer")
assert outer.prompt == "<Hi {{who}}!>", outer.prompt
graph = langfuse.api.prompts.get("outer").resolution_graph
assert graph["root"]["name"] == "outer" and [d["name"] for d in list(graph["dependencies"].values())[0]] == ["greeting"], graph

# Names with everything in them.
for name in ['a/b?c#d%20e[f]{g}"h"\\i;j:k', "日本/é"]:
    langfuse.create_prompt(name=name, prompt="odd", labels=["production"])
    assert get(name).name == name, get(name).name
    assert langfuse.update_prompt(name=name, version=1, new_labels=["x"]).labels[0] == "x"

# The cache of the client serves what it has; without it, the newest comes.
assert langfuse.get_prompt("greeting").version == 2
langfuse.api.prompt_version.update("greeting", 3, new_labels=["production"])
assert langfuse.get_prompt("greeting").version == 2 and get("greeting").version == 3

# Lists.
listed = langfuse.api.prompts.list(limit=100)
assert [p.name for p in langfuse.api.prompts.list(name="greeting").data] == ["greeting"]
assert listed.meta.total_items == 5 and sorted(p.name for p in listed.data)[-1] == "日本/é", listed
assert langfuse.api.prompts.list(label="staging").data[0].versions == [2]

# A generation is linked to its prompt; a fallback is none.
fallback = get("missing", fallback="Dear {{who}}")
assert fallback.is_fallback and fallback.compile(who="Ada") == "Dear Ada"
with langfuse.start_as_current_observation(as_type="generation", name="linked", prompt=get("greeting", version=1)):
    pass
with langfuse.start_as_current_observation(as_type="generation", name="not linked", prompt=fallback):
    pass
langfuse.flush()
rows = {row.name: row for row in langfuse.api.observations.get_many(fields="core,basic,prompt", limit=10).data}
linked = rows["linked"]
assert (linked.prompt_name, linked.prompt_version) == ("greeting", 1), linked
expected = langfuse.api.prompts.get("greeting", version=1)
assert linked.prompt_id and linked.prompt_id == getattr(expected, "id", linked.prompt_id), linked
assert not rows["not linked"].prompt_id, rows["not linked"]

# Errors have their types.
for call, name in (
    (lambda: get("missing"), "NotFoundError"),
    (lambda: langfuse.api.prompts.get("greeting", version=1, label="x"), "Error"),
    (lambda: langfuse.create_prompt(name="greeting", type="chat", prompt=[]), "Error"),
    (lambda: langfuse.api.prompts.delete("greeting"), "Error"),  # the prompt outer depends on it
):
    try:
        call()
    except Exception as error:
        assert type(error).__name__ == name, repr(error)
    else:
        raise SystemExit(f"a call that should fail with {name} did not")

langfuse.api.prompts.delete("outer")
langfuse.api.prompts.delete("greeting", version=3)
assert get("greeting", label="latest").version == 2
langfuse.api.prompts.delete("greeting")
try:
    get("greeting", version=1)
except Exception as error:
    assert type(error).__name__ == "NotFoundError", repr(error)
else:
    raise SystemExit("a deleted prompt is still there")

print("ok")
