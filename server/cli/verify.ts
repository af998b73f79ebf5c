/** `countersign verify EXPORT`: with public keys alone, no database and no network. */
import { z } from "zod";
import { BAD_REASON_TEXT } from "@/lib/engine/bad-reasons";
import { parseExport, verifyExport, type ExportVerification, type RunExport } from "@/lib/engine/export";
import type { PublicKeys } from "@/lib/engine/signature";
import { notProved } from "@/lib/engine/verify-replay";
import { parseArguments } from "./arguments";
import { readDocument, readParsed } from "./document";
import type { CliCommand } from "./host";
import { jsonLine } from "./problem";

const REASONS = {
  ...BAD_REASON_TEXT,
  state: "The records lead to another state than the one that is shown.",
  graph: "The graph in the export is not the version that this record executed.",
  export: "The document is not what was signed when it was exported, although its records are.",
} as const satisfies Record<Exclude<ExportVerification, { ok: true }>["reason"], string>;

const keysSchema = z.record(z.string(), z.string());

const trustIn = (document: RunExport, given: PublicKeys | null): string[] => [
  ...(given === null
    ? [
        "The keys stand in the export itself: whoever made the whole document up could have made them up too. Give --keys FILE with keys from a source you trust.",
      ]
    : []),
  ...(document.signature === null
    ? ["The export is not signed as a whole: records could have been cut off its end together with its head."]
    : []),
];

const report = (document: RunExport, given: PublicKeys | null, result: ExportVerification) => {
  const about = { run: document.ledger.run, workspace: document.ledger.workspace };
  const warnings = trustIn(document, given);
  if (!result.ok) return { ok: false, ...about, seq: result.seq, reason: result.reason, message: REASONS[result.reason], warnings };

  return {
    ok: true,
    ...about,
    records: result.records,
    cells_opened: result.cellsOpened,
    cells_hidden: result.cellsHidden,
    head: result.head,
    warnings,
    not_proved: notProved(document.signature !== null),
  };
};

export const verifyCommand: CliCommand = async (argv, host) => {
  const { operand, text } = parseArguments(argv, "EXPORT", { keys: "string", json: "boolean" });
  const keysFile = text("keys");
  const given = keysFile === null ? null : await readParsed(keysFile, "list of public keys", keysSchema);
  const read = await readDocument(operand);
  const document = read.ok ? parseExport(read.value) : read;
  if (!document.ok) {
    const message = read.ok ? `The file ${operand} is no export of a run (${document.error}).` : document.error;
    await host.out(jsonLine({ ok: false, seq: null, reason: "not_an_export", message, warnings: [] }));

    return 1;
  }
  const result = await verifyExport(document.value, given ?? document.value.public_keys);
  await host.out(jsonLine(report(document.value, given, result)));

  return result.ok ? 0 : 1;
};
