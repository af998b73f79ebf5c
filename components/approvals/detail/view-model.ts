/** Line models from the signed view alone. */
import { toVisibleText } from "@/components/values/visible-text";
import type { ViewLine } from "@/lib/engine/approvals/approval-view";
import { classifySteering, type ControlKind } from "@/lib/engine/labels/control-position";
import type { Json } from "@/lib/json";
import { splitParts, type Part, type PartOp, type Place } from "@/lib/leaves";
import { placeText } from "./place-text";

type RowOp = PartOp | "send" | "current" | "asks";

export type Row = {
  readonly place: string;
  readonly op: RowOp;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** Null: steers nothing, or trusted. */
  readonly steers: ControlKind | null;
};

export type LineModel = {
  readonly line: ViewLine;
  readonly path: string;
  readonly op: RowOp;
  /** Hidden: no rows, not even the size. */
  readonly isHidden: boolean;
  /** Null for operations outside memory. */
  readonly change: "changed" | "unchanged" | null;
  readonly rows: readonly Row[];
  readonly steers: readonly ControlKind[];
  /** Same label and sources as the line before. */
  readonly isLikeBefore: boolean;
};

type Shown = ViewLine["before"];

const valueOf = (shown: Shown): Json | undefined => (shown === null || shown.hidden ? undefined : shown.value);

const isHiddenIn = ({ before, after }: ViewLine): boolean => before?.hidden === true || after?.hidden === true;

const STANDING = { call: "send", show: "current", ask: "asks" } as const satisfies Record<Exclude<ViewLine["op"], "set">, RowOp>;

/** Compared with the memory, or with the record that the run looked up. */
const isCompared = (line: ViewLine): boolean => line.op === "set" || (line.op === "call" && line.before !== null);

const rowOp = (line: ViewLine, { op }: Part): RowOp => {
  if (line.op === "set") return op;

  return isCompared(line) && op === "replace" ? op : STANDING[line.op];
};

const lineOp = (line: ViewLine): RowOp => {
  if (line.op !== "set") return STANDING[line.op];
  if (line.before === null) return "add";
  if (line.after === null) return "remove";

  return line.changed ? "replace" : "same";
};

const steered = (line: ViewLine, place: Place, after: Json | undefined): ControlKind | null =>
  after === undefined ? null : classifySteering(line, place, after);

const rowsOf = (line: ViewLine): readonly Row[] => {
  const before = isCompared(line) ? valueOf(line.before) : undefined;

  return splitParts(before, valueOf(line.after)).map((part) => ({
    place: placeText(part.place),
    op: rowOp(line, part),
    before: part.before,
    after: part.after,
    steers: part.op === "same" && line.op === "set" ? null : steered(line, part.place, part.after),
  }));
};

const isLike = (line: ViewLine, before: ViewLine | undefined): boolean =>
  before?.integrity === line.integrity &&
  before.confidentiality === line.confidentiality &&
  before.provenance.join("\n") === line.provenance.join("\n");

const lineModel = (line: ViewLine, before: ViewLine | undefined): LineModel => {
  const isHidden = isHiddenIn(line);
  const rows = isHidden ? [] : rowsOf(line);
  const byName = isHidden ? [classifySteering(line, [], undefined)] : rows.map(({ steers }) => steers);

  return {
    line,
    path: toVisibleText(line.path),
    op: lineOp(line),
    isHidden,
    change: line.op === "set" ? (line.changed ? "changed" : "unchanged") : null,
    rows,
    steers: [...new Set(byName.flatMap((kind) => kind ?? []))],
    isLikeBefore: isLike(line, before),
  };
};

const GROUPS = [
  { op: "ask", title: "Question from the tool's server" },
  { op: "call", title: "Exact arguments that will be sent" },
  { op: "set", title: "Memory changes" },
  { op: "show", title: "For comparison" },
] as const satisfies readonly { readonly op: ViewLine["op"]; readonly title: string }[];

export type LineGroup = { readonly title: string; readonly lines: readonly LineModel[] };

/** Groups lines, each in view order. */
export const groupLines = (lines: readonly ViewLine[]): readonly LineGroup[] =>
  GROUPS.flatMap(({ op, title }) => {
    const own = lines.filter((line) => line.op === op);

    return own.length === 0 ? [] : [{ title, lines: own.map((line, index) => lineModel(line, own[index - 1])) }];
  });
