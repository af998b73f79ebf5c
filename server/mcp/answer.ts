/** Bounded JSON answers, without texts of faults. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { CallProofFault } from "@/lib/engine/outside/call-proof";
import { toPlainJson, type Json } from "@/lib/json";
import { MAX_RESULT_BYTES } from "@/lib/mcp/call-limits";
import type { McpAnswer } from "./contract";
import { hasNul } from "./json-strings";
import { RESULT_LIMITS } from "./limits";
import { redactJson } from "./redact";

export const ANSWER_FAULTS = {
  not_plain_json: "The server's answer is not plain JSON.",
  nul_character: "The server's answer contains a NUL character.",
  value_too_deep: "The server's answer is nested too deep.",
  value_too_large: "The server's answer is too large.",
  timeout: "The server did not answer in time; whether it acted is not known.",
  connection_lost: "The connection ended before the answer; whether the server acted is not known.",
  input_required: "The server asked for input, which is not supported.",
  result_invalid: "The server's answer does not match the tool's output schema.",
  protocol_error: "The server refused the request.",
} as const;
export type AnswerFault = keyof typeof ANSWER_FAULTS;

type Answered = { readonly status: "ok" | "tool_error"; readonly result: Json; readonly fault: AnswerFault | null };

/** Tool errors and questions are no faults. */
export type ToolOutcome =
  | Answered
  | (Extract<McpAnswer, { status: "input_required" }> & { readonly fault: null })
  | { readonly status: "unauthorized"; readonly result: null; readonly fault: CallProofFault };

/** Splits answer and fault; `undefined`: the server was not asked. */
export const answerOf = (outcome: ToolOutcome): { readonly answer: McpAnswer; readonly fault: AnswerFault | null | undefined } => {
  if (outcome.status === "unauthorized") return { answer: outcome, fault: undefined };
  const { fault, ...answer } = outcome;

  return { answer, fault };
};

export const toFaultOutcome = (fault: AnswerFault): Answered => ({
  status: "tool_error",
  result: { error: { code: fault, message: ANSWER_FAULTS[fault] } },
  fault,
});

/** Reads `structuredContent`, else `{ content }`; text stays text. */
export const getOutcome = (result: CallToolResult, secrets: readonly string[], maxBytes = MAX_RESULT_BYTES): ToolOutcome => {
  const raw: unknown = result.structuredContent ?? { content: result.content };
  const plain = toPlainJson(raw, { ...RESULT_LIMITS, maxBytes });
  if (!plain.ok) return toFaultOutcome(plain.error);
  if (hasNul(plain.value)) return toFaultOutcome("nul_character");

  return { status: result.isError === true ? "tool_error" : "ok", result: redactJson(plain.value, secrets), fault: null };
};
