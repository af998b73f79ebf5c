import { z } from "zod";
import { checkpointFileSchema } from "@/lib/engine/ledger/checkpoint-file";
import { isWhole, parseExport, verifyExport, type ExportVerification, type RunExport } from "@/lib/engine/ledger/export";
import { EXPORT_FAULT_TEXT } from "@/lib/engine/verify/fault-text";
import { getKeys, trustAnchorSchema, verifyAnchor, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { resolveTrusted, type Trusts } from "@/lib/engine/ledger/trusted";
import { listNotProved } from "@/lib/engine/verify/verify-replay";
import type { Json } from "@/lib/json";
import { JSON_TEXT_FAULTS, readJsonText } from "@/lib/json-text";
import { parseArguments } from "./arguments";
import { readDocument, readParsed, readWorkspaceText } from "./document";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { formatJsonLine } from "./problem";
import { openRemoteOf, REMOTE_OPTIONS } from "./remote/client";
import { KEYS_FROM_EXPORT } from "./trust-warnings";

const keysSchema = z.record(z.string(), z.string());

const trustIn = (document: RunExport, isOwn: boolean): string[] => [
  ...(isOwn ? [KEYS_FROM_EXPORT] : []),
  ...(isWhole(document) ? [] : ["The export is not signed as a whole: records could have been removed from its end."]),
];

const report = (document: RunExport, isOwn: boolean, result: ExportVerification) => {
  const about = { run: document.ledger.run, workspace: document.ledger.workspace };
  const warnings = trustIn(document, isOwn);
  if (!result.ok)
    return { ok: false, ...about, seq: result.seq, reason: result.reason, message: EXPORT_FAULT_TEXT[result.reason], warnings };

  return {
    ok: true,
    ...about,
    records: result.records,
    cells_opened: result.cellsOpened,
    cells_hidden: result.cellsHidden,
    cells_shredded: result.cellsShredded,
    head: result.head,
    /** Compare unregistered credentials with other sources. */
    passkeys: result.passkeys ?? [],
    /** Compare with external checkpoints. */
    checkpoint: document.coverage?.signed.checkpoint ?? null,
    warnings,
    not_proved: listNotProved(isWhole(document), result.passkeys),
  };
};

const verifyExported = async (host: CliHost, file: string, value: Json, trusts: Trusts): Promise<number> => {
  const document = parseExport(value);
  if (!document.ok) return notAnExport(host, `File ${file} is not a run export (${document.error}).`);
  const { ledger, public_keys: own } = document.value;
  const { keys, handovers, isOwn } = await resolveTrusted(trusts, { keys: own, handovers: ledger.handovers ?? [] });
  const result = await verifyExport(document.value, keys, undefined, handovers);
  await host.out(formatJsonLine(report(document.value, isOwn, result)));

  return result.ok ? 0 : 1;
};

const notAnExport = async (host: CliHost, message: string): Promise<number> => {
  await host.out(formatJsonLine({ ok: false, seq: null, reason: "not_an_export", message, warnings: [] }));

  return 1;
};

const isAboutInstallation = (argv: readonly string[]): boolean => argv.some((argument) => /^--checkpoint(?:=|$)/u.test(argument));

const OPTIONS = { keys: "string", anchor: "string", kept: "string", json: "boolean", checkpoint: "string", ...REMOTE_OPTIONS } as const;

const anchorIn = async (file: string | null): Promise<TrustAnchor | null> => {
  const anchor = file === null ? null : await readParsed(file, "trust anchor", trustAnchorSchema);
  if (anchor && (await verifyAnchor(anchor)) !== null) throw new CliFailure(`trust anchor ${file} does not verify`);

  return anchor;
};

export const verifyCommand: CliCommand = async (argv, host) => {
  const operandName = isAboutInstallation(argv) ? null : "EXPORT";
  const args = parseArguments(argv, operandName, OPTIONS);
  const { operand, text } = args;
  const keysFile = text("keys");
  const listed = keysFile === null ? null : await readParsed(keysFile, "list of public keys", keysSchema);
  const trusts = { keys: listed, anchor: await anchorIn(text("anchor")) };
  const given = trusts.anchor ? getKeys(trusts.anchor) : listed;
  const checkpointFile = text("checkpoint");
  if (checkpointFile !== null) return (await import("./verify-checkpoint")).verifyInstallation(host, checkpointFile, given);
  const remote = openRemoteOf(args, host);
  if (remote) {
    const exported = readJsonText(await remote.exportRun(operand), { maxBytes: Number.MAX_SAFE_INTEGER, maxDepth: 100 });

    return exported.ok ? verifyExported(host, operand, exported.value, trusts) : notAnExport(host, JSON_TEXT_FAULTS[exported.error]);
  }
  const whole = await readWorkspaceText(operand);
  if (whole !== null) return (await import("./verify-workspace")).verifyWorkspaceText(host, whole, trusts, text("kept"));
  if (text("kept") !== null) throw new CliFailure("--kept applies only to workspace exports");
  if (operand.endsWith(".jsonl")) return (await import("./verify-checkpoint")).verifyCheckpointLines(host, operand, given);
  const read = await readDocument(operand);
  if (!read.ok) return notAnExport(host, read.error);
  const checkpoints = checkpointFileSchema.safeParse(read.value);
  if (checkpoints.success) return (await import("./verify-checkpoint")).verifyCheckpointFile(host, checkpoints.data, given);

  return verifyExported(host, operand, read.value, trusts);
};
