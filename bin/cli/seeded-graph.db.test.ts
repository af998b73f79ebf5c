import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { toMemory } from "@/lib/engine/state";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { testInstallation } from "@/server/mcp/testing/installation";
import { asAdmin } from "@/server/mcp/testing/registered";
import { useSameModels, type Models } from "@/server/models/contract";
import { openDesk, startRun, type Desk } from "@/server/runner/testing/desk";
import { ask, customersOf, decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { SUPPORT_DESK_AGENTS } from "@/server/seed/support-desk/agents";
import { SUPPORT_DESK_GRAPH } from "@/server/seed/support-desk/graph";
import { SUPPORT_DESK_SERVERS } from "@/server/seed/support-desk/servers";
import { testDatabase } from "@/server/testing/database";
import { countersign, fileIn } from "./testing.ts";

const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home, root } = installation;
let desk: Desk;

beforeAll(async () => {
  desk = await openDesk(urls, installation);
}, 120_000);
afterAll(() => desk.mcp.close());

/** Runs as the web does and scripts the model answers. */
const webRun = async (persona: string, mail: string, decision: "approve" | "reject") => {
  const agents: Record<string, unknown[]> = {};
  const own = await desk.deps.modelsFor(desk.workspace);
  const models: Models = {
    ...own,
    generate: async (request, signal) => {
      const { text, tool_calls: calls, usage } = await own.generate(request, signal);
      (agents[request.agent] ??= []).push({
        text,
        ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ name, input }) => ({ name, input })) }),
        usage: { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens },
      });

      return { text, tool_calls: calls, usage };
    },
  };
  const listening: Desk = { ...desk, deps: { ...desk.deps, modelsFor: useSameModels(models) } };
  const run = await startRun(listening, persona, mail);
  await drive(listening, run);
  const { state } = await readRun(listening, run);
  await ask(listening, run, desk.people.reviewer, decisionFor(desk, state, decision));

  return { ...(await readRun(listening, run)), script: { agents } };
};

/** The demo's servers and their effects. */
const MCP = {
  mcpServers: {
    filesystem: {
      command: process.execPath,
      args: [path.join(root, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), path.join(home, "inbox")],
    },
    customers: { command: process.execPath, args: [path.join(home, "build", "customers.mjs")], env: { DATABASE_URL: urls.customers } },
  },
  effects: Object.fromEntries(
    SUPPORT_DESK_SERVERS.flatMap(({ id, labels }) => Object.entries(labels).map(([tool, label]) => [`${id}__${tool}`, label] as const)),
  ),
};

const printedSchema = z.object({
  status: z.string(),
  memory: z.unknown(),
  labels: z.record(z.string(), z.object({ integrity: z.string(), confidentiality: z.string() })),
  visited_nodes: z.array(z.string()),
  records: z.array(z.object({ kind: z.string(), node: z.string().nullable(), code: z.string().optional() })),
  usage: z.object({ total_tokens: z.number() }),
  verify: z.object({ ok: z.boolean() }),
});

const commandRun = async (script: unknown, mail: string, decision: "approve" | "reject") => {
  const { stdout, stderr, code } = await countersign([
    "run",
    fileIn(home, "desk.json", { ...SUPPORT_DESK_GRAPH, agents: SUPPORT_DESK_AGENTS }),
    "--inputs",
    fileIn(home, "inputs.json", { mail_file: mail }),
    "--script",
    fileIn(home, "script.json", script),
    "--mcp",
    fileIn(home, "mcp.json", MCP),
    "--decide",
    fileIn(home, "decide.json", [{ decision }]),
    "--goal",
    "Handle the mail",
    "--json",
  ]);
  expect(stderr).toBe("");

  return { code, ...printedSchema.parse(JSON.parse(stdout)) };
};

const outline = (records: readonly SignedRecord[]) =>
  records.map(({ record }) => {
    const failed = record.control.find((event) => event.type === "attempt_failed");
    const code = record.refusal?.code ?? (failed?.type === "attempt_failed" ? failed.code : undefined);

    return { kind: record.kind, node: record.node, ...(code === undefined ? {} : { code }) };
  });

const forgetChanges = (): Promise<void> => asAdmin(urls.admin, "truncate customers.applied_change, customers.customer");

test.each([
  ["honest", "01-upgrade.txt", "approve", 1],
  ["compromised", "07-urgent-from-management.txt", "reject", 0],
] as const)(
  "the support desk with the %s model on %s writes the same records from the command line as from the web",
  async (persona, mail, decision, applied) => {
    const web = await webRun(persona, mail, decision);
    if (applied > 0) await forgetChanges();
    const before = (await customersOf(desk)).applied;
    const printed = await commandRun(web.script, mail, decision);

    expect(printed).toMatchObject({ code: 0, status: web.state.status, verify: { ok: true } });
    expect(printed.records.map(({ kind, node, code }) => ({ kind, node, ...(code === undefined ? {} : { code }) }))).toEqual(
      outline(web.records),
    );
    expect(printed.labels).toMatchObject(
      Object.fromEntries(
        web.state.cells.map(({ path: at, label }) => [at, { integrity: label.integrity, confidentiality: label.confidentiality }]),
      ),
    );
    expect(printed.usage.total_tokens).toBe(web.state.totalTokens);
    expect(Object.keys(printed.memory as object)).toEqual(Object.keys(toMemory(web.state.cells)));
    expect((await customersOf(desk)).applied).toBe(before + applied);
  },
  60_000,
);
