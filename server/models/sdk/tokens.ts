/** Provider usage is a claim: absurd numbers are replaced by our estimate. */
import type { LanguageModelUsage } from "ai";
import type { GenerateRequest, RawAnswer, Tokens } from "@/server/models/contract";
import { estimateWorstCaseTokens } from "@/server/models/usage";

const MOST_TOKENS = 1_000_000_000;
const encoder = new TextEncoder();
const bytes = (text: string): number => encoder.encode(text).length;

const likelyInput = (request: GenerateRequest): number => Math.ceil(estimateWorstCaseTokens(request).input / 4);
const likelyOutput = (answer: Pick<RawAnswer, "text" | "tool_calls">): number =>
  Math.ceil((bytes(answer.text) + bytes(JSON.stringify(answer.tool_calls))) / 4);

const count = (claimed: number | undefined, estimate: number): number =>
  claimed !== undefined && Number.isInteger(claimed) && claimed >= 0 && claimed <= MOST_TOKENS ? claimed : estimate;

export const countTokens = (
  usage: LanguageModelUsage,
  request: GenerateRequest,
  answer: Pick<RawAnswer, "text" | "tool_calls">,
): Tokens => {
  const input = count(usage.inputTokens, likelyInput(request));
  const cacheRead = Math.min(count(usage.inputTokenDetails.cacheReadTokens, 0), input);
  const cacheWrite = Math.min(count(usage.inputTokenDetails.cacheWriteTokens, 0), input - cacheRead);

  const output = count(usage.outputTokens, likelyOutput(answer));
  const reasoning = Math.min(count(usage.outputTokenDetails.reasoningTokens, 0), output);

  return { input, cacheRead, cacheWrite, output, reasoning };
};
