/** Elicitation by retry (2026-07-28). */
import { CLIENT_CAPABILITIES_META_KEY, isInputRequiredResult } from "@modelcontextprotocol/client";
import { inputStateSchema } from "@/lib/engine/approvals/tool-input";
import { toPlainJson, type JsonLimits, type JsonObject } from "@/lib/json";
import { toFaultOutcome, type ToolOutcome } from "./answer";
import type { McpCall } from "./contract";
import { hasNul } from "./json-strings";
import { redactJson } from "./redact";

const REQUEST_LIMITS: JsonLimits = { maxBytes: 65_536, maxDepth: 12 };

/** Legacy servers cannot wait for days. */
export const FORMS_ONLY: JsonObject = { [CLIENT_CAPABILITIES_META_KEY]: { elicitation: { form: {} } } };

/** Parameters of a retry; the state stays byte for byte. */
export const toInputParams = (input: McpCall["input"]): JsonObject => {
  if (!input) return {};

  return { inputResponses: input.responses, ...(input.state === null ? {} : { requestState: input.state }) };
};

/** Null: no question. */
export const toInputRequired = (result: unknown, secrets: readonly string[]): ToolOutcome | null => {
  if (!isInputRequiredResult(result)) return null;
  const requests = toPlainJson(result.inputRequests ?? {}, REQUEST_LIMITS);
  if (!requests.ok) return toFaultOutcome(requests.error);
  const state = inputStateSchema.nullable().safeParse(result.requestState ?? null);
  if (!state.success) return toFaultOutcome("value_too_large");
  if (hasNul(requests.value) || hasNul(state.data) || state.data?.isWellFormed() === false) return toFaultOutcome("nul_character");

  return {
    status: "input_required",
    result: null,
    request: { requests: redactJson(requests.value, secrets), state: state.data },
    fault: null,
  };
};
