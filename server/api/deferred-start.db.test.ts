import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe as group, expect, test, vi } from "vitest";
import { graphSchema } from "@/lib/graph/document";
import { useDatabase } from "@/server/db/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { publishAs, query } from "@/server/runner/testing/desk";
import { openCalls, type Calls } from "./testing/calls";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let api: Calls;

type Change = { readonly token?: string; readonly key?: string; readonly body?: Record<string, unknown>; readonly waits?: boolean };
type Answer = { readonly status: number; readonly body: { runId?: string; code?: string; refusal?: string | null; status?: unknown } };

const read = async (response: Response): Promise<Answer> => ({ status: response.status, body: (await response.json()) as Answer["body"] });

const start = async ({ token = api.token, key = randomUUID(), body, waits = false }: Change = {}): Promise<Answer> =>
  read(
    await api.send("POST", "/runs", {
      token,
      body: api.start(body),
      headers: { "Idempotency-Key": key, ...(waits ? {} : { Prefer: "wait=1, Respond-Async" }) },
    }),
  );

const getRun = async (runId: string | undefined, search = "", token = api.token): Promise<Answer> =>
  read(await api.send("GET", `/runs/${runId}${search}`, { token }));

const count = async (sql: string, ...values: unknown[]): Promise<number> => {
  const [found] = await query<{ n: number }>(stand.desk.urls.admin, `select count(*)::int as n ${sql}`, values);

  return found?.n ?? 0;
};

const publish = async (id: string, integrity: "trusted" | "untrusted"): Promise<string> => {
  const graph = graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: id,
    inputs: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    memory: [
      { key: "order", schema: { type: "string" }, min_integrity: integrity },
      { key: "noted", schema: { type: "string" } },
    ],
    nodes: [
      {
        id: "note",
        kind: "transform",
        read_keys: ["order"],
        write_keys: ["noted"],
        config: { set: [{ path: "noted", value: "memory.order" }] },
      },
    ],
    edges: [],
    start_node: "note",
    end_nodes: ["note"],
  });
  const { desk } = stand;
  await useDatabase(desk.urls.runner);
  await publishAs(desk, { graph, agents: [], tools: [], subgraphs: [] }, desk.people.builder);
  await useDatabase(desk.urls.web);
  const [row] = await query<{ id: string }>(desk.urls.admin, "select id from graph where name = $1", [id]);

  return row?.id ?? "";
};

let notes: string;
let strict: string;
const noting = (change: Record<string, unknown> = {}) => ({ graphId: notes, inputs: { order: "one" }, ...change });

beforeAll(async () => {
  stand = await open();
  api = await openCalls(stand);
  notes = await publish("notes", "untrusted");
  strict = await publish("strict", "trusted");
});
afterAll(() => stand.close());

group("while no control plane decides", () => {
  let other: string;
  beforeAll(async () => {
    ({ token: other } = await api.account());
    await stand.stopRunner();
  });
  afterEach(async () => {
    await query(stand.desk.urls.admin, "delete from command where kind = 'start' and status = 'pending'", []);
    const demandRoom = async () => {
      if ((await start({ body: noting() })).status !== 202) throw new Error("the queue is still full");
    };
    await vi.waitFor(demandRoom, { timeout: 20_000, interval: 200 });
  });
  afterAll(() => stand.replaceRunner());

  test("a start is accepted once for its key, and its run is pending for its own account alone", async () => {
    const key = randomUUID();
    const first = await Promise.all([1, 2, 3].map(() => start({ key, body: noting() })));
    const again = await start({ key, body: noting() });
    expect(new Set([...first, again].map(({ status, body }) => `${status} ${body.runId}`)).size).toBe(1);
    expect(again.status).toBe(202);
    const { runId } = again.body;
    expect(await count("from command where run_id = $1", runId)).toBe(1);
    expect((await start({ key, body: noting({ goal: "Another." }) })).status).toBe(422);
    const shared = randomUUID();
    const rivals = await Promise.all(["One.", "Two."].map((goal) => start({ key: shared, body: noting({ goal }) })));
    expect(rivals.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 422]);
    expect(await api.call("getRun", { runId: runId ?? "" })).toMatchObject({ id: runId, graphId: notes, status: "pending", version: 0 });
    expect((await getRun(runId, "?wait=1")).body.status).toBe("pending");
    expect((await getRun(runId, "", other)).status).toBe(404);
  });

  test("a start waits for no more than a minute behind others", async () => {
    const { body } = await start({ body: noting() });
    await query(stand.desk.urls.admin, "update command set created_at = now() - interval '61 seconds' where run_id = $1", [body.runId]);
    await vi.waitFor(async () => expect((await start({ body: noting() })).status).toBe(429), { timeout: 5_000, interval: 200 });
    const refused = await api.send("POST", "/runs", { body: api.start(noting()), headers: { Prefer: "respond-async" } });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
    expect(await refused.json()).toMatchObject({ code: "rate_limited" });
  });

  test("ten thousand starts are queued at most", async () => {
    const [first] = await query<{ workspace_id: string; token_id: string }>(
      stand.desk.urls.admin,
      "select workspace_id, token_id from command where kind = 'start' and token_id is not null limit 1",
      [],
    );
    const queue = (many: number) =>
      query(
        stand.desk.urls.admin,
        `insert into command (workspace_id, id, run_id, token_id, kind, body)
         select $1, gen_random_uuid(), gen_random_uuid(), $2, 'start', '' from generate_series(1, $3)`,
        [first?.workspace_id, randomUUID(), many],
      );
    const here = await count("from command where kind = 'start' and status = 'pending'");
    await queue(9_998 - here);
    await vi.waitFor(
      async () => expect([(await start({ body: noting() })).status, (await start({ body: noting() })).status]).toContain(429),
      {
        timeout: 10_000,
        interval: 600,
      },
    );
    expect(await count("from command where kind = 'start' and status = 'pending'")).toBe(10_000);
  });
});

const awaitDecided = async (runId: string | undefined, token: string): Promise<unknown> => {
  for (;;) {
    const { status, body } = await getRun(runId, "?wait=60", token);
    if (status !== 200 || body.status !== "pending") return body.status;
  }
};

test("starts accepted before a crash each become one run", async () => {
  const { id, token } = await api.account();
  const keys = Array.from({ length: 20 }, () => randomUUID());
  const accepted = await Promise.all(keys.map((key) => start({ key, token, body: noting() })));
  await stand.stopRunner();
  const again = await Promise.all(keys.map((key) => start({ key, token, body: noting() })));
  expect(accepted.map(({ status }) => status)).toEqual(keys.map(() => 202));
  expect(again.map(({ body }) => body.runId)).toEqual(accepted.map(({ body }) => body.runId));
  await stand.replaceRunner();
  const ids = accepted.map(({ body }) => body.runId);
  for (const runId of ids) expect(await awaitDecided(runId, token)).toBe("completed");
  expect(await count("from run where token_id = $1", id)).toBe(20);
  expect(await count("from run r join ledger_record l on l.run_id = r.id and l.seq = 0 where r.token_id = $1", id)).toBe(20);
});

group("what a synchronous start refuses", () => {
  const both = async (change: Change) => {
    const answers = [await start({ ...change, waits: true }), await start(change)];

    return answers.map(({ status, body: { code, refusal } }) => [status, code, refusal]);
  };
  const isRefusedAs = async (change: Change, expected: readonly unknown[]) => expect(await both(change)).toEqual([expected, expected]);

  test("is refused alike, on record", async () => {
    const before = await count("from command where kind = 'start' and status = 'refused'");
    await isRefusedAs({ body: noting({ inputs: { order: 1 } }) }, [422, "refused", "inputs_invalid"]);
    await isRefusedAs({ body: noting({ graphId: randomUUID() }) }, [404, "not_found", null]);
    await isRefusedAs({ body: noting(), token: (await api.account({ graphs: [strict] })).token }, [404, "not_found", null]);
    const reader = await api.account({ scopes: ["runs:read"] });
    await isRefusedAs({ body: noting(), token: reader.token }, [403, "refused", "scope_missing"]);
    const staging = await api.account({ environments: ["staging"] });
    await isRefusedAs({ body: noting(), token: staging.token }, [409, "refused", "environment_not_granted"]);
    expect(await count("from command where kind = 'start' and status = 'refused'")).toBe(before + 4);
  });

  test("of a graph that was just deleted is refused", async () => {
    expect((await start({ body: noting() })).status).toBe(202);
    await query(stand.desk.urls.admin, "update graph set deleted_at = now() where id = $1", [notes]);
    await isRefusedAs({ body: noting() }, [404, "not_found", null]);
    await query(stand.desk.urls.admin, "update graph set deleted_at = null where id = $1", [notes]);
  });

  test("at the account's daily limit is refused", async () => {
    const { token } = await api.account({ limits: { runs: 2, sessions: 1, micro_usd: 1_000_000 } });
    const answers = [];
    for (let index = 0; index < 3; index += 1) {
      const answer = await start({ token, body: noting() });
      answers.push(answer);
      if (answer.status === 202) await awaitDecided(answer.body.runId, token);
    }
    expect(answers.map(({ status, body }) => [status, body.refusal ?? null])).toEqual([
      [202, null],
      [202, null],
      [429, "token_run_limit"],
    ]);
  });
});

test("a start refused after it was accepted is answered as if it had waited", async () => {
  const waited = await start({ body: noting({ graphId: strict }), waits: true });
  expect([waited.status, waited.body.refusal]).toEqual([409, "integrity_too_low"]);
  const key = randomUUID();
  const accepted = await start({ key, body: noting({ graphId: strict }) });
  expect(accepted.status).toBe(202);
  const decided = await getRun(accepted.body.runId, "?wait=60");
  const shown = [decided, await start({ key, body: noting({ graphId: strict }) })];
  expect(shown.map(({ status, body }) => [status, body.refusal])).toEqual([
    [409, "integrity_too_low"],
    [409, "integrity_too_low"],
  ]);
  expect((await getRun(accepted.body.runId)).body.refusal).toBe("integrity_too_low");
  expect(await count("from run where id = $1", accepted.body.runId)).toBe(0);
});
