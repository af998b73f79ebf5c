import { compileExpression } from "@/lib/graph/condition";
import { matchesSchema } from "@/lib/graph/json-schema";
import { ownMember, type Json, type JsonObject } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import type { Trigger } from "./trigger";

const NO_RUN = { memory: {}, goal: "", constraints: [], run: { iteration_count: 0, retry_count: 0 } };

const TEXT = { type: "string" };
const EVENTS = {
  schedule: { type: "object", properties: { at: TEXT }, required: ["at"] },
  email: {
    type: "object",
    properties: {
      from: TEXT,
      subject: TEXT,
      text: TEXT,
      date: TEXT,
      attachments: { type: "array", items: TEXT },
      dkim: { type: "string", enum: ["pass", "fail", "none"] },
      dkim_domain: TEXT,
    },
    required: ["from", "subject", "text", "date", "attachments", "dkim", "dkim_domain"],
  },
  mcp_resource: {
    type: "object",
    properties: { uri: TEXT, mime_type: TEXT, text: TEXT },
    required: ["uri", "mime_type", "text"],
  },
  run_end: {
    type: "object",
    properties: { run: { type: "string" }, graph: { type: "string" }, status: { type: "string" }, at: TEXT },
    required: ["run", "graph", "status", "at"],
  },
} as const satisfies Record<string, JsonObject>;

/** Schema of `event`; payloads have unlisted members. */
export const getEventSchema = (trigger: Trigger): JsonObject =>
  trigger.kind === "webhook"
    ? { ...trigger.payload, ...(ownMember(trigger.payload, "additionalProperties") === undefined ? { additionalProperties: true } : {}) }
    : EVENTS[trigger.kind];

export const mapEvent = (trigger: Trigger, event: Json): Result<JsonObject, string> => {
  if (!matchesSchema(getEventSchema(trigger), event, false)) return err("the payload does not match its schema");
  const inputs: [string, Json][] = [];
  for (const [name, text] of Object.entries(trigger.inputs)) {
    const compiled = compileExpression(text, "event");
    const value = compiled.ok ? compiled.value.evaluate({ ...NO_RUN, event }, () => undefined) : compiled;
    if (!value.ok) return err(`${name}: ${value.error}`);
    inputs.push([name, value.value]);
  }

  return ok(Object.fromEntries(inputs));
};
