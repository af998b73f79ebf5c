import { createServer } from "node:http";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PERSONAL_SCOPES, serviceScopeSchema } from "@/lib/engine/principal";
import { createClient, type Client } from "@/lib/public/client";
import { openStand, type Stand } from "@/server/outside/testing/fixture";
import { query } from "@/server/runner/testing/desk";
import { countersign, fileIn, startCountersign, type Ended } from "./testing.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-remote-"));
const open = await openStand();
let stand: Stand;
let token = "";
let reviewer: Client;

beforeAll(async () => {
  stand = await open();
  graph = await stand.graphId("support-desk");
  token = (await stand.mint({ ownerId: stand.desk.people.admin, scopes: [...serviceScopeSchema.options] })).token;
  const own = await stand.mint({ ownerId: stand.desk.people.reviewer, scopes: [...PERSONAL_SCOPES] });
  reviewer = createClient({ url: stand.origin, token: own.token });
});
afterAll(async () => {
  await stand.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const inputs = fileIn(folder, "inputs.json", { mail_file: "04-downgrade.txt" });
let graph = "";
const toStart = () => ["run", graph, "--inputs", inputs, "--model", "scripted:honest"];
const at = (args: readonly string[]) => [...args, "--remote", stand.origin];
const call = (args: readonly string[], shown = token) => countersign(at(args), { COUNTERSIGN_TOKEN: shown });
const jsonOf = ({ stdout }: Ended) => JSON.parse(stdout) as Record<string, unknown>;

type Report = { readonly run: string; readonly status: string; readonly waiting_for: readonly { readonly approval: string }[] };
const reportOf = (ended: Ended) => jsonOf(ended) as unknown as Report;

const startWaiting = async (...more: readonly string[]): Promise<{ run: string; approval: string }> => {
  const ended = await call([...toStart(), ...more]);
  expect([ended.code, reportOf(ended).status]).toEqual([3, "waiting"]);
  const { run, waiting_for: waiting } = reportOf(ended);

  return { run, approval: waiting[0]?.approval ?? "" };
};

const approve = async (approvalId: string): Promise<void> => {
  const { transitionDigest, viewDigest, nonce } = await reviewer.getApproval({ approvalId });
  await reviewer.decideApproval({ approvalId, decision: "approve", transitionDigest, viewDigest, nonce });
};

test("starts a run, lists and shows it, and rejects its request", async () => {
  const { run, approval } = await startWaiting();
  const listed = JSON.parse((await call(["runs", "--status", "waiting", "--graph", graph])).stdout) as { id: string }[];
  expect(listed.map(({ id }) => id)).toContain(run);
  expect(jsonOf(await call(["runs", "show", run]))).toMatchObject({ id: run, waitingFor: [{ approvalId: approval }] });
  expect((await call(["approvals"])).stdout).toContain(approval);
  expect(jsonOf(await call(["approvals", "show", approval]))).toMatchObject({ id: approval, status: "open", canDecide: false });
  const silent = await call(["approvals", "reject", approval]);
  expect([silent.code, silent.stderr]).toEqual([1, expect.stringContaining("--reason")]);
  expect((await call(["approvals", "reject", approval, "--reason", "Withdrawn."])).code).toBe(0);
  expect((await call(["approvals", "--decided"])).stdout).toContain(approval);
});

test("uploads the files of inputs before it starts", async () => {
  const missing = await call([...toStart(), "--file", "mail_file=nowhere.txt"]);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("nowhere.txt cannot be read")]);
  const refused = await call([...toStart(), "--file", `mail_file=${inputs}`]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("inputs_invalid")]);
  const size = fs.statSync(inputs).size;
  expect(await query(stand.desk.urls.admin, "select 1 from artifact where size = $1", [size])).toHaveLength(1);
});

test("cancels a run, and starts none again with the same key", async () => {
  const [first, second] = [await startWaiting("--key", "job-1"), await startWaiting("--key", "job-1")];
  expect(second.run).toBe(first.run);
  const rows = await query(stand.desk.urls.admin, "select 1 from command where kind = 'start' and run_id = $1", [first.run]);
  expect(rows).toHaveLength(1);
  expect((await call(["runs", "cancel", first.run, "--reason", "Superseded."])).code).toBe(0);
  const other = await call([...toStart(), "--goal", "Another.", "--key", "job-1"]);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("Idempotency-Key")]);
});

test("waits for the decision, then prints the state and exports the run, which verifies here", async () => {
  const out = path.join(folder, "run.json");
  const waiting = startCountersign(at([...toStart(), "--wait", "--out", out]), { COUNTERSIGN_TOKEN: token });
  let said = "";
  await new Promise<void>((resolve) => {
    waiting.child.once("close", () => resolve());
    waiting.child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("  waiting\n")) resolve();
    });
  });
  expect(said).toContain("  waiting\n");
  const run = /run (\S+) started/u.exec(said)?.[1] ?? "";
  const { waitingFor } = await createClient({ url: stand.origin, token }).getRun({ runId: run });
  await approve(waitingFor[0]?.approvalId ?? "");
  const ended = await waiting.ended;
  expect([ended.code, reportOf(ended)]).toEqual([0, expect.objectContaining({ run, status: "completed" })]);
  expect(jsonOf(await call(["state", run]))).toMatchObject({ run_id: run, status: "completed" });
  const anchor = path.join(stand.desk.installation.home, "keys", "trust-anchor.json");
  const [local, remote, elsewhere] = [
    await countersign(["verify", out, "--anchor", anchor]),
    await call(["verify", run, "--anchor", anchor]),
    await call(["verify", run, "--keys", fileIn(folder, "keys.json", {})]),
  ];
  expect([local.code, jsonOf(local)["ok"], remote.code, jsonOf(remote)]).toEqual([0, true, 0, jsonOf(local)]);
  expect(elsewhere.code).toBe(1);
  const fork = await call(["runs", "fork", run, "--seq", "1"]);
  expect([fork.code, fork.stderr]).toEqual([0, ""]);
});

test("names what is missing: a token, a scope, an address, a run", async () => {
  const unscoped = (await stand.mint({ ownerId: stand.desk.people.admin, scopes: ["graphs:read"] })).token;
  const unknown = "00000000-0000-4000-8000-000000000000";
  expect((await call(toStart(), unscoped)).stderr).toContain("scope_missing");
  expect((await call(["state", unknown])).stderr).toContain("not_found");
  expect((await call(["runs"], "none")).stderr).toContain("does not contain a token");
  expect((await countersign(["runs"])).stderr).toContain("--remote URL");
  expect((await call([...toStart(), "--script", inputs])).stderr).toContain("--script does not apply");
  expect((await countersign([...toStart(), "--wait"])).stderr).toContain("apply to --remote");
  const far = await countersign(["runs", "--remote", "http://countersign.example"], { COUNTERSIGN_TOKEN: token });
  expect([far.code, far.stderr]).toEqual([1, expect.stringContaining("https")]);
});

test("does not believe a server of another kind", async () => {
  const server = createServer((_, response) => response.setHeader("Content-Type", "application/json").end('{"id": 1, "id": 2}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  for (const args of [["runs"], ["state", "x"], ["verify", "x"]]) {
    const { code } = await countersign([...args, "--remote", origin], { COUNTERSIGN_TOKEN: token });
    expect([args, code]).toEqual([args, 1]);
  }
  server.close();
});
