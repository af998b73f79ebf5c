/** A server that asks for input before it goes on (2026-07-28): what of that is passed on, and what the call is made again with. */
import { CLIENT_CAPABILITIES_META_KEY, isInputRequiredResult } from "@modelcontextprotocol/client";
import { inputStateSchema } from "@/lib/engine/approvals/tool-input";
import { plainJson, type JsonLimits, type JsonObject } from "@/lib/json";
import { faultOutcome, type ToolOutcome } from "./answer";
import type { McpCall } from "./contract";
import { hasNul } from "./json-strings";
import { redactJson } from "./redact";

const REQUEST_LIMITS: JsonLimits = { maxBytes: 65_536, maxDepth: 12 };

/** Said with each call of a modern connection and never in a legacy one, whose servers could not wait for days. */
export const FORMS_ONLY: JsonObject = { [CLIENT_CAPABILITIES_META_KEY]: { elicitation: { form: {} } } };

/** The retry of a call: what a person said, and the server's own words back, byte for byte. */
export const inputParams = (input: McpCall["input"]): JsonObject => {
  if (!input) return {};

  return { inputResponses: input.responses, ...(input.state === null ? {} : { requestState: input.state }) };
};

/** Null: the server did not ask for anything. */
export const inputRequiredOf = (result: unknown, secrets: readonly string[]): ToolOutcome | null => {
  if (!isInputRequiredResult(result)) return null;
  const requests = plainJson(result.inputRequests ?? {}, REQUEST_LIMITS);
  if (!requests.ok) return faultOutcome(requests.error);
  const state = inputStateSchema.nullable().safeParse(result.requestState ?? null);
  if (!state.success) return faultOutcome("value_too_large");
  if (hasNul(requests.value) || hasNul(state.data) || state.data?.isWellFormed() === false) return faultOutcome("nul_character");

  return {
    status: "input_required",
    result: null,
    request: { requests: redactJson(requests.value, secrets), state: state.data },
    fault: null,
  };
};
