"""Sends and resolves media with the official Python client: in a span, in every field of it, and in items of a dataset."""

import base64
import os
import urllib.request

from langfuse import Langfuse
from langfuse.media import LangfuseMedia

langfuse = Langfuse(
    public_key=os.environ["ALMANAC_PUBLIC_KEY"], secret_key=os.environ["ALMANAC_SECRET_KEY"], base_url=os.environ["ALMANAC_URL"]
)


def address(content_type, content):
    return f"data:{content_type};base64," + base64.b64encode(content).decode()


image, sound, document = b"\x89PNG\r\n\x1a\n" + os.urandom(2000), os.urandom(3000), b"%PDF-1.7 " + os.urandom(4000)
with langfuse.start_as_current_observation(name="media", as_type="span") as span:
    span.update(
        input={"image": LangfuseMedia(content_bytes=image, content_type="image/png"), "again": [LangfuseMedia(content_bytes=image, content_type="image/png")]},
        output={"sound": LangfuseMedia(base64_data_uri=address("audio/wav", sound))},
        metadata={"document": LangfuseMedia(content_bytes=document, content_type="application/pdf")},
    )
    trace_id, observation_id = span.trace_id, span.id
langfuse.flush()

row = langfuse.api.observations.get_many(trace_id=trace_id, fields="core,basic,io,metadata").data[0]
row = row if isinstance(row, dict) else row.dict()
assert "@@@langfuseMedia:type=image/png|id=" in str(row["input"]), row
resolved = langfuse.resolve_media_references(
    obj={"input": row["input"], "output": row["output"], "metadata": row["metadata"]}, resolve_with="base64_data_uri"
)
for part, content_type, content in [("input", "image/png", image), ("output", "audio/wav", sound), ("metadata", "application/pdf", document)]:
    assert address(content_type, content) in str(resolved[part]), (part, str(resolved[part])[:200])

media = LangfuseMedia(content_bytes=image, content_type="image/png")
found = langfuse.api.media.get(media._media_id)
assert found.content_length == len(image) and found.content_type == "image/png", found
with urllib.request.urlopen(found.url) as answer:
    assert answer.read() == image

# Items of datasets.
langfuse.create_dataset(name="with media")
if hasattr(langfuse, "_process_dataset_item_media"):
    item = langfuse.create_dataset_item(
        dataset_name="with media",
        input={"gallery": [LangfuseMedia(content_bytes=image, content_type="image/png")], "matrix": [[LangfuseMedia(content_bytes=sound, content_type="audio/wav")]]},
        expected_output=LangfuseMedia(content_bytes=b"expected", content_type="text/plain"),
        metadata={"n": 1},
    )
    references = {(str(getattr(r.field, "value", r.field)), r.json_path) for r in item.media_references}
    assert references == {("input", "$['gallery'][0]"), ("input", "$['matrix'][0][0]"), ("expectedOutput", "$")}, references
    read = langfuse.get_dataset("with media").items[0]
    assert read.input["gallery"][0].fetch_bytes() == image, read.input
    assert read.input["matrix"][0][0].fetch_bytes() == sound, read.input
    assert read.expected_output.fetch_bytes() == b"expected", read.expected_output
    # A reference that stands in one dataset resolves in another, too.
    reference = f"@@@langfuseMedia:type=image/png|id={media._media_id}|source=bytes@@@"
    langfuse.create_dataset(name="another")
    langfuse.create_dataset_item(dataset_name="another", input={"copied": reference})
    assert langfuse.get_dataset("another").items[0].input["copied"].fetch_bytes() == image
try:
    langfuse.create_dataset_item(dataset_name="with media", input="@@@langfuseMedia:type=image/png|id=unknown|source=bytes@@@")
except Exception as error:
    assert "Dataset item references unknown media: unknown" in str(error), error
else:
    raise SystemExit("an item with unknown media was accepted")

langfuse.api.trace.delete(trace_id)
try:
    langfuse.api.media.get(LangfuseMedia(content_bytes=document, content_type="application/pdf")._media_id)
except Exception as error:
    assert type(error).__name__ == "NotFoundError", repr(error)
else:
    raise SystemExit("media of a deleted trace are still there")
print("ok")
