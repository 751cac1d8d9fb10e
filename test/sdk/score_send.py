"""Sends scores with the official Python client in every way that it offers.

What is sent here is looked for in the store by score_test.go. Ids are fixed, so that scores can be told apart.
"""

import os
from datetime import datetime, timezone

from langfuse import Langfuse

langfuse = Langfuse(
    public_key=os.environ["ALMANAC_PUBLIC_KEY"],
    secret_key=os.environ["ALMANAC_SECRET_KEY"],
    base_url=os.environ["ALMANAC_URL"],
    environment="staging",
)
at = datetime(2026, 3, 1, 10, 0, 0, 123456, tzinfo=timezone.utc)
trace = "0af7651916cd43dd8448eb211c80319c"

langfuse.create_score(
    score_id="numeric", trace_id=trace, observation_id="00f067aa0ba902b7", name="quality", value=0.123456789, data_type="NUMERIC",
    comment="fair", timestamp=at, metadata={"nested": {"list": [1, 2.5, "0613"], "none": None}, "text": "42"},
)
langfuse.create_score(score_id="boolean", trace_id=trace, name="ok", value=1, data_type="BOOLEAN", timestamp=at)
langfuse.create_score(score_id="categorical", trace_id=trace, name="tone", value="warm", timestamp=at)
langfuse.create_score(score_id="text", trace_id=trace, name="note", value="too long", data_type="TEXT", timestamp=at)
langfuse.create_score(score_id="correction", trace_id=trace, name="any", value="better", data_type="CORRECTION", timestamp=at)
langfuse.create_score(score_id="session", session_id="s-1", name="visit", value=-1.5, timestamp=at)
langfuse.create_score(score_id="run", dataset_run_id="run-1", name="average", value=0, timestamp=at, environment="other")
langfuse.create_score(score_id="invalid", trace_id=trace, name="ok", value=-1, data_type="BOOLEAN", timestamp=at)
langfuse.create_score(score_id="twice", trace_id=trace, name="first", value=1, comment="kept", timestamp=at)
langfuse.flush()
langfuse.create_score(score_id="twice", trace_id=trace, name="second", value=2, timestamp=at)
with langfuse.start_as_current_observation(name="scored"):
    langfuse.score_current_span(name="of the span", value=3)
    langfuse.score_current_trace(name="of the trace", value=4)
langfuse.flush()
langfuse.shutdown()
print("ok")
