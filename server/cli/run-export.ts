import { hashOfLeaf, type Coverage } from "@/lib/engine/ledger/checkpoint";
import { exportDigest, type ExportContent, type RunExport } from "@/lib/engine/ledger/export";
import { buildExecutedVersion } from "@/lib/engine/ledger/export-version";
import { buildInclusionProof } from "@/lib/engine/ledger/merkle";
import { openOperatorLedger } from "@/server/reading/operator-ledger";
import { openLedgerAt } from "@/server/runner/load";
import type { Signer } from "@/server/security/keyring";
import { listPublicKeys } from "@/server/security/trust-anchor";
import type { Vault } from "@/server/security/vault";
import { getVersion } from "@/server/store/graphs/versions";
import { logLeaves, findNewestCheckpoint } from "@/server/store/workspaces/log";
import { CliFailure } from "./host";
import type { InstalledRun } from "./installed-run";

/** Undefined when the newest checkpoint is older than the last record. */
const coverageOf = async ({ workspaceId, run }: InstalledRun): Promise<Coverage | undefined> => {
  const signed = await findNewestCheckpoint(workspaceId);
  const leaves = signed ? await logLeaves(workspaceId, signed.checkpoint.count) : [];
  const index = leaves.findIndex((leaf) => leaf.run === run.id && leaf.seq === run.version - 1);

  return signed && index >= 0 ? { signed, index, proof: buildInclusionProof(leaves.map(hashOfLeaf), index) } : undefined;
};

type Content = { readonly content: ExportContent; readonly underReview: number };

type Exported = { readonly document: RunExport; readonly underReview: number };

const contentOf = async (vault: Vault, found: InstalledRun): Promise<Content> => {
  const { workspaceId, run } = found;
  const version = await getVersion(workspaceId, run.graphHash);
  if (!version) throw new CliFailure("the graph version of this run is no longer stored");
  const whole = await openLedgerAt(vault, { workspaceId, runId: run.id, version: run.version, digest: run.head });
  const { ledger, underReview } = await openOperatorLedger(vault, whole);
  const content: ExportContent = {
    format: "countersign/export/v1",
    ledger: { ...ledger, records: [...ledger.records], cells: [...ledger.cells] },
    public_keys: { ...(await listPublicKeys()) },
    published: buildExecutedVersion(version, ledger),
    coverage: await coverageOf(found),
  };

  return { content, underReview };
};

export const buildRunExport = async (vault: Vault, found: InstalledRun, signer: Signer | null): Promise<Exported> => {
  const { content, underReview } = await contentOf(vault, found);
  const signature = signer && { kid: signer.kid, signature: signer.signDigest(exportDigest(content)) };

  return { document: { ...content, signature }, underReview };
};

export const describeOpened = (underReview: number): string =>
  underReview === 0 ? " (all values in plain text)" : ` (all values in plain text except ${underReview} under review)`;
