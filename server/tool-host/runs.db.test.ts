import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@/server/clock";
import { createMcp, type McpService } from "@/server/mcp/service";
import { callOf } from "@/server/mcp/testing/calling";
import { serverRow } from "@/server/mcp/testing/registered";
import { recordAdminStep } from "@/server/runner/admin-ledger";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { testDatabase } from "@/server/testing/database";
import type { ToolHosts } from "./connector";
import { bundleToolHost, openToolHosts, separateInstallation } from "./testing/hosts";

const urls = await testDatabase("runner");
const installation = await separateInstallation();
let hosts: ToolHosts;
let mcp: McpService;
let desk: Desk;

beforeAll(async () => {
  await bundleToolHost(installation);
  const base = await openDesk(urls, installation);
  hosts = openToolHosts(installation);
  mcp = createMcp({ clock: systemClock, installation, customersUrl: urls.customers, connector: hosts.connector });
  desk = { ...base, deps: { ...base.deps, mcp } };
}, 180_000);
afterAll(async () => {
  await mcp.close();
  await desk.mcp.close();
});

const LONG_MS = 120_000;

describe("a run with tool hosts", () => {
  it(
    "reads without approval and writes once with its receipt, though its hosts were killed while it waited",
    async () => {
      const before = await customersOf(desk);
      const run = await startRun(desk, "honest", "01-upgrade.txt");
      await drive(desk, run);
      const waiting = hosts.pids();
      expect(waiting).toHaveLength(2);
      for (const pid of waiting) process.kill(pid, "SIGKILL");
      await expect.poll(() => hosts.pids()).toEqual([]);
      const gated = await readRun(desk, run);
      expect((await ask(desk, run, desk.people.reviewer, decisionFor(desk, gated.state, "approve"))).refusal).toBeNull();
      const { state } = await readRun(desk, run);
      expect(state.status).toBe("completed");
      expect(Object.values(state.effects).map(({ outcome }) => outcome)).toEqual(Object.values(state.effects).map(() => "ok"));
      expect((await customersOf(desk)).applied).toBe(before.applied + 1);
    },
    LONG_MS,
  );

  it("makes no call without its record", async () => {
    const before = await customersOf(desk);
    const call = await callOf(mcp, desk.workspace, "customers", "find_customer", { email: "ada@example.com" });
    expect(await mcp.call(call, AbortSignal.timeout(60_000))).toEqual({ status: "unauthorized", result: null, fault: "proof_missing" });
    expect(await customersOf(desk)).toEqual(before);
  });

  it("makes an admin's console call by its record", async () => {
    const row = await serverRow(desk.workspace, "filesystem", mcp);
    const digest = row.tools.find(({ name }) => name === "list_allowed_directories")?.pinnedDigest ?? "";
    const callId = randomUUID();
    const asked = {
      workspaceId: desk.workspace,
      callId,
      by: { type: "user", id: desk.people.admin, role: "admin", auditor: false },
      salt: "5".repeat(64),
      record: (step: Parameters<Parameters<McpService["tryOut"]>[1]["record"]>[0]) =>
        recordAdminStep(desk.deps, desk.workspace, { area: "mcp", ...step }),
    } as const;
    const tryOut = {
      id: "filesystem",
      tool: "list_allowed_directories",
      definition_digest: digest,
      arguments: {},
      typed: "list_allowed_directories",
    };
    expect(await mcp.tryOut(tryOut, asked, AbortSignal.timeout(60_000))).toMatchObject({ status: "ok" });
  });
});
