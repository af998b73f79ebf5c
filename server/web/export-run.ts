import { AppError } from "@/lib/errors";
import { hashOfExecuted, getPublished } from "@/lib/engine/forks/fork";
import { buildExecutedVersion } from "@/lib/engine/ledger/export-version";
import type { ExportContent } from "@/lib/engine/ledger/export";
import type { SignedHead } from "@/lib/engine/ledger/head-statement";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { listEntries, replay } from "@/lib/engine/ledger/replay";
import type { LedgerExport, StoredCell } from "@/lib/engine/verify/verify";
import type { Role } from "@/lib/roles";
import { findNewestAttestation } from "@/server/store/trust/attestations";
import { getLedgerSize } from "@/server/store/ledger/size";
import { getRun } from "@/server/store/runs/runs";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { openRun, openWholeRun, type OpenedRun } from "./open-run";

const MIB = 1_048_576;
/** Browsers hold a bundle in memory several times. */
const MOST_EXPORTED_BYTES = 64 * MIB;
const OPENED_FOR_MS = 10 * 60_000;

/** Checks that browsers can hold the bundle. @throws AppError bad_request */
export const checkExportSize = async (workspaceId: string, runId: string): Promise<void> => {
  const { bytes } = await getLedgerSize(workspaceId, runId);
  if (bytes <= MOST_EXPORTED_BYTES) return;
  const message = `This run's ledger is larger than ${MOST_EXPORTED_BYTES / MIB} MiB, which is the most that a browser is given: export it on the machine with "countersign export".`;
  throw new AppError("bad_request", { message });
};

export type Exporter = { readonly workspaceId: string; readonly userId: string; readonly role: Role; readonly auditor: boolean };

const placeOf = ({ seq, index }: Pick<StoredCell, "seq" | "index">): string => `${seq}.${index}`;

const openedFor = (ledger: LedgerExport, userId: string, nowMs: number): ReadonlySet<string> =>
  new Set(
    listEntries(ledger).flatMap(({ signed: { record } }) =>
      record.at < nowMs - OPENED_FOR_MS
        ? []
        : record.control.flatMap((event) =>
            event.type === "cell_opened" && event.purpose === "audit" && event.by === `user:${userId}` ? [placeOf(event)] : [],
          ),
    ),
  );

const withOpened = async (shown: OpenedRun, { workspaceId, userId, auditor }: Exporter, nowMs: number): Promise<LedgerExport> => {
  const opened = auditor ? openedFor(shown.ledger, userId, nowMs) : new Set<string>();
  if (opened.size === 0) return shown.ledger;
  const whole = await openWholeRun(workspaceId, shown.run.id);
  const values = new Map(whole.ledger.cells.map((cell) => [placeOf(cell), cell.opened]));

  return {
    ...shown.ledger,
    cells: shown.ledger.cells.map((cell) =>
      cell.opened === null && opened.has(placeOf(cell)) ? { ...cell, opened: values.get(placeOf(cell)) ?? null } : cell,
    ),
  };
};

/** A live run has passed the head. */
const attested = (ledger: LedgerExport, { statement: { version, head } }: SignedHead): LedgerExport => ({
  ...ledger,
  records: ledger.records.filter((record) => record.seq < version),
  cells: ledger.cells.filter((cell) => cell.seq < version),
  head: { version, digest: head },
});

/** Unverifiable with a hidden prompt. */
const publishedIn = ({ run, version }: OpenedRun, ledger: LedgerExport): ExportContent["published"] => {
  const { state, records } = replay(ledger, run.graphHash);
  const executed = hashOfExecuted(version.published, run.graphHash, getPublished(version.published, state));
  const recorded = records.at(-1)?.record.graph_hash;
  if (executed !== recorded && (state.fork?.prompts.length ?? 0) > 0) {
    throw new AppError("forbidden", {
      message: "A fork replaced a prompt that you can't see, and the bundle can't be verified without it.",
    });
  }

  return buildExecutedVersion(version, ledger);
};

/** Returns content as of the newest attestation. @throws AppError not_found, bad_request when too large */
export const exportContent = async (exporter: Exporter, runId: string, nowMs: number): Promise<ExportContent> => {
  const { workspaceId, role } = exporter;
  if (!(await getRun(workspaceId, runId))) throw new AppError("not_found");
  const head = await findNewestAttestation(workspaceId, runId);
  if (!head) throw new AppError("not_found");
  await checkExportSize(workspaceId, runId);
  const shown = await openRun(workspaceId, runId, getShownTo(role));
  const ledger = attested(await withOpened(shown, exporter, nowMs), head);

  return {
    format: "countersign/export/v1",
    ledger: { ...ledger, records: [...ledger.records], cells: [...ledger.cells] },
    public_keys: { ...(await listPublicKeys()) },
    published: publishedIn(shown, ledger),
    head_signed: head,
  };
};
