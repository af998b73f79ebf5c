import { runMemoryFault } from "@/lib/engine/ledger/remembered";
import { cutChangedPart, type TamperKind } from "@/lib/engine/verify/tamper";
import { LEDGER_TAMPER_KINDS, tamperLedger } from "@/lib/engine/verify/tamper-ledger";
import type { VerifyDigests } from "@/lib/engine/ledger/signature";
import { tamperWorkspace } from "@/lib/engine/verify/tamper-workspace";
import { verifyLedger, type LedgerExport } from "@/lib/engine/verify/verify";
import { verifyWorkspaceExport } from "@/lib/engine/verify/verify-workspace-export";
import { parseWorkspaceText, type WorkspaceExport } from "@/lib/engine/ledger/workspace-export";
import type { Change, LedgerRequest, LedgerResponse, Loaded, Subject } from "./messages";

type Held = { readonly type: "run"; readonly document: LedgerExport } | { readonly type: "workspace"; readonly document: WorkspaceExport };

/** A message per record would cost more than the verification. */
const PROGRESS_EVERY = 25;

type Outside = {
  /** @throws Error with a display message */
  readonly fetchText: (url: string) => Promise<string>;
  readonly answer: (response: LedgerResponse) => void;
  /** May run in another worker. */
  readonly verifyMany?: VerifyDigests;
};

const held = async (subject: Subject, fetchText: Outside["fetchText"]): Promise<Held> => {
  if (subject.type === "run") return { type: "run", document: subject.ledger };
  const parsed = parseWorkspaceText(await fetchText(subject.url));
  if (!parsed.ok) throw new Error(`The server sent incomplete data (${parsed.error}). Try again.`);

  return { type: "workspace", document: parsed.value };
};

const loadedOf = ({ type, document }: Held): Loaded =>
  type === "run"
    ? { records: document.records.length, keys: {}, newest: null }
    : { records: document.records.length, keys: document.public_keys, newest: document.checkpoints.at(-1)?.signed ?? null };

type Tampering = { readonly held: Held; readonly change: Change };

const shown = ({ run, seq, before, after }: Change): Change =>
  // Insertions and removals are whole; changes are cut.
  before === "" || after === "" ? { run, seq, before, after } : { run, seq, ...cutChangedPart(before, after) };

const tampered = (original: Held, kind: TamperKind): Tampering | null => {
  if (original.type === "workspace") {
    const found = tamperWorkspace(kind, original.document);

    return found && { held: { type: "workspace", document: found.document }, change: shown(found) };
  }
  const known = LEDGER_TAMPER_KINDS.find((each) => each === kind);
  const found = known ? tamperLedger(known, original.document) : null;

  return found && { held: { type: "run", document: found.document }, change: shown(found) };
};

const verify = async (
  current: Held,
  { keys, handovers = [], kept, remembered }: Extract<LedgerRequest, { type: "verify" }>,
  { answer, verifyMany }: Outside,
): Promise<void> => {
  const total = current.document.records.length;
  if (current.type === "workspace") {
    const onProgress = (checked: number) => answer({ type: "progress", checked, total });
    answer({ type: "workspace_result", result: await verifyWorkspaceExport(current.document, keys, { kept, handovers, onProgress }) });

    return;
  }
  const onProgress = (checked: number) => {
    if (checked % PROGRESS_EVERY === 0) answer({ type: "progress", checked, total });
  };
  const result = await verifyLedger(current.document, keys, onProgress, verifyMany);
  const fault = result.ok && remembered ? runMemoryFault(current.document.records, remembered) : null;
  answer({ type: "run_result", result: fault ? { ok: false, ...fault } : result });
};

/** @returns a handler that never throws; errors become `failed` */
export const createLedgerHandler = (outside: Outside): ((request: LedgerRequest) => Promise<void>) => {
  const { fetchText, answer } = outside;
  let original: Held | null = null;
  let current: Held | null = null;
  const handle = async (request: LedgerRequest): Promise<void> => {
    if (request.type === "load") {
      original = await held(request.subject, fetchText);
      current = original;

      return answer({ type: "loaded", loaded: loadedOf(original) });
    }
    if (!original || !current) throw new Error("Nothing is loaded.");
    if (request.type === "verify") return verify(current, request, outside);
    const found = request.kind === null ? null : tampered(original, request.kind);
    current = found?.held ?? original;
    answer({ type: "tampered", change: found?.change ?? null });
  };

  return (request) =>
    handle(request).catch((error: unknown) =>
      answer({
        type: "failed",
        message: error instanceof Error ? error.message : "Verification failed to run. Reload the page and try again.",
      }),
    );
};
