/** Events, faults and states of webhooks, in words. */
import type { DeliveryFault, DeliveryType, OffReason, WebhookType } from "@/lib/webhooks/types";

export const EVENTS = {
  "approval.requested": { label: "Approval requested", hint: "A gate opened: who may decide, until when, and what it hands out." },
  "approval.resolved": { label: "Approval resolved", hint: "Approved, rejected, expired, void, sent back or asked anew." },
  "run.ended": { label: "Run ended", hint: "Completed, failed, cancelled or out of time." },
  "run.frozen": { label: "Run frozen", hint: "A stored ledger did not verify." },
  "checkpoint.signed": { label: "Checkpoint signed", hint: "The signed checkpoint itself, and the proof that the log only grew." },
  "server.suspended": { label: "MCP server suspended", hint: "What it says about its tools is not what was reviewed." },
} as const satisfies Record<WebhookType, { readonly label: string; readonly hint: string }>;

export const deliveryLabel = (type: DeliveryType): string => (type === "webhook.test" ? "Test" : EVENTS[type].label);

const FAULTS = {
  blocked: "Not sent: the address leads to a network that is not public.",
  unreachable: "Nobody answered.",
  timeout: "No answer within 10 seconds.",
  redirected: "A redirect, which is not followed.",
  refused: "The answer was no success.",
  subject_gone: "There is nothing to tell any more.",
  secret_unreadable: "The secret cannot be opened: rotate it.",
} as const satisfies Record<DeliveryFault, string>;

/** What came of the last attempt, as one sentence. */
export const faultText = (fault: DeliveryFault, code: number | null): string =>
  code === null ? FAULTS[fault] : `${code}: ${FAULTS[fault]}`;

export const OFF = {
  admin: { label: "Off", text: "An admin switched it off." },
  gone: { label: "Off: gone", text: "It answered 410: it wants no more notifications." },
  failing: { label: "Off: failing", text: "Every attempt failed for two days." },
} as const satisfies Record<OffReason, { readonly label: string; readonly text: string }>;
