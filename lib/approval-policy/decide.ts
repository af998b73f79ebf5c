import type { Principal } from "@/lib/engine/principal";
import { countersignIfAble, type PasskeyFold } from "@/lib/engine/ledger/passkey-fold";
import type { RunEvent } from "@/lib/engine/event";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import type { Approvals, PolicyCommand, PolicySettings } from "./command";

export type PolicyFacts = {
  readonly workspace: string;
  readonly origin: string;
  readonly settings: PolicySettings;
  readonly inForce: Approvals;
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
  const { kind, request, assertion } = command;
  const signed = countersignIfAble(facts.passkeys, { ...facts, user: by }, { kind, request }, assertion);
  if (!signed.ok) return signed.error;

  return { after, also: signed.value ? [signed.value] : [] };
};

const outcomeOf = (by: string, command: PolicyCommand, facts: PolicyFacts): Omit<PolicyStep, "step"> | RefusalCode => {
  const { settings, inForce } = facts;
  const { approvals, request: open } = settings;
  switch (command.kind) {
    case "policy_raise":
      return inForce === "write" ? "policy_moved" : { after: { approvals: "write", request: null }, also: [] };
    case "policy_lower":
      if (inForce !== "write" || open !== null) return "policy_moved";

      return signedStep(by, command, facts, { approvals, request: { id: command.request, by } });
    case "policy_confirm":
      if (open?.id !== command.request || inForce !== "write" || !facts.isRequesterAdmin) return "policy_moved";
      if (open.by === by) return "policy_second_person";

      return signedStep(by, command, facts, { approvals: "graph", request: null });
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
