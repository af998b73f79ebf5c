import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { recordSchema } from "@/lib/engine/ledger/record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import { digestOf } from "@/lib/hash";
import type { Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { ownRecords } from "@/server/store/workspaces/log";
import { openedSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);
let desk: Desk;
let run: string;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
}, 120_000);
afterAll(async () => {
  closeRunBus();
  await desk.mcp.close();
});

const callerOf = (role: Role, workspace = desk.workspace) =>
  createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id: desk.people[role], name: role, email: `${role}@test.invalid` },
      workspace: { id: workspace, name: "Support", demo: false },
      role,
      auditor: false,
      session: await openedSession(urls.admin, desk.people[role]),
    }),
  });

const codeOf = async (ask: () => Promise<unknown>): Promise<string> => {
  await useDatabase(urls.web);
  try {
    await ask();

    return "answered";
  } catch (error) {
    return error instanceof AppError ? error.code : String((error as { cause?: AppError }).cause?.code);
  } finally {
    closeRunBus();
    await useDatabase(urls.runner);
  }
};

const recordsOfWorkspace = async () =>
  (await ownRecords(desk.workspace, getWorkspaceLedgerId(desk.workspace))).map(({ body }) => recordSchema.parse(JSON.parse(body)));

const answered = async () => {
  const before = (await recordsOfWorkspace()).length;
  const open = await query<{ run_id: string }>(urls.admin, "select distinct run_id from command where status = 'pending'");
  for (const { run_id: target } of open) await drive(desk, target);

  return (await recordsOfWorkspace()).slice(before);
};

describe("commands about missing things", () => {
  test("are answered not found and recorded with their author: a run, an approval, a version, a fork's parent", async () => {
    const digest = digestOf("seed", {});
    const decision = {
      approvalId: randomUUID(),
      transitionDigest: digest,
      viewDigest: digest,
      decision: "approve" as const,
      nonce: randomUUID(),
    };
    const start = { graphHash: digest, goal: "x", inputs: {}, model: "scripted:honest" };

    expect(await codeOf(() => callerOf("builder").runs.cancel({ runId: randomUUID() }))).toBe("not_found");
    expect(await codeOf(() => callerOf("reviewer").approvals.decide(decision))).toBe("not_found");
    expect(await codeOf(() => callerOf("builder").runs.start(start))).toBe("not_found");
    const fork = { runId: randomUUID(), seq: 0, change: { type: "strict_taint" as const, value: true } };
    expect(await codeOf(() => callerOf("builder").runs.fork(fork))).toBe("not_found");
    const records = await answered();
    expect(
      records
        .toSorted((a, b) => (a.proposal_kind < b.proposal_kind ? -1 : 1))
        .map(({ proposal_kind: kind, principal }) => [kind, principal]),
    ).toEqual([
      ["cancel", { type: "user", id: desk.people.builder, role: "builder", auditor: false }],
      ["decision", { type: "user", id: desk.people.reviewer, role: "reviewer", auditor: false }],
      ["fork", { type: "user", id: desk.people.builder, role: "builder", auditor: false }],
      ["start", { type: "user", id: desk.people.builder, role: "builder", auditor: false }],
    ]);
    expect(records.map(({ kind, refusal, writes }) => [kind, refusal?.code, writes])).toEqual(
      records.map(() => ["refusal", "not_found", []]),
    );
  });

  test("create no visible run", async () => {
    const own = getWorkspaceLedgerId(desk.workspace);

    expect(await codeOf(() => callerOf("viewer").runs.get({ runId: own }))).toBe("not_found");
    expect(await codeOf(() => callerOf("viewer").runs.records({ runId: own }))).toBe("not_found");
    expect((await callerOf("viewer").runs.list({})).runs.map(({ id }) => id)).toEqual([run]);
  });

  test("get the same answer when it exists in another workspace, without affecting it", async () => {
    const before = await query(urls.admin, "select version, head from run where id = $1", [run]);

    expect(await codeOf(() => callerOf("admin", randomUUID()).runs.cancel({ runId: run }))).toBe("not_found");
    await answered();
    expect(await query(urls.admin, "select version, head from run where id = $1", [run])).toEqual(before);
  });

  test("cannot flood the ledger: above twenty a minute nothing is written", async () => {
    const count = async () => (await query(urls.admin, "select 1 from command where user_id = $1", [desk.people.admin])).length;
    const before = await count();
    const codes = [];
    for (let asked = 0; asked < 23; asked += 1) codes.push(await codeOf(() => callerOf("admin").runs.cancel({ runId: randomUUID() })));

    expect([codes.slice(0, 20), codes.slice(20)]).toEqual([Array(20).fill("not_found"), Array(3).fill("rate_limited")]);
    expect((await count()) - before).toBe(20);
  });
});
