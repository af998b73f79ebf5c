import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { agentSchema, graphSchema } from "@/lib/graph/document";
import type { PublishedVersion } from "@/lib/graph/facts/facts";
import { buildPublishedGraph, computeVersionHash } from "@/lib/graph/publish";
import { jsonSchema, type Json, type JsonObject } from "@/lib/json";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import type { GateState, RunState } from "@/lib/engine/state";
import type { BundledProgram } from "@/lib/mcp/bundled-program";
import type { Installation } from "@/server/mcp/programs/installation";
import { bundleServers } from "@/server/mcp/testing/bundles";
import { bundledManifest } from "@/server/mcp/testing/programs";
import { activeServer, serverRow } from "@/server/mcp/testing/registered";
import { command, openDesk, publishAs, type Desk } from "@/server/runner/testing/desk";
import { ask, decisionFor, drive, openGateOf, readRun } from "@/server/runner/testing/run";
import { DEMO_AGENTS, DEMO_GRAPHS, DEMO_SERVERS } from "@/server/seed/workflows";
import { listPinnedTools, setMcpLabels } from "@/server/store/mcp/servers";
import type { TestDatabase } from "@/server/testing/database";

export type Demo = { readonly desk: Desk; readonly of: (graph: string) => Desk };

const BUNDLED: readonly BundledProgram[] = ["library", "shop"];

const addBundled = async ({ workspace, mcp, installation }: Desk): Promise<void> => {
  await bundleServers(installation, BUNDLED);
  for (const { id, program, labels, allowedAgents } of DEMO_SERVERS) {
    if (!BUNDLED.includes(program)) continue;
    await activeServer(workspace, mcp, { id, manifest: await bundledManifest(program, installation), agents: allowedAgents });
    for (const [tool, label] of Object.entries(labels)) {
      const row = await serverRow(workspace, id, mcp);
      await setMcpLabels(workspace, id, row.revision, { [tool]: label });
    }
  }
};

export const openDemo = async (urls: TestDatabase, installation: Installation): Promise<Demo> => {
  const desk = await openDesk(urls, installation);
  await addBundled(desk);
  const agents = DEMO_AGENTS.map((agent) => agentSchema.parse(agent));
  const tools = [...(await listPinnedTools(desk.workspace))];
  const versions: PublishedVersion[] = [];
  const desks = new Map<string, Desk>();
  const offered = new Set(tools.map(({ server }) => server));
  for (const { document } of DEMO_GRAPHS) {
    // The server that changes after its review is not among them.
    if (document.nodes.some((node) => node.kind === "tool" && !offered.has(node.config.server))) continue;
    const published = buildPublishedGraph(graphSchema.parse(document), { agents, tools, versions });
    versions.unshift({ version: computeVersionHash(published), published });
    const graphHash = await publishAs(desk, published, desk.people.builder);
    desks.set(document.id, { ...desk, graphHash, published });
  }

  return {
    desk,
    of: (graph) => {
      const found = desks.get(graph);
      if (!found) throw new Error(`${graph} is not seeded`);

      return found;
    },
  };
};

/** Requests a run by `starter`. @returns its id */
export const startDemoRun = async (desk: Desk, persona: string, goal: string, inputs: JsonObject): Promise<string> => {
  const runId = randomUUID();
  await command(desk, runId, desk.people.starter, {
    kind: "start",
    graph_hash: desk.graphHash,
    goal,
    constraints: [],
    inputs,
    model: `scripted:${persona}`,
  });

  return runId;
};

export type Decide = (gate: GateState["gate"]) => "approve" | "reject";
export type Ended = { readonly runId: string; readonly state: RunState; readonly records: readonly SignedRecord[] };

export const approveAll: Decide = () => "approve";

export const finish = async (desk: Desk, runId: string, decide: Decide): Promise<Ended> => {
  await drive(desk, runId);
  for (;;) {
    const { state, records } = await readRun(desk, runId);
    if (state.status !== "waiting") return { runId, state, records };
    const decision = decide(openGateOf(state).gate);
    const outcome = await ask(desk, runId, desk.people.reviewer, decisionFor(desk, state, decision));
    if (outcome.refusal) throw new Error(`the decision was refused: ${outcome.refusal.code}`);
  }
};

export const findGates = (records: readonly SignedRecord[]): readonly string[] =>
  records.flatMap(({ record }) =>
    record.control.flatMap((event) => (event.type === "gate_opened" ? [`${event.gate.node}: ${event.gate.reason}`] : [])),
  );

/** Returns a bundled server's state; null before any change. */
export const keptBy = async (installation: Installation, server: string): Promise<Json> => {
  const text = await readFile(path.join(installation.home, server, "state.json"), "utf8").catch(() => null);

  return text === null ? null : (jsonSchema.parse(JSON.parse(text)) as { data: Json }).data;
};
