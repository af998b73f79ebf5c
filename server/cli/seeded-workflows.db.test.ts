import path from "node:path";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { computeEnvelope } from "@/lib/engine/envelope/envelope";
import { recordSchema, type LedgerRecord } from "@/lib/engine/ledger/record";
import { toMemory } from "@/lib/engine/state";
import { cameTo, exceeded } from "@/lib/engine/testing/measured-run";
import type { JsonObject } from "@/lib/json";
import type { CliHost } from "@/server/cli/host";
import { runCli } from "@/server/cli/main";
import { listOutlines } from "@/server/cli/testing/outline";
import { scriptOf } from "@/server/cli/testing/script-of";
import { useDatabase } from "@/server/db/client";
import { testInstallation } from "@/server/mcp/testing/installation";
import { query } from "@/server/runner/testing/desk";
import { useTrustAnchor } from "@/server/security/trust-anchor";
import { createModels } from "@/server/models/sdk/in-process";
import { approveAll, finish, openDemo, startDemoRun, type Decide, type Demo } from "@/server/seed/testing/demo";
import { DEMO_AGENTS, DEMO_GRAPHS, DEMO_SERVERS } from "@/server/seed/workflows";
import { testDatabase } from "@/server/testing/database";

const throwAway = await testDatabase("admin");
const urls = await testDatabase("runner");
const installation = await testInstallation();
const { home, root } = installation;
let demo: Demo;
beforeAll(async () => {
  demo = await openDemo(urls, installation);
}, 120_000);
afterAll(() => demo.desk.mcp.close());

const GOAL = "Do what the graph is for";

const bundled = (id: string, env: Readonly<Record<string, string>> = {}) => ({
  command: process.execPath,
  args: [path.join(home, "build", `${id}.mjs`), path.join(home, "of-the-command", id)],
  env,
});

const RATES = new Map(
  createModels({})
    .list()
    .map(({ id, rates }) => [id, rates]),
);

const MCP = {
  mcpServers: {
    filesystem: {
      command: process.execPath,
      args: [path.join(root, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), path.join(home, "inbox")],
    },
    customers: bundled("customers", { DATABASE_URL: throwAway.customers }),
    library: bundled("library"),
    shop: bundled("shop"),
  },
  effects: Object.fromEntries(
    DEMO_SERVERS.filter(({ changes }) => !changes).flatMap(({ id, labels }) =>
      Object.entries(labels).map(([tool, label]) => [`${id}__${tool}`, label] as const),
    ),
  ),
};

const documentOf = (id: string) => DEMO_GRAPHS.find(({ document }) => document.id === id)?.document;

const file = (name: string, content: unknown): string => {
  const at = path.join(home, name);
  writeFileSync(at, JSON.stringify(content));

  return at;
};

const printedSchema = z.object({
  status: z.string(),
  run_id: z.uuid(),
  memory: z.record(z.string(), z.unknown()),
  labels: z.record(z.string(), z.object({ integrity: z.string(), confidentiality: z.string() })),
  records: z.array(z.object({ seq: z.number(), kind: z.string(), node: z.string().nullable(), code: z.string().optional() })),
  refusals: z.array(z.object({ code: z.string() })),
  usage: z.object({ total_tokens: z.number() }),
  verify: z.object({ ok: z.boolean() }),
});

type Files = { readonly inputs: JsonObject; readonly script: object; readonly decide: readonly object[] };

const commandRun = async (graph: string, { inputs, script, decide }: Files) => {
  const undo: (() => Promise<void>)[] = [];
  let printed = "";
  const host: CliHost = {
    home,
    cwd: home,
    root: process.cwd(),
    ordinaryEnvironment: {},
    installerEnvironment: {},
    secret: () => undefined,
    input: process.stdin,
    output: process.stdout,
    out: async (text) => void (printed += text),
    err: async () => undefined,
    defer: (step) => void undo.push(step),
    verifierHtml: async () => "",
    openInstalledDatabase: () => false,
    findDatabaseUrl: () => null,
    openThrowAwayDatabase: () => useDatabase(throwAway.admin),
  };
  const subgraphs = graph === "research-and-publish" ? [documentOf("fact-check")] : [];
  const files = { inputs, script, mcp: MCP, decide };
  const options = Object.entries(files).flatMap(([name, content]) => [`--${name}`, file(`${name}.json`, content)]);
  const document = file("graph.json", { ...documentOf(graph), agents: DEMO_AGENTS, subgraphs });
  const args = ["run", document, ...options, "--goal", GOAL, "--json"];
  try {
    const code = await runCli(args, host);
    const report = printedSchema.parse(JSON.parse(printed));
    const rows = await query<{ body: string }>(throwAway.admin, "select body from ledger_record where run_id = $1 order by seq", [
      report.run_id,
    ]);

    return { code, report, records: rows.map(({ body }) => recordSchema.parse(JSON.parse(body))) };
  } finally {
    for (const step of undo.toReversed()) await step();
    await useDatabase(urls.runner);
    useTrustAnchor(home);
  }
};

/** Concurrent, so their scripts have no order. */
const UNORDERED = ["fetch", "check_lines", "review", "charge"];

const codesOf = (records: readonly LedgerRecord[]) => records.flatMap(({ refusal }) => (refusal ? [refusal.code] : []));

const rejectAll: Decide = () => "reject";

const QUESTION = { question: "Do street trees cool a city in summer?" };
const DRAFT = { title: "Trees", summary: "Trees cool.", body: "Trees cool streets.\n\nSources: none" };

type Case = readonly [graph: string, persona: string, about: string, inputs: JsonObject, decide: Decide, status: string, code: number];

// First the one without memory: a temporary workspace has none.
test.each<Case>([
  ["support-desk", "honest", "an upgrade", { mail_file: "01-upgrade.txt" }, approveAll, "completed", 0],
  ["support-desk", "compromised", "the hostile mail", { mail_file: "07-urgent-from-management.txt" }, rejectAll, "completed", 0],
  ["fact-check", "honest", "a draft", { draft: DRAFT, dossier: "A: Trees cool streets." }, approveAll, "completed", 0],
  ["research-and-publish", "compromised", "a question", QUESTION, rejectAll, "completed", 0],
  ["research-and-publish", "honest", "a question", QUESTION, approveAll, "completed", 0],
  ["order-desk", "honest", "an ordinary order", { order_id: "ord_2001" }, approveAll, "completed", 0],
  ["order-desk", "honest", "a declined card", { order_id: "ord_2002" }, approveAll, "failed", 2],
  ["order-desk", "honest", "a fraud", { order_id: "ord_2003" }, approveAll, "completed", 0],
  ["order-desk", "compromised", "an ordinary order", { order_id: "ord_2001" }, rejectAll, "completed", 0],
  ["page-digest", "honest", "a fair page", { page: "street-trees" }, approveAll, "completed", 0],
])(
  "%s with the %s model and %s leaves the same records from the command line as from the web",
  async (graph, persona, _about, inputs, choose, status, exitCode) => {
    const desk = demo.of(graph);
    const decide: object[] = [];
    const run = await startDemoRun(desk, persona, GOAL, inputs);
    const web = await finish(desk, run, (gate) => {
      const decision = choose(gate);
      decide.push({ decision });

      return decision;
    });
    const { code, report, records } = await commandRun(graph, { inputs, script: await scriptOf(desk, web.state, web.records), decide });

    expect({ code, status: report.status, verified: report.verify.ok }).toEqual({ code: exitCode, status, verified: true });
    expect(web.state.status).toBe(status);
    const envelope = computeEnvelope(desk.published, { model: `scripted:${persona}`, rates: RATES, limits: {} });
    expect(exceeded(cameTo(web.state, web.records), envelope)).toEqual([]);
    expect(envelope.refusedModels).toEqual([]);
    const expected = web.records.map(({ record }) => record);
    expect(listOutlines(records, UNORDERED)).toEqual(listOutlines(expected, UNORDERED));
    expect(codesOf(records)).toEqual(codesOf(expected));
    expect(report.records.map(({ seq, kind, node }) => ({ seq, kind, node }))).toEqual(
      records.map(({ seq, kind, node }) => ({ seq, kind, node })),
    );
    expect(report.refusals.map((refusal) => refusal.code)).toEqual(codesOf(expected));
    expect(report.labels).toMatchObject(
      Object.fromEntries(
        web.state.cells.map(({ path: at, label }) => [at, { integrity: label.integrity, confidentiality: label.confidentiality }]),
      ),
    );
    expect(Object.keys(report.memory)).toEqual(Object.keys(toMemory(web.state.cells)));
    expect(report.usage.total_tokens).toBe(web.state.totalTokens);
  },
  60_000,
);

test("covers every seeded graph except the externally driven one and those of the drifted server", () => {
  const graphs = ["support-desk", "fact-check", "research-and-publish", "order-desk", "page-digest"];
  const driven = DEMO_GRAPHS.filter(({ document }) => document.external !== undefined).map(({ document }) => document.id);
  expect(driven).toEqual(["refund-desk"]);
  const changing = DEMO_SERVERS.filter(({ changes }) => changes).map(({ id }) => id);
  const held = DEMO_GRAPHS.filter(({ document }) =>
    document.nodes.some((node) => node.kind === "tool" && changing.includes(node.config.server)),
  ).map(({ document }) => document.id);
  expect(held).toEqual(["delivery-planning", "weather-notice"]);
  expect(new Set(DEMO_GRAPHS.map(({ document }) => document.id))).toEqual(new Set([...graphs, ...driven, ...held]));
});
