/** Reads and verifies a bundle. */
import { BAD_REASON_TEXT } from "@/lib/engine/verify/bad-reasons";
import { isWhole, parseExport, verifyExport, type ExportVerification, type RunExport } from "@/lib/engine/ledger/export";
import { MOST_FILE_BYTES } from "@/lib/engine/verify/offline";
import { JSON_TEXT_FAULTS, readJsonText } from "@/lib/json-text";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { publishedGraphSchema } from "@/lib/graph/document";

const MIB = 1_048_576;
/** Three times the stored limit: the text form is longer. */
export const MOST_BYTES = MOST_FILE_BYTES;
const LIMITS = { maxBytes: MOST_BYTES, maxDepth: 100 };

const SENTENCES = {
  ...BAD_REASON_TEXT,
  state: "Replaying the records gives a different state than the one shown.",
  graph: "The graph in the file is not the version this record executed.",
  checkpoint: "The checkpoint in the file does not cover the run's last record with a trusted key.",
  head: "The run head in the file is not signed by a trusted key.",
  export: "The records are valid, but the file was changed after it was exported and signed.",
} as const satisfies Record<Exclude<ExportVerification, { ok: true }>["reason"], string>;

export type BundleProgress = { readonly step: "reading" } | { readonly step: "checking"; readonly checked: number; readonly total: number };

export type Bundle = {
  readonly document: RunExport;
  readonly records: number;
  readonly cellsOpened: number;
  readonly cellsHidden: number;
  readonly head: string;
  /** A trusted key signed the end, so nothing was removed. */
  readonly isWhole: boolean;
};

export type BundleFault = {
  readonly kind: "huge" | "broken" | "foreign" | "tampered";
  readonly seq: number | null;
  readonly sentence: string;
};

export type BundleResult = { readonly ok: true; readonly bundle: Bundle } | ({ readonly ok: false } & BundleFault);

const fault = (kind: BundleFault["kind"], sentence: string, seq: number | null = null): BundleResult => ({
  ok: false,
  kind,
  seq,
  sentence,
});

const isOurs = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Reflect.get(value, "format") === "countersign/export/v1";

/** @param keys trusted; null: the file's own, which don't prove the author */
export const readBundle = async (
  file: Pick<Blob, "size" | "text">,
  keys: PublicKeys | null,
  onProgress: (progress: BundleProgress) => void = () => undefined,
): Promise<BundleResult> => {
  if (file.size > MOST_BYTES) {
    return fault("huge", `The file is larger than ${MOST_BYTES / MIB} MiB, the limit in a browser. Use "countersign verify" instead.`);
  }
  onProgress({ step: "reading" });
  const parsed = readJsonText(await file.text(), LIMITS);
  if (!parsed.ok) return fault("broken", `The file can't be read. ${JSON_TEXT_FAULTS[parsed.error]}`);
  if (!isOurs(parsed.value)) return fault("foreign", "This file is not a run exported from Countersign.");
  const read = parseExport(parsed.value);
  if (!read.ok) return fault("broken", `This file is not a valid export (${read.error}).`);
  const document = read.value;
  const total = document.ledger.records.length;
  onProgress({ step: "checking", checked: 0, total });
  const verified = await verifyExport(document, keys ?? document.public_keys, (checked) =>
    onProgress({ step: "checking", checked, total }),
  );
  if (!verified.ok) return fault("tampered", SENTENCES[verified.reason], verified.seq);
  // It was valid for the version that wrote it.
  if (!publishedGraphSchema.safeParse(document.published).success)
    return fault("foreign", "This version of Countersign can't read the graph in the file.");
  const { records, cellsOpened, cellsHidden, head } = verified;

  return { ok: true, bundle: { document, records, cellsOpened, cellsHidden, head, isWhole: isWhole(document) } };
};
