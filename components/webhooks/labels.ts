import type { EndpointFormat } from "@/lib/webhooks/endpoint";
import type { DeliveryFault, DeliveryType, OffReason, WebhookType } from "@/lib/webhooks/types";

export const EVENTS = {
  "approval.requested": { label: "Approval requested", hint: "A gate opened: who can decide, until when, and what it releases." },
  "approval.reminder": { label: "Approval reminder", hint: "A request still waits: how much of its time has passed, and who can decide." },
  "approval.escalated": { label: "Approval escalated", hint: "A request waited too long for its graph: to whom it was escalated." },
  "approval.resolved": { label: "Approval resolved", hint: "Approved, rejected, expired, void, sent back or requested again." },
  "run.ended": { label: "Run ended", hint: "Completed, failed, cancelled or out of time." },
  "run.frozen": { label: "Run frozen", hint: "A stored ledger did not verify." },
  "checkpoint.signed": { label: "Checkpoint signed", hint: "The signed checkpoint and a proof that the log only grew." },
  "server.suspended": { label: "MCP server suspended", hint: "Its tools no longer match the review." },
} as const satisfies Record<WebhookType, { readonly label: string; readonly hint: string }>;

export const FORMATS = {
  signed: { label: "Signed webhook", hint: "Links only, with a signature that the receiver verifies." },
  slack: {
    label: "Slack message",
    hint: "An incoming webhook of Slack. The message has the request, as every member may see it, and a link.",
  },
  teams: {
    label: "Microsoft Teams card",
    hint: "A Teams workflow for webhooks. The card has the request, as every member may see it, and a link.",
  },
} as const satisfies Record<EndpointFormat, { readonly label: string; readonly hint: string }>;

export const formatDelivery = (type: DeliveryType): string => (type === "webhook.test" ? "Test" : EVENTS[type].label);

const FAULTS = {
  blocked: "Not sent: the address is not public.",
  unreachable: "No response from the endpoint.",
  timeout: "No response within 10 seconds.",
  redirected: "The endpoint redirected. Redirects are not followed.",
  refused: "The endpoint responded with an error.",
  insecure: "The connection could not be secured.",
  subject_gone: "The subject no longer exists.",
  secret_unreadable: "The secret can't be read. Rotate it.",
} as const satisfies Record<DeliveryFault, string>;

export const describeFault = (fault: DeliveryFault, code: number | null): string =>
  code === null ? FAULTS[fault] : `${code}: ${FAULTS[fault]}`;

export const OFF = {
  admin: { label: "Off", text: "An admin turned it off." },
  gone: { label: "Off: gone", text: "It responded with 410 Gone." },
  failing: { label: "Off: failing", text: "Every attempt failed for two days." },
} as const satisfies Record<OffReason, { readonly label: string; readonly text: string }>;
