/** `countersign/verify`: verifies a run's export with a trust anchor, in browsers and Node. */
import { isWhole, parseExport, verifyExport, type ExportVerification, type RunExport } from "@/lib/engine/ledger/export";
import { trustAnchorSchema, verifyAnchor, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { resolveTrusted } from "@/lib/engine/ledger/trusted";
import { listNotProved } from "@/lib/engine/verify/verify-replay";
import { readJsonText } from "@/lib/json-text";

/** `seq`: the first bad record; null: the document itself. */
export type RunFault = {
  readonly ok: false;
  readonly reason: Extract<ExportVerification, { ok: false }>["reason"] | "not_an_anchor" | "not_an_export";
  readonly seq: number | null;
};

export type VerifiedRun = {
  readonly ok: true;
  readonly workspace: string;
  readonly run: string;
  readonly records: number;
  /** Digest of the last record. */
  readonly head: string;
  /** False: records could be missing at the end. */
  readonly isWhole: boolean;
  /** Continuations of "this does not prove". */
  readonly notProved: readonly string[];
};

const LIMITS = { maxBytes: 512 * 1_048_576, maxDepth: 128 };

const readAnchor = async (text: string): Promise<TrustAnchor | null> => {
  const json = readJsonText(text, LIMITS);
  const parsed = trustAnchorSchema.safeParse(json.ok ? json.value : null);

  return parsed.success && (await verifyAnchor(parsed.data)) === null ? parsed.data : null;
};

const readExport = (text: string): RunExport | null => {
  const json = readJsonText(text, LIMITS);
  const parsed = json.ok ? parseExport(json.value) : json;

  return parsed.ok ? parsed.value : null;
};

/**
 * Recomputes every digest, link, signature, receipt and opened value of a run, and replays it. Never throws.
 * @param exported text of `countersign export RUN`
 * @param anchor text of `keys/trust-anchor.json`, from a source you trust: it alone says which keys may sign
 */
export const verifyRun = async (exported: string, anchor: string): Promise<VerifiedRun | RunFault> => {
  const trusted = await readAnchor(anchor);
  if (!trusted) return { ok: false, reason: "not_an_anchor", seq: null };
  const document = readExport(exported);
  if (!document) return { ok: false, reason: "not_an_export", seq: null };
  const { workspace, run, handovers: carried = [] } = document.ledger;
  const { keys, handovers } = await resolveTrusted({ keys: null, anchor: trusted }, { keys: {}, handovers: carried });
  const result = await verifyExport(document, keys, undefined, handovers);
  if (!result.ok) return { ok: false, reason: result.reason, seq: result.seq };
  const { records, head, passkeys } = result;

  return { ok: true, workspace, run, records, head, isWhole: isWhole(document), notProved: listNotProved(isWhole(document), passkeys) };
};
