/** Who asks for something that people and outside agents may both ask for, and whether this one may. */
import { source, type Label } from "@/lib/graph/label";
import type { RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { may, type Permission } from "@/lib/roles";
import { fromAgent } from "@/lib/engine/decide/step";
import type { AgentScope, Principal } from "@/lib/engine/principal";

/** `initiator`: whose doing it is; `label`: of what they say. */
export type Asking = { readonly initiator: string; readonly label: Label };

export const askedBy = (principal: Principal, permission: Permission, scope: AgentScope): Result<Asking, RefusalCode> => {
  switch (principal.type) {
    case "user":
      // People are who they say they are, so what they type is trusted; what they paste is theirs to answer for.
      return may(principal.role, permission)
        ? ok({ initiator: principal.id, label: source("trusted", "internal", `user:${principal.id}`) })
        : err("principal_not_allowed");
    case "agent":
      return principal.scopes.includes(scope)
        ? ok({ initiator: principal.owner, label: fromAgent(principal.token, principal.integrity) })
        : err("scope_missing");
    case "executor":
    case "engine":
      return err("principal_not_allowed");
    default:
      return principal satisfies never;
  }
};
