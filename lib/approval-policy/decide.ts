import type { Principal } from "@/lib/engine/principal";
import { countersignIfAble, type PasskeyFold } from "@/lib/engine/ledger/passkey-fold";
import type { RunEvent } from "@/lib/engine/event";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import { toOwnApprovals, type Approvals, type PolicyCommand, type PolicySettings } from "./command";

export type PolicyFacts = {
  readonly workspace: string;
  readonly origin: string;
  readonly environments: readonly string[];
  /** Of the command's place. */
  readonly settings: PolicySettings;
  readonly inForce: Approvals;
  /** In force in other environments; null: the command is about these. */
  readonly general: Approvals | null;
  readonly passkeys: PasskeyFold;
  readonly isRequesterAdmin: boolean;
};

export type PolicyStep = {
  readonly step: string;
  readonly after: PolicySettings;
  readonly also: readonly RunEvent[];
};

type CommandOf<K extends PolicyCommand["kind"]> = Extract<PolicyCommand, { kind: K }>;

/** Names a command's step for its record. */
export const describePolicyStep = (command: PolicyCommand, by: string, { request }: PolicySettings): string => {
  switch (command.kind) {
    case "policy_raise":
      return "raised";
    case "policy_lower":
      return "lowering_requested";
    case "policy_confirm":
      return "lowered";
    case "policy_decline":
      return request?.by === by ? "lowering_withdrawn" : "lowering_declined";
    default:
      return command satisfies never;
  }
};

const signedStep = (
  by: string,
  command: CommandOf<"policy_lower" | "policy_confirm">,
  facts: PolicyFacts,
  after: PolicySettings,
): Omit<PolicyStep, "step"> | RefusalCode => {
  const { assertion, ...asked } = command;
  const signed = countersignIfAble(facts.passkeys, { ...facts, user: by }, asked, assertion);
  if (!signed.ok) return signed.error;

  return { after, also: signed.value ? [signed.value] : [] };
};

const outcomeOf = (by: string, command: PolicyCommand, facts: PolicyFacts): Omit<PolicyStep, "step"> | RefusalCode => {
  const { settings, inForce, general, environments } = facts;
  const { approvals, request: open } = settings;
  if (command.environment !== undefined && !environments.includes(command.environment)) return "environment_unknown";
  switch (command.kind) {
    case "policy_raise":
      return inForce === "write" ? "policy_moved" : { after: { approvals: toOwnApprovals("write", general), request: null }, also: [] };
    case "policy_lower":
      if (inForce !== "write" || open !== null) return "policy_moved";

      return signedStep(by, command, facts, { approvals, request: { id: command.request, by } });
    case "policy_confirm":
      if (open?.id !== command.request || inForce !== "write" || !facts.isRequesterAdmin) return "policy_moved";
      if (open.by === by) return "policy_second_person";

      return signedStep(by, command, facts, { approvals: toOwnApprovals("graph", general), request: null });
    case "policy_decline":
      return open?.id === command.request ? { after: { approvals, request: null }, also: [] } : "policy_moved";
    default:
      return command satisfies never;
  }
};

export const decidePolicy = (principal: Principal, command: PolicyCommand, facts: PolicyFacts): PolicyStep | RefusalCode => {
  if (principal.type !== "user" || !isAllowed(principal.role, "people.manage")) return "principal_not_allowed";
  const outcome = outcomeOf(principal.id, command, facts);

  return typeof outcome === "string" ? outcome : { ...outcome, step: describePolicyStep(command, principal.id, facts.settings) };
};
