"""Calls every method of the generated Python client, once synchronously and once asynchronously, and looks at what it returns.

A method that is not called is an error, so that a new version of the client with new methods fails until somebody looks at them.
"""

import asyncio
import base64
import hashlib
import inspect
import json
import os
import sys
import urllib.request
from datetime import datetime, timedelta, timezone
from urllib.parse import quote

from langfuse import Langfuse, api as types
from langfuse.api import evaluation_rules, evaluators, opentelemetry
from langfuse.api.unstable import dashboard_widgets, dashboards

base_url = os.environ["ALMANAC_URL"]


def client(public_key, secret_key):
    return Langfuse(public_key=public_key, secret_key=secret_key, base_url=base_url, tracing_enabled=False)


def methods(resource, path=""):
    """Yields the names of all methods below a resource of a generated client."""
    for name in dir(type(resource)):
        member = inspect.getattr_static(type(resource), name)
        if name.startswith("_") or name == "with_raw_response":
            continue
        if isinstance(member, property):
            yield from methods(getattr(resource, name), f"{path}{name}.")
        elif callable(member):
            yield path + name


class Recorder:
    """Stands for a generated client: passes calls on, waits for what they return, and notes those that succeeded."""

    def __init__(self, resource, loop, called, path=""):
        self._resource, self._loop, self._called, self._path = resource, loop, called, path

    def __getattr__(self, name):
        member, path = getattr(self._resource, name), f"{self._path}{name}"
        if not inspect.ismethod(member):
            return Recorder(member, self._loop, self._called, path + ".")

        def call(*args, **options):
            result = member(*args, **options)
            if inspect.isawaitable(result):
                result = self._loop.run_until_complete(result)
            self._called.add(path)
            return result

        return call


def fails(exception, status, call, *args, **options):
    """Demands that a call raises the exception of this name, which carries the status and a message."""
    try:
        result = call(*args, **options)
    except Exception as error:
        assert type(error).__name__ == exception, repr(error)
        assert error.status_code == status and error.body, repr(error)
        return error.body
    raise SystemExit(f"{exception} was expected, not {result}")


class Check:
    """All calls, in an order in which later ones find what earlier ones made."""

    def __init__(self, kind, api, organization, known, called):
        self.kind, self.api, self.organization, self.known, self.called = kind, api, organization, known, called
        self.trace_id = hashlib.md5(kind.encode()).hexdigest()
        self.span_id = self.trace_id[:16]
        self.started = datetime.now(timezone.utc).replace(microsecond=123000)

    def name(self, text):
        return f"{text} {self.kind}"

    def run(self):
        self.settings()
        self.send()
        self.read()
        self.deprecated()
        self.scores()
        self.annotation()
        self.prompts()
        self.datasets()
        self.media()
        self.evaluation()
        self.dashboards()
        if "unstable.skills.list" in self.known:  # clients of the major version before do not have them
            self.skills()
        self.administration()
        self.deletions()

    def settings(self):
        api = self.api
        assert api.health.health().status == "OK"
        self.project = api.projects.get().data[0]
        model = dict(
            model_name=self.name("our-model"), match_pattern=f"^our-{self.kind}$", unit=types.ModelUsageUnit.TOKENS, input_price=0.5, output_price=2
        )
        made = api.models.create(**model, start_date=datetime(2024, 1, 2, tzinfo=timezone.utc))
        assert made.input_price == 0.5 and not made.is_langfuse_managed and made.pricing_tiers[0].is_default, made
        assert api.models.get(made.id).start_date == datetime(2024, 1, 2, tzinfo=timezone.utc)
        changed = api.models.upsert(made.id, **{**model, "output_price": 3})
        assert changed.id == made.id and changed.output_price == 3, changed
        pages = [api.models.list(limit=100, page=page) for page in (1, 2)]
        assert pages[0].meta.total_pages == 2 and made.id in [m.id for page in pages for m in page.data], pages[0].meta
        fails("NotFoundError", 404, api.models.get, "nope")
        self.model_id = made.id

        connection = api.llm_connections.upsert(
            provider=self.name("openai"), adapter=types.LlmAdapter.OPEN_AI, secret_key="sk-very-secret", custom_models=["a"], extra_headers={"X-A": "b"}
        )
        assert "secret" not in connection.display_secret_key and connection.custom_models == ["a"], connection
        assert connection.id in [c.id for c in api.llm_connections.list().data]
        assert api.llm_connections.delete(connection.id).message
        fails("NotFoundError", 404, api.llm_connections.delete, connection.id)

        feedback = api.feedback.submit(target_type=types.FeedbackTargetType.DOCS, target="page", feedback="Good.", goal="to read")
        assert feedback.id, feedback

    def send(self):
        def attribute(key, **value):
            return opentelemetry.OtelAttribute(key=key, value=opentelemetry.OtelAttributeValue(**value))

        begin = int(self.started.timestamp() * 1000) * 1_000_000
        span = opentelemetry.OtelSpan(
            trace_id=self.trace_id, span_id=self.span_id, name="generation", kind=1,
            start_time_unix_nano=str(begin), end_time_unix_nano=str(begin + 2_000_000_000),
            attributes=[
                attribute("langfuse.observation.type", string_value="generation"),
                attribute("langfuse.observation.model.name", string_value=f"our-{self.kind}"),
                attribute("langfuse.observation.usage_details", string_value='{"input": 10, "output": 20}'),
                attribute("langfuse.observation.input", string_value='{"text": "hello"}'),
                attribute("session.id", string_value=self.name("session")),
                attribute("user.id", string_value=self.name("user")),
                attribute("langfuse.environment", string_value="testing"),
            ],
            status={},
        )
        resource = opentelemetry.OtelResource(attributes=[attribute("service.name", string_value="shop")])
        scope = opentelemetry.OtelScopeSpan(scope=opentelemetry.OtelScope(name="by-hand", version="1"), spans=[span])
        self.api.opentelemetry.export_traces(resource_spans=[opentelemetry.OtelResourceSpan(resource=resource, scope_spans=[scope])])

    def read(self):
        api = self.api
        row = api.observations.get_many(trace_id=self.trace_id, fields="core,basic,io,usage,model,trace_context").data[0]
        assert (row.id, row.type, row.name, row.environment) == (self.span_id, "GENERATION", "generation", "testing"), row
        assert row.start_time == self.started and row.end_time - row.start_time == timedelta(seconds=2), row
        assert row.usage_details == {"input": 10, "output": 20, "total": 30} and row.total_cost == 65, row
        assert (row.user_id, row.session_id) == (self.name("user"), self.name("session")), row
        # A failing request tells why.
        body = fails("Error", 400, api.observations.get_many, limit=100_000)
        assert "limit" in json.dumps(body), body

        query = dict(
            view="observations", metrics=[{"measure": "count", "aggregation": "count"}], dimensions=[{"field": "name"}],
            filters=[{"column": "traceId", "type": "string", "operator": "=", "value": self.trace_id}],
            fromTimestamp="2020-01-01T00:00:00Z", toTimestamp="2100-01-01T00:00:00Z",
        )
        answer = api.metrics.metrics(query=json.dumps(query))
        assert [(d["name"], int(d["count_count"])) for d in answer.data] == [("generation", 1)], answer
        fails("Error", 400, api.metrics.metrics, query="{}")

    def deprecated(self):
        """What the client of the major version before reads."""
        api, session, user = self.api, self.name("session"), self.name("user")
        if "trace.get" not in self.known:
            return
        trace = api.trace.get(self.trace_id)
        assert (trace.session_id, trace.user_id, trace.total_cost, trace.latency) == (session, user, 65, 2), trace
        assert [o.id for o in trace.observations] == [self.span_id], trace
        assert [t.id for t in api.trace.list(user_id=user, environment=["testing", "other"], order_by="timestamp.desc").data] == [self.trace_id]
        assert api.trace.list(tags=["none"]).data == []
        fails("NotFoundError", 404, api.trace.get, "nope")
        assert [t.id for t in api.sessions.get(session).traces] == [self.trace_id]
        assert session in [s.id for s in api.sessions.list(limit=10).data]
        fails("NotFoundError", 404, api.sessions.get, "nope")
        assert api.legacy.observations_v1.get(self.span_id).model == f"our-{self.kind}"
        assert [o.id for o in api.legacy.observations_v1.get_many(trace_id=self.trace_id).data] == [self.span_id]
        query = dict(
            view="traces", metrics=[{"measure": "count", "aggregation": "count"}], dimensions=[{"field": "userId"}], filters=[],
            fromTimestamp="2020-01-01T00:00:00Z", toTimestamp="2100-01-01T00:00:00Z",
        )
        assert user in [d["userId"] for d in api.legacy.metrics_v1.metrics(query=json.dumps(query)).data]

        answer = api.ingestion.batch(
            batch=[
                types.ingestion.IngestionEvent_ScoreCreate(
                    id=f"event-{self.kind}", timestamp=self.started.isoformat(),
                    body=types.ingestion.ScoreBody(id=f"batch-{self.kind}", trace_id=self.trace_id, name="batched", value=0.5),
                )
            ]
        )
        assert [s.id for s in answer.successes] == [f"event-{self.kind}"] and answer.errors == [], answer
        made = api.legacy.score_v1.create(id=f"v1-{self.kind}", name="v1", value="warm", trace_id=self.trace_id, metadata={"a": [1]})
        score = api.scores.get_by_id(made.id)
        assert (score.data_type, score.string_value, score.metadata) == ("CATEGORICAL", "warm", {"a": [1]}), score
        fails("NotFoundError", 404, api.scores.get_by_id, "nope")
        api.legacy.score_v1.delete(made.id)
        fails("NotFoundError", 404, api.scores.get_by_id, made.id)

    def score(self, **score):
        """Makes a score, in the way of the client's version."""
        if "scores.delete" in self.known:
            result = self.api.scores.create(request=[types.scores.CreateScoreRequest(**score)])
            assert not getattr(result, "errors", None), result
        else:
            assert self.api.scores.create(**score).id == score["id"]

    def scores(self):
        api = self.api
        configs = api.score_configs
        numeric = configs.create(name=self.name("numeric"), data_type=types.ScoreConfigDataType.NUMERIC, min_value=0, max_value=1, description="d")
        assert (numeric.min_value, numeric.max_value, numeric.is_archived) == (0, 1, False), numeric
        tones = [types.ConfigCategory(value=1, label="warm"), types.ConfigCategory(value=0, label="cold")]
        tone = configs.create(name=self.name("tone"), data_type=types.ScoreConfigDataType.CATEGORICAL, categories=tones)
        assert [(c.value, c.label) for c in tone.categories] == [(1, "warm"), (0, "cold")], tone
        assert configs.get_by_id(numeric.id).name == self.name("numeric")
        assert configs.update(numeric.id, description="changed", max_value=2).max_value == 2
        assert {numeric.id, tone.id} <= {c.id for c in configs.get(limit=100).data}
        fails("NotFoundError", 404, configs.get_by_id, "nope")
        fails("Error", 400, configs.create, name="x", data_type=types.ScoreConfigDataType.NUMERIC, min_value=2, max_value=1)
        self.config, self.tone = numeric, tone

        self.score(id=f"n-{self.kind}", trace_id=self.trace_id, observation_id=self.span_id, name=numeric.name, value=1.5, config_id=numeric.id)
        self.score(id=f"c-{self.kind}", trace_id=self.trace_id, name=tone.name, value="cold", config_id=tone.id)
        self.score(id=f"b-{self.kind}", session_id=self.name("session"), name="ok", value=1, data_type=types.ScoreDataType.BOOLEAN)
        if "scores.delete" in self.known:
            bad = [types.scores.CreateScoreRequest(name="x", value=9, trace_id="t", config_id=numeric.id), types.scores.CreateScoreRequest(name="y", value=1, trace_id="t")]
            result = api.scores.create(request=bad)
            assert (result.accepted, result.rejected, len(result.errors)) == (1, 1, 1), result
            listed = api.scores.get_many
        else:
            listed = api.scores_v3.get_many_v3
            assert {s.id for s in api.scores.get_many(trace_id=self.trace_id).data} >= {f"n-{self.kind}", f"c-{self.kind}"}
        found = {s.id: s for s in listed(trace_id=self.trace_id, fields="details,subject,annotation").data}
        assert found[f"n-{self.kind}"].value == 1.5 and found[f"n-{self.kind}"].config_id == numeric.id, found
        assert found[f"n-{self.kind}"].subject.kind == "observation", found
        assert found[f"c-{self.kind}"].value == "cold" and found[f"c-{self.kind}"].subject.kind == "trace", found
        of_session = listed(session_id=self.name("session"), fields="subject").data
        assert [(s.id, s.value, s.subject.kind) for s in of_session] == [(f"b-{self.kind}", True, "session")], of_session
        first = listed(trace_id=self.trace_id, limit=1)
        second = listed(trace_id=self.trace_id, limit=1, cursor=first.meta.cursor)
        assert first.data[0].id != second.data[0].id, (first, second)

    def annotation(self):
        api = self.api
        queues = api.annotation_queues
        queue = queues.create_queue(name=self.name("queue"), description="d", score_config_ids=[self.config.id])
        assert queue.score_config_ids == [self.config.id] and queues.get_queue(queue.id).name == queue.name, queue
        assert queue.id in [q.id for q in queues.list_queues().data]
        item = queues.create_queue_item(queue.id, object_id=self.trace_id, object_type=types.AnnotationQueueObjectType.TRACE)
        assert item.status == types.AnnotationQueueStatus.PENDING and item.completed_at is None, item
        done = queues.update_queue_item(queue.id, item.id, status=types.AnnotationQueueStatus.COMPLETED)
        assert done.completed_at and queues.get_queue_item(queue.id, item.id).status == types.AnnotationQueueStatus.COMPLETED, done
        assert [i.id for i in queues.list_queue_items(queue.id, status=types.AnnotationQueueStatus.COMPLETED).data] == [item.id]
        assert queues.list_queue_items(queue.id, status=types.AnnotationQueueStatus.PENDING).data == []
        user = self.organization.scim.create_user(user_name=f"{self.kind}@example.org", name=types.ScimName(formatted="Ada"))
        fails("NotFoundError", 404, queues.create_queue_assignment, queue.id, user_id=user.id)  # no member of the project
        member = self.organization.organizations.update_organization_membership(user_id=user.id, role=types.MembershipRole.MEMBER)
        assert member.role == types.MembershipRole.MEMBER, member
        assigned = queues.create_queue_assignment(queue.id, user_id=user.id)
        assert (assigned.user_id, assigned.queue_id, assigned.project_id) == (user.id, queue.id, self.project.id), assigned
        assert queues.delete_queue_assignment(queue.id, user_id=user.id).success is True
        assert queues.delete_queue_item(queue.id, item.id).success is True
        fails("NotFoundError", 404, queues.get_queue_item, queue.id, item.id)
        self.user = user

        comment = api.comments.create(project_id=self.project.id, object_type="TRACE", object_id=self.trace_id, content="Look at *this*.")
        assert api.comments.get_by_id(comment.id).content == "Look at *this*."
        assert [c.id for c in api.comments.get(object_type="TRACE", object_id=self.trace_id).data] == [comment.id]
        fails("NotFoundError", 404, api.comments.get_by_id, "nope")
        fails("NotFoundError", 404, api.comments.create, project_id=self.project.id, object_type="TRACE", object_id="nope", content="x")

    def prompts(self):
        prompts, name = self.api.prompts, self.name("folder/prompt")
        path = quote(name, safe="")  # the generated client leaves that to its callers
        text = prompts.create(request=types.CreateTextPromptRequest(name=name, prompt="Hi {{who}}", labels=["production"], config={"a": 1}))
        assert (text.type, text.version, text.labels) == ("text", 1, ["production", "latest"]), text
        chat = types.CreateChatPromptRequest(
            type="chat", name=name + " chat", tags=["t"], commit_message="why",
            prompt=[types.ChatMessage(role="system", content="Be {{how}}"), types.PlaceholderMessage(type="placeholder", name="history")],
        )
        made = prompts.create(request=chat)
        assert made.type == "chat" and [getattr(m, "name", None) or m.role for m in made.prompt] == ["system", "history"], made
        assert prompts.get(path).config == {"a": 1} and prompts.get(path, resolve=False).prompt == "Hi {{who}}"
        assert [p.name for p in prompts.list(name=name).data] == [name]
        assert self.api.prompt_version.update(path, 1, new_labels=["staging"]).labels == ["staging", "production", "latest"]
        prompts.delete(path)
        fails("NotFoundError", 404, prompts.get, path)
        fails("NotFoundError", 404, self.api.prompt_version.update, path, 1, new_labels=["x"])

    def datasets(self):
        api, name = self.api, self.name("folder/dataset")
        path = quote(name, safe="")
        schema = {"type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"]}
        dataset = api.datasets.create(name=name, description="d", metadata={"a": 1}, input_schema=schema)
        assert (dataset.name, dataset.metadata, dataset.input_schema) == (name, {"a": 1}, schema), dataset
        assert api.datasets.get(path).id == dataset.id and dataset.id in [d.id for d in api.datasets.list().data]
        fails("NotFoundError", 404, api.datasets.get, "nope")
        items = api.dataset_items
        item = items.create(dataset_name=name, input={"question": "?"}, expected_output="!", metadata=[1], source_trace_id=self.trace_id)
        assert (items.get(item.id).expected_output, item.status) == ("!", types.DatasetStatus.ACTIVE), item
        assert [i.id for i in items.list(dataset_name=name, source_trace_id=self.trace_id).data] == [item.id]
        fails("Error", 400, items.create, dataset_name=name, input={"no": "question"})
        since = self.started - timedelta(hours=1)
        assert api.experiments.list(from_start_time=since, dataset_id=dataset.id).data == []
        assert api.experiments.list_items(from_start_time=since, dataset_id=dataset.id).data == []
        if "dataset_run_items.create" in self.known:
            run = self.name("run/1")
            run_path = quote(run, safe="")
            linked = api.dataset_run_items.create(run_name=run, dataset_item_id=item.id, trace_id=self.trace_id, metadata={"m": 1})
            assert (linked.dataset_item_id, linked.trace_id, linked.dataset_run_name) == (item.id, self.trace_id, run), linked
            listed = api.dataset_run_items.list(dataset_id=dataset.id, run_name=run).data
            assert [i.trace_id for i in listed] == [self.trace_id], listed
            assert [r.name for r in api.datasets.get_runs(path).data] == [run]
            assert [i.dataset_item_id for i in api.datasets.get_run(path, run_path).dataset_run_items] == [item.id]
            assert api.datasets.delete_run(path, run_path).message
            fails("NotFoundError", 404, api.datasets.get_run, path, run_path)
        assert items.delete(item.id).message
        fails("NotFoundError", 404, items.get, item.id)

    def media(self):
        api, content = self.api, self.name("the content").encode()
        digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
        announced = dict(
            content_type=types.MediaContentType.TEXT_PLAIN, content_length=len(content), sha256hash=digest, field="input",
            trace_id=self.trace_id, observation_id=self.span_id,
        )
        place = api.media.get_upload_url(**announced)
        headers = {"Content-Type": "text/plain", "x-amz-checksum-sha256": digest}
        with urllib.request.urlopen(urllib.request.Request(place.upload_url, data=content, method="PUT", headers=headers)) as answer:
            assert answer.status == 200
        api.media.patch(place.media_id, uploaded_at=datetime.now(timezone.utc), upload_http_status=200, upload_time_ms=5)
        found = api.media.get(place.media_id)
        with urllib.request.urlopen(found.url) as answer:
            assert answer.read() == content
        again = api.media.get_upload_url(**announced)
        assert again.media_id == place.media_id and again.upload_url is None, again
        fails("NotFoundError", 404, api.media.get, "nope")

    def evaluation(self):
        api = self.api
        judge = api.evaluators.create(
            request=evaluators.CreateEvaluatorRequest_LlmAsJudge(
                name=self.name("judge"), prompt="Is {{output}} right?",
                output_definition=types.evaluation_commons.EvaluatorOutputDefinition_Numeric(min_value=0, max_value=1),
                variable_mapping=[types.evaluation_commons.PromptVariableMappingInput(variable="output", source="output")],
            )
        )
        assert judge.type == "llm_as_judge" and judge.variables == ["output"], judge
        code = api.evaluators.create(
            request=evaluators.CreateEvaluatorRequest_Code(name=self.name("code"), source_code="pass", source_code_language="PYTHON")
        )
        assert api.evaluators.get(code.id).source_code == "pass"
        changed = api.evaluators.update(judge.id, request=evaluators.UpdateEvaluatorMetadataRequest(description="better"))
        assert changed.description == "better", changed
        assert {judge.id, code.id} <= {e.id for e in api.evaluators.list(limit=100).data}
        assert [v.version for v in api.evaluators.list_versions(judge.id).data] == [1]
        rule = api.evaluation_rules.create(
            name=self.name("rule"), enabled=False, sampling=0.5,
            evaluator_assignments=[evaluation_rules.EvaluationRuleEvaluatorAssignmentInput(evaluator_id=judge.id)],
            filter=[
                types.evaluation_commons.EvaluationRuleFilter_StringOptions(column="type", operator="any of", value=["GENERATION"]),
            ],
        )
        assert rule.sampling == 0.5 and api.evaluation_rules.get(rule.id).name == rule.name, rule
        assert api.evaluation_rules.update(rule.id, sampling=1).sampling == 1
        assert rule.id in [r.id for r in api.evaluation_rules.list(limit=100).data]
        api.evaluation_rules.delete(rule.id)
        for evaluator in (judge, code):
            api.evaluators.delete(evaluator.id)
        fails("EvaluationNotFoundError", 404, api.evaluators.get, judge.id)
        fails("EvaluationNotFoundError", 404, api.evaluation_rules.get, rule.id)

    def dashboards(self):
        widgets, boards = self.api.unstable.dashboard_widgets, self.api.unstable.dashboards
        widget = widgets.create(
            name="cost", description="d", view=dashboard_widgets.DashboardWidgetView.OBSERVATIONS,
            dimensions=[dashboard_widgets.DashboardWidgetDimension(field="name")], filters=[],
            metrics=[dashboard_widgets.DashboardWidgetMetric(measure="totalCost", agg="sum")],
            chart_type=dashboard_widgets.DashboardWidgetChartType.LINE_TIME_SERIES,
        )
        assert widgets.get(widget.id).metrics[0].measure == "totalCost" and widget.id in [w.id for w in widgets.list().data]
        assert widgets.update(widget.id, name="renamed").name == "renamed"
        board = boards.create(name=self.name("board"), description="d")
        assert boards.get(board.id).name == board.name and board.id in [b.id for b in boards.list().data]
        assert boards.update(board.id, name="renamed").name == "renamed"
        placed = boards.add_placement(board.id, request=dashboards.CreateDashboardPlacementRequest_Widget(widget_id=widget.id))
        assert placed.widget_id == widget.id, placed
        assert boards.update_placement(board.id, placed.id, x=3, width=4).x == 3
        for deleted in (boards.delete_placement(board.id, placed.id), boards.delete(board.id), widgets.delete(widget.id)):
            assert deleted.message, deleted
        fails("NotFoundError", 404, boards.get, board.id)
        fails("NotFoundError", 404, widgets.get, widget.id)

    def skills(self):
        from langfuse.api.unstable.skills import SkillVersionFileInput, SkillVersionFileReference

        api, name = self.api.unstable.skills, f"skill-{self.kind}"
        text = f"---\nname: {name}\ndescription: Reads files\nlicense: MIT\n---\n# Hello\n"
        first = api.create_version(
            files=[SkillVersionFileInput(path="SKILL.md", content=text), SkillVersionFileInput(path="scripts/a.py", content="print(1)\n")]
        )
        assert (first.name, first.version, first.labels, first.frontmatter["license"]) == (name, 1, ["latest"], "MIT"), first
        assert [f.content_length for f in first.files] == [len(text), 9], first
        manifest, script = first.files
        second = api.create_version(
            files=[SkillVersionFileReference(path="SKILL.md", sha256hash=manifest.sha256hash)], commit_message="without the script"
        )
        assert (second.version, second.files[0].blob_id, second.commit_message) == (2, manifest.blob_id, "without the script"), second
        fails("NotFoundError", 404, api.get, name)
        assert api.set_labels(name, 1, labels=["production"]).labels == ["production"]
        assert api.get(name).version == 1 and api.get(name, label="latest").version == 2 and api.get(name, version=2).id == second.id
        assert api.update(name, tags=["x"]).tags == ["x"] and api.get(name).tags == ["x"]
        listed = api.list(name=name, search="FILES", tag="x", page=1, limit=10, from_updated_at=first.created_at)
        assert (listed.data[0].latest_version, listed.data[0].production_version, listed.meta.has_next_page) == (2, 1, False), listed
        hashes = f"{script.sha256hash},{manifest.sha256hash}"
        assert [f.content for f in api.get_file_contents(sha256hashes=hashes).data] == ["print(1)\n", text]
        assert api.delete_version(name, 1).deleted is True
        fails("NotFoundError", 404, api.get_file_contents, sha256hashes=script.sha256hash)
        fails("Error", 400, api.create_version, files=[SkillVersionFileInput(path="../SKILL.md", content=text)])

    def administration(self):
        organization = self.organization
        project = organization.projects.create(name=self.name("project"), retention=30, metadata={"a": "b"})
        assert organization.projects.update(project.id, name=self.name("project"), retention=0).metadata == {"a": "b"}
        key = organization.projects.create_api_key(project.id, note="n")
        assert client(key.public_key, key.secret_key).api.projects.get().data[0].id == project.id
        assert [k.id for k in organization.projects.get_api_keys(project.id).api_keys] == [key.id]
        assert organization.projects.delete_api_key(project.id, key.id).success is True
        fails("UnauthorizedError", 401, client(key.public_key, key.secret_key).api.projects.get)
        fails("AccessDeniedError", 403, self.api.projects.create, name="x", retention=0)

        blob = types.blob_storage_integrations
        storage = organization.blob_storage_integrations
        stored = storage.upsert_blob_storage_integration(
            project_id=project.id, type=blob.BlobStorageIntegrationType.S3, bucket_name="bucket", region="eu-west-1",
            export_frequency=blob.BlobStorageExportFrequency.DAILY, enabled=False, force_path_style=False,
            file_type=blob.BlobStorageIntegrationFileType.JSONL, export_mode=blob.BlobStorageExportMode.FULL_HISTORY,
            access_key_id="id", secret_access_key="very-secret",
        )
        assert stored.bucket_name == "bucket" and "very-secret" not in str(stored), stored
        assert stored.id in [i.id for i in storage.get_blob_storage_integrations().data]
        assert storage.get_blob_storage_integration_status(project.id).enabled is False
        assert storage.delete_blob_storage_integration(project.id).message

        members, user = organization.organizations, self.user
        assert user.id in [m.user_id for m in members.get_organization_memberships().memberships]
        assert members.update_project_membership(project.id, user_id=user.id, role=types.MembershipRole.VIEWER).role == types.MembershipRole.VIEWER
        assert [m.user_id for m in members.get_project_memberships(project.id).memberships] == [user.id]
        assert members.delete_project_membership(project.id, user_id=user.id).user_id == user.id
        assert project.id in [p.id for p in members.get_organization_projects().projects]
        assert members.get_organization_api_keys().api_keys
        assert members.delete_organization_membership(user_id=user.id).user_id == user.id
        assert organization.projects.delete(project.id).success is True

        scim = organization.scim
        assert scim.get_service_provider_config().schemas and scim.get_resource_types().resources and scim.get_schemas().resources
        other = scim.create_user(user_name=f"other-{self.kind}@example.org", name=types.ScimName(formatted="Other"))
        assert scim.get_user(other.id).user_name == f"other-{self.kind}@example.org"
        assert other.id in [u.id for u in scim.list_users().resources]
        try:
            scim.delete_user(other.id)
        except Exception as error:  # the client wants a body, which the protocol does not allow
            assert error.status_code == 204, repr(error)
            self.called.add("scim.delete_user")
        fails("NotFoundError", 404, scim.get_user, other.id)

    def deletions(self):
        api = self.api
        if "scores.delete" in self.known:
            api.scores.delete(f"c-{self.kind}")
            assert f"c-{self.kind}" not in [s.id for s in api.scores.get_many(trace_id=self.trace_id).data]
        assert api.trace.delete(self.trace_id).message
        assert api.trace.delete_multiple(trace_ids=[self.trace_id, "nope"]).message
        assert api.observations.get_many(trace_id=self.trace_id).data == []
        api.models.delete(self.model_id)
        fails("NotFoundError", 404, api.models.get, self.model_id)


def check_wrong_usage(good):
    """Credentials that are wrong, and a server that is not there, have exceptions of their own."""
    fails("UnauthorizedError", 401, client("pk-lf-wrong", "sk-lf-wrong").api.trace.delete, "x")
    fails("AccessDeniedError", 403, good.organizations.get_organization_memberships)
    nowhere = Langfuse(public_key="pk", secret_key="sk", base_url="http://127.0.0.1:9", tracing_enabled=False)
    try:
        nowhere.api.projects.get()
    except Exception as error:
        assert type(error).__name__ == "ConnectError", repr(error)
    else:
        sys.exit("nobody answered")


project = client(os.environ["ALMANAC_PUBLIC_KEY"], os.environ["ALMANAC_SECRET_KEY"])
organization = client(os.environ["ALMANAC_ORGANIZATION_PUBLIC_KEY"], os.environ["ALMANAC_ORGANIZATION_SECRET_KEY"])
check_wrong_usage(project.api)
loop = asyncio.new_event_loop()
for kind, ours, theirs in (
    ("sync", project.api, organization.api),
    ("async", project.async_api, organization.async_api),
):
    called, known = set(), set(methods(ours))
    Check(kind, Recorder(ours, loop, called), Recorder(theirs, loop, called), known, called).run()
    forgotten = known - called
    assert not forgotten, f"never called: {sorted(forgotten)}"
    print(f"{kind}: {len(called)} of {len(known)} methods called")
print("ok")
os._exit(0)
