/** CSV and JSONL exports of the trust log. */
import { toCanonicalJson } from "@/lib/json";
import { describeTrustEvent, type TrustEvent } from "@/lib/engine/labels/trust-event";

export const TRUST_FORMATS = ["csv", "jsonl"] as const;
export type TrustFormat = (typeof TRUST_FORMATS)[number];

const COLUMNS = ["at", "type", "principal", "node", "path", "run", "seq", "index", "detail"] as const;

/** An apostrophe stops spreadsheet formulas. */
const cell = (text: string): string => {
  const plain = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;

  return /[",\r\n]/u.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

const row = ({ at, type, principal, node, path, run, seq, index, detail }: TrustEvent): string =>
  csvLine([new Date(at).toISOString(), type, principal, node ?? "", path ?? "", run, String(seq), String(index), toCanonicalJson(detail)]);

export const formatHead = (format: TrustFormat): string => (format === "csv" ? csvLine(COLUMNS) : "");

export const formatLine = (format: TrustFormat, event: TrustEvent): string =>
  format === "csv" ? row(event) : `${describeTrustEvent(event)}\n`;
