import { toDirectoryChange } from "@/lib/admin-change";
import type { RunEvent } from "@/lib/engine/event";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import type { Principal } from "@/lib/engine/principal";
import { decideDirectory } from "@/lib/people/decide-directory";
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
  // Any local user is admin of a demo.
  if (asked.kind === "directory_token_make" && (await isDemo(authority, workspace))) return "step_refused";
  const signed = await verifySignedChange(authority, workspace, by.id, toDirectoryChange(asked), client);

  return typeof signed === "string" ? signed : [event, ...signed];
};

export const carryOutDirectory = (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: DirectoryCommand): Promise<void> =>
  carryOutOwnChange(deps, command, { author, body: asked }, (by, atMs, client) =>
    decide(deps, command.workspaceId, { by, asked, atMs }, client),
  );

/** @returns false when no mapping waits @throws AuthorityUnverified */
export const confirmDirectoryAsOperator = async (
  signing: AdminSigning,
  authority: AuthorityReader,
  workspace: string,
): Promise<boolean> => {
  let isConfirmed = false;
  await appendOwnRecords(workspace, async (client) => {
    const { asked } = (await authority.read(workspace, client)).approvers.directory;
    if (!asked) return [];
    isConfirmed = true;
    const event: RunEvent = { type: "directory_changed", step: "set", directory: asked.directory };
    const { clock } = signing;

    return [
      signOwnRecord(signing, { id: clock.id(), workspace, at: clock.now(), principal: ENGINE, body: { kind: "directory_confirm" } }, event),
    ];
  });

  return isConfirmed;
};
