import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { computeViewDigest } from "@/lib/engine/approvals/approval-view";
import { AppError } from "@/lib/errors";
import { roleSchema, type Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { openDesk, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { freshSession } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";
import { createCaller } from "@/server/trpc/root";

/** In no name. */
const CANARY = "canary-Zwiebelfisch-4711";
const CREDIT_CANARY = 777_123;

const urls = await testDatabase("runner");
const installation = await testInstallation();
vi.stubEnv("COUNTERSIGN_HOME", installation.home);

let desk: Desk;
let run: string;
let approval: string;

const callerOf = (role: Role, workspace = desk.workspace, auditor = false) =>
  createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id: desk.people[role], name: role, email: `${role}@test.invalid` },
      workspace: { id: workspace, name: "Support", demo: false },
      role,
      auditor,
      session: freshSession(),
    }),
  });

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );

  return error instanceof Error && error.cause instanceof AppError ? error.cause.code : "none";
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  await mkdir(path.join(installation.home, "keys"), { recursive: true });
  await writeFile(path.join(installation.home, "keys", "vault.key"), desk.keys.vault, { mode: 0o600 });
  await query(urls.customers, "update customers.customer set name = $1, credit_cents = $2", [CANARY, CREDIT_CANARY]);
  run = await startRun(desk, "honest", "02-outage-credit.txt");
  await drive(desk, run);
  await useDatabase(urls.web);
  approval = (await callerOf("viewer").approvals.queue({ filter: {} })).rows.find((row) => row.runId === run)?.id ?? "";
}, 120_000);
afterAll(() => desk.mcp.close());

describe("an approval's reach", () => {
  test("is equal for all roles: the call, its source by a witness, and no further gate", async () => {
    const reach = await callerOf("viewer").approvals.reach({ approvalId: approval });

    for (const role of roleSchema.options) expect(await callerOf(role).approvals.reach({ approvalId: approval })).toEqual(reach);
    expect(reach).toMatchObject({
      call: { server: "customers", tool: "update_plan", effect: "write" },
      writes: ["write_result"],
      integrity: "untrusted",
      next: { gates: [], certain: false },
    });
    expect(reach?.flows).toHaveLength(1);
    expect(reach?.flows[0]?.witness.at(-1)).toEqual({ node: "write_change" });
    expect(reach?.titles).toMatchObject({ write_change: "Write the change" });
  });

  test("contains no values for anyone, auditors included", async () => {
    const reach = JSON.stringify(await callerOf("reviewer", desk.workspace, true).approvals.reach({ approvalId: approval }));
    const { view } = await callerOf("reviewer").approvals.get({ approvalId: approval });

    expect(JSON.stringify(view)).toContain(String(CREDIT_CANARY));
    for (const canary of [CANARY, String(CREDIT_CANARY), "02-outage-credit.txt", "@"]) expect(reach).not.toContain(canary);
  });

  test("and its place contains none either: route, source records and commitments", async () => {
    const around = await callerOf("viewer").approvals.around({ approvalId: approval });
    const { view, transition, gate } = await callerOf("reviewer").approvals.get({ approvalId: approval });

    for (const canary of [CANARY, String(CREDIT_CANARY), "02-outage-credit.txt", "@"]) expect(JSON.stringify(around)).not.toContain(canary);
    for (const role of roleSchema.options) expect(await callerOf(role).approvals.around({ approvalId: approval })).toEqual(around);
    expect(around.map.waiting).toBe(view.node);
    expect(around.map.visits.at(-1)?.node).toBe(view.node);
    expect(around.origins["mcp:customers/find_customer"]).toMatchObject({ integrity: "untrusted" });
    expect(around.origins["mcp:customers/find_customer"]?.records.every((seq) => seq < (gate.seq ?? 0))).toBe(true);
    // Openable cells are named by the transition or their writing record.
    const memory = around.cells.filter(({ path: at }) => !at.startsWith("$"));
    const { records } = await callerOf("viewer").runs.records({ runId: run });
    expect(memory.some(({ commitment }) => transition.includes(commitment))).toBe(true);
    for (const { commitment, seq } of memory) expect(JSON.stringify(records[seq])).toContain(commitment);
    expect(around.cells.at(-1)).toMatchObject({ path: `$pending.${approval}`, seq: gate.seq });
  });

  test("does not change the signed view", async () => {
    await callerOf("reviewer").approvals.reach({ approvalId: approval });
    const { view } = await callerOf("reviewer").approvals.get({ approvalId: approval });

    expect(computeViewDigest(view)).toBe(decisionFor(desk, (await readRun(desk, run)).state, "approve").view_digest);
  });

  test("is missing for other workspaces and unknown approvals", async () => {
    expect(await codeOf(callerOf("reviewer", randomUUID(), true).approvals.reach({ approvalId: approval }))).toBe("not_found");
    expect(await codeOf(callerOf("reviewer").approvals.reach({ approvalId: randomUUID() }))).toBe("not_found");
    expect(await codeOf(callerOf("reviewer", randomUUID(), true).approvals.around({ approvalId: approval }))).toBe("not_found");
    expect(await codeOf(callerOf("reviewer").approvals.around({ approvalId: randomUUID() }))).toBe("not_found");
  });

  test("comes from the frozen version whatever the registry, and stays after the decision", async () => {
    const before = await callerOf("viewer").approvals.reach({ approvalId: approval });
    await query(urls.admin, "update mcp_tool set effect = 'irreversible', outward = true where workspace_id = $1", [desk.workspace]);
    expect(await callerOf("viewer").approvals.reach({ approvalId: approval })).toEqual(before);

    await useDatabase(urls.runner);
    await ask(desk, run, desk.people.reviewer, decisionFor(desk, (await readRun(desk, run)).state, "reject"));
    await drive(desk, run);
    await useDatabase(urls.web);
    expect((await callerOf("viewer").approvals.get({ approvalId: approval })).approval.status).toBe("rejected");
    expect(await callerOf("viewer").approvals.reach({ approvalId: approval })).toEqual(before);
  });
});
