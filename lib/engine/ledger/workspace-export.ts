/**
 * All records of a workspace as one document without values, verifiable without the installation. Lines of JSON, for streaming:
 *
 *   {"format":"countersign/workspace/v1","workspace":…,"public_keys":{kid: key},"handovers":[…]}
 *   {"head":{"run":…,"version":…,"digest":…}}            one per run, in order of creation
 *   {"record":{"run":…,"seq":…,"body":…,"digest":…,"kid":…,"signature":…}}   each run's own records, in order
 *   {"leaf":{"run":…,"seq":…,"digest":…}}                the log, in order
 *   {"checkpoint":{"signed":…,"proof":[…]}}              oldest first; consistency proof from the previous one
 *   {"end":{"heads":…,"records":…,"leaves":…,"checkpoints":…}}   counts; absent if the file was truncated
 */
import { z } from "zod";
import { hexDigestSchema } from "@/lib/hash";
import { JSON_TEXT_FAULTS, linesOf, readJsonText } from "@/lib/json-text";
import { err, ok, type Result } from "@/lib/result";
import { logLeafSchema, signedCheckpointSchema, type LogLeaf } from "@/lib/engine/ledger/checkpoint";
import { handoversSchema, type SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys } from "@/lib/engine/ledger/signature";

const text = z.string();
const place = z.number().int();
const amount = place.min(0);

const headerSchema = z.strictObject({
  format: z.literal("countersign/workspace/v1"),
  workspace: text.max(64),
  /** kid -> raw Ed25519 key, base64url: every key that signed here. */
  public_keys: z.record(text.max(64), text.max(64)),
  handovers: handoversSchema,
});

const runRecordSchema = z.strictObject({ run: text, seq: place, body: text, digest: text, kid: text, signature: text });
export type RunRecord = z.infer<typeof runRecordSchema>;

/** Includes records that a fork shares. */
const runHeadSchema = z.strictObject({ run: text, version: place, digest: text });
export type RunHead = z.infer<typeof runHeadSchema>;

const loggedSchema = z.strictObject({ signed: signedCheckpointSchema, proof: z.array(hexDigestSchema).max(128) });
export type LoggedCheckpoint = z.infer<typeof loggedSchema>;

const endSchema = z.strictObject({ heads: amount, records: amount, leaves: amount, checkpoints: amount });

export type WorkspaceExport = {
  readonly workspace: string;
  readonly public_keys: PublicKeys;
  readonly handovers: readonly SignedHandover[];
  readonly heads: readonly RunHead[];
  readonly records: readonly RunRecord[];
  readonly leaves: readonly LogLeaf[];
  readonly checkpoints: readonly LoggedCheckpoint[];
};

const FORMAT = "countersign/workspace/v1";

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

export type WorkspaceHeader = Pick<WorkspaceExport, "workspace" | "public_keys" | "handovers">;
export type WorkspacePart =
  | { readonly head: RunHead }
  | { readonly record: RunRecord }
  | { readonly leaf: LogLeaf }
  | { readonly checkpoint: LoggedCheckpoint };

export const formatHeaderLine = ({ workspace, public_keys, handovers }: WorkspaceHeader): string =>
  lineOf({ format: FORMAT, workspace, public_keys, handovers });

export const formatPartLine = (part: WorkspacePart): string => lineOf(part);

export const endLine = (end: z.infer<typeof endSchema>): string => lineOf({ end });

export const formatWorkspace = (document: WorkspaceExport): string => {
  const { heads, records, leaves, checkpoints } = document;

  return [
    formatHeaderLine(document),
    ...heads.map((head) => formatPartLine({ head })),
    ...records.map((record) => formatPartLine({ record })),
    ...leaves.map((leaf) => formatPartLine({ leaf })),
    ...checkpoints.map((checkpoint) => formatPartLine({ checkpoint })),
    endLine({ heads: heads.length, records: records.length, leaves: leaves.length, checkpoints: checkpoints.length }),
  ].join("");
};

/** Recognises workspace documents. */
export const isWorkspaceText = (content: string): boolean => content.startsWith(`{"format":"${FORMAT}"`);

const LINE_LIMITS = { maxBytes: 64 * 1_048_576, maxDepth: 64 };
const bodySchema = z.union([
  z.strictObject({ record: runRecordSchema }),
  z.strictObject({ leaf: logLeafSchema }),
  z.strictObject({ head: runHeadSchema }),
  z.strictObject({ checkpoint: loggedSchema }),
]);
const lastSchema = z.strictObject({ end: endSchema });

const parsedLine = <T>(schema: z.ZodType<T>, line: string, at: number): Result<T, string> => {
  const read = readJsonText(line, LINE_LIMITS);
  if (!read.ok) return err(`line ${at} can't be read: ${JSON_TEXT_FAULTS[read.error]}`);
  const parsed = schema.safeParse(read.value);

  return parsed.success ? ok(parsed.data) : err(`line ${at}: unknown format`);
};

type Draft = { heads: RunHead[]; records: RunRecord[]; leaves: LogLeaf[]; checkpoints: LoggedCheckpoint[] };

const add = (draft: Draft, part: z.infer<typeof bodySchema>): void => {
  if ("record" in part) draft.records.push(part.record);
  else if ("leaf" in part) draft.leaves.push(part.leaf);
  else if ("head" in part) draft.heads.push(part.head);
  else draft.checkpoints.push(part.checkpoint);
};

/** Parses without verifying. */
export const parseWorkspaceText = (content: string): Result<WorkspaceExport, string> => {
  // The last line counts those before it.
  const lines = linesOf(content.endsWith("\n") ? content.slice(0, -1) : content);
  const header = parsedLine(headerSchema, lines.next().value ?? "", 1);
  if (!header.ok) return header;
  const draft: Draft = { heads: [], records: [], leaves: [], checkpoints: [] };
  let [last, at] = ["", 1];
  for (const line of lines) {
    const part = at > 1 ? parsedLine(bodySchema, last, at) : null;
    if (part?.ok === false) return part;
    if (part) add(draft, part.value);
    [last, at] = [line, at + 1];
  }
  const end = parsedLine(lastSchema, last, at);
  if (!end.ok) return err("the file is truncated: its last line has no counts");
  const counts = (["heads", "records", "leaves", "checkpoints"] as const).filter((name) => end.value.end[name] !== draft[name].length);
  if (counts.length > 0) return err(`the number of ${counts.join(", ")} differs from the count in the last line`);
  const { workspace, public_keys, handovers } = header.value;

  return ok({ workspace, public_keys, handovers, ...draft });
};
