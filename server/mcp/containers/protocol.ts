import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { stdioManifestSchema } from "@/lib/mcp/program";
import type { PeerLimits, Protocol } from "@/server/ipc/peer";
import { MCP_LIMITS } from "@/server/mcp/limits";

export const BROKER_LIMITS: PeerLimits = { maxFrameBytes: 16_777_216, maxCalls: 512, maxBacklogBytes: 67_108_864 };

const named = { container: uuidSchema };
const MAX_CHUNK_CHARS = 1_048_576;

/** Never an image, option or path. */
export const brokerProtocol = {
  isPresent: { request: z.strictObject({ program: idSchema, digest: hexDigestSchema }), response: z.boolean() },
  start: {
    request: z.strictObject({
      ...named,
      manifest: stdioManifestSchema,
      secrets: z.record(z.string().max(256), z.string().max(65_536)),
    }),
    response: z.null(),
  },
  write: { request: z.strictObject({ ...named, text: z.string().max(MCP_LIMITS.maxMessageBytes) }), response: z.null() },
  /** Closes its input, or with `force` removes it. */
  end: { request: z.strictObject({ ...named, force: z.boolean() }), response: z.null() },
} as const satisfies Protocol;

export const containerProtocol = {
  output: {
    request: z.strictObject({ ...named, stream: z.enum(["stdout", "stderr"]), chunk: z.base64().max(MAX_CHUNK_CHARS) }),
    response: z.null(),
  },
  ended: {
    request: z.strictObject({ ...named, exitCode: z.int().nullable(), signal: z.string().max(20).nullable() }),
    response: z.null(),
  },
} as const satisfies Protocol;
