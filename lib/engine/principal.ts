import { z } from "zod";
import { idSchema, uuidSchema } from "@/lib/ids";
import { integritySchema, type Integrity } from "@/lib/graph/label";
import { isAllowed, roleSchema, type Role } from "@/lib/roles";

/** `run.fork`: simulations; `run.fork_live`: real tool calls. */
export const AGENT_SCOPES = ["run.read", "run.drive", "run.fork", "run.fork_live", "approval.request", "architect"] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];

type TokenRights = { readonly scopes: readonly AgentScope[]; readonly integrity: Integrity };

/** Returns why the role may not back such a token, or null. */
export const findTokenObjection = (role: Role, { scopes, integrity }: TokenRights): string | null => {
  if (!isAllowed(role, "connect.manage")) return "Your role makes no tokens.";
  if (integrity !== "untrusted" && role !== "admin") return "Only an admin can vouch for what an outside agent sends.";

  return scopes.includes("architect") && !isAllowed(role, "graph.edit") ? "Only who may draw graphs can let an outside agent draw." : null;
};

export const principalSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("user"), id: uuidSchema, role: roleSchema, auditor: z.boolean() }),
  z.strictObject({ type: z.literal("executor"), node: idSchema, agent: idSchema.nullable(), epoch: z.number().int().min(1) }),
  /** Token and session as in the database at the decision. */
  z.strictObject({
    type: z.literal("agent"),
    token: uuidSchema,
    session: uuidSchema,
    /** Token's creator, who counts as the run's initiator. */
    owner: uuidSchema,
    integrity: integritySchema,
    scopes: z.array(z.enum(AGENT_SCOPES)).max(AGENT_SCOPES.length),
  }),
  z.strictObject({ type: z.literal("engine"), epoch: z.number().int().min(1) }),
]);
export type Principal = z.infer<typeof principalSchema>;
