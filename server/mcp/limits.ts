import type { JsonLimits } from "@/lib/json";
import { MAX_RESULT_BYTES } from "@/lib/mcp/call-limits";

export const MCP_LIMITS = {
  maxMessageBytes: 1_048_576,
  maxTools: 200,
  maxListPages: 16,
  connectTimeoutMs: 15_000,
  probeTimeoutMs: 3_000,
  listTimeoutMs: 15_000,
  /** Each call relists. */
  definitionsMaxAgeMs: 10_000,
} as const;

export const RESULT_LIMITS: JsonLimits = { maxBytes: MAX_RESULT_BYTES, maxDepth: 32 };
export const DEFINITION_LIMITS: JsonLimits = { maxBytes: 65_536, maxDepth: 24 };
