import type { AdminSignature, Countersignable } from "@/lib/engine/ledger/countersignable";
import type { EnvironmentCommand } from "@/lib/environments/command";
import { digestOf } from "@/lib/hash";
import type { JsonObject } from "@/lib/json";
import type { TrustingCommand } from "@/lib/mcp/registry-command";
import type { NewGrant } from "@/lib/outside/oauth-grant";
import type { NewToken, TokenCommand } from "@/lib/outside/token-command";
import type { ApproverCommand } from "@/lib/people/approver-command";
import type { DirectoryCommand } from "@/lib/people/directory-command";
import type { PeopleCommand } from "@/lib/people/command";

type Person<K extends PeopleCommand["kind"]> = Omit<Extract<PeopleCommand, { kind: K }>, "signed">;

type SignedToken = Omit<NewToken, "id" | "hash" | "publicKey" | "hint" | "audience" | "oauth"> & {
  readonly oauth?: Pick<NewGrant, "client" | "redirectUri">;
};

export type AdminChange =
  | Omit<Person<"people_invite">, "invite" | "hash">
  | Person<"people_change">
  | Person<"people_enable">
  | Pick<Person<"people_unlink_identity">, "kind" | "user" | "identity">
  | Omit<Extract<ApproverCommand, { kind: "group_set" }>, "signed">
  | Omit<Extract<ApproverCommand, { kind: "rule_remove" | "rule_remove_confirm" }>, "signed">
  | Omit<Extract<DirectoryCommand, { kind: "directory_set" }>, "signed">
  | Omit<Extract<DirectoryCommand, { kind: "directory_confirm" }>, "signed">
  | { readonly kind: "token_mint"; readonly token: SignedToken }
  | { readonly kind: "token_rotate"; readonly token: string; readonly lifetimeMs: number }
  | Omit<Extract<EnvironmentCommand, { kind: "environments_set" }>, "signed">
  | Omit<Extract<EnvironmentCommand, { kind: "environment_variables" }>, "signed">
  | { readonly kind: "registry_step"; readonly step: Omit<TrustingCommand, "signed"> };

export type SignedChange = { readonly change: AdminChange; readonly signed: AdminSignature | undefined };

export const changeToSign = (change: AdminChange, request: string): Countersignable => ({
  kind: change.kind,
  request,
  change: digestOf("admin_change", JSON.parse(JSON.stringify(change)) as JsonObject),
});

export const toPeopleChange = (command: PeopleCommand, by: string): SignedChange | null => {
  switch (command.kind) {
    case "people_invite": {
      const { invite: _invite, hash: _hash, signed, ...change } = command;

      return { change, signed };
    }
    case "people_change":
    case "people_enable": {
      const { signed, ...change } = command;

      return { change, signed };
    }
    case "people_unlink_identity": {
      const { kind, user, identity, signed } = command;

      return user === by ? null : { change: { kind, user, identity }, signed };
    }
    case "people_withdraw":
    case "people_disable":
    case "people_leave":
    case "people_end_sessions":
    case "people_sign_out":
    case "people_link_identity":
      return null;
    default:
      return command satisfies never;
  }
};

export const toTokenChange = (command: TokenCommand): SignedChange | null => {
  if (command.kind === "token_revoke" || command.kind === "token_redeem") return null;
  if (command.kind === "token_rotate") {
    const { kind, token: subject, lifetimeMs, signed } = command;

    return { change: { kind, token: subject, lifetimeMs }, signed };
  }
  const { id: _id, hash: _hash, publicKey: _key, hint: _hint, audience: _audience, oauth, ...token } = command.token;
  const client = oauth && { oauth: { client: oauth.client, redirectUri: oauth.redirectUri } };

  return { change: { kind: command.kind, token: { ...token, ...client } }, signed: command.signed };
};

export const toApproverChange = (command: ApproverCommand): SignedChange | null => {
  if (command.kind === "rule_remove" || command.kind === "rule_remove_confirm") {
    const { signed, ...change } = command;

    return { change, signed };
  }
  if (command.kind !== "group_set" || command.people.every((id) => command.was?.includes(id) === true)) return null;
  const { signed, ...change } = command;

  return { change, signed };
};

export const toEnvironmentChange = ({ signed, ...change }: EnvironmentCommand): SignedChange => ({ change, signed });

export const toDirectoryChange = (command: DirectoryCommand): SignedChange | null => {
  if (command.kind === "directory_decline" || (command.kind === "directory_set" && command.directory === null)) return null;
  if (command.kind === "directory_confirm") {
    const { signed, ...change } = command;

    return { change, signed };
  }
  const { signed, ...change } = command;

  return { change, signed };
};

export const toRegistryChange = ({ signed, ...step }: TrustingCommand): SignedChange => ({
  change: { kind: "registry_step", step },
  signed,
});
