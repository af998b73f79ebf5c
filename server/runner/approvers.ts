import { toGroupChange } from "@/lib/admin-change";
import { recordDigest } from "@/lib/engine/ledger/chain";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import type { Principal } from "@/lib/engine/principal";
import { ownRecord } from "@/lib/engine/ledger/workspace-ledger";
import type { ApproverCommand } from "@/lib/people/approver-command";
import { decideApprovers } from "@/lib/people/decide-approvers";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { verifySignedChange } from "@/server/runner/signed-change";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";

const decide = async (
  { authority }: RunnerDeps,
  workspaceId: string,
  { by, asked, atMs }: { readonly by: Extract<Principal, { type: "user" }>; readonly asked: ApproverCommand; readonly atMs: number },
  client: LedgerTransaction,
) => {
  const inForce = await authority.read(workspaceId, client);
  const event = decideApprovers(by, asked, { fold: inForce.approvers, members: listMembersInForce(inForce), atMs });
  if (typeof event === "string") return event;
  const signed = await verifySignedChange(authority, workspaceId, by.id, toGroupChange(asked), client);

  return typeof signed === "string" ? signed : [event, ...signed];
};

/** Changes a group or a delegation, or records the refusal. @param author as of opening the command */
export const carryOutApprovers = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  asked: ApproverCommand,
): Promise<void> => {
  const { workspaceId: workspace, id } = command;
  const at = deps.clock.now();
  await appendDecided(workspace, id, async (client) => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) && identified.type === "user" ? identified : null;
    const outcome = by ? await unlessUnproved(decide(deps, workspace, { by, asked, atMs: at }, client)) : "principal_not_allowed";
    const proposal = { id, workspace, at, principal: by ?? author, body: asked };

    return {
      sign: (end) => {
        const record = ownRecord(proposal, outcome, end);
        const digest = recordDigest(record);

        return { record, digest, kid: deps.signer.kid, signature: deps.signer.signDigest(digest) };
      },
      project: () => Promise.resolve(),
    };
  });
  deps.notify(command.runId);
};
