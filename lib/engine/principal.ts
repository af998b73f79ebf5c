import { z } from "zod";
import { idSchema, uuidSchema } from "@/lib/ids";
import { integritySchema, type Integrity } from "@/lib/graph/label";
import { isAllowed, roleSchema, type Permission, type Role } from "@/lib/roles";

/** `run.fork`: simulations; `run.fork_live`: real tool calls. */
export const AGENT_SCOPES = ["run.read", "run.drive", "run.fork", "run.fork_live", "approval.request", "architect"] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];

/** HTTP scopes of service accounts and the permission of the builder who grants each; none approves. */
export const SERVICE_SCOPES = {
  "graphs:read": "graph.read",
  "graphs:write": "graph.publish",
  "runs:read": "run.read",
  "runs:start": "run.start",
  "runs:control": "run.cancel",
  "runs:answer": "run.start",
  "approvals:read": "approval.read",
  "approvals:comment": "approval.comment",
  "approvals:reject": "approval.decide",
  "servers:read": "mcp.read",
  "people:read": "people.read",
  "usage:read": "agent.read",
} as const satisfies Record<string, Permission>;
export type ServiceScope = keyof typeof SERVICE_SCOPES;

export const serviceScopeSchema = z.enum(Object.keys(SERVICE_SCOPES) as [ServiceScope, ...ServiceScope[]]);

export const PERSONAL_SCOPES = ["approvals:read", "approvals:decide"] as const satisfies readonly (ServiceScope | "approvals:decide")[];
export const MOST_PERSONAL_MS = 30 * 86_400_000;
/** One record revokes all. */
export const MOST_PERSONAL = 20;

export const TOKEN_SCOPES = [...AGENT_SCOPES, ...serviceScopeSchema.options, "approvals:decide"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export const isPersonal = (scopes: readonly TokenScope[]): boolean => scopes.includes("approvals:decide");

const isServiceScope = (scope: TokenScope): scope is ServiceScope => scope in SERVICE_SCOPES;

export const isServiceAccount = (scopes: readonly TokenScope[]): boolean => !isPersonal(scopes) && scopes.some(isServiceScope);

type TokenRights = { readonly scopes: readonly TokenScope[]; readonly integrity: Integrity };

export const findTokenObjection = (role: Role, { scopes, integrity }: TokenRights): string | null => {
  if (isPersonal(scopes)) {
    if (!scopes.every((scope) => (PERSONAL_SCOPES as readonly TokenScope[]).includes(scope)) || integrity !== "untrusted") {
      return "A personal token is for approvals only.";
    }

    return isAllowed(role, "approval.decide") ? null : "Only reviewers have personal tokens.";
  }
  if (!isAllowed(role, "connect.manage")) return "Your role makes no tokens.";
  if (integrity !== "untrusted" && role !== "admin") return "Only an admin can vouch for what an outside agent sends.";

  if (isServiceAccount(scopes)) {
    if (!scopes.every(isServiceScope)) return "A token is for the API or for outside agents, not for both.";
    const missing = role === "admin" ? undefined : scopes.find((scope) => !isAllowed(role, SERVICE_SCOPES[scope]));

    return missing === undefined ? null : `Only an admin can grant ${missing}.`;
  }

  return scopes.includes("architect") && !isAllowed(role, "graph.edit") ? "Only who may draw graphs can let an outside agent draw." : null;
};

export const NO_SESSION = "00000000-0000-0000-0000-000000000000";

export const principalSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("user"), id: uuidSchema, role: roleSchema, auditor: z.boolean() }),
  z.strictObject({ type: z.literal("executor"), node: idSchema, agent: idSchema.nullable(), epoch: z.number().int().min(1) }),
  /** Token and session as in the database at the decision. */
  z.strictObject({
    type: z.literal("agent"),
    token: uuidSchema,
    /** `NO_SESSION` for service accounts, and for attempts without a session. */
    session: uuidSchema,
    /** Token's creator, who counts as the run's initiator. */
    owner: uuidSchema,
    integrity: integritySchema,
    scopes: z.array(z.enum(TOKEN_SCOPES)).max(TOKEN_SCOPES.length),
  }),
  z.strictObject({ type: z.literal("engine"), epoch: z.number().int().min(1) }),
  z.strictObject({
    type: z.literal("trigger"),
    trigger: idSchema,
    event: z.string().max(200),
    publisher: uuidSchema,
    integrity: integritySchema,
  }),
  z.strictObject({ type: z.literal("directory"), token: uuidSchema }),
  /** Holder of a wait's token, by its id. */
  z.strictObject({ type: z.literal("wait"), token: uuidSchema }),
]);
export type Principal = z.infer<typeof principalSchema>;
export type TriggerPrincipal = Extract<Principal, { type: "trigger" }>;
