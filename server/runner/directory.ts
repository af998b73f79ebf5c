import { toDirectoryChange } from "@/lib/admin-change";
import type { RunEvent } from "@/lib/engine/event";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import type { Principal } from "@/lib/engine/principal";
import { decideDirectory } from "@/lib/people/decide-directory";
import type { DirectoryFold } from "@/lib/people/directory-fold";
import type { DirectoryCommand } from "@/lib/people/directory-command";
import { ENGINE, signOwnRecord, type AdminSigning } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import type { OpenedCommand } from "@/server/runner/open-command";
import { carryOutOwnChange } from "@/server/runner/own-change";
import { verifySignedChange } from "@/server/runner/signed-change";
import { isDemo } from "@/server/store/people/principals";
import { appendOwnRecords, type LedgerTransaction } from "@/server/store/runs/attempts";
import type { AuthorityReader } from "@/server/store/trust/authority";

type Asking = { readonly by: Extract<Principal, { type: "user" }>; readonly asked: DirectoryCommand };

const decide = async (
  { authority }: RunnerDeps,
  workspace: string,
  { by, asked, atMs }: Asking & { readonly atMs: number },
  client: LedgerTransaction,
) => {
  const inForce = await authority.read(workspace, client);
  const event = decideDirectory(by, asked, { fold: inForce.approvers, members: listMembersInForce(inForce), atMs });
  if (typeof event === "string") return event;
  if (asked.kind === "directory_token_make" && (await isDemo(authority, workspace))) return "step_refused";
  const signed = await verifySignedChange(authority, workspace, by.id, toDirectoryChange(asked), client);

  return typeof signed === "string" ? signed : [event, ...signed];
};

export const carryOutDirectory = (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: DirectoryCommand): Promise<void> =>
  carryOutOwnChange(deps, command, { author, body: asked }, (by, atMs, client) =>
    decide(deps, command.workspaceId, { by, asked, atMs }, client),
  );

const findWaiting = ({ asked, provision }: DirectoryFold, token: string | null): RunEvent | null => {
  if (token === null) return asked && { type: "directory_changed", step: "set", directory: asked.directory };

  return provision.tokens.get(token)?.isConfirmed === false ? { type: "directory_token", token, step: "confirmed", key: null } : null;
};

/** @param token null: the mapping @returns false when it does not wait @throws AuthorityUnverified */
export const confirmDirectoryAsOperator = async (
  signing: AdminSigning,
  authority: AuthorityReader,
  workspace: string,
  token: string | null = null,
): Promise<boolean> => {
  let isConfirmed = false;
  await appendOwnRecords(workspace, async (client) => {
    const event = findWaiting((await authority.read(workspace, client)).approvers.directory, token);
    if (!event) return [];
    isConfirmed = true;
    const { clock } = signing;
    const body = { kind: token === null ? "directory_confirm" : "directory_token_confirm" };

    return [signOwnRecord(signing, { id: clock.id(), workspace, at: clock.now(), principal: ENGINE, body }, event)];
  });

  return isConfirmed;
};
