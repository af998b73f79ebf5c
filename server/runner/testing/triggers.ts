import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { graphSchema, type GraphInput, type PinnedTool } from "@/lib/graph/document";
import { getArrivalPlace, type Arrival } from "@/lib/graph/triggers/arrival";
import { triggerSchema, type Trigger } from "@/lib/graph/triggers/trigger";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { recordSchema, type LedgerRecord } from "@/lib/engine/ledger/record";
import { asAdmin } from "@/server/mcp/testing/registered";
import type { RunnerDeps } from "@/server/runner/deps";
import { driveRun } from "@/server/runner/drive";
import { loadRunAt } from "@/server/runner/load";
import { lookAtTriggers } from "@/server/runner/triggers/worker";
import { sealSecret } from "@/server/security/secrets";
import { publishVersion } from "@/server/store/graphs/versions";
import { insertArrival } from "@/server/store/triggers/events";
import { recordRows, testControlPlane } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";
import type { TestDatabase } from "@/server/testing/database";

export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const SECRET_NAME = "shop";

type Event = {
  readonly id: string;
  readonly status: string;
  readonly code: string | null;
  readonly event_id: string | null;
  readonly run_id: string | null;
  readonly kind: string;
  readonly size: number;
};

export type TriggerWorld = {
  readonly urls: TestDatabase;
  readonly deps: RunnerDeps;
  readonly workspace: string;
  readonly publisher: string;
  readonly reviewer: string;
};

export const openTriggerWorld = async (urls: TestDatabase, now?: () => number, vaultKey?: string): Promise<TriggerWorld> => {
  const plain = await testControlPlane(vaultKey);
  const deps = now ? { ...plain, clock: { ...plain.clock, now } } : plain;
  const [workspace, publisher, reviewer] = [randomUUID(), randomUUID(), randomUUID()];
  await asAdmin(urls.admin, "insert into workspace (id, name) values ($1, 'Shop')", [workspace]);
  await asAdmin(urls.admin, "insert into approval_policy (workspace_id, approvals) values ($1, 'graph')", [workspace]);
  for (const [id, role] of [
    [publisher, "builder"],
    [reviewer, "reviewer"],
  ] as const) {
    await asAdmin(urls.admin, "insert into app_user (id, email, name) values ($1, $2, $3)", [id, `${id}@example.com`, role]);
    await asAdmin(urls.admin, "insert into membership (workspace_id, user_id, role) values ($1, $2, $3)", [workspace, id, role]);
  }
  const sealed = sealSecret(deps.vault, workspace, SECRET_NAME, SECRET);
  await asAdmin(urls.admin, "insert into secret (workspace_id, name, sealed, created_by) values ($1, $2, $3, $4)", [
    workspace,
    SECRET_NAME,
    Buffer.from(sealed),
    publisher,
  ]);

  return { urls, deps, workspace, publisher, reviewer };
};

export const shopHook = (change: object = {}): Trigger =>
  triggerSchema.parse({
    id: "shop",
    kind: "webhook",
    scheme: "standard",
    secret: SECRET_NAME,
    payload: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    inputs: { order: "event.order" },
    ...change,
  });

const orders = (id: string, triggers: readonly Trigger[], change: Partial<GraphInput> = {}) =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id,
    name: id,
    inputs: { type: "object", properties: { order: { type: "string" } }, required: ["order"], additionalProperties: false },
    memory: [{ key: "order", schema: { type: "string", maxLength: 40 } }],
    nodes: [
      { id: "ask", kind: "approval", read_keys: ["order"], config: { prompt: "Take the order?", review_keys: ["order"] } },
      { id: "done", kind: "router", config: {} },
    ],
    edges: [{ id: "on", source: "ask", target: "done" }],
    start_node: "ask",
    end_nodes: ["done"],
    ...(triggers.length === 0 ? {} : { triggers }),
    ...change,
  });

export const publishOrders = async (
  { urls, deps, workspace, publisher }: TriggerWorld,
  triggers: readonly Trigger[],
  given: {
    readonly id?: string;
    readonly graphId?: string;
    readonly change?: Partial<GraphInput>;
    readonly tools?: readonly PinnedTool[];
  } = {},
): Promise<{ readonly graphId: string; readonly id: string; readonly hash: string }> => {
  const { id = `orders${randomUUID().slice(0, 8)}`, graphId = randomUUID(), change = {}, tools = [] } = given;
  await asAdmin(urls.admin, "insert into graph (workspace_id, id, name) values ($1, $2, $3) on conflict do nothing", [
    workspace,
    graphId,
    id,
  ]);
  const published = { graph: orders(id, triggers, change), agents: [], tools: [...tools], subgraphs: [] };
  const { hash } = await publishVersion(workspace, { graphId, published, authorId: publisher });
  await recordRows(deps, workspace);

  return { graphId, id, hash };
};

export const sign = (body: string, { id = `msg_${randomUUID()}`, secret = SECRET, atMs = Date.now() } = {}): Arrival["headers"] => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(atMs / 1_000)),
  "webhook-signature": new Webhook(secret).sign(id, new Date(atMs), body),
});

export const arrive = async (
  { deps, workspace }: TriggerWorld,
  graphId: string,
  { body, headers }: { readonly body: string | null; readonly headers: Arrival["headers"] },
  trigger = "shop",
): Promise<string> => {
  const id = randomUUID();
  const arrival: Arrival = { headers, body: body === null ? null : Buffer.from(body).toString("base64") };
  const sealed = deps.vault.sealCommand(workspace, getArrivalPlace(id), arrival);
  if (!(await insertArrival({ workspaceId: workspace, graphId, trigger }, id, sealed))) throw new Error("too many wait");

  return id;
};

export const look = ({ deps }: TriggerWorld): Promise<void> => lookAtTriggers(deps);

export const listEvents = ({ urls }: TriggerWorld, graphId: string): Promise<Event[]> =>
  queryOn<Event>(
    urls.admin,
    "select id, status, code, event_id, run_id, kind, octet_length(body) as size from trigger_event where graph_id = $1 order by received_at, id",
    [graphId],
  );

export const listRuns = async ({ urls }: TriggerWorld, graphId: string): Promise<{ id: string; status: string; initiator_id: string }[]> =>
  queryOn(urls.admin, "select id, status, initiator_id from run where graph_id = $1 order by created_at", [graphId]);

export const listRefusals = async ({ urls, workspace }: TriggerWorld, graphId: string): Promise<LedgerRecord[]> => {
  const rows = await queryOn<{ body: string }>(urls.admin, "select body from ledger_record where run_id = $1 order by seq", [
    getWorkspaceLedgerId(workspace),
  ]);

  return rows
    .map(({ body }) => recordSchema.parse(JSON.parse(body)))
    .filter(({ proposal_kind: kind, refusal }) => kind === "trigger_event" && refusal?.ids[0] === graphId);
};

export const driveOn = async ({ deps, workspace }: TriggerWorld, runId: string): Promise<void> => {
  await driveRun(deps, { onWake: () => () => undefined }, workspace, runId);
};

export const readRun = async ({ urls, deps, workspace }: TriggerWorld, runId: string) => {
  const [row] = await queryOn<{ version: number; head: string; graph_hash: string }>(
    urls.admin,
    "select version, head, graph_hash from run where id = $1",
    [runId],
  );
  if (!row) throw new Error("no run");

  return loadRunAt(
    deps.vault,
    await deps.publicKeys(),
    { workspaceId: workspace, runId, version: row.version, digest: row.head },
    row.graph_hash,
  );
};
