import type { Tool as WireTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { JsonObject } from "@/lib/json";
import type { AgentScope } from "@/lib/engine/principal";
import type { Caller } from "./caller";

/** @param version number of records */
export type OnProgress = (version: number, runId: string) => Promise<void>;

export type Call = {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
};

export type Answer = {
  readonly headline: string;
  readonly payload: JsonObject;
  /** `refusal`: not permitted; `failure`: attempted without success. */
  readonly kind: "success" | "refusal" | "failure";
};

export type OutsideTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: NonNullable<WireTool["annotations"]>;
  readonly scope: AgentScope;
  /** Constant for a graph version. */
  readonly inputSchema: (caller: Caller) => JsonObject;
  readonly run: (call: Call, args: unknown) => Promise<Answer>;
};

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
export const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false } as const;

/** Builds JSON Schema; some clients take `$schema` for an argument. */
export const buildArgumentsSchema = (schema: z.ZodObject): JsonObject => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });

  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(rest)));
};

const text = { type: ["string", "null"] };

/** One shape, so that clients can continue from any answer. */
export const OUTPUT_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    valid_next_actions: {
      type: "array",
      items: { type: "string" },
      description: "Legal now; empty: the run waits (see waiting_for) or has ended.",
    },
    next_action_schemas: { type: "object", description: "The inputs of each of them, as JSON Schema." },
    error: { type: "string", description: "Absent: it was done." },
    message: { type: "string" },
    action: text,
    requested: text,
    result: {},
    state: {},
    app_id: text,
    session: text,
    tracker_project: text,
    next_hint: { type: "string" },
    status: { type: "string" },
    waiting_for: {},
  },
  required: ["valid_next_actions", "next_action_schemas"],
};

export const sessionArgument = z
  .string()
  .max(100)
  .nullish()
  .describe("The session, as an earlier answer named it. Without one, the first step begins one.");
