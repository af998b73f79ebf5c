/** What takes a fresh proof of who asks for it. The web process asks the person for the proof; the control plane demands it. */
import { riskOf, type AuthorityClass } from "@/lib/engine/approvals/authority-class";
import type { CommandBody } from "@/lib/engine/proposal";
import { ownMember, type Json } from "@/lib/json";
import { registryCommandSchema, takesProof } from "@/lib/mcp/registry-command";
import type { WorkspaceCommand } from "@/lib/workspace-command";

export const FRESH_MS = 5 * 60_000;

/** From the question to the identity provider's answer. */
export const LINK_MS = 10 * 60_000;

type Kind = (CommandBody | WorkspaceCommand)["kind"];

/** Each kind of command that takes a fresh proof, always or sometimes, with the procedures that send it. */
export const FRESH_COMMANDS = {
  decision: ["approvals.decide"],
  open_cell: ["runs.openCell", "runs.openHidden"],
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
  people_link_identity: ["session.linkIdentity"],
  people_unlink_identity: ["people.unlinkIdentity", "session.unlinkIdentity"],
  people_withdraw: ["people.withdraw"],
  policy_confirm: ["policy.confirm"],
  policy_lower: ["policy.lower"],
  policy_raise: ["policy.raise"],
  token_mint: ["connect.tokens.mint"],
} as const satisfies Partial<Record<Kind, readonly string[]>>;

/** Returns how old the proof for a command may be, in ms; null: it takes none. For decisions see `decisionProofMs`. */
export const commandProofMs = (body: Json): number | null => {
  const kind = ownMember(body, "kind");
  if (typeof kind !== "string" || !Object.hasOwn(FRESH_COMMANDS, kind) || kind === "decision") return null;
  if (kind === "open_cell") return ownMember(body, "purpose") === "audit" ? FRESH_MS : null;

  // The proof is given before the browser goes to the provider.
  return kind === "people_link_identity" ? FRESH_MS + LINK_MS : FRESH_MS;
};

/** As `commandProofMs`, for a command to the registry of MCP servers. */
export const registryProofMs = (body: Json): number | null => {
  const { data: command } = registryCommandSchema.safeParse(body);

  return command && takesProof(command) ? FRESH_MS : null;
};

type Decision = Pick<Extract<CommandBody, { kind: "decision" }>, "decision" | "assertion">;

/**
 * As `commandProofMs`, for a decision: approving takes a proof when it hands out something dangerous, and a passkey's signature is one.
 * @param authority null: it is not known what approving hands out
 */
export const decisionProofMs = ({ decision, assertion }: Decision, authority: AuthorityClass | null): number | null =>
  decision === "approve" && !assertion && (authority === null || riskOf(authority) === "high") ? FRESH_MS : null;

/** Whether a proof is no older than `maxAgeMs`. @param provedAtMs ms since 1970; null: there is none */
export const isFresh = (provedAtMs: number | null, nowMs: number, maxAgeMs = FRESH_MS): boolean =>
  provedAtMs !== null && nowMs - provedAtMs <= maxAgeMs;
