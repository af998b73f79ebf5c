/** Token estimates before a call. */
import type { GenerateRequest } from "./contract";

/** Enough for an answer and a reasoning model's thinking. */
export const MAX_OUTPUT_TOKENS = 8_192;

const encoder = new TextEncoder();
const bytes = (text: string): number => encoder.encode(text).length;

/** A token is at least one byte, so the request's bytes bound its tokens. */
export const estimateWorstCaseTokens = (request: GenerateRequest): { input: number; output: number } => ({
  input: bytes(request.system) + bytes(request.prompt) + bytes(JSON.stringify(request.thread)) + bytes(JSON.stringify(request.tools)),
  output: request.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
});
