import { BAD_REASON_TEXT } from "@/lib/engine/verify/bad-reasons";
import { findCheckpointFileFault, type CheckpointFile, type CheckpointFileFault } from "@/lib/engine/ledger/checkpoint-file";
import type { CheckpointLinesFault } from "@/lib/engine/ledger/checkpoint-lines";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { getKeys } from "@/lib/engine/ledger/trust-anchor";
import { WORKSPACE_FAULT_TEXT, WORKSPACE_NOT_PROVED } from "@/lib/engine/verify/verify-workspace";
import { auditWorkspace, type Audit } from "@/server/runner/audit";
import { listTrustFaults, type TrustFault } from "@/server/runner/trust-audit";
import { listAllWorkspaces } from "@/server/store/workspaces/log";
import { findLinesFault, readKeptCheckpoints, readLines } from "./checkpoint-lines";
import type { CliHost } from "./host";
import { awaitAnswer, useInstalledDatabase, openVault } from "./installed";
import { loadHomeAnchor } from "./keys";
import { formatJsonLine } from "./problem";

const REASONS = {
  ...BAD_REASON_TEXT,
  ...WORKSPACE_FAULT_TEXT,
  trust_missing: "The trust log lacks a row that the ledger records.",
  trust_forged: "The trust log has a row that the ledger does not record.",
  not_consistent: "The checkpoint does not extend the older one that it names: the log was rewritten in between.",
  not_linked: "The line does not extend the one before it: a line is missing, or belongs to another log.",
} as const satisfies Record<
  Exclude<Audit, { ok: true }>["reason"] | CheckpointFileFault["reason"] | CheckpointLinesFault["reason"] | TrustFault["reason"],
  string
>;

const summaryOf = ({ signed: { checkpoint }, since }: CheckpointFile["checkpoints"][number]) => ({
  workspace: checkpoint.origin,
  count: checkpoint.count,
  root: checkpoint.root,
  at: checkpoint.at,
  since: since && since.signed.checkpoint.count,
});

const OWN_KEYS =
  "The keys come from the file itself, so the result is only as trustworthy as the place where it was stored. Use --anchor FILE or --keys FILE from a source you trust.";

const NOT_THERE = 'that the installation still has these records: check with "countersign verify --checkpoint FILE"';

type FileFault = CheckpointFileFault | CheckpointLinesFault;

const tell = async (host: CliHost, given: PublicKeys | null, fault: FileFault | null, facts: object): Promise<number> => {
  const warnings = given === null ? [OWN_KEYS] : [];
  const answer = fault
    ? { ok: false, ...fault, message: REASONS[fault.reason], warnings }
    : { ok: true, ...facts, warnings, not_proved: [NOT_THERE] };
  await host.out(formatJsonLine(answer));

  return fault ? 1 : 0;
};

export const verifyCheckpointFile = async (host: CliHost, file: CheckpointFile, given: PublicKeys | null): Promise<number> => {
  const fault = await findCheckpointFileFault(file, given ?? file.public_keys);

  return tell(host, given, fault, { checkpoints: file.checkpoints.map(summaryOf) });
};

/** Verifies lines: signatures, and that the log only grew. */
export const verifyCheckpointLines = async (host: CliHost, path: string, given: PublicKeys | null): Promise<number> => {
  const { files, torn, last } = await readLines(path);
  const fault = await findLinesFault(files, given);

  return tell(host, given, fault, { lines: files.length, torn_lines: torn, checkpoints: last.checkpoints.map(summaryOf) });
};

export const verifyInstallation = async (host: CliHost, path: string, given: PublicKeys | null): Promise<number> => {
  const file = await readKeptCheckpoints(path, given);
  useInstalledDatabase(host);
  const all = await awaitAnswer(listAllWorkspaces());
  const vault = openVault(host.home);
  const keys = given ?? getKeys(await loadHomeAnchor(host.home));
  const warnings: readonly string[] = [];
  const workspaces: object[] = [];
  for (const entry of file.checkpoints) {
    const { origin: workspace, at } = entry.signed.checkpoint;
    const audit = await auditWorkspace(vault, entry.signed, keys);
    if (!audit.ok) {
      await host.out(formatJsonLine({ ...audit, workspace, message: REASONS[audit.reason], warnings }));

      return 1;
    }
    const [fault, ...others] = await listTrustFaults(workspace);
    if (fault) {
      await host.out(formatJsonLine({ ok: false, ...fault, workspace, message: REASONS[fault.reason], others, warnings }));

      return 1;
    }
    workspaces.push({ workspace, at, counted: audit.counted, logged_since: audit.logged, not_logged: audit.pending });
  }
  const counted = new Set(file.checkpoints.map(({ signed }) => signed.checkpoint.origin));
  const unchecked = all.filter((workspace) => !counted.has(workspace));
  await host.out(formatJsonLine({ ok: true, workspaces, unchecked, warnings, not_proved: WORKSPACE_NOT_PROVED }));

  return 0;
};
