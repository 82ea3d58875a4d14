"""Asks a service with a client that was generated from its description (scripts/check-client)."""

import sys
from io import BytesIO
from pathlib import Path

from ruamel.yaml import YAML

sys.path.insert(0, ".")
from client_made import Client  # noqa: E402
from client_made.api.documents import batch, check, check_and_add, get_document, put_document  # noqa: E402
from client_made.api.monitoring import metrics, readyz  # noqa: E402
from client_made.api.search import compare, query  # noqa: E402
from client_made.api.store import stats  # noqa: E402
from client_made.models import (  # noqa: E402
    BatchOp,
    BatchRows,
    Candidate,
    Comparison,
    Document,
    Problem,
    Query,
    Replacement,
    Row,
    Subject,
    Verdict,
)
from client_made.types import File  # noqa: E402

url, generated, alerts = sys.argv[1:]
TEXT = "It rained all of May, and the river rose over the road to the town."

told = Path(generated).read_text()
# What the generator cannot read it leaves out: lines as JSON, of which the description offers bytes too.
left_out = [line for line in told.splitlines() if line.startswith("WARNING")]
of_lines = ["/v1/batch", "/v1/export", "/v1/changes"]
assert all(any(path in line for path in of_lines) for line in left_out), told

client = Client(base_url=url)
row = check_and_add.sync(client=client, body=Document(id="a", text=TEXT))
assert isinstance(row, Row) and row.verdict == Verdict.NEW, row
row = check.sync(client=client, body=Candidate(text=TEXT.upper()))
assert row.verdict == Verdict.DUPLICATE and row.near.id == "a", row
problem = check.sync(client=client, body=Candidate(id="", text=TEXT))
assert isinstance(problem, Problem) and problem.status == 422 and problem.field == "/id", problem
near = query.sync(client=client, body=Query(id="a", limit=5))
assert [found.id for found in near.neighbors] == ["a"], near
alike = compare.sync(client=client, body=Comparison(a=Subject(id="a"), b=Subject(text=TEXT)))
assert alike.distance == 0, alike
row = put_document.sync("a", client=client, body=Replacement(text=TEXT + " Nobody came."))
assert row.verdict == Verdict.UPDATED, row
assert get_document.sync("a", client=client).fingerprint == row.fingerprint
assert stats.sync(client=client).documents == 1
assert readyz.sync(client=client) == "ready\n"
assert "nearprint_answers_total" in metrics.sync(client=client)
lines = b'{"id":"x","text":"Nothing of that is said here; this is about trains at night."}\n{\n'
answer = batch.sync_detailed(
    client=client,
    body=File(payload=BytesIO(lines)),
    op=BatchOp.CHECK_AND_ADD,
    rows=BatchRows.REFUSED,
)
rows = answer.content.decode().splitlines()
assert answer.status_code == 200 and len(rows) == 2 and '"new":1' in rows[1], answer

rules = YAML(typ="safe").load(Path(alerts))["groups"][0]["rules"]
assert all({"alert", "expr", "labels", "annotations"} <= rule.keys() for rule in rules) and len(rules) > 8, rules
print("check-client: the generated client asks and is answered")
