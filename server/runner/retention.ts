/** Retention of outside agents' forks: records stay and verify without values. */
import { recordDigest } from "@/lib/engine/ledger/chain";
import { shredRecord, type ShredCommand } from "@/lib/engine/ledger/shred";
import { log } from "@/server/log";
import type { RunnerDeps } from "@/server/runner/deps";
import { deleteUnusedArtifacts } from "@/server/store/artifacts";
import { shredSome } from "@/server/store/ledger/cells-shred";
import { listExpiredForks, markCollected, type ExpiredFork } from "@/server/store/runs/retention";

export const FORK_RETENTION_MS = 30 * 86_400_000;

const EVERY_MS = 60_000;
const AT_ONCE = 100;

type Deps = Pick<RunnerDeps, "clock" | "signer">;

const collect = async ({ clock, signer }: Deps, fork: ExpiredFork): Promise<void> => {
  const { workspaceId, id: runId, initiatorId: owner } = fork;
  const at = clock.now();
  const body: ShredCommand = { kind: "shred", run: runId, scope: { type: "run" }, reason: "retention_over" };
  const principal = { type: "engine", epoch: Math.max(1, fork.leaseEpoch) } as const;
  const some = () =>
    shredSome({
      workspaceId,
      runId,
      commandId: null,
      // Attributed to the owner, like the parent run.
      by: owner,
      reason: body.reason,
      at,
      choose: (cells) => cells,
      sign: (cells, end) => {
        const asked = { id: clock.id(), workspace: workspaceId, at, principal, body };
        const named = cells.map(({ seq, index }) => ({ seq, index }));
        const record = shredRecord(asked, named, end);
        const digest = recordDigest(record);

        return { record, digest, kid: signer.kid, signature: signer.signDigest(digest) };
      },
    });
  while (await some());
  await markCollected(workspaceId, runId, at);
};

/** @returns the number of forks */
export const collectForks = async (deps: Deps): Promise<number> => {
  const expired = await listExpiredForks(deps.clock.now(), AT_ONCE);
  for (const fork of expired) await collect(deps, fork);

  return expired.length;
};

const collectAll = async (deps: Deps): Promise<void> => {
  await collectForks(deps);
  await deleteUnusedArtifacts(AT_ONCE);
};

export const startRetention = (deps: Deps): { readonly close: () => Promise<void> } => {
  let work: Promise<unknown> = Promise.resolve();
  const look = (): void => {
    work = work
      .then(() => collectAll(deps))
      .catch((error: unknown) => log().warn({ error: String(error) }, "forks and files are collected later"));
  };
  const timer = setInterval(look, EVERY_MS);

  return {
    close: async () => {
      clearInterval(timer);
      await work;
    },
  };
};
