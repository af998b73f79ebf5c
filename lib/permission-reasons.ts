import { listHolders, isAllowed, type Permission, type Role } from "@/lib/roles";
import { LIMITS, SEPARATED_DUTIES } from "@/lib/permission-texts";

export type AskedFor = { readonly access: Permission | "public"; readonly fresh: "always" | "sometimes" | "never" };

export type Account = {
  readonly role: Role | null;
  readonly auditor: boolean;
  readonly disabled: boolean;
};

export type ReasonCode =
  | "everybody"
  | "by_role"
  | "by_add_on"
  | "prove_again"
  | "prove_for_some"
  | "limits"
  | "disabled"
  | "no_member"
  | "no_role"
  | "separate_duties"
  | "no_add_on";

export type Reason = { readonly code: ReasonCode; readonly text: string };

export type Explanation = {
  /** `when_proved`: within five minutes. */
  readonly verdict: "yes" | "when_proved" | "no";
  /** Decisive one first. */
  readonly reasons: readonly [Reason, ...Reason[]];
};

/** The call is allowed so that its refusal is recorded. */
const ADD_ON_BESIDES: readonly Permission[] = ["cell.shred"];

const PROOFS = {
  always: { code: "prove_again", text: "Only within five minutes of signing in or confirming their identity." },
  sometimes: { code: "prove_for_some", text: "Sensitive changes require an identity confirmation within the last five minutes." },
  never: null,
} as const satisfies Record<AskedFor["fresh"], Reason | null>;

const no = (first: Reason, ...rest: readonly Reason[]): Explanation => ({ verdict: "no", reasons: [first, ...rest] });

const ownersOf = (permission: Permission): string =>
  listHolders(permission)
    .map((holder) => (holder === "auditor" ? "the auditor add-on" : holder))
    .join(" or ");

const withoutRole = (role: Role, permission: Permission): Explanation => {
  const duty = SEPARATED_DUTIES[permission]?.[role];
  const missing: Reason = { code: "no_role", text: `Requires ${ownersOf(permission)}; this account is ${role}.` };

  return duty === undefined ? no(missing) : no(missing, { code: "separate_duties", text: duty });
};

/** Explains access, with the call's own result. */
export const explainAccess = ({ access, fresh }: AskedFor, { role, auditor, disabled }: Account): Explanation => {
  if (access === "public") return { verdict: "yes", reasons: [{ code: "everybody", text: "Available without signing in." }] };
  if (disabled) return no({ code: "disabled", text: "The account is disabled, so its sessions are refused, whatever its role." });
  if (role === null) return no({ code: "no_member", text: "The account has no role in this workspace." });
  if (!isAllowed(role, access, auditor)) return withoutRole(role, access);
  if (ADD_ON_BESIDES.includes(access) && !auditor)
    return no({
      code: "no_add_on",
      text: `Requires the auditor add-on in addition to the role ${role}. An attempt is refused and recorded.`,
    });

  const granted: Reason = isAllowed(role, access)
    ? { code: "by_role", text: `The role ${role} has this permission.` }
    : { code: "by_add_on", text: `The role ${role} doesn't have this permission, but the auditor add-on does.` };
  const proof = PROOFS[fresh];
  const limit = LIMITS[access];

  return {
    verdict: fresh === "always" ? "when_proved" : "yes",
    reasons: [granted, ...(proof === null ? [] : [proof]), ...(limit === undefined ? [] : [{ code: "limits", text: limit } as const])],
  };
};
