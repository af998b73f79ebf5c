/** What became of a proposal that was asked about before: two views of one reader, line by line. Nothing but the views is looked at. */
import type { ApprovalView, ViewLine } from "@/lib/engine/approvals/approval-view";
import { canonicalJson } from "@/lib/json";

/** `hidden`: it is hidden from this reader on a side, so nobody tells them whether it is the same. */
export type InterdiffKind = "added" | "removed" | "changed" | "same" | "hidden";

export type InterdiffLine = {
  readonly kind: InterdiffKind;
  readonly path: string;
  readonly op: ViewLine["op"];
  readonly before: ViewLine | null;
  readonly after: ViewLine | null;
};

/** A path may be written twice in one proposal: each time is a line of its own. */
const keyed = (lines: readonly ViewLine[]): ReadonlyMap<string, ViewLine> => {
  const times = new Map<string, number>();

  return new Map(
    lines.map((line) => {
      const name = `${line.op} ${line.path}`;
      const time = times.get(name) ?? 0;
      times.set(name, time + 1);

      return [`${name} ${time}`, line] as const;
    }),
  );
};

const isHidden = ({ before, after }: ViewLine): boolean => before?.hidden === true || after?.hidden === true;

const kindOf = (before: ViewLine | undefined, after: ViewLine | undefined): InterdiffKind => {
  if (before === undefined) return "added";
  if (after === undefined) return "removed";
  if (isHidden(before) || isHidden(after)) return "hidden";

  return canonicalJson(before) === canonicalJson(after) ? "same" : "changed";
};

/** Every line of either view once: those of the newer one in its order, then those that it has no more. */
export const interdiff = (before: ApprovalView, after: ApprovalView): readonly InterdiffLine[] => {
  const [then, now] = [keyed(before.lines), keyed(after.lines)];
  const gone = [...then.keys()].filter((key) => !now.has(key));

  return [...now.keys(), ...gone].flatMap((key): InterdiffLine[] => {
    const [was, is] = [then.get(key), now.get(key)];
    const line = is ?? was;

    return line ? [{ kind: kindOf(was, is), path: line.path, op: line.op, before: was ?? null, after: is ?? null }] : [];
  });
};

/** The sentences above the lines that are others now: what happens, what it means for authority, and what is asked. */
export const changedSentences = (before: ApprovalView, after: ApprovalView): readonly ("effect" | "authority" | "prompt")[] =>
  (["effect", "authority", "prompt"] as const).filter((name) => before[name] !== after[name]);
