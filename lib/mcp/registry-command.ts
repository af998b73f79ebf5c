/** What an admin may do to the registry. Written by the web process, carried out by the runner. */
import { z } from "zod";
import { idSchema } from "@/lib/ids";
import { effectClassSchema } from "@/lib/graph/document";
import { classificationSchema } from "@/lib/graph/label";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { hexDigestSchema } from "@/lib/hash";
import { visibleNameSchema } from "@/lib/visible-name";
import { mcpAccessSchema, NO_ACCESS, secretsOfAccess } from "./access";
import { callLimitsSchema } from "./call-limits";
import { secretsOfEnvironment } from "./launch";
import { transportDraftSchema } from "./transport";

/** Agent ids, and `node` for tool nodes. Empty means nobody. */
export const allowedAgentsSchema = z.array(idSchema).max(200);

/** Every change names the revision that was on screen. */
const target = { id: idSchema, revision: z.number().int().min(1) };

/** How a server is reached, and what it is told of us there: nothing, unless it is said anew with each way. */
const way = { transport: transportDraftSchema, access: mcpAccessSchema.exactOptional() };

export const registryCommandSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("add"), id: idSchema, name: visibleNameSchema(120), ...way }),
  z.strictObject({ type: z.literal("inspect"), id: idSchema }),
  /** Another way to reach the server, or the same with what is installed now: back to quarantine. */
  z.strictObject({ type: z.literal("set_transport"), ...target, ...way }),
  z.strictObject({
    type: z.literal("pin"),
    ...target,
    /** The digests that the admin looked at, for all tools of the server. */
    expect: z.record(toolNameSchema, hexDigestSchema),
    /** And of who the server was shown to be; left out where nobody was shown it. */
    identity: hexDigestSchema.exactOptional(),
  }),
  z.strictObject({
    type: z.literal("set_labels"),
    ...target,
    tool: toolNameSchema,
    effect: effectClassSchema,
    idempotent: z.boolean(),
    output: classificationSchema,
    outward: z.boolean(),
    clearance: classificationSchema,
  }),
  /** Of one tool, or with `tool: null` of those of the server's tools that have none of their own. `limits: null` takes them away. */
  z.strictObject({ type: z.literal("set_limits"), ...target, tool: toolNameSchema.nullable(), limits: callLimitsSchema.nullable() }),
  z.strictObject({ type: z.literal("set_allowed_agents"), ...target, agents: allowedAgentsSchema }),
  /** The switch of a single tool: the next call of it is not made. */
  z.strictObject({ type: z.literal("block_tool"), ...target, tool: toolNameSchema }),
  z.strictObject({ type: z.literal("unblock_tool"), ...target, tool: toolNameSchema }),
  z.strictObject({ type: z.literal("activate"), ...target }),
  z.strictObject({ type: z.literal("suspend"), ...target }),
  z.strictObject({ type: z.literal("resume"), ...target }),
  z.strictObject({ type: z.literal("revoke"), ...target }),
]);
export type RegistryCommand = z.infer<typeof registryCommandSchema>;
export type RegistryCommandInput = z.input<typeof registryCommandSchema>;

/** Puts something into use, or says who may use it and how much that weighs. */
const OPENS: readonly RegistryCommand["type"][] = ["activate", "resume", "unblock_tool", "set_labels", "set_allowed_agents"];

const isTold = ({ transport, access }: Extract<RegistryCommand, { type: "add" | "set_transport" }>): boolean =>
  secretsOfAccess(access ?? NO_ACCESS).length > 0 ||
  (transport.type === "stdio" && "env" in transport.manifest && secretsOfEnvironment(transport.manifest.env ?? {}).length > 0);

/** Starts what lies on this machine, as soon as it is named. */
const isStarted = ({ transport }: Extract<RegistryCommand, { type: "add" | "set_transport" }>): boolean =>
  transport.type === "stdio" && transport.manifest.source !== "bundled";

/** Whether a command takes a fresh proof of who asks for it: it opens something, starts it, or tells it one of our secrets at once. */
export const takesProof = (command: RegistryCommand): boolean =>
  OPENS.includes(command.type) || ((command.type === "add" || command.type === "set_transport") && (isTold(command) || isStarted(command)));

/** `message` is one sentence for people; `code` is a code of lib/errors. */
export const registryOutcomeSchema = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), revision: z.number().int() }),
  z.strictObject({ ok: z.literal(false), code: z.string().max(60), message: z.string().max(500) }),
]);
export type RegistryOutcome = z.infer<typeof registryOutcomeSchema>;
