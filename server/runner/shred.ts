import { recordDigest } from "@/lib/engine/ledger/chain";
import type { Principal } from "@/lib/engine/principal";
import { isInScope, shredRecord, type ShredCommand } from "@/lib/engine/ledger/shred";
import { isAllowed } from "@/lib/roles";
import type { RunnerDeps } from "@/server/runner/deps";
import type { OpenedCommand } from "@/server/runner/open-command";
import { shredSome } from "@/server/store/ledger/cells-shred";

/** Irreversible: requires configuring and seeing the content. */
const whoMayShred = (principal: Principal): string | null =>
  principal.type === "user" && isAllowed(principal.role, "cell.shred") && principal.auditor ? principal.id : null;

/** Shreds on record. A crash midway leaves the command to be continued. */
export const carryOutShred = async (deps: RunnerDeps, command: OpenedCommand, principal: Principal, body: ShredCommand): Promise<void> => {
  const { workspaceId, id } = command;
  const asked = {
    id,
    workspace: workspaceId,
    at: deps.clock.now(),
    principal,
    body,
  } satisfies Parameters<typeof shredRecord>[0];
  const by = whoMayShred(principal);
  const shredNext = () =>
    shredSome({
      workspaceId,
      runId: body.run,
      commandId: id,
      by,
      reason: body.reason,
      at: asked.at,
      choose: (cells) => cells.filter((cell) => isInScope(body.scope, cell)),
      sign: (cells, end) => {
        const named = cells.map(({ seq, index }) => ({ seq, index }));
        const record = shredRecord(asked, named.length > 0 ? named : by === null ? "role_missing" : "not_found", end);
        const digest = recordDigest(record);

        return { record, digest, kid: deps.signer.kid, signature: deps.signer.signDigest(digest) };
      },
    });
  while (await shredNext());
  deps.notify(body.run);
};
