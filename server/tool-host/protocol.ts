import { z } from "zod";
import { callProofSchema, CALL_PROOF_FAULTS } from "@/lib/engine/outside/call-proof";
import { inputStateSchema } from "@/lib/engine/approvals/tool-input";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { isJsonObject, toPlainJson, type JsonLimits, type JsonObject } from "@/lib/json";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { resourceUriSchema } from "@/lib/graph/triggers/trigger";
import { mcpAccessSchema } from "@/lib/mcp/access";
import { callLimitsSchema } from "@/lib/mcp/call-limits";
import { toolDefinitionSchema } from "@/lib/mcp/definition";
import { serverIdentitySchema } from "@/lib/mcp/identity";
import { isolationSchema } from "@/lib/mcp/isolation";
import { callProgressSchema } from "@/lib/mcp/progress";
import { mcpTransportSchema } from "@/lib/mcp/transport";
import { unusableToolSchema } from "@/lib/mcp/unusable-tool";
import { DELIVERY_FAULTS } from "@/lib/webhooks/types";
import type { PeerLimits, Protocol } from "@/server/ipc/peer";
import { ANSWER_FAULTS, type AnswerFault } from "@/server/mcp/answer";
import { ERAS } from "@/server/mcp/connector";
import { hasNul } from "@/server/mcp/json-strings";
import { DEFINITION_LIMITS, MCP_LIMITS, RESULT_LIMITS } from "@/server/mcp/limits";
import { resourceAnswerSchema } from "@/server/mcp/resource-answer";
import { mailboxAnswerSchema, mailboxRequestSchema } from "@/server/mail/mailbox-request";
import { mailRequestSchema } from "@/server/notify/mail-request";

export const TOOL_HOST_LIMITS: PeerLimits = { maxFrameBytes: 16_777_216, maxCalls: 512, maxBacklogBytes: 67_108_864 };

const ARGUMENT_LIMITS: JsonLimits = { maxBytes: 1_048_576, maxDepth: 64 };
const REQUEST_LIMITS: JsonLimits = { maxBytes: 65_536, maxDepth: 12 };
const META_LIMITS: JsonLimits = { maxBytes: 65_536, maxDepth: 12 };

/** Checks depth without recursion, so that no value overflows the stack. */
const json = (limits: JsonLimits) =>
  z.unknown().transform((value, context) => {
    const plain = toPlainJson(value, limits);
    if (plain.ok && !hasNul(plain.value)) return plain.value;
    context.addIssue("not plain JSON within bounds");

    return z.NEVER;
  });

const jsonObject = (limits: JsonLimits) =>
  json(limits).transform((value, context): JsonObject => {
    if (isJsonObject(value)) return value;
    context.addIssue("not an object");

    return z.NEVER;
  });

const secretText = z.string().max(65_536);
const variables = z.record(z.string().max(256), secretText);

const egressPolicySchema = z.strictObject({
  allowOrigins: z.array(z.string().max(2_000)).max(50),
  localOrigins: z.array(z.string().max(2_000)).max(50).exactOptional(),
  requireHttps: z.literal(true).exactOptional(),
});

const openRequestSchema = z.strictObject({
  connection: uuidSchema,
  workspace: z.string().min(1).max(100),
  server: idSchema,
  transport: mcpTransportSchema,
  access: mcpAccessSchema,
  era: z.enum(ERAS),
  secrets: variables,
  environment: variables,
  egress: egressPolicySchema,
  isolation: isolationSchema,
  sandboxLevel: z.enum(["off", "available", "strict"]),
});

const factsSchema = z.strictObject({
  protocol: z.string().max(100).nullable(),
  era: z.enum(ERAS),
  identity: serverIdentitySchema.nullable(),
});

const callRequestSchema = z.strictObject({
  connection: uuidSchema,
  call: uuidSchema,
  tool: toolNameSchema,
  arguments: jsonObject(ARGUMENT_LIMITS),
  meta: jsonObject(META_LIMITS),
  input: z.strictObject({ state: z.string().max(16_384).nullable(), responses: jsonObject(ARGUMENT_LIMITS) }).nullable(),
  limits: callLimitsSchema,
  proof: callProofSchema.nullable(),
});

const isAnswerFault = (text: string): text is AnswerFault => Object.hasOwn(ANSWER_FAULTS, text);

const outcomeSchema = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.enum(["ok", "tool_error"]),
    result: json(RESULT_LIMITS),
    fault: z.string().max(40).refine(isAnswerFault).nullable(),
  }),
  z.strictObject({
    status: z.literal("input_required"),
    result: z.null(),
    request: z.strictObject({ requests: json(REQUEST_LIMITS), state: inputStateSchema.nullable() }),
    fault: z.null(),
  }),
  z.strictObject({ status: z.literal("unauthorized"), result: z.null(), fault: z.enum(CALL_PROOF_FAULTS) }),
]);

const sendRequestSchema = z.strictObject({
  url: z.string().max(2_000),
  payload: z.string().max(1_048_576),
  isBase64: z.literal(true).exactOptional(),
  headers: z.record(z.string().max(100), z.string().max(4_000)),
  timeoutMs: z.number().int().min(1).max(60_000).exactOptional(),
  readsAnswer: z.literal(true).exactOptional(),
  egress: egressPolicySchema,
});

const attemptSchema = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), code: z.number().int().min(100).max(599), answer: z.string().max(65_536).exactOptional() }),
  z.strictObject({ ok: z.literal(false), code: z.number().int().min(100).max(599).nullable(), fault: z.enum(DELIVERY_FAULTS) }),
]);

const resourceSchema = z.strictObject({ connection: uuidSchema, uri: resourceUriSchema });

/** Served by a tool host. */
export const hostProtocol = {
  open: { request: openRequestSchema, response: factsSchema },
  catalog: {
    request: z.strictObject({ connection: uuidSchema, fresh: z.boolean() }),
    response: z.strictObject({
      tools: z.array(json(DEFINITION_LIMITS).pipe(toolDefinitionSchema)).max(MCP_LIMITS.maxTools),
      unusable: z.array(unusableToolSchema).max(MCP_LIMITS.maxTools),
    }),
  },
  call: { request: callRequestSchema, response: outcomeSchema },
  read: { request: resourceSchema, response: resourceAnswerSchema },
  close: { request: z.strictObject({ connection: uuidSchema }), response: z.null() },
  send: { request: sendRequestSchema, response: attemptSchema },
  mail: { request: mailRequestSchema, response: attemptSchema },
  mailbox: { request: mailboxRequestSchema.extend({ egress: egressPolicySchema }), response: mailboxAnswerSchema },
} as const satisfies Protocol;

/** Served by the control plane. */
export const controlProtocol = {
  progress: { request: z.strictObject({ call: uuidSchema, progress: callProgressSchema }), response: z.null() },
  closed: { request: z.strictObject({ connection: uuidSchema }), response: z.null() },
  updated: { request: resourceSchema, response: z.null() },
} as const satisfies Protocol;

export const CONTAINERS_ARGUMENT = "containers";

export const hostKeySchema = z.strictObject({
  workspace: z.string(),
  programs: hexDigestSchema,
  connect: z.union([z.literal("any"), z.array(z.number().int().min(1).max(65_535))]),
  containers: z.literal(true).exactOptional(),
});
export type HostKey = z.infer<typeof hostKeySchema>;
