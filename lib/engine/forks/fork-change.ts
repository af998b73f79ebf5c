import { z } from "zod";
import { pathSchema } from "@/lib/graph/path";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { jsonSchema } from "@/lib/json";

const same = {
  none: z.strictObject({ type: z.literal("none") }),
  model: z.strictObject({ type: z.literal("model"), model: z.string().min(1).max(200) }),
  version: z.strictObject({ type: z.literal("version"), graph_hash: hexDigestSchema }),
  strictTaint: z.strictObject({ type: z.literal("strict_taint"), value: z.boolean() }),
  route: z.strictObject({ type: z.literal("route"), edge: idSchema }),
  decision: z.strictObject({ type: z.literal("decision"), approval_id: uuidSchema, decision: z.enum(["approve", "reject"]) }),
};

const input = z.strictObject({ type: z.literal("input"), path: pathSchema });
const memory = z.strictObject({ type: z.literal("memory"), path: pathSchema });
const prompt = z.strictObject({ type: z.literal("prompt"), agent: idSchema });
const toolResult = z.strictObject({ type: z.literal("tool_result"), effect_id: uuidSchema });

export const forkChangeSchema = z.discriminatedUnion("type", [
  same.none,
  same.model,
  same.version,
  same.strictTaint,
  same.route,
  same.decision,
  input.extend({ value: jsonSchema }),
  memory.extend({ value: jsonSchema }),
  prompt.extend({ system_prompt: z.string().max(50_000) }),
  toolResult.extend({ result: jsonSchema }),
]);
export type ForkChange = z.infer<typeof forkChangeSchema>;

export const recordedChangeSchema = z.discriminatedUnion("type", [
  same.none,
  same.model,
  same.version,
  same.strictTaint,
  same.route,
  same.decision,
  input,
  memory,
  prompt,
  toolResult,
]);
export type RecordedChange = z.infer<typeof recordedChangeSchema>;

/** `simulate`: recorded answers, no calls. `live`: separate gates. */
export const forkEffectsSchema = z.enum(["simulate", "live"]);
export type ForkEffects = z.infer<typeof forkEffectsSchema>;

export const toRecordedChange = (change: ForkChange): RecordedChange => {
  switch (change.type) {
    case "input":
    case "memory":
      return { type: change.type, path: change.path };
    case "prompt":
      return { type: "prompt", agent: change.agent };
    case "tool_result":
      return { type: "tool_result", effect_id: change.effect_id };
    case "none":
    case "model":
    case "version":
    case "strict_taint":
    case "route":
    case "decision":
      return change;
    default:
      return change satisfies never;
  }
};
