/** Shared by messages and the control plane. */
import type { ApprovalView, ShownValue, ViewLine } from "@/lib/engine/approvals/approval-view";
import { classifyAuthority, classifyRisk } from "@/lib/engine/approvals/authority-class";
import { listParts, type ViewPart } from "@/lib/engine/approvals/view-parts";
import type { Gate } from "@/lib/engine/event";
import { getLineName } from "@/lib/engine/labels/control-position";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { placeKey } from "@/lib/leaves";
import { toPlainText } from "@/lib/plain-text";

const MOST_LINES = 10;
/** A section of Slack takes 3,000. */
const MOST_CHARS = 2_500;

export type ChatObjection = "question" | "approvers" | "passkey" | "class" | "signals" | "unseen";

const isShownPart = ({ control, op }: ViewPart): boolean => op !== "same" || control !== null;

const spell = (shown: ShownValue | null, { place }: ViewPart, value: Json | undefined): string | null => {
  if (value === undefined) return null;
  const text = shown?.hidden === false ? shown.texts?.[placeKey(place)] : undefined;

  return text ?? JSON.stringify(value);
};

const describePart = (line: ViewLine, part: ViewPart): string => {
  const [before, after] = [spell(line.before, part, part.before), spell(line.after, part, part.after)];
  const change = [before, after].filter((text) => text !== null).join(" → ");

  return `${[getLineName(line), ...part.place].join(".")}: ${after === null ? `${change} → nothing` : change}`;
};

/** Null unless a message can show every value whole and as it is. */
export const listChatLines = ({ lines }: Pick<ApprovalView, "lines">): readonly string[] | null => {
  if (lines.some(({ before, after }) => before?.hidden === true || after?.hidden === true)) return null;
  const parts = lines.flatMap((line, index) => listParts(line, index).map((part) => ({ line, part })));
  if (parts.some(({ part }) => part.isLong || part.fold === "rest")) return null;
  const texts = parts.flatMap(({ line, part }) => (isShownPart(part) ? [describePart(line, part)] : []));

  if (texts.length > MOST_LINES || texts.join("\n").length > MOST_CHARS) return null;

  return texts.every((text) => toPlainText(text) === text) ? texts : null;
};

/** Null: needs no page. @param here the gate's graph */
export const findChatObjection = (
  here: PublishedGraph,
  gate: Gate,
  view: Pick<ApprovalView, "lines" | "signals">,
): ChatObjection | null => {
  const { reason, quorum, demands = [], signature } = gate;
  if (reason === "review" || view.lines.some(({ op }) => op === "ask")) return "question";
  if (quorum !== 1 || demands.length > 1 || demands.some(({ count }) => count !== 1)) return "approvers";
  if (signature !== undefined) return "passkey";
  if (classifyRisk(classifyAuthority(here, gate)) === "high") return "class";
  if (view.signals.some(({ risk }) => risk !== "low")) return "signals";

  return listChatLines(view) === null ? "unseen" : null;
};
