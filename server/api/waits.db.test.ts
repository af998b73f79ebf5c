import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe as group, expect, test, vi } from "vitest";
import { API_PATH } from "@/lib/api/routes";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { graphSchema } from "@/lib/graph/document";
import { useDatabase } from "@/server/db/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { publishAs, query } from "@/server/runner/testing/desk";
import { readRun } from "@/server/runner/testing/run";
import { computeWaitTokenId, generateWaitToken } from "@/server/waits/wait-token";
import { submitCommand } from "@/server/web/submit-command";
import { openCalls, type Calls } from "./testing/calls";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const open = await openStand();
let stand: Stand;
let api: Calls;

beforeAll(async () => {
  stand = await open();
  api = await openCalls(stand);
});
afterAll(() => stand.close());

const publishListening = async (schema: object): Promise<string> => {
  const desk = stand.demo.of("support-desk");
  const graph = graphSchema.parse({
    format: "countersign/graph/v1",
    id: "listens",
    name: `Listens ${randomUUID()}`,
    memory: [{ key: "decision", schema }],
    nodes: [{ id: "listen", kind: "wait", write_keys: ["decision"], config: { until: { type: "event" } } }],
    edges: [],
    start_node: "listen",
    end_nodes: ["listen"],
  });
  await useDatabase(stand.desk.urls.runner);
  await publishAs(desk, { graph, agents: [], tools: [], subgraphs: [] }, desk.people.builder);
  await useDatabase(stand.desk.urls.web);
  const [row] = await query<{ id: string }>(desk.urls.admin, "select id from graph where name = $1", [graph.name]);

  return row?.id ?? "";
};

group("a wait", () => {
  const isRefusedAs = async (path: string, sent: Parameters<Calls["send"]>[2]) => {
    const response = await api.send("POST", path, sent);
    const { refusal, code } = (await response.json()) as { refusal: string | null; code: string };

    return [response.status, refusal ?? code];
  };

  test("is answered once, with its one-time token, and every other answer is one refusal", async () => {
    const desk = stand.demo.of("support-desk");
    const graphId = await publishListening({ type: "string" });
    const run = String((await api.call("startRun", {}, { body: { graphId, model: "scripted:honest" } }))["runId"]);
    expect(await api.call("getRun", { runId: run }, {}, "?wait=60")).toMatchObject({ status: "waiting", waitingFor: [] });
    expect(await api.call("getRunState", { runId: run })).toMatchObject({ waiting_for: "answer" });
    const answerAt = `/runs/${run}/wait/answer`;
    expect(await isRefusedAs(answerAt, { body: { token: "cwt_guess", value: "yes" } })).toEqual([409, "wait_token_wrong"]);

    const key = { headers: { "Idempotency-Key": randomUUID() } };
    const taken = await api.call("takeWaitToken", { runId: run }, { body: {}, ...key });
    expect(await api.call("takeWaitToken", { runId: run }, { body: {}, ...key })).toEqual(taken);
    expect(await isRefusedAs(`/runs/${run}/wait/token`, { body: {} })).toEqual([409, "wait_token_taken"]);
    const body = { token: String(taken["token"]), value: "yes" };
    const { token: other } = await api.account({ graphs: [api.graphId] });
    expect(await isRefusedAs(answerAt, { body, token: other })).toEqual([404, "not_found"]);
    const { token: reader } = await api.account({ scopes: ["runs:read"] });
    expect(await isRefusedAs(answerAt, { body, token: reader })).toEqual([403, "scope_missing"]);
    expect(await isRefusedAs(answerAt, { body: { ...body, value: "x".repeat(70_000) } })).toEqual([409, "value_too_large"]);
    expect(await isRefusedAs(answerAt, { body: { ...body, value: "x".repeat(2_000_000) } })).toEqual([413, "bad_request"]);

    await api.call("answerWait", { runId: run }, { body });
    expect(await api.call("getRun", { runId: run }, {}, "?wait=60")).toMatchObject({ status: "completed" });
    expect(await isRefusedAs(answerAt, { body })).toEqual([409, "run_finished"]);
    const { state, records } = await readRun(desk, run);
    expect(state.cells.find(({ path }) => path === "decision")).toMatchObject({
      content: { value: "yes" },
      label: { integrity: "untrusted" },
    });
    expect(JSON.stringify(records)).not.toContain(body.token);
  });
});

group("a wait, for a system without an account,", () => {
  let graphId = "";
  beforeAll(async () => {
    graphId = await publishListening({ type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] });
  });

  const startWaiting = async () => {
    const runId = String((await api.call("startRun", {}, { body: { graphId, model: "scripted:honest" } }))["runId"]);
    expect(await api.call("getRun", { runId }, {}, "?wait=60")).toMatchObject({ status: "waiting" });

    return runId;
  };
  const take = async (runId: string) => {
    const { token, url } = await api.call("takeWaitToken", { runId }, { body: {} });

    return { token: String(token), path: new URL(String(url)).pathname.slice(API_PATH.length) };
  };
  const answerOf = async (response: Response) => {
    const { refusal, code, seq } = (await response.json()) as { refusal?: string | null; code?: string; seq?: number };

    return [response.status, refusal ?? code ?? typeof seq];
  };
  const byHeader = async (token: string, value: unknown, headers: Record<string, string> = {}) =>
    answerOf(await api.send("POST", "/waits/answer", { token, body: { value }, headers }));
  const byAddress = async (path: string, body: unknown) => answerOf(await api.send("POST", path, { token: null, body }));
  const read = (runId: string) => readRun(stand.demo.of("support-desk"), runId);
  const versionOf = async (runId: string) => (await read(runId)).state.version;

  test("takes its answer by the token alone, once, untrusted and from this wait", async () => {
    const runId = await startWaiting();
    const { token, path } = await take(runId);
    expect(path).toBe(`/waits/${token}`);
    const key = { "Idempotency-Key": randomUUID() };
    const answers = await Promise.all([byHeader(token, { ok: true }, key), byHeader(token, { ok: true }, key)]);
    expect(answers, "a repeat").toEqual([
      [200, "number"],
      [200, "number"],
    ]);
    expect(await api.call("getRun", { runId }, {}, "?wait=60")).toMatchObject({ status: "completed" });
    expect(await byHeader(token, { ok: true }, key)).toEqual([200, "number"]);
    expect(await byHeader(token, { ok: false }, key)).toEqual([409, "run_finished"]);
    expect(await byAddress(path, { ok: false })).toEqual([409, "run_finished"]);
    const { state, records } = await read(runId);
    const [cell] = state.cells.filter(({ path: at }) => at === "decision");
    const ended = records.find(({ record }) => record.control.some(({ type }) => type === "wait_ended"));
    const wait = ended?.record.control.flatMap((event) => (event.type === "wait_ended" ? [event.wait_id] : []))[0];
    expect(cell).toMatchObject({
      content: { value: { ok: true } },
      label: { integrity: "untrusted", provenance: expect.arrayContaining([`wait:listen/${wait}`]) as string[] },
    });
    expect(ended?.record.principal).toMatchObject({ type: "wait" });
    expect(JSON.stringify([records, state])).not.toContain(token);
    const stored = await query<{ stored: string }>(stand.desk.urls.admin, "select row_to_json(c)::text as stored from command c", []);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test("refuses each wrong answer once, and stays where it is", async () => {
    const runId = await startWaiting();
    const { token, path } = await take(runId);
    const before = await versionOf(runId);
    const guess = (replaced: string) => `${token.slice(0, -20)}${replaced}${token.slice(-19)}`;
    const unknown = guess(token.at(-20) === "A" ? "B" : "A");
    expect(await byHeader(unknown, { ok: true })).toEqual([401, "unauthenticated"]);
    expect(await byAddress(`/waits/${unknown}`, { ok: true })).toEqual([401, "unauthenticated"]);
    expect(await byHeader(api.token, { ok: true }), "an account's").toEqual([401, "unauthenticated"]);
    expect(await byHeader(token, "x".repeat(2_000_000))).toEqual([413, "bad_request"]);
    expect(await answerOf(await api.send("POST", path, { token: null, text: "{" }))).toEqual([400, "bad_request"]);
    const plain = { token: null, text: "{}", headers: { "Content-Type": "text/plain" } };
    expect(await answerOf(await api.send("POST", path, plain))).toEqual([415, "bad_request"]);
    expect((await api.send("GET", path, { token: null })).status, "a preview").toBe(405);
    expect(await versionOf(runId), "no record").toBe(before);
    expect(await byHeader(token, { ok: "yes" })).toEqual([409, "value_invalid"]);
    expect(await byAddress(path, { ok: true, more: "x".repeat(70_000) })).toEqual([409, "value_too_large"]);
    expect([await versionOf(runId), (await read(runId)).state.status]).toEqual([before + 2, "waiting"]);
    expect(await byAddress(path, { ok: true })).toEqual([200, "number"]);
  });

  test("has at most ten answers a minute, and none after a cancel or at another run", async () => {
    const [runId, other] = [await startWaiting(), await startWaiting()];
    const { token } = await take(runId);
    const { token: others } = await take(other);
    await api.call("cancelRun", { runId }, { body: {} });
    for (let attempt = 0; attempt < 9; attempt += 1) expect(await byHeader(token, { ok: true })).toEqual([409, "run_finished"]);
    expect((await byHeader(token, { ok: true }))[0]).toBe(409);
    expect(await byHeader(token, { ok: true })).toEqual([429, "rate_limited"]);
    const forged = `${others.slice(0, 47)}${token.slice(47)}`;
    expect(await byHeader(forged, { ok: true }), "its run, another secret").toEqual([401, "unauthenticated"]);
  });

  test("is decided by the runner, whatever the web process sends", async () => {
    const runId = await startWaiting();
    const { token } = await take(runId);
    const { workspace: workspaceId } = stand.desk;
    const send = (id: string, body: Parameters<typeof submitCommand>[0]["body"], to = runId) =>
      submitCommand({ workspaceId, runId: to, author: { type: "wait", token: id }, body }).then(
        () => "accepted",
        (error: { refusal?: string }) => error.refusal,
      );
    const [id, guess] = [computeWaitTokenId(token), generateWaitToken({ workspaceId, runId })];
    const answer = { kind: "answer_wait", value: { ok: true } } as const;
    const ledger = getWorkspaceLedgerId(workspaceId);
    expect(await send(computeWaitTokenId(guess), { ...answer, token: guess })).toBe("wait_token_wrong");
    expect(await send(id, { ...answer, token: guess })).toBe("command_forged");
    expect(await send(id, answer)).toBe("scope_missing");
    expect(await send(id, { kind: "cancel" })).toBe("scope_missing");
    expect(await send(id, { ...answer, token }, randomUUID())).toBe("not_found");
    expect(await send(id, { kind: "attest", run: runId }, ledger)).toBe("not_found");
    expect((await read(runId)).state.status).toBe("waiting");
    expect(await send(id, { ...answer, token })).toBe("accepted");
  });
});
