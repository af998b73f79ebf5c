import { createSourceLabel, type Label } from "@/lib/graph/label";
import type { RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { isAllowed, type Permission } from "@/lib/roles";
import { labelFromAgent } from "@/lib/engine/decide/step";
import type { Principal, TokenScope } from "@/lib/engine/principal";

export type Asking = { readonly initiator: string; readonly label: Label };

/** @param scopes of which a token needs one */
export const checkAsker = (principal: Principal, permission: Permission, scopes: readonly TokenScope[]): Result<Asking, RefusalCode> => {
  switch (principal.type) {
    case "user":
      // People are authenticated and accountable for what they paste.
      return isAllowed(principal.role, permission)
        ? ok({ initiator: principal.id, label: createSourceLabel("trusted", "internal", `user:${principal.id}`) })
        : err("principal_not_allowed");
    case "agent":
      return principal.scopes.some((scope) => scopes.includes(scope))
        ? ok({ initiator: principal.owner, label: labelFromAgent(principal.token, principal.integrity) })
        : err("scope_missing");
    case "trigger":
      return ok({
        initiator: principal.publisher,
        label: createSourceLabel(principal.integrity, "internal", `trigger:${principal.trigger}/${principal.event}`),
      });
    case "executor":
    case "engine":
    case "directory":
    case "wait":
      return err("principal_not_allowed");
    default:
      return principal satisfies never;
  }
};
