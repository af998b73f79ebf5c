import { z } from "zod";
import { waitAfterMs, isGivenUp } from "@/lib/webhooks/schedule";
import type { Clock } from "@/server/clock";
import { logFailure } from "@/server/failure-log";
import { log } from "@/server/log";
import type { Vault } from "@/server/security/vault";
import { keepPayload, noteDelivered, noteDropped, noteFailed, switchOff, type ClaimedDelivery } from "@/server/store/webhooks/outbox";
import { buildChatPayload, type DescribeForAll } from "./chat";
import { buildPayload } from "./payload";
import { openWebhookSecret } from "./secret";
import type { Attempt, SendMessage } from "./message";
import { buildSignatureHeaders } from "./sign";

export type NotifyDeps = {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly send: SendMessage;
  /** Without a path. */
  readonly origin: string;
  readonly describe: DescribeForAll;
  readonly timeoutMs?: number;
};

const secretsOf = ({ vault, clock }: NotifyDeps, delivery: ClaimedDelivery): readonly string[] => {
  const { workspaceId, endpointId, secret, oldSecret, oldSecretUntil } = delivery;
  const signing = [secret, ...(oldSecret && oldSecretUntil && clock.now() < oldSecretUntil.getTime() ? [oldSecret] : [])];

  return signing.flatMap((sealed) => openWebhookSecret(vault, workspaceId, endpointId, sealed) ?? []);
};

const payloadText = async ({ origin, describe }: NotifyDeps, delivery: ClaimedDelivery): Promise<string | null> => {
  if (delivery.format !== "signed") return buildChatPayload(delivery, delivery.format, { origin, describe });
  if (delivery.payload !== null) return delivery.payload;
  const payload = await buildPayload({ origin, delivery });
  if (!payload) return null;
  const text = JSON.stringify(payload);
  await keepPayload(delivery.id, text);

  return text;
};

/** `isFinal`: not retryable. */
type Outcome = Attempt & { readonly isFinal: boolean; readonly run: string | null };

const aboutRun = z.object({ data: z.object({ run_id: z.string() }) });

const runOf = (payload: string): string | null => aboutRun.safeParse(JSON.parse(payload)).data?.data.run_id ?? null;

const attempt = async (deps: NotifyDeps, delivery: ClaimedDelivery): Promise<Outcome> => {
  const payload = await payloadText(deps, delivery);
  if (payload === null) return { ok: false, code: null, fault: "subject_gone", isFinal: true, run: null };
  const isSigned = delivery.format === "signed";
  const secrets = isSigned ? secretsOf(deps, delivery) : [];
  if (isSigned && secrets.length === 0) return { ok: false, code: null, fault: "secret_unreadable", isFinal: false, run: runOf(payload) };
  const headers = isSigned ? buildSignatureHeaders({ id: delivery.id, at: deps.clock.now(), payload, secrets }) : {};
  const timeout = deps.timeoutMs === undefined ? {} : { timeoutMs: deps.timeoutMs };
  const sent = await deps.send(delivery.workspaceId, { url: delivery.url, payload, headers, ...timeout });

  // A person testing an endpoint waits for the answer.
  return { ...sent, run: runOf(payload), isFinal: delivery.type === "webhook.test" || (!sent.ok && sent.code === GONE) };
};

const GONE = 410;

const failed = async ({ clock }: NotifyDeps, delivery: ClaimedDelivery, outcome: Outcome & { ok: false }): Promise<void> => {
  const { code, fault, isFinal, run } = outcome;
  const at = clock.now();
  const waitMs = isFinal ? null : waitAfterMs(delivery.id, delivery.attempts);
  const { id, endpointId: endpoint, attempts, workspaceId: workspace } = delivery;
  logFailure({ event: "webhook_failed", workspace, run, code: fault, cause: code, delivery: id, endpoint, attempt: attempts });
  const standing = await noteFailed(delivery, { code, fault, nextAt: waitMs === null ? null : at + waitMs, at });
  const reason = code === GONE ? "gone" : standing && isGivenUp(standing.failures, standing.failingForMs) ? "failing" : null;
  if (reason === null) return;
  await switchOff(delivery.endpointId, reason, at);
  log().warn({ endpoint: delivery.endpointId, reason }, "a webhook endpoint is switched off");
};

/** Sends once. After a crash it stays due under the same id. */
export const deliverOnce = async (deps: NotifyDeps, delivery: ClaimedDelivery): Promise<void> => {
  const outcome = await attempt(deps, delivery);
  // A request that closed before its turn is no fault of the chat.
  if (!outcome.ok && outcome.fault === "subject_gone" && delivery.format !== "signed") await noteDropped(delivery, deps.clock.now());
  else if (outcome.ok) await noteDelivered(delivery, outcome.code, deps.clock.now());
  else await failed(deps, delivery, outcome);
};
