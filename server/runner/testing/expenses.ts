import { graphSchema, type PublishedGraph, type ToolLabels } from "@/lib/graph/document";
import type { CommandBody } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import type { InputAnswers } from "@/lib/engine/approvals/tool-input";
import { bundleServers } from "@/server/mcp/testing/bundles";
import { bundledManifest } from "@/server/mcp/testing/programs";
import { activeServer, serverRow } from "@/server/mcp/testing/registered";
import { listPinnedTools, setMcpLabels } from "@/server/store/mcp/servers";
import { command, publishAs, type Desk } from "@/server/runner/testing/desk";
import { decisionFor } from "@/server/runner/testing/run";
import { randomUUID } from "node:crypto";

const GRAPH = {
  format: "countersign/graph/v1",
  id: "expenses",
  name: "Expenses",
  inputs: { type: "object", properties: { what: { type: "string" }, amount: { type: "integer" } }, required: ["what", "amount"] },
  memory: [
    { key: "what", schema: { type: "string" } },
    { key: "amount", schema: { type: "integer" } },
    { key: "filed", schema: {} },
  ],
  nodes: [
    {
      id: "file",
      kind: "tool",
      read_keys: ["what", "amount"],
      write_keys: ["filed"],
      effect: "write",
      failure_policy: { attempts: 1 },
      config: {
        server: "expenses",
        tool: "file_expense",
        arguments: { what: { from: "what" }, amount_cents: { from: "amount" } },
        write_to: "filed",
      },
    },
    { id: "done", kind: "router", config: {} },
  ],
  edges: [{ id: "filed", source: "file", target: "done" }],
  start_node: "file",
  end_nodes: ["done"],
};

const LABELS: ToolLabels = { effect: "write", idempotent: true, output: "internal", outward: false, clearance: "internal" };

export const withExpenses = async (desk: Desk): Promise<Desk> => {
  await bundleServers(desk.installation, ["expenses"]);
  await activeServer(desk.workspace, desk.mcp, {
    id: "expenses",
    manifest: await bundledManifest("expenses", desk.installation),
    agents: ["node"],
  });
  const { revision } = await serverRow(desk.workspace, "expenses", desk.mcp);
  await setMcpLabels(desk.workspace, "expenses", revision, { file_expense: LABELS });
  const published: PublishedGraph = {
    graph: graphSchema.parse(GRAPH),
    agents: [],
    tools: [...(await listPinnedTools(desk.workspace))],
    subgraphs: [],
  };

  return { ...desk, published, graphHash: await publishAs(desk, published, desk.people.builder) };
};

export const startExpense = async (desk: Desk, amount = 25_000, what = "A chair"): Promise<string> => {
  const runId = randomUUID();
  await command(desk, runId, desk.people.starter, {
    kind: "start",
    graph_hash: desk.graphHash,
    goal: "File it",
    constraints: [],
    inputs: { what, amount },
    model: "scripted:honest",
  });

  return runId;
};

export const BOOKING: InputAnswers = [{ cost_centre: "4711", kind: "equipment" }];

export const answerFor = (desk: Desk, state: RunState, answers = BOOKING): Extract<CommandBody, { kind: "decision" }> => ({
  ...decisionFor(desk, state, "approve"),
  answers,
});
