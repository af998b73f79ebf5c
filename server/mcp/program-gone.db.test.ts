import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RegistryCommandInput } from "@/lib/mcp/registry-command";
import { systemClock } from "@/server/clock";
import { createMcpStepRecorder } from "@/server/runner/mcp-record";
import { openDesk, type Desk } from "@/server/runner/testing/desk";
import { queryOn } from "@/server/testing/connections";
import { testDatabase } from "@/server/testing/database";
import { applyRegistryCommand } from "./registry";
import type { McpService } from "./service";
import { callTool } from "./testing/calling";
import { RUG_PULL, testInstallation } from "./testing/installation";
import { createLocalMcp } from "./testing/local-mcp";
import { makeProgramFolder, offerInPlace } from "./testing/programs";
import { serverRow } from "./testing/registered";

const urls = await testDatabase("runner");
const [here, there] = [await testInstallation(), await testInstallation()];
let desk: Desk;
let first: McpService;
let second: McpService;

beforeAll(async () => {
  desk = await openDesk(urls, here);
  const options = { clock: systemClock, authority: desk.deps.authority, record: createMcpStepRecorder(desk.deps) };
  first = createLocalMcp({ ...options, installation: here });
  second = createLocalMcp({ ...options, installation: there });
}, 120_000);
afterAll(async () => {
  await Promise.all([first.close(), second.close(), desk.mcp.close()]);
});

const apply = async (command: RegistryCommandInput): Promise<void> => {
  const by = { type: "user", id: desk.people.admin, role: "admin", auditor: false } as const;
  expect(await applyRegistryCommand(first, desk.workspace, by, command)).toMatchObject({ ok: true });
};
const revision = async (): Promise<number> => (await serverRow(desk.workspace, "tools", first)).revision;

const steps = async (): Promise<string[]> => {
  const rows = await queryOn<{ step: string }>(
    urls.admin,
    `select event->>'step' as step from ledger_record, jsonb_array_elements(body::jsonb->'control') as event
     where workspace_id = $1 and event->>'subject' = 'tools' order by seq`,
    [desk.workspace],
  );

  return rows.map(({ step }) => step);
};

it("one runner without the program says so on record, and the server stays in use on the other", async () => {
  const folder = await makeProgramFolder();
  const file = path.join(folder, "rug-pull.ts");
  await cp(RUG_PULL, file);
  const manifest = await offerInPlace(here, "tools", file);
  expect(await offerInPlace(there, "tools", file)).toEqual(manifest);
  await apply({ type: "add", id: "tools", name: "tools", transport: { type: "stdio", manifest } });
  await apply({ type: "inspect", id: "tools", revision: await revision() });
  const { tools } = await serverRow(desk.workspace, "tools", first);
  const expected = Object.fromEntries(tools.flatMap(({ name, seenDigest }) => (seenDigest ? [[name, seenDigest]] : [])));
  await apply({ type: "pin", id: "tools", revision: await revision(), expect: expected });
  await apply({ type: "set_allowed_agents", id: "tools", revision: await revision(), agents: ["node"] });
  await apply({ type: "activate", id: "tools", revision: await revision() });
  expect(await callTool(second, desk.workspace, "tools", "echo", { text: "hello" })).toMatchObject({ status: "ok" });

  await rm(path.join(there.home, "keys", "programs.json"));
  for (let time = 0; time < 3; time += 1) {
    expect(await callTool(second, desk.workspace, "tools", "echo", { text: "hello" })).toEqual({ status: "unavailable", result: null });
  }
  expect((await steps()).filter((step) => step === "program_gone")).toHaveLength(1);
  const row = await serverRow(desk.workspace, "tools", first);
  expect([row.status, row.lastError]).toEqual(["active", expect.stringContaining("The operator does not offer the program tools.")]);
  expect(await callTool(first, desk.workspace, "tools", "echo", { text: "hello" })).toMatchObject({ status: "ok" });
  expect([await first.programs(), await second.programs()].map((list) => list.some(({ id }) => id === "tools"))).toEqual([true, false]);
});
