/** `countersign export RUN`: a run of this installation as one signed document, with everything opened that the operator's key opens. */
import { writeFile } from "node:fs/promises";
import { uuidSchema } from "@/lib/ids";
import { exportDigest, type ExportContent, type RunExport } from "@/lib/engine/export";
import { publishedOf } from "@/lib/engine/fork";
import { replay } from "@/lib/engine/replay";
import type { LedgerExport } from "@/lib/engine/verify";
import type { PublishedGraph } from "@/lib/graph/document";
import { openLedger } from "@/server/runner/load";
import { loadSigner, type Signer } from "@/server/security/keyring";
import { loadVault, type Vault } from "@/server/security/vault";
import { closeStore } from "@/server/store/close";
import { getVersion } from "@/server/store/graph-versions";
import { runWorkspace } from "@/server/store/run-heads";
import { getRun, type RunRow } from "@/server/store/runs";
import { listPublicKeys } from "@/server/store/signing-keys";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";

type Found = { readonly workspaceId: string; readonly run: RunRow };

const find = async (id: string): Promise<Found> => {
  const workspaceId = await runWorkspace(id).catch((error: unknown) => {
    throw new CliFailure("the database of this installation does not answer: start Countersign first (npm start)", error);
  });
  const run = workspaceId === null ? null : await getRun(workspaceId, id);
  if (workspaceId === null || run === null) throw new CliFailure(`there is no run ${id} in this installation`);

  return { workspaceId, run };
};

const vaultOf = (home: string): Vault => {
  try {
    return loadVault(home);
  } catch (error) {
    throw new CliFailure(`the key of the stored values in ${home} cannot be read`, error);
  }
};

const signerOf = (home: string): Signer | null => {
  try {
    return loadSigner(home);
  } catch {
    return null;
  }
};

/** The stored version with what forks replaced in it. A ledger that cannot be read is exported all the same, for the verifier to name. */
const executedBy = (stored: PublishedGraph, ledger: LedgerExport): PublishedGraph => {
  try {
    return publishedOf(stored, replay(ledger, "").state);
  } catch {
    return stored;
  }
};

const contentOf = async (vault: Vault, { workspaceId, run }: Found): Promise<ExportContent> => {
  const version = await getVersion(workspaceId, run.graphHash);
  if (!version) throw new CliFailure("the version that the run executes is not stored any more");
  const ledger = await openLedger(vault, { workspaceId, runId: run.id, version: run.version, digest: run.head });

  return {
    format: "countersign/export/v1",
    ledger: {
      ...ledger,
      // A run that is under way may have moved between the two readings; what is exported ends where its head was.
      records: ledger.records.filter((record) => record.seq < run.version),
      cells: ledger.cells.filter((cell) => cell.seq < run.version),
    },
    public_keys: { ...(await listPublicKeys()) },
    published: executedBy(version.published, ledger),
  };
};

const signed = (content: ExportContent, signer: Signer | null): RunExport => ({
  ...content,
  signature: signer && { kid: signer.kid, signature: signer.signDigest(exportDigest(content)) },
});

const write = async (host: CliHost, text: string, file: string | null): Promise<void> => {
  if (file === null) return host.out(text);
  // It holds what the vault hides, so only its owner reads it.
  await writeFile(file, text, { mode: 0o600 }).catch((error: unknown) => {
    throw new CliFailure(`the file ${file} cannot be written`, error);
  });

  return host.err(`countersign: written to ${file}, with every value in the clear\n`);
};

export const exportCommand: CliCommand = async (argv, host) => {
  const { operand, text } = parseArguments(argv, "RUN", { out: "string" });
  if (!uuidSchema.safeParse(operand).success) throw new CliFailure(`${operand} is not the id of a run`);
  if (!host.openInstalledDatabase()) throw new CliFailure(`nothing was ever started in ${host.home}`);
  host.defer(closeStore);
  const found = await find(operand);
  const content = await contentOf(vaultOf(host.home), found);
  const signer = signerOf(host.home);
  if (signer === null) await host.err("countersign: the signing key cannot be read, so the export as a whole is not signed\n");
  await write(host, `${JSON.stringify(signed(content, signer))}\n`, text("out"));

  return 0;
};
