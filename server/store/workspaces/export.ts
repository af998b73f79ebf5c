import { hashOfLeaf, type LogLeaf, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { buildMerkleTree, type MerkleTree } from "@/lib/engine/ledger/merkle-tree";
import { endLine, formatHeaderLine, formatPartLine, type LoggedCheckpoint } from "@/lib/engine/ledger/workspace-export";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { listCheckpointsBelow, listLeavesFrom, listRecordsAfter, listWorkspaceHeads } from "./pages";

const PAGE = 2_000;
/** The log is complete, so older ones add nothing. */
const MOST_CHECKPOINTS = 10_000;

/** Every log entry. */
export const readWholeLog = async (workspaceId: string): Promise<LogLeaf[]> => {
  const leaves: LogLeaf[] = [];
  for (;;) {
    const page = await listLeavesFrom(workspaceId, leaves.length, PAGE);
    leaves.push(...page);
    if (page.length < PAGE) return leaves;
  }
};

/** The verifier reports inconsistencies. */
const proofOf = (tree: MerkleTree, before: SignedCheckpoint | null, { checkpoint }: SignedCheckpoint): string[] => {
  const from = before?.checkpoint.count ?? 0;

  return from === 0 || from > checkpoint.count || checkpoint.count > tree.count ? [] : tree.consistency(from, checkpoint.count);
};

const withProofs = (oldestFirst: readonly SignedCheckpoint[], tree: MerkleTree): LoggedCheckpoint[] =>
  oldestFirst.map((signed, index) => ({ signed, proof: proofOf(tree, oldestFirst[index - 1] ?? null, signed) }));

/** Streams `countersign/workspace/v1`. The log, then heads, bound the records: no later commits. */
export async function* workspaceLines(workspaceId: string): AsyncGenerator<string> {
  const checkpoints = (await listCheckpointsBelow(workspaceId, null, MOST_CHECKPOINTS)).toReversed();
  const leaves = await readWholeLog(workspaceId);
  const { heads, headless } = await listWorkspaceHeads(workspaceId);
  // Records of missing runs are forged and must be visible.
  const ends = new Map([...heads.map(({ run, version }) => [run, version] as const), ...headless.map((run) => [run, Infinity] as const)]);
  yield formatHeaderLine({ workspace: workspaceId, public_keys: await listPublicKeys(), handovers: await listHandovers() });
  yield heads.map((head) => formatPartLine({ head })).join("");
  let records = 0;
  let after: { run: string; seq: number } | null = null;
  do {
    const page: Awaited<ReturnType<typeof listRecordsAfter>> = await listRecordsAfter(workspaceId, after, PAGE);
    const there = page.filter(({ run, seq }) => seq < (ends.get(run) ?? 0));
    records += there.length;
    yield there.map((record) => formatPartLine({ record })).join("");
    const last = page.at(-1);
    after = last && page.length === PAGE ? { run: last.run, seq: last.seq } : null;
  } while (after !== null);
  yield leaves.map((leaf) => formatPartLine({ leaf })).join("");
  const logged = withProofs(checkpoints, buildMerkleTree(leaves.map(hashOfLeaf)));
  yield logged.map((checkpoint) => formatPartLine({ checkpoint })).join("");
  yield endLine({ heads: heads.length, records, leaves: leaves.length, checkpoints: logged.length });
}
