import type { z } from "zod";
import type { Agent, agentSchema } from "@/lib/graph/document";
import { generateId } from "@/lib/graph/edit-nodes";
import type { Effort } from "@/lib/model-effort";
import type { ToolName } from "@/lib/mcp/tool-use";

export type AgentDraft = {
  /** Keeps fields that the form does not show. */
  readonly base: Agent | null;
  readonly id: string;
  readonly name: string;
  readonly systemPrompt: string;
  /** `default`: the model of the run. */
  readonly model: string;
  readonly fallback: string | null;
  /** Null: the provider's default. */
  readonly effort: Effort | null;
  readonly reads: string;
  readonly writes: string;
  readonly tools: Agent["tools"];
  readonly maxSteps: string;
};

const DEFAULT_STEPS = 10;

export const toDraft = (agent: Agent | null): AgentDraft => ({
  base: agent,
  id: agent?.id ?? "",
  name: agent?.name ?? "",
  systemPrompt: agent?.system_prompt ?? "",
  model: agent?.model ?? "default",
  fallback: agent?.fallback ?? null,
  effort: agent?.effort ?? null,
  reads: agent?.permissions.read_keys?.join(", ") ?? "",
  writes: agent?.permissions.write_keys?.join(", ") ?? "",
  tools: agent?.tools ?? [],
  maxSteps: String(agent?.max_steps ?? DEFAULT_STEPS),
});

/** Makes a free id from a name; empty without letters. */
export const suggestId = (name: string, taken: readonly string[]): string => {
  const id = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[_0-9]+|_+$/g, "");

  return id === "" ? "" : generateId(id, new Set(taken));
};

export const suggestDraft = (name: string, taken: readonly string[]): AgentDraft => ({
  ...toDraft(null),
  name,
  id: suggestId(name, taken),
});

const paths = (text: string): string[] =>
  text
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");

/** Empty means no limit; an existing empty list is kept. */
const ceiling = (text: string, before: readonly string[] | undefined): string[] | undefined => {
  const listed = paths(text);
  if (listed.length > 0) return listed;

  return before?.length === 0 ? [] : undefined;
};

export const fromDraft = (draft: AgentDraft): z.input<typeof agentSchema> => {
  const reads = ceiling(draft.reads, draft.base?.permissions.read_keys);
  const writes = ceiling(draft.writes, draft.base?.permissions.write_keys);

  const { fallback: _fallback, effort: _effort, ...base } = draft.base ?? {};

  return {
    ...base,
    id: draft.id,
    name: draft.name,
    system_prompt: draft.systemPrompt,
    model: draft.model,
    ...(draft.fallback === null ? {} : { fallback: draft.fallback }),
    ...(draft.effort === null ? {} : { effort: draft.effort }),
    permissions: { ...(reads ? { read_keys: reads } : {}), ...(writes ? { write_keys: writes } : {}) },
    tools: draft.tools,
    max_steps: Number(draft.maxSteps),
  };
};

export type AddedPath = { readonly side: "read_keys" | "write_keys"; readonly path: string };

/** Adds an allowed path; an agent without a limit needs none. */
export const addPath = (draft: AgentDraft, added: AddedPath | undefined): AgentDraft => {
  if (!added || draft.base?.permissions[added.side] === undefined) return draft;
  const field = added.side === "read_keys" ? "reads" : "writes";

  return { ...draft, [field]: [...paths(draft[field]), added.path].join(", ") };
};

export const removeTools = (draft: AgentDraft, left: readonly ToolName[]): AgentDraft => ({
  ...draft,
  tools: draft.tools.filter(({ server, tool }) => !left.some((one) => one.server === server && one.tool === tool)),
});
