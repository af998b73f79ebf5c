/** Line models from the signed view alone. */
import { toVisibleText } from "@/components/values/visible-text";
import type { ViewLine } from "@/lib/engine/approvals/approval-view";
import type { Texts } from "@/lib/engine/approvals/argument-format";
import { isCompared, isHiddenLine, isLongValue, listParts, MOST_OPEN, type ViewPart } from "@/lib/engine/approvals/view-parts";
import { classifySteering, type ControlKind } from "@/lib/engine/labels/control-position";
import type { Json } from "@/lib/json";
import { isSameValue, placeKey, type Part, type PartOp, type Place } from "@/lib/leaves";
import { placeText } from "./place-text";

type RowOp = PartOp | "send" | "current" | "asks";

/** `text`: as the schema formats it; null: as it is. */
export type Side = { readonly value: Json; readonly text: string | null };

export type Row = {
  /** Of the part in its view; null outside one. */
  readonly key: string | null;
  readonly place: string;
  readonly op: RowOp;
  readonly before: Side | null;
  readonly after: Side | null;
  /** Null: steers nothing, or trusted. */
  readonly steers: ControlKind | null;
  /** True: a reviewer must have seen it. */
  readonly isControl: boolean;
  readonly isLong: boolean;
  readonly fold: ViewPart["fold"];
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

const STANDING = { call: "send", show: "current", ask: "asks" } as const satisfies Record<Exclude<ViewLine["op"], "set">, RowOp>;

const rowOp = (line: ViewLine, { op }: Part): RowOp => {
  if (line.op === "set") return op;

  return isCompared(line) && (op === "replace" || op === "same") ? op : STANDING[line.op];
};

const lineOp = (line: ViewLine): RowOp => {
  if (line.op !== "set") return STANDING[line.op];
  if (line.before === null) return "add";
  if (line.after === null) return "remove";

  return line.changed ? "replace" : "same";
};

const textsOf = (shown: ViewLine["before"]): Texts => (shown === null || shown.hidden ? {} : (shown.texts ?? {}));

const sideOf = (value: Json | undefined, texts: Texts, place: Place): Side | null =>
  value === undefined ? null : { value, text: texts[placeKey(place)] ?? null };

/** Drops texts that hide a difference: "1" and 1, or cents that a format rounds. */
const withoutHiding = (before: Side | null, after: Side | null): readonly [Side | null, Side | null] => {
  if (!before || !after || before.text === null || before.text !== after.text || isSameValue(before.value, after.value))
    return [before, after];

  return [
    { ...before, text: null },
    { ...after, text: null },
  ];
};

const rowOf = (line: ViewLine, part: ViewPart): Row => {
  const [before, after] = withoutHiding(
    sideOf(part.before, textsOf(line.before), part.place),
    sideOf(part.after, textsOf(line.after), part.place),
  );

  return {
    key: part.key,
    place: placeText(part.place),
    op: rowOp(line, part),
    before,
    after,
    steers: part.steers,
    isControl: part.control !== null,
    isLong: part.isLong,
    fold: part.fold,
  };
};

export const toPlainRow = (part: Part, index: number, root: Place = []): Row => ({
  key: null,
  place: placeText([...root, ...part.place]),
  op: part.op,
  before: sideOf(part.before, {}, part.place),
  after: sideOf(part.after, {}, part.place),
  steers: null,
  isControl: false,
  isLong: [part.before, part.after].some((value) => value !== undefined && isLongValue(value)),
  fold: index < MOST_OPEN ? null : "rest",
});

const isLike = (line: ViewLine, before: ViewLine | undefined): boolean =>
  before?.integrity === line.integrity &&
  before.confidentiality === line.confidentiality &&
  before.provenance.join("\n") === line.provenance.join("\n");

const lineModel = (line: ViewLine, index: number, before: ViewLine | undefined): LineModel => {
  const isHidden = isHiddenLine(line);
  const rows = listParts(line, index).map((part) => rowOf(line, part));
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

export const groupLines = (lines: readonly ViewLine[]): readonly LineGroup[] =>
  GROUPS.flatMap(({ op, title }) => {
    const own = [...lines.entries()].filter(([, line]) => line.op === op);

    return own.length === 0 ? [] : [{ title, lines: own.map(([index, line], position) => lineModel(line, index, own[position - 1]?.[1])) }];
  });
