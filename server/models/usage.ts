import type { GenerateRequest } from "./contract";

/** Leaves room for a reasoning model's thinking. */
export const MAX_OUTPUT_TOKENS = 8_192;

const encoder = new TextEncoder();
const bytes = (text: string): number => encoder.encode(text).length;

/** Estimates the worst case: a token is at least one byte. */
export const estimateWorstCaseTokens = (request: GenerateRequest): { input: number; output: number } => ({
  input:
    bytes(request.system) +
    bytes(request.prompt) +
    bytes(JSON.stringify(request.thread)) +
    bytes(JSON.stringify(request.tools)) +
    bytes(JSON.stringify(request.answerSchema ?? "")) +
    (request.files ?? []).reduce((sum, { tokens }) => sum + tokens, 0),
  output: request.maxOutputTokens ?? MAX_OUTPUT_TOKENS,
});

const LIKELY_BYTES_PER_TOKEN = 3;

/** Rather too much, for a model's context. */
export const estimateInput = (request: GenerateRequest): number =>
  Math.ceil(estimateWorstCaseTokens(request).input / LIKELY_BYTES_PER_TOKEN);
