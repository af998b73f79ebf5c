/** What a token can allow, in words. */
import type { AgentScope } from "@/lib/engine/principal";
import type { Integrity } from "@/lib/graph/label";

export const SCOPES = {
  "run.read": { label: "Read its runs", hint: "State, history, what is legal next, verification." },
  "run.drive": { label: "Take actions", hint: "Start, step and reset runs of its graphs." },
  "run.fork": { label: "Fork, simulated", hint: "Try another way; nothing real is called." },
  "run.fork_live": { label: "Fork, for real", hint: "The fork's tools are called, behind the same gates." },
  "approval.request": { label: "Ask a person", hint: "Ask that exactly one action is approved. It can never decide." },
  architect: { label: "Draft graphs", hint: "Ask the architect for drafts; publishing stays with people." },
} as const satisfies Record<AgentScope, { readonly label: string; readonly hint: string }>;

export const INTEGRITIES = [
  { value: "untrusted", label: "Untrusted: whatever its inputs shape waits for a person" },
  { value: "reviewed", label: "Reviewed: as if somebody had looked at each input" },
  { value: "trusted", label: "Trusted: as if a person had typed it" },
] as const satisfies readonly { readonly value: Integrity; readonly label: string }[];

export const LIFETIMES = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
] as const;
export type Lifetime = (typeof LIFETIMES)[number]["value"];
