/** Parts of a view's lines to see before approving; shared by page and control plane. */
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { classifyControl, classifySteering, getLineName, type ControlKind } from "@/lib/engine/labels/control-position";
import { toCanonicalJson, type Json } from "@/lib/json";
import { placeKey, splitParts, type Part } from "@/lib/leaves";

const LONG_CHARACTERS = 280;
const LONG_LINES = 8;
const LONG_NAME = 160;
/** Parts shown without a click, besides control positions. */
export const MOST_OPEN = 24;

/** Returns whether the value is cut. */
export const isLongValue = (value: Json): boolean => {
  const text = typeof value === "string" ? value : toCanonicalJson(value);

  return text.length > LONG_CHARACTERS || text.split("\n").length > LONG_LINES;
};

/** Returns whether a name is cut until its value is opened. */
export const isLongName = (name: string): boolean => name.length > LONG_NAME;

export type ViewPart = Part & {
  /** Unique in the view. */
  readonly key: string;
  /** Control position of the part; null: none, or no effect. */
  readonly control: ControlKind | null;
  /** The same for untrusted parts only. */
  readonly steers: ControlKind | null;
  readonly isLong: boolean;
  /** `unchanged` and `rest` are shown on a click. */
  readonly fold: "unchanged" | "rest" | null;
};

const valueOf = (shown: ViewLine["before"]): Json | undefined => (shown === null || shown.hidden ? undefined : shown.value);

const isEffective = ({ op }: Pick<ViewLine, "op">): boolean => op === "call" || op === "set";

/** Compared with memory or the record read. */
export const isCompared = (line: ViewLine): boolean => line.op === "set" || (line.op === "call" && line.before?.hidden === false);

const isLongPart = ({ path }: ViewLine, { place, before, after }: Part): boolean =>
  isLongValue(after ?? before ?? null) || isLongName(path) || isLongName(placeKey(place));

/** Returns whether a line is hidden; a call's value shows beside a hidden one before. */
export const isHiddenLine = ({ op, before, after }: Pick<ViewLine, "op" | "before" | "after">): boolean =>
  after?.hidden === true || (op !== "call" && before?.hidden === true);

/** @param index of the line. Hidden lines have no parts. */
export const listParts = (line: ViewLine, index: number): readonly ViewPart[] => {
  if (isHiddenLine(line)) return [];
  const before = isCompared(line) ? valueOf(line.before) : undefined;
  let open = 0;

  return splitParts(before, valueOf(line.after)).map((part): ViewPart => {
    const control = isEffective(line) ? classifyControl([getLineName(line), ...part.place], part.after ?? part.before) : null;
    const isSame = part.op === "same";
    const isShown = control !== null || (!isSame && (open += 1) <= MOST_OPEN);

    return {
      ...part,
      key: `${index} ${placeKey(part.place)}`,
      control,
      steers: part.after === undefined || (isSame && line.op === "set") ? null : classifySteering(line, part.place, part.after),
      isLong: isLongPart(line, part),
      fold: isShown ? null : isSame && isEffective(line) ? "unchanged" : "rest",
    };
  });
};

export type ToSee = {
  readonly key: string;
  /** `control`: must be seen on screen. `long`, `rest`: must be opened. */
  readonly why: "control" | "long" | "rest";
};

const toSee = ({ key, control, isLong, fold, op }: ViewPart): ToSee[] => {
  if (op === "same" && control === null) return [];
  if (isLong) return [{ key, why: "long" }];
  if (fold === "rest") return [{ key, why: "rest" }];

  return control === null ? [] : [{ key, why: "control" }];
};

/** Lists parts to see or knowingly leave; empty for review cases. */
export const listToSee = ({ lines, reason }: Pick<ApprovalView, "lines" | "reason">): readonly ToSee[] =>
  reason === "review" ? [] : lines.flatMap((line, index) => listParts(line, index).flatMap(toSee));
