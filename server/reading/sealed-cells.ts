import { getCover, sealedBy, type Cover } from "@/lib/engine/labels/case-seal";
import { getPublished } from "@/lib/engine/forks/fork";
import { NOTHING_SEALED, placeKey, type CellPlace, type Sealed } from "@/lib/engine/labels/reading";
import { listEntries, replay } from "@/lib/engine/ledger/replay";
import type { LedgerEntry } from "@/lib/engine/timeline";
import { log } from "@/server/log";
import type { Vault } from "@/server/security/vault";
import { getCaseStanding, type CaseStanding, type Kin } from "@/server/store/approvals/case-standing";
import { getVersion } from "@/server/store/graphs/versions";
import { loadLedger } from "@/server/store/ledger/ledger";
import { openEveryCell } from "./open-cells";

type Whole = { readonly entries: readonly LedgerEntry[]; readonly cover: Cover | null };

/** Unverified: verifiers report changed ledgers. */
const wholeOf = async (vault: Vault, workspaceId: string, { id, graphHash, version, head }: Kin): Promise<Whole> => {
  const [stored, published] = await Promise.all([loadLedger(workspaceId, id), getVersion(workspaceId, graphHash)]);
  if (!published) throw new Error("the version that a run executes is not stored");
  const ledger = {
    workspace: workspaceId,
    run: id,
    records: stored.records.filter(({ seq }) => seq < version),
    cells: openEveryCell(vault, workspaceId, stored.cells),
    head: { version, digest: head },
  };
  const { state } = replay(ledger, graphHash);
  const entries = listEntries(ledger);

  return { entries, cover: getCover(getPublished(published.published, state), state, entries) };
};

const compute = async (vault: Vault, workspaceId: string, run: Kin, open: readonly Kin[]): Promise<Sealed> => {
  const own = await wholeOf(vault, workspaceId, run);
  const others: Cover[] = [];
  for (const kin of open) {
    const cover = kin.id === run.id ? null : (await wholeOf(vault, workspaceId, kin)).cover;
    if (cover) others.push(cover);
  }

  return sealedBy(own.entries, own.cover, others);
};

/** Per position of a run and its relatives. */
const MOST_KEPT = 64;
const kept = new Map<string, Promise<Sealed>>();

const keyOf = (run: Kin, open: readonly Kin[]): string =>
  [run, ...open.toSorted((a, b) => (a.id < b.id ? -1 : 1))].map(({ id, version, head }) => `${id} ${version} ${head}`).join();

const sealedFor = (vault: Vault, workspaceId: string, run: Kin, open: readonly Kin[]): Promise<Sealed> => {
  const key = `${workspaceId} ${keyOf(run, open)}`;
  const before = kept.get(key);
  if (before) return before;
  const sealed = compute(vault, workspaceId, run, open);
  kept.set(key, sealed);
  sealed.catch(() => kept.delete(key));
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);

  return sealed;
};

const standingOf = async (vault: Vault, workspaceId: string, { run, open }: CaseStanding): Promise<Sealed> =>
  run === undefined || open.length === 0 ? NOTHING_SEALED : sealedFor(vault, workspaceId, run, open);

/** Returns sealed cells; all if cases are unknown. Call after reading cells, to count new cases. */
export const sealedCells = async (vault: Vault, workspaceId: string, runId: string, cells: readonly CellPlace[]): Promise<Sealed> => {
  try {
    return await standingOf(vault, workspaceId, await getCaseStanding(workspaceId, runId));
  } catch (error) {
    log().error({ run: runId, err: error }, "could not list a run's values under review");

    return new Set(cells.map(placeKey));
  }
};
