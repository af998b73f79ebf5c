/** What every tool of an outside agent is: its description is the graph's own words, its answers all have one shape. */
import type { Tool as WireTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { JsonObject } from "@/lib/json";
import type { AgentScope } from "@/lib/engine/principal";
import type { Caller } from "./caller";

export type Call = {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Told how many records the run has, while it is at work. */
  readonly onProgress: (version: number) => Promise<void>;
};

export type Answer = {
  /** One line for people. */
  readonly headline: string;
  readonly payload: JsonObject;
  /** `refusal`: what was asked for is not to be; `failure`: it was tried and came to nothing. */
  readonly kind: "success" | "refusal" | "failure";
};

export type OutsideTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: NonNullable<WireTool["annotations"]>;
  readonly scope: AgentScope;
  /** The arguments' JSON Schema, the same as long as the graph's version is. */
  readonly inputSchema: (caller: Caller) => JsonObject;
  /** @param args whatever was sent */
  readonly run: (call: Call, args: unknown) => Promise<Answer>;
};

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
export const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false } as const;

/** zod's JSON Schema without the name of its dialect: some clients take that for an argument. */
export const argumentsSchema = (schema: z.ZodObject): JsonObject => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });

  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(rest)));
};

const text = { type: ["string", "null"] };

/** One shape for all answers: a client that reads two fields can go on from any of them. */
export const OUTPUT_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    valid_next_actions: { type: "array", items: { type: "string" }, description: "Legal now; empty: the run has ended." },
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

/** The arguments that nearly every tool takes. */
export const sessionArgument = z
  .string()
  .max(100)
  .nullish()
  .describe("The session, as an earlier answer named it. Without one, the first step begins one.");
