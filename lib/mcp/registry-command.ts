/** What an admin may do to the registry. Written by the web process, carried out by the runner. */
import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { idSchema } from "@/lib/ids";
import { effectClassSchema, type EffectClass, type ToolLabels } from "@/lib/graph/document";
import { CLASSIFICATIONS, classificationSchema } from "@/lib/graph/label";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { hexDigestSchema } from "@/lib/hash";
import { visibleNameSchema } from "@/lib/visible-name";
import { mcpAccessSchema, NO_ACCESS, secretsOfAccess } from "./access";
import { callLimitsSchema } from "./call-limits";
import { isBundledProgram, secretsOfManifest } from "./program";
import { mcpTransportSchema } from "./transport";

/** Agent ids, and `node` for tool nodes. Empty means nobody. */
export const allowedAgentsSchema = z.array(idSchema).max(200);

/** Every change names the revision that was on screen. */
const target = { id: idSchema, revision: z.number().int().min(1) };

/** What puts trust into a server or a tool; an admin may have to sign it. */
const trusting = { ...target, signed: adminSignatureSchema.exactOptional() };

/** How a server is reached, and what it is told of us there: nothing, unless it is said anew with each way. */
const way = { transport: mcpTransportSchema, access: mcpAccessSchema.exactOptional() };

export const registryCommandSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("add"), id: idSchema, name: visibleNameSchema(120), ...way }),
  /** Starts or reaches the server once and lists its tools: the one at the revision whose digest was on screen. */
  z.strictObject({ type: z.literal("inspect"), ...target }),
  /** Another way to reach the server, or the same with what is installed now: back to quarantine. */
  z.strictObject({ type: z.literal("set_transport"), ...target, ...way }),
  z.strictObject({
    type: z.literal("pin"),
    ...trusting,
    /** The digests that the admin looked at, for all tools of the server. */
    expect: z.record(toolNameSchema, hexDigestSchema),
    /** And of who the server was shown to be; left out where nobody was shown it. */
    identity: hexDigestSchema.exactOptional(),
  }),
  z.strictObject({
    type: z.literal("set_labels"),
    ...trusting,
    tool: toolNameSchema,
    effect: effectClassSchema,
    idempotent: z.boolean(),
    output: classificationSchema,
    outward: z.boolean(),
    clearance: classificationSchema,
  }),
  /** Of one tool, or with `tool: null` of those of the server's tools that have none of their own. `limits: null` takes them away. */
  z.strictObject({ type: z.literal("set_limits"), ...target, tool: toolNameSchema.nullable(), limits: callLimitsSchema.nullable() }),
  z.strictObject({ type: z.literal("set_allowed_agents"), ...trusting, agents: allowedAgentsSchema }),
  /** The switch of a single tool: the next call of it is not made. */
  z.strictObject({ type: z.literal("block_tool"), ...target, tool: toolNameSchema }),
  z.strictObject({ type: z.literal("unblock_tool"), ...trusting, tool: toolNameSchema }),
  z.strictObject({ type: z.literal("activate"), ...trusting }),
  z.strictObject({ type: z.literal("suspend"), ...target }),
  z.strictObject({ type: z.literal("resume"), ...trusting }),
  z.strictObject({ type: z.literal("revoke"), ...target }),
]);
export type RegistryCommand = z.infer<typeof registryCommandSchema>;
export type RegistryCommandInput = z.input<typeof registryCommandSchema>;

const TRUSTING = ["pin", "set_labels", "set_allowed_agents", "unblock_tool", "activate", "resume"] as const;
export type TrustingCommand = Extract<RegistryCommand, { type: (typeof TRUSTING)[number] }>;

const isTrusting = (command: RegistryCommand): command is TrustingCommand => (TRUSTING as readonly string[]).includes(command.type);

/** What a server is before a command, as far as trust goes. */
export type TrustedServer = {
  readonly allowedAgents: readonly string[];
  readonly tools: readonly (ToolLabels & { readonly name: string })[];
};

const CLASSES: readonly EffectClass[] = effectClassSchema.options;

/** Whether labels let more happen than the ones before, or hold less back. */
export const isLooser = (now: ToolLabels, was: ToolLabels): boolean =>
  CLASSES.indexOf(now.effect) < CLASSES.indexOf(was.effect) ||
  (now.idempotent && !was.idempotent) ||
  (was.outward && !now.outward) ||
  CLASSIFICATIONS.indexOf(now.output) < CLASSIFICATIONS.indexOf(was.output) ||
  CLASSIFICATIONS.indexOf(now.clearance) > CLASSIFICATIONS.indexOf(was.clearance);

/**
 * Returns the command when it loosens what holds a server back: it reviews tools, puts a server or a tool into use, lets another
 * agent call it, or lowers a label. Otherwise null.
 */
export const looseningOf = (command: RegistryCommand, { allowedAgents, tools }: TrustedServer): TrustingCommand | null => {
  if (!isTrusting(command)) return null;
  if (command.type === "set_allowed_agents") return command.agents.every((agent) => allowedAgents.includes(agent)) ? null : command;
  if (command.type !== "set_labels") return command;
  const was = tools.find(({ name }) => name === command.tool);

  return was && !isLooser(command, was) ? null : command;
};

/** Puts something into use, or says who may use it and how much that weighs. */
const OPENS: readonly RegistryCommand["type"][] = ["activate", "resume", "unblock_tool", "set_labels", "set_allowed_agents"];

const isTold = ({ transport, access }: Extract<RegistryCommand, { type: "add" | "set_transport" }>): boolean =>
  secretsOfAccess(access ?? NO_ACCESS).length > 0 || (transport.type === "stdio" && secretsOfManifest(transport.manifest).length > 0);

/** Names a program of this machine that an inspection starts. */
const isProgram = ({ transport }: Extract<RegistryCommand, { type: "add" | "set_transport" }>): boolean =>
  transport.type === "stdio" && !isBundledProgram(transport.manifest.program);

/** Whether a command takes a fresh proof of who asks for it: it opens something, names a program, or a secret of ours. */
export const takesProof = (command: RegistryCommand): boolean =>
  OPENS.includes(command.type) || ((command.type === "add" || command.type === "set_transport") && (isTold(command) || isProgram(command)));

/** `message` is one sentence for people; `code` is a code of lib/errors. */
export const registryOutcomeSchema = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), revision: z.number().int() }),
  z.strictObject({ ok: z.literal(false), code: z.string().max(60), message: z.string().max(500) }),
]);
export type RegistryOutcome = z.infer<typeof registryOutcomeSchema>;
