/** Usage as a provider reports it is a claim: absent or absurd numbers are replaced by our own estimate. */
import type { LanguageModelUsage } from "ai";
import type { GenerateRequest, GenerateResult } from "./contract";
import type { Tokens } from "./price";

/** Enough for an answer and for what reasoning models think before it. */
export const MAX_OUTPUT_TOKENS = 8_192;

const MOST = 1_000_000_000;
const encoder = new TextEncoder();
const bytes = (text: string): number => encoder.encode(text).length;

/** A token is never less than one byte, so the request's bytes bound its tokens from above. */
export const worstCaseTokens = (request: GenerateRequest): { input: number; output: number } => ({
  input: bytes(request.system) + bytes(request.prompt) + bytes(JSON.stringify(request.thread)) + bytes(JSON.stringify(request.tools)),
  output: request.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
});

const likelyInput = (request: GenerateRequest): number => Math.ceil(worstCaseTokens(request).input / 4);
const likelyOutput = (answer: Pick<GenerateResult, "text" | "tool_calls">): number =>
  Math.ceil((bytes(answer.text) + bytes(JSON.stringify(answer.tool_calls))) / 4);

const count = (claimed: number | undefined, estimate: number): number =>
  claimed !== undefined && Number.isInteger(claimed) && claimed >= 0 && claimed <= MOST ? claimed : estimate;

/** Cache reads and writes are part of the input: what exceeds it is not believed. */
export const tokensOf = (
  usage: LanguageModelUsage,
  request: GenerateRequest,
  answer: Pick<GenerateResult, "text" | "tool_calls">,
): Tokens => {
  const input = count(usage.inputTokens, likelyInput(request));
  const cacheRead = Math.min(count(usage.inputTokenDetails.cacheReadTokens, 0), input);
  const cacheWrite = Math.min(count(usage.inputTokenDetails.cacheWriteTokens, 0), input - cacheRead);

  return { input, cacheRead, cacheWrite, output: count(usage.outputTokens, likelyOutput(answer)) };
};
