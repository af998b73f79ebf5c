/** Who proposes. The transport fills this in; it is never part of a parsed input. */
import { z } from "zod";
import { idSchema, uuidSchema } from "@/lib/ids";
import { integritySchema, type Integrity } from "@/lib/graph/label";
import { may, roleSchema, type Role } from "@/lib/roles";

/** What a token can allow. `run.fork` makes simulations; `run.fork_live` forks that call real tools. */
export const AGENT_SCOPES = ["run.read", "run.drive", "run.fork", "run.fork_live", "approval.request", "architect"] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];

type TokenRights = { readonly scopes: readonly AgentScope[]; readonly integrity: Integrity };

/** Why somebody with this role can neither make such a token nor have it used, as one sentence; null: they can. */
export const tokenObjection = (role: Role, { scopes, integrity }: TokenRights): string | null => {
  if (!may(role, "connect.manage")) return "Your role makes no tokens.";
  if (integrity !== "untrusted" && role !== "admin") return "Only an admin can vouch for what an outside agent sends.";

  return scopes.includes("architect") && !may(role, "graph.edit") ? "Only who may draw graphs can let an outside agent draw." : null;
};

export const principalSchema = z.discriminatedUnion("type", [
  /** A signed-in person; `role` and `auditor` are as the database had them when the proposal was decided. */
  z.strictObject({ type: z.literal("user"), id: uuidSchema, role: roleSchema, auditor: z.boolean() }),
  /** An executor working on one node under a lease. */
  z.strictObject({ type: z.literal("executor"), node: idSchema, agent: idSchema.nullable(), epoch: z.number().int().min(1) }),
  /** An outside agent, by its token and the session that it drives; all of it as the database had it at the decision. */
  z.strictObject({
    type: z.literal("agent"),
    token: uuidSchema,
    session: uuidSchema,
    /** Who made the token: the run counts as theirs. */
    owner: uuidSchema,
    /** How far what it sends may be trusted. */
    integrity: integritySchema,
    scopes: z.array(z.enum(AGENT_SCOPES)).max(AGENT_SCOPES.length),
  }),
  /** The engine's own timers and recovery. */
  z.strictObject({ type: z.literal("engine"), epoch: z.number().int().min(1) }),
]);
export type Principal = z.infer<typeof principalSchema>;
