import { classifyRisk, type AuthorityClass } from "@/lib/engine/approvals/authority-class";
import type { CommandBody } from "@/lib/engine/proposal";
import { ownMember, type Json } from "@/lib/json";
import { registryCommandSchema, takesProof } from "@/lib/mcp/registry-command";
import type { WorkspaceCommand } from "@/lib/workspace-command";

export const FRESH_MS = 5 * 60_000;

export const LINK_MS = 10 * 60_000;

type Kind = (CommandBody | WorkspaceCommand)["kind"];

export const FRESH_COMMANDS = {
  account_link: ["notifications.link"],
  browser_add: ["notifications.addBrowser"],
  decision: ["approvals.decide"],
  environments_set: ["environments.set"],
  environment_variables: ["environments.setVariables"],
  open_cell: ["runs.openCell", "runs.openHidden"],
  delegation_give: ["approvers.delegations.give"],
  directory_confirm: ["directory.confirm"],
  directory_set: ["directory.set"],
  group_remove: ["approvers.groups.remove"],
  group_set: ["approvers.groups.set"],
  models_step: ["models.change", "models.test"],
  passkey_allow: ["passkeys.allow"],
  passkey_register: ["passkeys.register"],
  passkey_revoke: ["passkeys.revoke"],
  password_set: ["session.changePassword"],
  people_change: ["people.change"],
  people_disable: ["people.setDisabled"],
  people_enable: ["people.setDisabled"],
  people_end_sessions: ["people.endSessions"],
  people_invite: ["people.invite"],
  people_leave: ["session.leave"],
  people_link_identity: ["session.linkIdentity"],
  people_unlink_identity: ["people.unlinkIdentity", "session.unlinkIdentity"],
  people_withdraw: ["people.withdraw"],
  policy_confirm: ["policy.confirm"],
  policy_lower: ["policy.lower"],
  policy_raise: ["policy.raise"],
  rule_add: ["approvers.rules.add"],
  rule_remove: ["approvers.rules.remove"],
  rule_remove_confirm: ["approvers.rules.confirmRemoval"],
  token_mint: ["connect.tokens.mint", "connect.accounts.create", "connect.grants.allow", "connect.personal.create"],
  token_rotate: ["connect.accounts.rotate"],
  webhook_outputs: ["webhooks.setOutputs"],
  work_resume: ["work.resume"],
} as const satisfies Partial<Record<Kind, readonly string[]>>;

/** Returns a proof's maximum age, ms; null: none needed. */
export const getCommandProofMs = (body: Json): number | null => {
  const kind = ownMember(body, "kind");
  if (typeof kind !== "string" || !Object.hasOwn(FRESH_COMMANDS, kind) || kind === "decision") return null;
  if (kind === "open_cell") return ownMember(body, "purpose") === "audit" ? FRESH_MS : null;

  // The proof precedes the redirect.
  return kind === "people_link_identity" ? FRESH_MS + LINK_MS : FRESH_MS;
};

export const getRegistryProofMs = (body: Json): number | null => {
  const { data: command } = registryCommandSchema.safeParse(body);

  return command && takesProof(command) ? FRESH_MS : null;
};

type Decision = Pick<Extract<CommandBody, { kind: "decision" }>, "decision" | "assertion">;

/** Returns a decision's maximum proof age; a passkey signature is a proof. */
export const getDecisionProofMs = ({ decision, assertion }: Decision, authority: AuthorityClass | null): number | null =>
  decision === "approve" && !assertion && (authority === null || classifyRisk(authority) === "high") ? FRESH_MS : null;

export const isFresh = (provedAtMs: number | null, nowMs: number, maxAgeMs = FRESH_MS): boolean =>
  provedAtMs !== null && nowMs - provedAtMs <= maxAgeMs;
