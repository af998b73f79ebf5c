import { MOST_PEOPLE, webhookPayloadSchema, type WebhookPayload } from "@/lib/webhooks/payload";
import { linkInto } from "@/lib/workspace-link";
import { findCheckpointAt, buildEntrySince } from "@/server/store/trust/checkpoint-growth";
import {
  findRefusalBefore,
  findReminder,
  getApprovalFacts,
  listEscalatedTo,
  runFacts,
  type ApprovalFacts,
  type RunFacts,
} from "@/server/store/webhooks/facts";
import type { ClaimedDelivery } from "@/server/store/webhooks/outbox";

type Made = { readonly origin: string; readonly delivery: ClaimedDelivery };

type Draft = { readonly at: Date; readonly path: string; readonly data: Readonly<Record<string, unknown>> };

const runData = ({ id, graphId, graphName }: RunFacts) => ({ run_id: id, graph_id: graphId, graph_name: graphName });

const approvalData = (facts: ApprovalFacts) => ({
  run_id: facts.runId,
  graph_id: facts.graphId,
  graph_name: facts.graphName,
  approval_id: facts.id,
  node: facts.node,
  reason: facts.reason,
  role: facts.role,
  authority: facts.authority,
  opened_at: facts.openedAt.toISOString(),
});

const ofApproval = async ({ workspaceId, type, subject }: ClaimedDelivery): Promise<Draft | null> => {
  const facts = await getApprovalFacts(workspaceId, subject);
  if (!facts) return null;
  const path = `/approvals/${facts.id}`;
  if (type === "approval.requested")
    return { at: facts.openedAt, path, data: { ...approvalData(facts), expires_at: facts.expiresAt.toISOString() } };
  if (!facts.resolvedAt) return null;

  return {
    at: facts.resolvedAt,
    path,
    data: { ...approvalData(facts), outcome: facts.status, resolved_at: facts.resolvedAt.toISOString() },
  };
};

/** Skipped once the request is closed. */
const ofReminder = async ({ workspaceId, subject, createdAt: at }: ClaimedDelivery): Promise<Draft | null> => {
  const [id = "", percent] = subject.split("@");
  const [facts, reminder] = await Promise.all([getApprovalFacts(workspaceId, id), findReminder(workspaceId, id, Number(percent))]);
  if (!facts || !reminder || facts.resolvedAt) return null;
  const data = { percent: Number(percent), people: reminder.recipients.slice(0, MOST_PEOPLE) };

  return { at, path: `/approvals/${id}`, data: { ...approvalData(facts), expires_at: facts.expiresAt.toISOString(), ...data } };
};

const ofEscalation = async ({ workspaceId, subject }: ClaimedDelivery): Promise<Draft | null> => {
  const [facts, people] = await Promise.all([getApprovalFacts(workspaceId, subject), listEscalatedTo(workspaceId, subject)]);
  if (!facts?.escalatedAt || facts.resolvedAt) return null;
  const { escalatedAt: at, escalatedTo: to } = facts;
  const data = { escalated_at: at.toISOString(), to, people: people.slice(0, MOST_PEOPLE) };

  return { at, path: `/approvals/${facts.id}`, data: { ...approvalData(facts), expires_at: facts.expiresAt.toISOString(), ...data } };
};

const ofEnd = async ({ workspaceId, subject }: ClaimedDelivery): Promise<Draft | null> => {
  const facts = await runFacts(workspaceId, subject);
  if (!facts) return null;
  const { status, simulated, updatedAt: at } = facts;

  return { at, path: `/runs/${facts.id}`, data: { ...runData(facts), status, simulated, ended_at: at.toISOString() } };
};

const ofThreshold = async ({ workspaceId, subject, createdAt: at }: ClaimedDelivery): Promise<Draft | null> => {
  const [id = "", , percent] = subject.split("@");
  const facts = await runFacts(workspaceId, id);

  return facts && { at, path: `/runs/${facts.id}`, data: { ...runData(facts), percent: Number(percent) } };
};

const ofRefused = async ({ workspaceId, subject, createdAt: at }: ClaimedDelivery): Promise<Draft | null> => {
  const [id = "", version] = subject.split("@");
  const [facts, refusal] = await Promise.all([runFacts(workspaceId, id), findRefusalBefore(workspaceId, id, Number(version))]);

  return facts && refusal && { at, path: `/runs/${facts.id}`, data: { ...runData(facts), ...refusal } };
};

const FROZEN = /^(?<fault>[a-z_]{1,64}) at record (?<seq>-?\d{1,9})$/u;

/** Skipped if the run verifies again. */
const ofFrozen = async ({ workspaceId, subject, createdAt }: ClaimedDelivery): Promise<Draft | null> => {
  const facts = await runFacts(workspaceId, subject);
  const found = FROZEN.exec(facts?.frozen ?? "")?.groups;
  if (!facts || !found) return null;

  return { at: createdAt, path: `/runs/${facts.id}`, data: { ...runData(facts), fault: found["fault"], seq: Number(found["seq"]) } };
};

/** From the receiver's last checkpoint. */
const ofCheckpoint = async ({ workspaceId, subject, sentCheckpoint }: ClaimedDelivery): Promise<Draft | null> => {
  const newer = await findCheckpointAt(workspaceId, Number(subject));
  if (!newer) return null;
  const older =
    sentCheckpoint !== null && sentCheckpoint < newer.signed.checkpoint.count ? await findCheckpointAt(workspaceId, sentCheckpoint) : null;
  const entry = await buildEntrySince(older, newer);

  return entry && { at: new Date(newer.signed.checkpoint.at), path: "/ledger", data: { ...entry } };
};

const draftOf = async (delivery: ClaimedDelivery): Promise<Draft | null> => {
  const { type, subject, endpointId, createdAt: at } = delivery;
  switch (type) {
    case "approval.requested":
    case "approval.resolved":
      return ofApproval(delivery);
    case "approval.reminder":
      return ofReminder(delivery);
    case "approval.escalated":
      return ofEscalation(delivery);
    case "run.ended":
      return ofEnd(delivery);
    case "run.threshold":
      return ofThreshold(delivery);
    case "run.refused":
      return ofRefused(delivery);
    case "run.frozen":
      return ofFrozen(delivery);
    case "checkpoint.signed":
      return ofCheckpoint(delivery);
    case "server.suspended": {
      // The id has no @; the suffix names the suspension.
      const id = subject.slice(0, subject.lastIndexOf("@"));

      return { at, path: `/admin/mcp/${id}`, data: { server_id: id } };
    }
    case "webhook.test":
      return { at, path: `/admin/webhooks/${endpointId}`, data: { endpoint_id: endpointId } };
    default:
      return type satisfies never;
  }
};

export const buildPayload = async ({ origin, delivery }: Made): Promise<WebhookPayload | null> => {
  const draft = await draftOf(delivery);
  if (!draft) return null;

  return webhookPayloadSchema.parse({
    type: delivery.type,
    timestamp: draft.at.toISOString(),
    data: { workspace_id: delivery.workspaceId, link: new URL(linkInto(delivery.workspaceId, draft.path), origin).href, ...draft.data },
  });
};
