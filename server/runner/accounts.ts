import { decideAccount, getAccountSubject, isAccountCode, type AccountCommand } from "@/lib/notifications/account";
import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import type { Principal } from "@/lib/engine/principal";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { confirmAccount, removeAccount } from "@/server/store/notifications/accounts";
import { appendDecided } from "@/server/store/runs/attempts";

const isProven = ({ signer, clock }: RunnerDeps, workspaceId: string, userId: string, asked: AccountCommand): boolean => {
  if (asked.kind !== "account_link") return false;
  const { channel, account, code } = asked;

  return isAccountCode(code, { workspaceId, userId, channel, account }, clock.now(), (digest) => signer.signDigest(digest));
};

/** Links or unlinks a member's own account on a channel. @param author as of opening the command */
export const carryOutAccount = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  asked: AccountCommand,
): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async (tx) => {
    // Reread under the lock.
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : author;
    const userId = by.type === "user" ? by.id : id;
    const subject = getAccountSubject(userId, asked.channel);
    const before = digestInForce(await deps.authority.read(workspaceId), "accounts", subject);
    const decided = isPrincipal(identified)
      ? decideAccount(by, asked, { before, isProven: isProven(deps, workspaceId, userId, asked) })
      : "principal_not_allowed";
    const isLink = asked.kind === "account_link";
    const step = { area: "accounts", subject, step: isLink ? "linked" : "unlinked", by, commandId: id } as const;
    const isRefused = typeof decided === "string";
    const change = isRefused ? { before: null, after: null, refused: decided } : { before, after: decided.after };

    return {
      sign: createAdminStepSigner(deps, workspaceId, { ...step, ...change }),
      project: async () => {
        if (isRefused) return;
        if (isLink) await confirmAccount(tx, { workspaceId, userId, ...asked }, deps.clock.now());
        else await removeAccount(tx, { workspaceId, userId, channel: asked.channel });
      },
    };
  });
  deps.notify(command.runId);
};
