/** Admin commands about the registry, executed by the runner. */
import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { idSchema } from "@/lib/ids";
import { effectClassSchema, type EffectClass, type ToolLabels } from "@/lib/graph/document";
import { CLASSIFICATIONS, classificationSchema } from "@/lib/graph/label";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { hexDigestSchema } from "@/lib/hash";
import { visibleNameSchema } from "@/lib/visible-name";
import { mcpAccessSchema, NO_ACCESS } from "./access";
import { callLimitsSchema } from "./call-limits";
import { isBundledProgram } from "./bundled-program";
import { listSecretNames } from "./secret-names";
import { mcpTransportSchema } from "./transport";

/** `node` means tool nodes. */
export const allowedAgentsSchema = z.array(idSchema).max(200);

/** Names the revision on screen. */
const target = { id: idSchema, revision: z.number().int().min(1) };

/** May need an admin's signature. */
const trusting = { ...target, signed: adminSignatureSchema.exactOptional() };

const toolLabelsSchema = z.strictObject({
  effect: effectClassSchema,
  idempotent: z.boolean(),
  output: classificationSchema,
  outward: z.boolean(),
  clearance: classificationSchema,
});

/** Always together. */
const way = { transport: mcpTransportSchema, access: mcpAccessSchema.exactOptional() };

export const registryCommandSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("add"), id: idSchema, name: visibleNameSchema(120), ...way }),
  /** Connects once, at the revision on screen. */
  z.strictObject({ type: z.literal("inspect"), ...target }),
  /** New transport: back to quarantine. */
  z.strictObject({ type: z.literal("set_transport"), ...target, ...way }),
  z.strictObject({
    type: z.literal("pin"),
    ...trusting,
    /** Tool digests on screen. */
    expect: z.record(toolNameSchema, hexDigestSchema),
    /** On screen; absent if none was shown. */
    identity: hexDigestSchema.exactOptional(),
  }),
  z.strictObject({
    type: z.literal("set_labels"),
    ...trusting,
    /** By tool. */
    labels: z.record(toolNameSchema, toolLabelsSchema).refine((labels) => Object.keys(labels).length > 0, "Label at least one tool."),
  }),
  /** `tool: null`: all without own limits. */
  z.strictObject({ type: z.literal("set_limits"), ...target, tool: toolNameSchema.nullable(), limits: callLimitsSchema.nullable() }),
  z.strictObject({ type: z.literal("set_allowed_agents"), ...trusting, agents: allowedAgentsSchema }),
  /** Effective from the next call. */
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

export type TrustedServer = {
  readonly allowedAgents: readonly string[];
  readonly tools: readonly (ToolLabels & { readonly name: string })[];
};

const CLASSES: readonly EffectClass[] = effectClassSchema.options;

export const isLooser = (now: ToolLabels, was: ToolLabels): boolean =>
  CLASSES.indexOf(now.effect) < CLASSES.indexOf(was.effect) ||
  (now.idempotent && !was.idempotent) ||
  (was.outward && !now.outward) ||
  CLASSIFICATIONS.indexOf(now.output) < CLASSIFICATIONS.indexOf(was.output) ||
  CLASSIFICATIONS.indexOf(now.clearance) > CLASSIFICATIONS.indexOf(was.clearance);

export const findLoosening = (command: RegistryCommand, { allowedAgents, tools }: TrustedServer): TrustingCommand | null => {
  if (!isTrusting(command)) return null;
  if (command.type === "set_allowed_agents") return command.agents.every((agent) => allowedAgents.includes(agent)) ? null : command;
  if (command.type !== "set_labels") return command;
  const isLoosened = Object.entries(command.labels).some(([tool, labels]) => {
    const was = tools.find(({ name }) => name === tool);

    return !was || isLooser(labels, was);
  });

  return isLoosened ? command : null;
};

const OPENS: readonly RegistryCommand["type"][] = ["activate", "resume", "unblock_tool", "set_labels", "set_allowed_agents"];

const isTold = ({ transport, access }: Extract<RegistryCommand, { type: "add" | "set_transport" }>): boolean =>
  listSecretNames({ transport, access: access ?? NO_ACCESS }).length > 0;

const isProgram = ({ transport }: Extract<RegistryCommand, { type: "add" | "set_transport" }>): boolean =>
  transport.type === "stdio" && !isBundledProgram(transport.manifest.program);

export const takesProof = (command: RegistryCommand): boolean =>
  OPENS.includes(command.type) || ((command.type === "add" || command.type === "set_transport") && (isTold(command) || isProgram(command)));

/** `message`: a sentence; `code`: of lib/errors. */
export const registryOutcomeSchema = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), revision: z.number().int() }),
  z.strictObject({ ok: z.literal(false), code: z.string().max(60), message: z.string().max(500) }),
]);
export type RegistryOutcome = z.infer<typeof registryOutcomeSchema>;
