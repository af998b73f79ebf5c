import { z } from "zod";
import { checkpointFileSchema, type CheckpointFile } from "@/lib/engine/ledger/checkpoint-file";
import { parseCheckpointLines } from "@/lib/engine/ledger/checkpoint-lines";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { isWhole, parseExport, verifyExport, type RunExport } from "@/lib/engine/ledger/export";
import { EXPORT_FAULT_TEXT, FAULT_TEXT } from "@/lib/engine/verify/fault-text";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { trustAnchorSchema, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { resolveTrusted, type Trusts } from "@/lib/engine/ledger/trusted";
import { listNotProved } from "@/lib/engine/verify/verify-replay";
import { verifyWorkspaceExport, listWorkspaceNotProved } from "@/lib/engine/verify/verify-workspace-export";
import { JSON_TEXT_FAULTS, readJsonText } from "@/lib/json-text";
import { isWorkspaceText, parseWorkspaceText, type WorkspaceExport } from "@/lib/engine/ledger/workspace-export";

export type Given =
  | { readonly type: "workspace"; readonly document: WorkspaceExport }
  | { readonly type: "run"; readonly document: RunExport }
  | { readonly type: "checkpoints"; readonly files: readonly CheckpointFile[] }
  | { readonly type: "keys"; readonly keys: PublicKeys }
  | { readonly type: "anchor"; readonly anchor: TrustAnchor }
  | { readonly type: "unknown"; readonly why: string };

const keysSchema = z.record(z.string().regex(/^[0-9a-zA-Z_-]{1,64}$/u), z.string().regex(/^[A-Za-z0-9_-]{43}$/u));

/** Files are held as text and as values. */
export const MOST_FILE_BYTES = 192 * 1_048_576;
const LIMITS = { maxBytes: MOST_FILE_BYTES, maxDepth: 100 };

export const recognise = (text: string): Given => {
  if (text.length > MOST_FILE_BYTES) return { type: "unknown", why: JSON_TEXT_FAULTS.too_large };
  if (isWorkspaceText(text)) {
    const parsed = parseWorkspaceText(text);

    return parsed.ok ? { type: "workspace", document: parsed.value } : { type: "unknown", why: `The file is incomplete: ${parsed.error}.` };
  }
  const json = readJsonText(text, LIMITS);
  if (!json.ok && json.error !== "no_json") return { type: "unknown", why: JSON_TEXT_FAULTS[json.error] };
  if (!json.ok) {
    const { files, foreign } = parseCheckpointLines(text);

    return files.length > 0 && foreign === null
      ? { type: "checkpoints", files }
      : { type: "unknown", why: "It is neither JSON nor a list of checkpoint lines." };
  }
  const { value } = json;
  const checkpoints = checkpointFileSchema.safeParse(value);
  if (checkpoints.success) return { type: "checkpoints", files: [checkpoints.data] };
  const anchor = trustAnchorSchema.safeParse(value);
  if (anchor.success) return { type: "anchor", anchor: anchor.data };
  const keys = keysSchema.safeParse(value);
  if (keys.success && Object.keys(keys.data).length > 0) return { type: "keys", keys: keys.data };
  const run = parseExport(value);

  return run.ok ? { type: "run", document: run.value } : { type: "unknown", why: `It is not a valid export: ${run.error}.` };
};

export type Report = {
  readonly ok: boolean;
  readonly title: string;
  readonly message: string;
  readonly reason: string | null;
  readonly run: string | null;
  readonly seq: number | null;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly warnings: readonly string[];
  readonly notProved: readonly string[];
};

/** Without keys or anchor: the document's own. */
export type Beside = Trusts & { readonly kept: readonly SignedCheckpoint[] };

const OWN_KEYS =
  "The keys come from the document itself, so they don't prove who created it. Add a trust anchor or a key file from a source you trust.";
const NOTHING_KEPT =
  "No checkpoint kept elsewhere was added, so records removed together with everything that names them go unnoticed. Add a checkpoint file.";
const NOT_WHOLE = "The export is not signed as a whole, so records removed from its end together with its head go unnoticed.";

const placed = (what: string, run: string | null, seq: number | null, reason: string): string => {
  if (run === null) return `The log is invalid: ${reason}`;

  return seq === null ? `${what} ${run} is invalid: ${reason}` : `Record ${seq} of run ${run} is invalid: ${reason}`;
};

type OnProgress = (checked: number) => void;

const ofWorkspace = async (document: WorkspaceExport, { kept, ...trusts }: Beside, onProgress: OnProgress): Promise<Report> => {
  const own = kept.filter(({ checkpoint }) => checkpoint.origin === document.workspace);
  const { keys, handovers, isOwn } = await resolveTrusted(trusts, { keys: document.public_keys, handovers: document.handovers });
  const result = await verifyWorkspaceExport(document, keys, { kept: own, handovers, onProgress });
  const warnings = [...(isOwn ? [OWN_KEYS] : []), ...(own.length === 0 ? [NOTHING_KEPT] : [])];
  if (!result.ok) {
    const { run, seq, reason, logIntactTo } = result;
    const facts = logIntactTo === null ? [] : [["The log matches a checkpoint up to entry", String(logIntactTo)] as const];

    return {
      ok: false,
      title: placed("Run", run, seq, reason),
      message: FAULT_TEXT[reason],
      reason,
      run,
      seq,
      facts,
      warnings,
      notProved: [],
    };
  }
  const { newest } = result;

  return {
    ok: true,
    title: "Workspace verified",
    message: "Checked every record and its link to the previous one, every head, every checkpoint, and the log against the records.",
    reason: null,
    run: null,
    seq: null,
    facts: [
      ["Workspace", document.workspace],
      ["Runs", String(result.runs)],
      ["Records", String(result.records)],
      ["Covered by latest checkpoint", String(result.counted)],
      ["Logged after it, not logged yet", `${result.logged}, ${result.pending}`],
      ["Checkpoints", String(result.checkpoints)],
      ["Root", newest?.checkpoint.root ?? "none"],
      ["Compared with kept checkpoints", String(result.kept)],
    ],
    warnings,
    notProved: listWorkspaceNotProved(own.length > 0),
  };
};

const ofRun = async (document: RunExport, trusts: Beside, onProgress: OnProgress): Promise<Report> => {
  const carried = { keys: document.public_keys, handovers: document.ledger.handovers ?? [] };
  const { keys, handovers, isOwn } = await resolveTrusted(trusts, carried);
  const result = await verifyExport(document, keys, onProgress, handovers);
  const warnings = [...(isOwn ? [OWN_KEYS] : []), ...(isWhole(document) ? [] : [NOT_WHOLE])];
  const { run } = document.ledger;
  if (!result.ok) {
    const { seq, reason } = result;

    return {
      ok: false,
      title: placed("Run", run, seq, reason),
      message: EXPORT_FAULT_TEXT[reason],
      reason,
      run,
      seq,
      facts: [],
      warnings,
      notProved: [],
    };
  }

  return {
    ok: true,
    title: "Run verified",
    message: "Recomputed every digest, link, signature, receipt and opened value, and replayed the run.",
    reason: null,
    run: null,
    seq: null,
    facts: [
      ["Run", run],
      ["Workspace", document.ledger.workspace],
      ["Records", String(result.records)],
      ["Values opened, hidden, shredded", `${result.cellsOpened}, ${result.cellsHidden}, ${result.cellsShredded}`],
      ["Head", result.head],
    ],
    warnings,
    notProved: listNotProved(isWhole(document), result.passkeys),
  };
};

/**
 * Verifies a file.
 * @param onProgress records checked
 */
export const verifyGiven = (
  given: Extract<Given, { type: "workspace" | "run" }>,
  beside: Beside,
  onProgress: OnProgress,
): Promise<Report> =>
  given.type === "workspace" ? ofWorkspace(given.document, beside, onProgress) : ofRun(given.document, beside, onProgress);
