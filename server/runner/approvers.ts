import { toApproverChange } from "@/lib/admin-change";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import type { Principal } from "@/lib/engine/principal";
import type { ApproverCommand } from "@/lib/people/approver-command";
import { decideApprovers } from "@/lib/people/decide-approvers";
import { ENGINE, signOwnRecord, type AdminSigning } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import type { OpenedCommand } from "@/server/runner/open-command";
import { carryOutOwnChange } from "@/server/runner/own-change";
import { verifySignedChange } from "@/server/runner/signed-change";
import { appendOwnRecords, type LedgerTransaction } from "@/server/store/runs/attempts";
import type { AuthorityReader } from "@/server/store/trust/authority";

const decide = async (
  { authority }: RunnerDeps,
  workspaceId: string,
  { by, asked, atMs }: { readonly by: Extract<Principal, { type: "user" }>; readonly asked: ApproverCommand; readonly atMs: number },
  client: LedgerTransaction,
) => {
  const inForce = await authority.read(workspaceId, client);
  const event = decideApprovers(by, asked, { fold: inForce.approvers, members: listMembersInForce(inForce), atMs });
  if (typeof event === "string") return event;
  const signed = await verifySignedChange(authority, workspaceId, by.id, toApproverChange(asked), client);

  return typeof signed === "string" ? signed : [event, ...signed];
};

export const removeRuleAsOperator = (signing: AdminSigning, authority: AuthorityReader, workspace: string, rule: string): Promise<void> =>
  appendOwnRecords(workspace, async (client) => {
    if (!(await authority.read(workspace, client)).approvers.rules.has(rule)) return [];
    const { clock } = signing;
    const body = { kind: "rule_remove", rule };
    const proposal = { id: clock.id(), workspace, at: clock.now(), principal: ENGINE, body };

    return [signOwnRecord(signing, proposal, { type: "approval_rule_removal", rule, step: "removed" })];
  });

export const carryOutApprovers = (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: ApproverCommand): Promise<void> =>
  carryOutOwnChange(deps, command, { author, body: asked }, (by, atMs, client) =>
    decide(deps, command.workspaceId, { by, asked, atMs }, client),
  );
