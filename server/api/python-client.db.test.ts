import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pickEnvironment } from "@/bin/testing";
import { serviceScopeSchema } from "@/lib/engine/principal";
import { createClient } from "@/lib/public/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { withProxy } from "./testing/proxy";
import { PYTHON } from "./testing/python";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let token: string;
let graphId: string;

beforeAll(async () => {
  stand = await open();
  graphId = await stand.graphId("support-desk");
  token = (await stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options] })).token;
});
afterAll(() => stand.close());

const HEAD = `
import dataclasses, json, os, sys, uuid
from countersign import Client, CountersignError, list_all
URL, TOKEN, GRAPH = sys.argv[1:4]
client = Client(URL, TOKEN)

def start(client=client, **change):
    wanted = {"graph_id": GRAPH, "goal": str(uuid.uuid4()), "inputs": {"mail_file": "04-downgrade.txt"}, "model": "scripted:honest"}
    return client.start_run(**{**wanted, **change}).run_id

def problem(call):
    try:
        call()
    except CountersignError as error:
        return {"status": error.status, "code": error.code, "refusal": error.refusal, "issues": [each.path for each in error.issues],
                "request": error.request_id, "text": str(error)}
    except OSError as error:
        return type(error).__name__
    return None

def show(value):
    print(json.dumps(value, default=dataclasses.asdict), flush=True)
`;

const python = async (program: string, url = stand.origin): Promise<unknown[]> => {
  const env = { NODE_ENV: "test", ...pickEnvironment(["PATH", "HOME"]), ...PYTHON } as const;
  const { stdout } = await promisify(execFile)("python3", ["-c", `${HEAD}\n${program}`, url, token, graphId], { env });

  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);
};

test("uploads bytes and open files", async () => {
  const [bytes, file, empty] = await python(`
import io
show(client.create_artifact(name="a.csv", file=b"a,b"))
show(client.create_artifact(name="a.csv", file=io.BytesIO(b"a,b")))
show(problem(lambda: client.create_artifact(name="a.csv", file=b"")))
`);
  const expected = { $artifact: createHash("sha256").update("a,b").digest("hex"), mediaType: "text/csv", size: 3, name: "a.csv" };
  expect([bytes, file]).toMatchObject([expected, expected]);
  expect(empty).toMatchObject({ status: 422, text: "The file is empty." });
});

test("starts, follows, cancels, verifies and exports a run", async () => {
  const [waiting, statuses, verified, ledgerOf, state] = await python(`
run_id = start()
waiting = client.get_run(run_id=run_id, wait=60)
show(waiting)
statuses = []
for event in client.follow_run(run_id=run_id):
    statuses.append(event.status)
    if event.status == "waiting":
        client.cancel_run(run_id=run_id, reason="Superseded.")
show(statuses)
show(client.verify_run(run_id=run_id))
show(json.loads(client.export_run(run_id=run_id))["ledger"]["run"] == run_id)
show(client.get_run_state(run_id=run_id))
`);
  expect(waiting).toMatchObject({ status: "waiting", graph_id: graphId, waiting_for: [{ approval_id: expect.any(String) as string }] });
  expect((statuses as string[]).at(-1)).toBe("cancelled");
  expect(verified).toMatchObject({ ok: true, seq: null });
  expect(ledgerOf).toBe(true);
  // Keys of memory are the graph's.
  expect(state).toMatchObject({ status: "cancelled", memory: { mail_file: "04-downgrade.txt" } });
});

test("lists all items over several pages", async () => {
  const [pages, whole] = await python(`
for _ in range(3):
    start()
show([run.id for run in list_all(lambda cursor: client.list_runs(graph_id=GRAPH, limit=2, cursor=cursor))])
show([run.id for run in client.list_runs(graph_id=GRAPH, limit=100, waiting=False).items])
`);
  expect((pages as string[]).length).toBeGreaterThan(2);
  expect(pages).toEqual(whole);
});

test("raises each problem with its codes", async () => {
  const [missing, invalid, stranger, notBool, readable] = await python(`
show(problem(lambda: client.get_run(run_id=str(uuid.uuid4()))))
show(problem(lambda: start(model="")))
show(problem(lambda: Client(URL, "cs_none").list_runs()))
show(problem(lambda: client.list_runs(cursor="x")))
try:
    show(Client("http://countersign.example.com", TOKEN).__class__.__name__)
except ValueError as error:
    show(str(error))
`);
  expect(missing).toMatchObject({ status: 404, code: "not_found", request: expect.any(String) as string });
  expect(invalid).toMatchObject({ status: 422, code: "bad_request", issues: ["model"] });
  expect(stranger).toMatchObject({ status: 401, code: "unauthenticated" });
  expect(notBool).toMatchObject({ status: 422, issues: ["cursor"] });
  expect(readable).toContain("https://");
});

test("starts one run although a request and an answer are lost", async () => {
  await withProxy(
    stand.origin,
    (nth) => (["lose request", "lose answer"] as const)[nth] ?? null,
    async (url, keys) => {
      const [runId] = await python("show(start())", url);
      expect(new Set(keys).size).toBe(1);
      expect(keys).toHaveLength(3);
      const rows = await query(stand.desk.urls.admin, "select 1 from command where kind = 'start' and run_id = $1", [runId]);
      expect(rows).toHaveLength(1);
    },
  );
});

test("sends the given Idempotency-Key", async () => {
  const key = randomUUID();
  const [first, second, other] = await python(`
goal = "Answer."
show(start(goal=goal, idempotency_key="${key}"))
show(start(goal=goal, idempotency_key="${key}"))
show(problem(lambda: start(goal="Another.", idempotency_key="${key}")))
`);
  expect(second).toBe(first);
  expect(other).toMatchObject({ status: 422, code: "conflict" });
});

test("waits as long as the server asks, and gives up after its attempts", async () => {
  await withProxy(
    stand.origin,
    (nth) => (nth === 0 ? { status: 429, headers: { "retry-after": "0" } } : { status: 503, headers: {} }),
    async (url, keys) => {
      const [error] = await python("show(problem(lambda: Client(URL, TOKEN, attempts=3).list_graphs()))", url);
      expect(error).toMatchObject({ status: 503, code: "unexpected" });
      expect(keys).toHaveLength(3);
    },
  );
});

test.each([409, 429])("repeats no request that was refused with %i", async (status) => {
  await withProxy(
    stand.origin,
    () => ({ status, headers: {} }),
    async (url, keys) => {
      expect(await python("show(problem(client.list_graphs))", url)).toMatchObject([{ status }]);
      expect(keys).toHaveLength(1);
    },
  );
});

test("follows no redirect with its token", async () => {
  const seen: unknown[] = [];
  const elsewhere = createServer(({ headers }, response) => {
    seen.push(headers.authorization);
    response.end("{}");
  });
  elsewhere.listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  const address = elsewhere.address();
  const location = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
  await withProxy(
    stand.origin,
    () => ({ status: 302, headers: { location } }),
    async (url) => {
      expect(await python("show(problem(client.list_graphs))", url)).toMatchObject([{ status: 302, code: "unexpected" }]);
    },
  );
  elsewhere.close();
  expect(seen).toEqual([]);
});

test.each(["cut", "end"] as const)("opens a stream again that breaks before its run ends: %s", async (how) => {
  const [runId] = await python("run_id = start()\nclient.get_run(run_id=run_id, wait=60)\nshow(run_id)");
  await withProxy(
    stand.origin,
    (nth) => (nth === 0 ? how : null),
    async (url, keys) => {
      const following = python(`show([event.status for event in client.follow_run(run_id="${String(runId)}")])`, url);
      await vi.waitFor(() => expect(keys).toHaveLength(2), { timeout: 20_000 });
      await createClient({ url: stand.origin, token }).cancelRun({ runId: String(runId) });
      const [statuses] = await following;
      expect(statuses).toEqual(["waiting", "cancelled"]);
    },
  );
});

test("names a server that it can't reach, another form of answer and an address of a file", async () => {
  const stranger = createServer((_, response) => response.end('{"items": 1}'));
  stranger.listen(0, "127.0.0.1");
  await once(stranger, "listening");
  const address = stranger.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  expect(await python("show(problem(client.list_graphs))", url)).toMatchObject([{ code: "unexpected" }]);
  stranger.close();
  expect(await python("show(problem(Client(URL, TOKEN, attempts=1).list_graphs))", url)).toEqual(["URLError"]);
  await expect(python("", "file:///etc")).rejects.toThrow("url must begin with https://");
});
