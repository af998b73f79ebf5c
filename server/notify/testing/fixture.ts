import { randomBytes, randomUUID } from "node:crypto";
import type { WebhookType } from "@/lib/webhooks/types";
import type { Clock } from "@/server/clock";
import { asAdmin } from "@/server/mcp/testing/registered";
import { deliverOnce, type NotifyDeps } from "@/server/notify/deliver";
import { generateWebhookSecret, sealWebhookSecret } from "@/server/notify/secret";
import { sendBy } from "@/server/notify/send";
import { createEgress } from "@/server/security/egress";
import { createVault, type Vault } from "@/server/security/vault";
import { claimDeliveries } from "@/server/store/webhooks/outbox";
import { queryOn } from "@/server/testing/connections";

const testVaultKey = (): string => randomBytes(32).toString("hex");

/** One millisecond ahead: the database rounds up, and new events must be due. */
export const movedClock = (): Clock & { readonly moveBy: (ms: number) => void } => {
  let offsetMs = 1;

  return { now: () => Date.now() + offsetMs, id: () => randomUUID(), moveBy: (ms) => void (offsetMs += ms) };
};

export const ORIGIN = "http://localhost:3000";

export const notifyDeps = (vault: Vault, clock: Clock, allowOrigins: readonly string[], timeoutMs = 10_000): NotifyDeps => ({
  clock,
  vault,
  send: sendBy(createEgress({ policy: { allowOrigins } })),
  origin: ORIGIN,
  describe: () => Promise.resolve(null),
  timeoutMs,
});

export type Endpoint = { readonly id: string; readonly secret: string };

export const addEndpoint = async (
  admin: string,
  workspace: string,
  vault: Vault,
  { url, types = ["approval.requested", "approval.resolved"] }: { readonly url: string; readonly types?: readonly WebhookType[] },
): Promise<Endpoint> => {
  const [id, secret] = [randomUUID(), generateWebhookSecret()];
  await asAdmin(
    admin,
    "insert into webhook_endpoint (workspace_id, id, url, description, types, secret, created_by) values ($1, $2, $3, '', $4, $5, $6)",
    [workspace, id, url, types, Buffer.from(sealWebhookSecret(vault, workspace, id, secret)), randomUUID()],
  );

  return { id, secret };
};

export type Stand = {
  readonly admin: string;
  readonly workspace: string;
  readonly run: string;
  readonly vaultKey: string;
  readonly vault: Vault;
};

export const openStand = async (admin: string): Promise<Stand> => {
  const [workspace, run, graph] = [randomUUID(), randomUUID(), randomUUID()];
  await asAdmin(admin, "insert into workspace (id, name) values ($1, 'Webhooks')", [workspace]);
  await asAdmin(admin, "insert into graph (workspace_id, id, name) values ($1, $2, 'Support desk')", [workspace, graph]);
  await asAdmin(
    admin,
    `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'running', 0, '', now(), now())`,
    [workspace, run, graph, "0".repeat(64), randomUUID()],
  );
  const vaultKey = testVaultKey();

  return { admin, workspace, run, vaultKey, vault: createVault(vaultKey) };
};

/** Opens a gate. @returns the approval's id */
export const openGate = async ({ admin, workspace, run }: Stand, prompt = "Shall it?"): Promise<string> => {
  const id = randomUUID();
  await asAdmin(
    admin,
    `insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at)
     values ($1, $2, $3, 'write', 'effect', $4, 'reviewer', $5, 'open', now(), now() + interval '1 day')`,
    [workspace, id, run, prompt, "0".repeat(64)],
  );

  return id;
};

export const resolveGate = (admin: string, id: string): Promise<void> =>
  asAdmin(admin, "update approval set status = 'approved', resolved_at = now() where id = $1", [id]);

/** Sends everything due once. @returns the number of attempts */
export const sendDue = async (deps: NotifyDeps): Promise<number> => {
  let attempts = 0;
  for (;;) {
    const now = deps.clock.now();
    const claimed = await claimDeliveries({ now, until: now + 30_000, busyEndpoints: [], limit: 8 });
    if (claimed.length === 0) return attempts;
    attempts += claimed.length;
    await Promise.all(claimed.map((delivery) => deliverOnce(deps, delivery)));
  }
};

type DeliveryRow = {
  id: string;
  type: string;
  status: string;
  attempts: number;
  code: number | null;
  fault: string | null;
  payload: string | null;
};

export const deliveriesOf = (admin: string, endpoint: string): Promise<DeliveryRow[]> =>
  queryOn<DeliveryRow>(
    admin,
    "select id, type, status, attempts, code, fault, payload from webhook_delivery where endpoint_id = $1 order by created_at, id",
    [endpoint],
  );
