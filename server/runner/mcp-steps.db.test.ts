import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { verifyRecord, type StoredRecord } from "@/lib/engine/ledger/stored-record";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { RegistryCommandInput } from "@/lib/mcp/registry-command";
import { systemClock } from "@/server/clock";
import { applyRegistryCommand } from "@/server/mcp/registry";
import type { McpService } from "@/server/mcp/service";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { CHANGES, changingServer, HONEST } from "@/server/mcp/testing/changing-server";
import { testInstallation } from "@/server/mcp/testing/installation";
import { serverRow } from "@/server/mcp/testing/registered";
import { createMcpStepRecorder } from "@/server/runner/mcp-record";
import { openDesk, type Desk } from "@/server/runner/testing/desk";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";

const ID = "changing";
const urls = await testDatabase("runner");
const installation = await testInstallation();
const world = await changingServer();
let desk: Desk;
let mcp: McpService;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  mcp = createLocalMcp({
    clock: systemClock,
    authority: desk.deps.authority,
    installation,
    egress: { allowOrigins: [world.origin] },
    record: createMcpStepRecorder(desk.deps),
  });
}, 120_000);
afterAll(async () => {
  await mcp.close();
  await desk.mcp.close();
});

const row = () => serverRow(desk.workspace, ID, mcp);
const apply = (command: RegistryCommandInput, role: "admin" | "builder" = "admin") =>
  applyRegistryCommand(mcp, desk.workspace, { type: "user", id: desk.people[role], role, auditor: false }, command);
const revision = async () => (await row()).revision;

const records = async (): Promise<readonly LedgerRecord[]> => {
  const stored = await queryOn<StoredRecord>(
    urls.admin,
    "select seq, body, digest, kid, signature from ledger_record where workspace_id = $1 and run_id = $2 order by seq",
    [desk.workspace, getWorkspaceLedgerId(desk.workspace)],
  );
  const keys = await listPublicKeys();

  return (await Promise.all(stored.map((each) => verifyRecord(each, keys)))).flatMap((signed) => (signed ? [signed.record] : []));
};
type Changed = Extract<RunEvent, { type: "admin_changed" }>;
const stepsOf = async () =>
  (await records()).flatMap((record) =>
    record.control.flatMap((event): (Changed & { by: string })[] =>
      event.type === "admin_changed" && event.subject === ID ? [{ ...event, by: record.principal.type }] : [],
    ),
  );

it("has every step of a server's life with its author, chained by settings", async () => {
  await apply({ type: "add", id: ID, name: ID, transport: { type: "http", url: `${world.origin}/mcp` } });
  expect(await row()).toMatchObject({ status: "discovered", tools: [] });
  await apply({ type: "inspect", id: ID, revision: 1 });
  const seen = Object.fromEntries((await row()).tools.flatMap((tool) => (tool.seenDigest ? [[tool.name, tool.seenDigest]] : [])));
  const target = async () => ({ id: ID, revision: await revision() });
  await apply({ type: "pin", ...(await target()), expect: seen });
  const labels = { effect: "read", idempotent: true, output: "internal", outward: false, clearance: "internal" } as const;
  await apply({ type: "set_labels", ...(await target()), labels: { echo: labels } });
  await apply({ type: "set_allowed_agents", ...(await target()), agents: ["node"] });
  await apply({ type: "activate", ...(await target()) });
  await apply({ type: "set_limits", ...(await target()), tool: "echo", limits: null });
  await apply({ type: "block_tool", ...(await target()), tool: "echo" });
  await apply({ type: "unblock_tool", ...(await target()), tool: "echo" });
  world.say(CHANGES.description);
  await apply({ type: "inspect", ...(await target()) });
  await apply({ type: "inspect", ...(await target()) });
  world.say(HONEST);
  await apply({ type: "resume", ...(await target()) });
  await apply({ type: "suspend", ...(await target()) });
  await apply({ type: "set_transport", ...(await target()), transport: { type: "http", url: `${world.origin}/other` } });
  await apply({ type: "revoke", ...(await target()) });

  const steps = await stepsOf();
  expect(steps.map(({ step, by }) => `${step} ${by}`)).toEqual([
    "add user",
    "listed engine",
    "pin user",
    "set_labels user",
    "set_allowed_agents user",
    "activate user",
    "set_limits user",
    "block_tool user",
    "unblock_tool user",
    "drifted engine",
    "resume user",
    "suspend user",
    "set_transport user",
    "revoke user",
  ]);
  expect(steps[0]?.before).toBeNull();
  expect(steps.slice(1).map(({ before }) => before)).toEqual(steps.slice(0, -1).map(({ after }) => after));
  const unchanged = steps.filter(({ before, after }) => before === after);
  expect(unchanged.map(({ step }) => step)).toEqual(["set_limits"]);
});

it("has refused steps with reason and author", async () => {
  const before = (await records()).length;
  await apply({ type: "suspend", id: ID, revision: 1 });
  await apply({ type: "activate", id: "nowhere", revision: 1 }, "builder");
  const refused = (await records()).slice(before);
  expect(
    refused.map(({ kind, refusal, principal }) => [kind, refusal?.code, refusal?.ids, principal.type === "user" && principal.role]),
  ).toEqual([
    ["refusal", "step_refused", [ID, "suspend"], "admin"],
    ["refusal", "role_missing", ["nowhere", "activate"], "builder"],
  ]);
});

it("contains only digests of the decided values", async () => {
  const bodies = JSON.stringify(await records());
  for (const said of [world.origin, "Repeats a text", "internal"]) expect(bodies).not.toContain(said);
});
