import type { JsonLimits } from "@/lib/json";
import { MAX_RESULT_BYTES } from "@/lib/mcp/call-limits";

export const MCP_LIMITS = {
  /** A page of tools with large definitions. */
  maxMessageBytes: 8_388_608,
  /** One stream carries a whole session of the SSE transport. */
  maxStreamBytes: 268_435_456,
  maxTools: 200,
  /** Below the frame of a tool host. */
  maxCatalogBytes: 8_388_608,
  maxListPages: 16,
  connectTimeoutMs: 15_000,
  probeTimeoutMs: 3_000,
  listTimeoutMs: 15_000,
  /** Each call relists. */
  definitionsMaxAgeMs: 10_000,
} as const;

export const RESULT_LIMITS: JsonLimits = { maxBytes: MAX_RESULT_BYTES, maxDepth: 32 };
export const DEFINITION_LIMITS: JsonLimits = { maxBytes: 262_144, maxDepth: 24 };
