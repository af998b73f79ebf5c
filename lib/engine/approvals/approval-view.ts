/** Reviewer's view of an approval, named in decisions by digest. */
import { describeRule } from "@/lib/approval-rules/text";
import type { PublishedGraph } from "@/lib/graph/document";
import { joinLabels, type Classification, type Label } from "@/lib/graph/label";
import { parsePath, getValueAt } from "@/lib/graph/path";
import { digestOf, type HexDigest } from "@/lib/hash";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { getSchemaAt, shorten, type Texts } from "@/lib/engine/approvals/argument-format";
import type { Origin } from "@/lib/engine/approvals/argument-origins";
import { describeAuthority } from "@/lib/engine/approvals/authority-class";
import { findCall, listArgumentLines, summarizeCall } from "@/lib/engine/approvals/call-lines";
import { getHistoryPath, historySchema } from "@/lib/engine/approvals/history";
import { findQuestion, getQuestionPath } from "@/lib/engine/approvals/pending-question";
import { listBinding } from "@/lib/engine/approvals/rules";
import { listSignals, type Signal } from "@/lib/engine/approvals/signals";
import { buildLine } from "@/lib/engine/approvals/view-line";
import { getPublishedHere } from "@/lib/engine/frame";
import { getLineName, listControlKinds } from "@/lib/engine/labels/control-position";
import { describeLimit, LIMIT_NAMES, parseRaise } from "@/lib/engine/approvals/raised-limit";
import { NOTHING_SEALED, findWithheld, type Reader, type Sealed } from "@/lib/engine/labels/reading";
import type { Demand } from "@/lib/people/approvers";
import { findAside, findCellsAt, isSimulated, getKnownValue, toMemory, type GateState, type RunState } from "@/lib/engine/state";

/** `why`: under open review; absent: above clearance. `texts`: parts as formatted. */
export type ShownValue =
  | { readonly hidden: true; readonly why?: "review" }
  | { readonly hidden: false; readonly value: Json; readonly texts?: Texts };

/** `op`: `call` an argument, `set` a change, `show` a value, `ask` a tool's question. */
export type ViewLine = {
  readonly path: string;
  readonly op: "call" | "set" | "show" | "ask";
  /** Null: nothing known. */
  readonly before: ShownValue | null;
  readonly after: ShownValue | null;
  readonly changed: boolean;
  readonly integrity: Label["integrity"];
  readonly confidentiality: Classification;
  readonly provenance: readonly string[];
};

export type ApprovalView = {
  readonly v: 1;
  readonly approval_id: string;
  readonly transition_digest: HexDigest;
  readonly graph_hash: HexDigest;
  readonly policy_hash: HexDigest;
  readonly node: string;
  readonly reason: string;
  readonly prompt: string;
  /** Names tool and arguments; null without a call. */
  readonly summary: string | null;
  readonly signals: readonly Signal[];
  readonly effect: string;
  readonly authority: string;
  readonly lines: readonly ViewLine[];
  readonly expires_at: number;
  /** Beyond one approval by the role; absent: nothing. */
  readonly needs?: {
    readonly quorum: number;
    readonly demands: readonly Demand[];
    readonly rules: readonly string[];
  };
};

const memorySchema = ({ graph }: PublishedGraph, path: string): JsonObject => {
  const [key, ...place] = parsePath(path) ?? [];

  return getSchemaAt(graph.memory.find((declared) => declared.key === key)?.schema, place);
};

const updateLines = (
  published: PublishedGraph,
  state: RunState,
  pending: Json | undefined,
  { label, from }: Origin,
  reader: Reader,
): ViewLine[] => {
  const updates = isJsonObject(pending) ? pending["updates"] : undefined;
  if (!Array.isArray(updates)) return [];
  const memory = toMemory(state.cells);

  return updates.flatMap((update: Json) => {
    if (!isJsonObject(update) || typeof update["path"] !== "string") return [];
    const there = findCellsAt(state.cells, update["path"]);
    const origin = { label: joinLabels([label, ...there.map((cell) => cell.label)]), from: [...from, ...there] };

    const before = getValueAt(memory, parsePath(update["path"]) ?? []);

    return [buildLine(update["path"], "set", origin, reader, before, update["value"], memorySchema(published, update["path"]))];
  });
};

const reviewLines = (published: PublishedGraph, state: RunState, gate: GateState["gate"], reader: Reader): ViewLine[] => {
  const memory = toMemory(state.cells);

  return gate.review_keys.map((path) => {
    const from = findCellsAt(state.cells, path);
    const value = getValueAt(memory, parsePath(path) ?? []);

    const origin = { label: joinLabels(from.map((cell) => cell.label)), from };

    return buildLine(path, "show", origin, reader, value, value, memorySchema(published, path));
  });
};

const askLines = (state: RunState, gate: GateState["gate"], reader: Reader): ViewLine[] => {
  const cell = findAside(state, getQuestionPath(gate.id)).at(-1);
  const asked = findQuestion(state, gate.id);
  if (!cell || !asked) return [];

  return asked.requests.map(({ question }, index) =>
    buildLine(`question ${index + 1}`, "ask", { label: cell.label, from: [cell] }, reader, undefined, question as unknown as Json),
  );
};

const limitLines = (gate: GateState["gate"], pending: Json | undefined, origin: Origin, reader: Reader): ViewLine[] => {
  const raise = gate.reason === "budget" ? parseRaise(pending) : null;
  if (!raise) return [];
  const { measure, from, to } = raise;

  return [buildLine(LIMIT_NAMES[measure], "set", origin, reader, describeLimit(measure, from), describeLimit(measure, to))];
};

const effectSentence = (gate: GateState["gate"]): string => {
  const effect = gate.transition.effect;
  if (effect && gate.reason === "tool_input") {
    return `Continues the call to ${effect.tool} on ${effect.server} with the arguments below and your answer.`;
  }
  if (effect) return `Calls ${effect.tool} on ${effect.server} once, with exactly the arguments below.`;
  if (gate.reason === "budget") return "Raises the limit below. The run continues and may spend up to it.";
  if (gate.reason === "protected_key") return `Changes protected memory in node ${gate.transition.node}.`;

  return `Lets the run continue from node ${gate.node}.`;
};

const UNCHANGED = "No authority change.";

/** The class alone does not know the arguments. */
const authoritySentence = (published: PublishedGraph, gate: GateState["gate"], lines: readonly ViewLine[]): string => {
  const sentence = describeAuthority(published, gate);
  const names = lines.flatMap((line) => (listControlKinds(line).includes("authority") ? [shorten(getLineName(line))] : []));
  if (names.length === 0 || !sentence.startsWith(UNCHANGED)) return sentence;

  return `May change permissions: ${[...new Set(names)].join(", ")}.${sentence.slice(UNCHANGED.length)}`;
};

const NO_CALL = { schema: {}, subjects: [] };

const findHistory = (state: RunState, gate: GateState["gate"], reader: Reader) => {
  const cell = findAside(state, getHistoryPath(gate.id)).at(-1);
  const history = historySchema.safeParse(getKnownValue(cell)).data ?? null;

  return { history, isReadable: cell !== undefined && findWithheld(reader, { label: cell.label, from: [cell] }) === null };
};

const needsOf = (state: RunState, gate: GateState["gate"]): Pick<ApprovalView, "needs"> => {
  const { quorum, demands = [], rules } = gate;
  if (demands.length === 0 && !rules) return {};

  return { needs: { quorum, demands, rules: listBinding(state, gate).map((rule) => describeRule(rule)) } };
};

/**
 * Builds a gate's view for one reader.
 * @param root top-level graph
 * @param sealed hidden by open cases; part of the digest
 */
export const buildApprovalView = (
  root: PublishedGraph,
  state: RunState,
  gateState: GateState,
  clearance: Classification,
  sealed: Sealed = NOTHING_SEALED,
): ApprovalView => {
  const { gate } = gateState;
  const published = getPublishedHere(root, state);
  const pendingCell = findAside(state, `$pending.${gate.id}`).at(-1);
  const pending = getKnownValue(pendingCell);
  const origin = { label: pendingCell?.label ?? joinLabels([]), from: pendingCell ? [pendingCell] : [] };
  const reader = { clearance, sealed };
  const call = findCall(published, state, gateState, pending);
  const sent = call ? listArgumentLines(published, state, gate, call, origin, reader) : [];
  const lines = [
    ...sent,
    ...askLines(state, gate, reader),
    ...limitLines(gate, pending, origin, reader),
    ...updateLines(published, state, pending, origin, reader),
    ...reviewLines(published, state, gate, reader),
  ];

  return {
    v: 1,
    approval_id: gate.id,
    transition_digest: gate.transition_digest,
    graph_hash: gate.transition.graph_hash,
    policy_hash: gate.transition.policy_hash,
    node: gate.node,
    reason: gate.reason,
    prompt: gate.prompt,
    summary: summarizeCall(gate, call, sent, isSimulated(state)),
    signals: listSignals(state, { ...(call ?? NO_CALL), ...findHistory(state, gate, reader) }, lines),
    effect: isSimulated(state) ? "Simulated: no tool is called, whatever you decide." : effectSentence(gate),
    authority: authoritySentence(published, gate, lines),
    lines,
    expires_at: gate.expires_at,
    ...needsOf(state, gate),
  };
};

export const computeViewDigest = (view: ApprovalView): HexDigest => digestOf("view", view);
