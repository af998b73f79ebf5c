import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FEWEST_RUNS, type ToolName } from "@/lib/mcp/tool-use";
import { roleSchema, type Role } from "@/lib/roles";
import { useDatabase } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin, testWorkspace } from "@/server/mcp/testing/registered";
import { openDesk, publishAs, startRun, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { saveAgent } from "@/server/store/agents/agents";
import { callerAs } from "@/server/testing/caller";
import { testDatabase } from "@/server/testing/database";

const urls = await testDatabase("runner");
const installation = await testInstallation();
let desk: Desk;
let others: string;
let wide: string;
const READ = { server: "filesystem", tool: "read_text_file" };
const LIST = { server: "filesystem", tool: "list_directory" };
const FIND = { server: "customers", tool: "find_customer" };
const UPDATE = { server: "customers", tool: "update_plan" };
const started: string[] = [];

const as = (role: Role, workspace = desk.workspace) => callerAs(workspace, role);
const callersOf = async (id: string) =>
  Object.fromEntries((await as("viewer").mcp.usage({ id })).callers.map(({ id: caller, ...use }) => [caller, use]));
const grantsOf = async (id: string) => {
  const { agents } = await as("viewer").agents.usage();

  return Object.fromEntries((agents.find((one) => one.id === id)?.tools ?? []).map(({ tool, ...use }) => [tool, use]));
};

const runMails = async (amount: number): Promise<void> => {
  await useDatabase(urls.runner);
  for (let index = 0; index < amount; index += 1) {
    const run = await startRun(desk, "honest", "02-outage-credit.txt", wide);
    await drive(desk, run);
    started.push(run);
  }
  await useDatabase(urls.web);
};

const WIDE: Readonly<Record<string, readonly ToolName[]>> = {
  parser: [READ],
  planner: [FIND, UPDATE],
};

beforeAll(async () => {
  desk = await openDesk(urls, installation);
  others = await testWorkspace(urls.admin);
  const agents = desk.published.agents.map((agent) => ({ ...agent, tools: [...(WIDE[agent.id] ?? [])] }));
  wide = await publishAs(desk, { ...desk.published, agents }, desk.people.builder);
  await asAdmin(urls.admin, `update mcp_server set allowed_agents = '["node", "parser"]' where id = 'filesystem'`);
  await runMails(FEWEST_RUNS - 1);
  for (const agent of agents) {
    const since = agent.id === "planner" ? [LIST] : [];
    await saveAgent(desk.workspace, { ...agent, tools: [...agent.tools, ...since] }, null);
  }
}, 120_000);
afterAll(() => desk.mcp.close());

describe("granted versus used", () => {
  test("suggests nothing from too few runs, and names their number", async () => {
    expect((await as("viewer").mcp.usage({ id: "filesystem" })).runs).toBe(FEWEST_RUNS - 1);
    expect(await callersOf("filesystem")).toMatchObject({
      node: { runs: FEWEST_RUNS - 1, used: FEWEST_RUNS - 1, verdict: "used" },
      parser: { runs: FEWEST_RUNS - 1, used: 0, lastAtMs: null, verdict: "too_few" },
    });
  });

  test("reports tools unused in enough runs, but no recent grants", async () => {
    await runMails(1);
    expect(await callersOf("filesystem")).toMatchObject({ parser: { runs: FEWEST_RUNS, used: 0, verdict: "unused" } });
    expect(await callersOf("customers")).toMatchObject({ node: { verdict: "used" }, planner: { used: FEWEST_RUNS, verdict: "used" } });
    expect(await grantsOf("planner")).toMatchObject({
      find_customer: { runs: FEWEST_RUNS, used: FEWEST_RUNS, verdict: "used" },
      update_plan: { runs: FEWEST_RUNS, used: 0, verdict: "unused" },
      list_directory: { runs: 0, used: 0, verdict: "too_few" },
    });
  });

  test("skips runs without calls or with unverified ledgers", async () => {
    await asAdmin(urls.admin, "update run set simulated = true where id = $1", [started[0]]);
    await asAdmin(urls.admin, "update run set frozen = 'signature at record 1' where id = $1", [started[1]]);
    expect((await as("viewer").mcp.usage({ id: "filesystem" })).runs).toBe(FEWEST_RUNS - 2);
    expect(await callersOf("filesystem")).toMatchObject({ parser: { runs: FEWEST_RUNS - 2, verdict: "too_few" } });
    await asAdmin(urls.admin, "update run set simulated = false, frozen = null where workspace_id = $1", [desk.workspace]);
  });

  test("is readable with the registry, per workspace", async () => {
    for (const role of roleSchema.options) {
      expect((await as(role).mcp.usage({ id: "customers" })).callers).toHaveLength(2);
      expect((await as(role).agents.usage()).agents).toHaveLength(2);
    }
    await expect(as("admin", others).mcp.usage({ id: "customers" })).rejects.toMatchObject({ cause: { code: "not_found" } });
    expect(await as("admin", others).agents.usage()).toEqual({ runs: 0, agents: [] });
  });
});
