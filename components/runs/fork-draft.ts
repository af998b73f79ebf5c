import { forkChangeSchema, type ForkChange } from "@/lib/engine/forks/fork-change";
import { err, ok, type Result } from "@/lib/result";

export const FORK_KINDS = [
  { value: "none", label: "Nothing, run again from here" },
  { value: "model", label: "Model" },
  { value: "memory", label: "Value in memory" },
  { value: "input", label: "Input, from the start" },
  { value: "prompt", label: "System prompt of an agent" },
  { value: "version", label: "Published version" },
  { value: "strict_taint", label: "Strict taint" },
  { value: "route", label: "Route out of the previous node" },
  { value: "tool_result", label: "Tool result" },
  { value: "decision", label: "Decision at the gate" },
] as const satisfies readonly { value: ForkChange["type"]; label: string }[];

export type ForkDraft = {
  readonly kind: ForkChange["type"];
  /** Changed path, model, agent, digest, edge, effect or approval. */
  readonly subject: string;
  readonly text: string;
};

export const EMPTY_DRAFT: ForkDraft = { kind: "none", subject: "", text: "" };

type Fields = { readonly subject: string | null; readonly text: string | null };

export const FORK_FIELDS = {
  none: { subject: null, text: null },
  model: { subject: "Model", text: null },
  memory: { subject: "Path", text: "Value (JSON)" },
  input: { subject: "Input", text: "Value (JSON)" },
  prompt: { subject: "Agent", text: "System prompt" },
  version: { subject: "Version", text: null },
  strict_taint: { subject: null, text: "Strict taint" },
  route: { subject: "Route", text: null },
  tool_result: { subject: "Call", text: "Result (JSON)" },
  decision: { subject: "Gate", text: "Decision" },
} as const satisfies Record<ForkChange["type"], Fields>;

/** Fixed values. */
export const FORK_WORDS: Partial<Record<ForkChange["type"], readonly { readonly value: string; readonly label: string }[]>> = {
  strict_taint: [
    { value: "true", label: "On" },
    { value: "false", label: "Off" },
  ],
  decision: [
    { value: "approve", label: "Approve" },
    { value: "reject", label: "Reject" },
  ],
};

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const rawOf = ({ kind, subject, text }: ForkDraft): unknown => {
  switch (kind) {
    case "none":
      return { type: kind };
    case "model":
      return { type: kind, model: subject };
    case "memory":
    case "input":
      return { type: kind, path: subject, value: parsedJson(text) };
    case "prompt":
      return { type: kind, agent: subject, system_prompt: text };
    case "version":
      return { type: kind, graph_hash: subject };
    case "strict_taint":
      return { type: kind, value: parsedJson(text) };
    case "route":
      return { type: kind, edge: subject };
    case "tool_result":
      return { type: kind, effect_id: subject, result: parsedJson(text) };
    case "decision":
      return { type: kind, approval_id: subject, decision: text };
    default:
      return kind satisfies never;
  }
};

/** @returns the change, or the missing part */
export const forkChangeOf = (draft: ForkDraft): Result<ForkChange, string> => {
  const trimmed = { ...draft, subject: draft.subject.trim(), text: draft.kind === "prompt" ? draft.text : draft.text.trim() };
  const parsed = forkChangeSchema.safeParse(rawOf(trimmed));
  if (parsed.success) return ok(parsed.data);
  const at = parsed.error.issues[0]?.path[0];
  const { subject, text } = FORK_FIELDS[draft.kind];
  const isText = at === "value" || at === "result" || at === "system_prompt" || at === "decision";

  return err(`${(isText ? text : subject) ?? "The change"} is missing or invalid`);
};
