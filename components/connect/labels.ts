import type { TokenScope } from "@/lib/engine/principal";
import type { Integrity } from "@/lib/graph/label";

export const SCOPES = {
  "run.read": { label: "Read its runs", hint: "State, history, legal actions, verification." },
  "run.drive": { label: "Take actions", hint: "Start, step and reset runs of its graphs." },
  "run.fork": { label: "Fork (simulated)", hint: "Try an alternative without real calls." },
  "run.fork_live": { label: "Fork (live)", hint: "The fork's tools are really called, behind the same gates." },
  "approval.request": { label: "Request approval", hint: "Request approval for exactly one action. It can never decide." },
  architect: { label: "Draft graphs", hint: "Ask the architect for drafts. Only people can publish." },
  "graphs:read": { label: "Read graphs", hint: "Drafts and versions of its graphs." },
  "graphs:write": { label: "Write drafts", hint: "Import and change drafts, and ask to publish or promote. A person does it." },
  "runs:read": { label: "Read runs", hint: "Status, state and export, as a viewer sees them." },
  "runs:start": { label: "Start and fork runs", hint: "Runs count as yours: you can't approve in them." },
  "runs:answer": { label: "Answer waits", hint: "With a wait's one-time token." },
  "runs:control": { label: "Cancel runs", hint: "Runs of its graphs, also those of others. Also takes the tokens of waits." },
  "approvals:read": { label: "Read approvals", hint: "What waits, as a viewer sees it." },
  "approvals:comment": { label: "Comment on approvals", hint: "Shown to the reviewers as untrusted text." },
  "approvals:reject": { label: "Reject approvals", hint: "It can never approve." },
  "approvals:decide": { label: "Decide approvals", hint: "As its owner, with the rules of the browser." },
  "servers:read": { label: "Read MCP servers", hint: "Status and tools." },
  "people:read": { label: "Read people", hint: "Names and roles." },
  "usage:read": { label: "Read usage", hint: "Runs and cost of its graphs." },
} as const satisfies Record<TokenScope, { readonly label: string; readonly hint: string }>;

export const INTEGRITIES = [
  { value: "untrusted", label: "Untrusted: anything its inputs influence needs approval" },
  { value: "reviewed", label: "Reviewed: as if someone had reviewed each input" },
  { value: "trusted", label: "Trusted: as if a person had typed it" },
] as const satisfies readonly { readonly value: Integrity; readonly label: string }[];

export const LIFETIMES = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
] as const;
