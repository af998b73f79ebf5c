import { randomUUID } from "node:crypto";
import { graphSchema, type GraphInput, type PublishedGraph } from "@/lib/graph/document";
import { AGENT_SCOPES, type AgentScope } from "@/lib/engine/principal";
import type { CommandBody } from "@/lib/engine/proposal";
import type { Integrity } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import type { TokenLimits } from "@/lib/outside/token-limits";
import { asAdmin } from "@/server/mcp/testing/registered";
import { publishAs, query, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import type { AgentSigner } from "@/server/store/runs/command-envelope";
import { outcomeSchema, type CommandOutcome } from "@/server/store/runs/commands";
import { recordRows, writeCommand } from "@/server/testing/authority";

const CHANGE = { type: "object", additionalProperties: true };
const inputs = (key: string, names: readonly string[]) => names.map((name) => ({ name, path: `${key}.${name}` }));

const COUNTER: GraphInput = {
  format: "countersign/graph/v1",
  id: "counter",
  name: "Counter",
  memory: [
    { key: "counted", schema: { type: "number" } },
    { key: "change", schema: CHANGE, classification: "pii" },
    { key: "search", schema: CHANGE, classification: "pii" },
    { key: "found", schema: CHANGE, classification: "pii" },
  ],
  external: { read_keys: ["counted"] },
  start_node: "count",
  end_nodes: ["end"],
  max_iterations: 1_000,
  nodes: [
    {
      id: "count",
      kind: "transform",
      read_keys: ["counted"],
      write_keys: ["counted"],
      config: { set: [{ path: "counted", value: "has(memory.counted) ? memory.counted + 1.0 : 1.0" }] },
    },
    {
      id: "find",
      kind: "tool",
      read_keys: ["search"],
      write_keys: ["found"],
      effect: "read",
      failure_policy: { attempts: 3, timeout_ms: 1_000 },
      action: { inputs: inputs("search", ["email"]) },
      config: { server: "customers", tool: "find_customer", arguments: { email: { from: "search.email" } } },
    },
    {
      id: "change",
      kind: "tool",
      read_keys: ["change"],
      write_keys: ["found"],
      effect: "write",
      action: { inputs: inputs("change", ["customer_id", "plan", "credit_cents", "reason"]) },
      config: {
        server: "customers",
        tool: "update_plan",
        arguments: Object.fromEntries(["customer_id", "plan", "credit_cents", "reason"].map((name) => [name, { from: `change.${name}` }])),
      },
    },
    { id: "end", kind: "transform", write_keys: ["counted"], config: { set: [{ path: "counted", value: "0.0" }] } },
  ],
  edges: [
    { id: "again", source: "count", target: "count" },
    { id: "finding", source: "count", target: "find" },
    { id: "changing", source: "count", target: "change" },
    { id: "found", source: "find", target: "end" },
    { id: "changed", source: "change", target: "end" },
    { id: "ending", source: "count", target: "end" },
  ],
};

export const publishCounter = async (desk: Desk, change: Partial<PublishedGraph["tools"][number]> = {}): Promise<string> => {
  const published: PublishedGraph = {
    graph: graphSchema.parse(COUNTER),
    agents: [],
    tools: desk.published.tools.map((pin) => ({ ...pin, ...change })),
    subgraphs: [],
  };

  return publishAs(desk, published, desk.people.builder);
};

export type Outsider = {
  readonly token: string;
  /** Seed of the token's key. */
  readonly key: string;
  readonly session: string;
  readonly graphHash: string;
};

type Wanted = {
  readonly integrity?: Integrity;
  readonly scopes?: readonly AgentScope[];
  readonly limits?: TokenLimits;
  /** Null: a token from before agents signed. */
  readonly publicKey?: null;
};

const tokenOf = async (desk: Desk, graph: string, { integrity = "untrusted", scopes = AGENT_SCOPES, limits, publicKey }: Wanted) => {
  const [token, key] = [randomUUID(), generateSessionSeed()];
  await asAdmin(
    desk.urls.admin,
    `insert into agent_token (workspace_id, id, name, hash, hint, audience, scopes, graphs, integrity, owner_id, created_at, expires_at, limits, public_key)
     values ($1, $2, 'Tester', $3, 'cs_', 'http://127.0.0.1', $4, $5, $6, $7, now(), now() + interval '1 day', $8, $9)`,
    [
      desk.workspace,
      token,
      token,
      scopes,
      [graph],
      integrity,
      desk.people.starter,
      limits ?? null,
      publicKey === null ? null : getPublicKey(key),
    ],
  );
  await recordRows(desk.deps, desk.workspace);

  return { token, key };
};

export const outsider = async (desk: Desk, graphHash: string, wanted: Wanted = {}): Promise<Outsider> => {
  const [version] = await query<{ graph_id: string }>(desk.urls.admin, "select graph_id from graph_version where hash = $1", [graphHash]);
  const graph = version?.graph_id ?? "";
  const { token, key } = await tokenOf(desk, graph, wanted);
  const session = randomUUID();
  await asAdmin(
    desk.urls.admin,
    `insert into agent_session (workspace_id, id, token_id, graph_id, created_at, last_used_at, expires_at)
     values ($1, $2, $3, $4, now(), now(), now() + interval '1 day')`,
    [desk.workspace, session, token, graph],
  );

  return { token, key, session, graphHash };
};

/** @returns the command's id */
export const runAgentCommand = (
  desk: Desk,
  { token, key, session }: Outsider,
  runId: string,
  body: CommandBody,
  signer: AgentSigner = { type: "token", key },
): Promise<string> => {
  const author = { type: "agent", token, session, signer } as const;

  return writeCommand(desk.urls.admin, desk.deps, { workspace: desk.workspace, runId, author, body });
};

export const answerTo = async (desk: Desk, commandId: string): Promise<CommandOutcome | null> => {
  const [row] = await query<{ outcome: unknown }>(desk.urls.admin, "select outcome from command where id = $1", [commandId]);

  return row?.outcome ? outcomeSchema.parse(row.outcome) : null;
};

type Start = { readonly ordinal?: number; readonly model?: string };

export const askForRun = async (
  desk: Desk,
  agent: Outsider,
  { ordinal = 0, model = "scripted:honest" }: Start = {},
): Promise<{ readonly runId: string; readonly commandId: string }> => {
  const runId = randomUUID();
  await asAdmin(
    desk.urls.admin,
    "insert into agent_session_run (workspace_id, session_id, ordinal, run_id, cause, at) values ($1, $2, $3, $4, 'start', now())",
    [desk.workspace, agent.session, ordinal, runId],
  );
  const commandId = await runAgentCommand(desk, agent, runId, {
    kind: "start",
    graph_hash: agent.graphHash,
    goal: "Count",
    constraints: [],
    inputs: {},
    model,
  });

  return { runId, commandId };
};

export const startedBy = async (desk: Desk, agent: Outsider, start: Start = {}): Promise<string> => {
  const { runId } = await askForRun(desk, agent, start);
  await drive(desk, runId);

  return runId;
};

export const stepBody = (action: string, inputsGiven: Json = null): CommandBody => ({ kind: "step", action, inputs: inputsGiven });

export const takeStep = async (desk: Desk, agent: Outsider, runId: string, action: string, given: Json = null): Promise<CommandOutcome> => {
  const id = await runAgentCommand(desk, agent, runId, stepBody(action, given));
  await drive(desk, runId);
  const answer = await answerTo(desk, id);
  if (!answer) throw new Error("no answer was recorded");

  return answer;
};
