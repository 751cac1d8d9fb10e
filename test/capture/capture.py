"""Runs a program that calls a model through some library, and writes the spans that the library exports as a fixture.

    python capture.py OUT.json PROGRAM [ARGUMENT...]

The model and the place that spans are sent to are servers of this program, on one free port of the loopback interface. The
program finds them as MODEL_URL and SINK_URL. What differs from run to run (ids, times, ports) is replaced, so that a
fixture changes only if the library does. It needs opentelemetry-proto.
"""

import base64
import datetime
import gzip
import http.server
import json
import os
import re
import subprocess
import sys
import threading

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

import model

# Attributes that tell of the machine and of the code, not of the call.
NOISE = re.compile(
    r"^(code|thread|process|host|os|container)\.|^(service\.instance\.id|exception\.stacktrace|telemetry\.distro\..*|logfire\.json_schema)$"
    r"|^(server\.(address|port)|http\..*|url\.full|hidden_params)$"
)
BEGIN = 1767225600_000_000_000  # 2026-01-01

exports = []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer(200, "application/json", b"{}")

    def do_POST(self):
        body = self.body()
        if "traces" in self.path:
            self.take(body)
            self.answer(200, self.headers.get("content-type", ""), b"" if "protobuf" in self.headers.get("content-type", "") else b"{}")
            return
        if self.path.endswith(("/metrics", "/logs")):
            self.answer(200, self.headers.get("content-type", ""), b"")
            return
        reply = model.answer(self.path, json.loads(body or b"{}"))
        if reply is None:
            print("no such model:", self.path, file=sys.stderr)
            self.answer(404, "application/json", b"{}")
            return
        kind, chunks = reply
        self.answer(200, kind, "".join(chunks).encode())

    def body(self):
        if "chunked" in self.headers.get("transfer-encoding", ""):
            parts = []
            while size := int(self.rfile.readline(), 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            body = b"".join(parts)
        else:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
        return gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body

    def take(self, body):
        if "json" in self.headers.get("content-type", ""):
            exports.append(json.loads(body))
            return
        exported = MessageToDict(ExportTraceServiceRequest.FromString(body))
        for _, span in spans([exported]):
            for name in ("traceId", "spanId", "parentSpanId"):
                if span.get(name):
                    span[name] = base64.b64decode(span[name]).hex()
        exports.append(exported)

    def answer(self, status, kind, body):
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def spans(list_of_exports):
    for exported in list_of_exports:
        for resource in exported.get("resourceSpans", []):
            for scope in resource.get("scopeSpans", []):
                for span in scope.get("spans", []):
                    yield scope, span


def tidy(port):
    """Puts all exports into one, in the order in which spans began, without what differs from run to run."""
    every = sorted(spans(exports), key=lambda x: int(x[1]["startTimeUnixNano"]))
    first = min((int(span["startTimeUnixNano"]) for _, span in every), default=0)
    ids = {}

    def known(name, digits):
        return ids.setdefault(name, f"{len(ids) + 1:0{digits}x}")

    def moved(nanos):
        return str(BEGIN + (int(nanos) - first) // 1_000_000 * 1_000_000)

    def kept(attributes):
        return [x for x in attributes if not NOISE.search(x["key"])]

    resources = [r.get("resource", {}) for e in exports for r in e.get("resourceSpans", [])]
    out = []
    for scope, span in every:
        it = {"traceId": known(span["traceId"], 32), "spanId": known(span["spanId"], 16)}
        if span.get("parentSpanId"):
            it["parentSpanId"] = known(span["parentSpanId"], 16)
        it["name"] = span["name"]
        it["startTimeUnixNano"], it["endTimeUnixNano"] = moved(span["startTimeUnixNano"]), moved(span["endTimeUnixNano"])
        it["attributes"] = kept(span.get("attributes", []))
        if span.get("events"):
            it["events"] = [{"name": e["name"], "timeUnixNano": moved(e["timeUnixNano"]), "attributes": kept(e.get("attributes", []))} for e in span["events"]]
        if span.get("status", {}).get("code") not in (None, 0, "STATUS_CODE_UNSET"):
            it["status"] = span["status"]
            it["status"]["code"] = {"STATUS_CODE_OK": 1, "STATUS_CODE_ERROR": 2}.get(it["status"]["code"], it["status"]["code"])
        named = {k: v for k, v in scope.get("scope", {}).items() if k in ("name", "version")}
        if out and out[-1]["scope"] == named:
            out[-1]["spans"].append(it)
        else:
            out.append({"scope": named, "spans": [it]})
    resource = {"attributes": kept(resources[0].get("attributes", []))} if resources else {}
    text = written({"resourceSpans": [{"resource": resource, "scopeSpans": out}]})
    text = re.sub(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", lambda m: iso(m[0], first), text)
    text = text.replace(f"http://127.0.0.1:{port}", "http://model").replace(f"127.0.0.1:{port}", "model")
    text = re.sub(r"\b0x[0-9a-f]{8,}\b", "0x0", text)
    uuids = {}
    text = re.sub(
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        lambda m: uuids.setdefault(m[0], f"00000000-0000-4000-8000-{len(uuids) + 1:012x}"),
        text,
    )
    return text + "\n"


def written(value, depth=0):
    """JSON with one line for each attribute and for each small member, so that differences can be read."""
    compact = json.dumps(value, ensure_ascii=False)
    if len(compact) < 160 or not isinstance(value, (dict, list)) or isinstance(value, dict) and "key" in value:
        return compact
    pad = "\n" + " " * (depth + 1)
    if isinstance(value, list):
        return "[" + ",".join(pad + written(v, depth + 1) for v in value) + "\n" + " " * depth + "]"
    return "{" + ",".join(pad + json.dumps(k) + ": " + written(v, depth + 1) for k, v in value.items()) + "\n" + " " * depth + "}"


def iso(text, first):
    """A time of the run, moved as those of spans are; other times are left as they are."""
    at = datetime.datetime.fromisoformat(text)
    nanos = int(at.timestamp() * 1000) * 1_000_000
    if abs(nanos - first) > 600_000_000_000:
        return text
    millis = (BEGIN + nanos - first) // 1_000_000
    moved = datetime.datetime.fromtimestamp(millis / 1000, datetime.timezone.utc)
    return moved.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def main():
    out, program = sys.argv[1], sys.argv[2:]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{port}"
    environment = dict(os.environ, MODEL_URL=url, SINK_URL=url, PYTHONDONTWRITEBYTECODE="1", OTEL_SERVICE_NAME="weather", LITELLM_LOCAL_MODEL_COST_MAP="True")
    status = subprocess.run(program, env=environment, timeout=300).returncode
    if status != 0:
        sys.exit(f"the program ended with status {status}")
    server.shutdown()
    text = tidy(port)
    if not exports:
        sys.exit("nothing was exported")
    with open(out, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()
