/** Tokens of a call before it is made. */
import type { GenerateRequest } from "./contract";

/** Enough for an answer and for what reasoning models think before it. */
export const MAX_OUTPUT_TOKENS = 8_192;

const encoder = new TextEncoder();
const bytes = (text: string): number => encoder.encode(text).length;

/** A token is never less than one byte, so the request's bytes bound its tokens from above. */
export const worstCaseTokens = (request: GenerateRequest): { input: number; output: number } => ({
  input: bytes(request.system) + bytes(request.prompt) + bytes(JSON.stringify(request.thread)) + bytes(JSON.stringify(request.tools)),
  output: request.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
});
