/** Reviewer's view of an approval; decisions name its digest. */
import type { PinnedTool, PublishedGraph } from "@/lib/graph/document";
import type { Classification, Label } from "@/lib/graph/label";
import { parsePath, getValueAt } from "@/lib/graph/path";
import { digestOf, type HexDigest } from "@/lib/hash";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { findQuestion, getQuestionPath } from "@/lib/engine/approvals/pending-question";
import { describeAuthority, findGatedTool } from "@/lib/engine/approvals/authority-class";
import { getPublishedHere } from "@/lib/engine/frame";
import { findArgumentOrigin, type Origin } from "@/lib/engine/approvals/argument-origins";
import { describeCall } from "@/lib/engine/approvals/argument-text";
import { listSubjects, type Subject } from "@/lib/engine/approvals/looked-up";
import { listSignals, type Signal } from "@/lib/engine/approvals/signals";
import { NOTHING_SEALED, findWithheld, type Reader, type Sealed, type Withheld } from "@/lib/engine/labels/reading";
import { findAside, findCellsAt, isSimulated, getKnownValue, toMemory, type GateState, type RunState } from "@/lib/engine/state";
import { joinLabels } from "@/lib/graph/label";

/** `why`: under open review; absent: above clearance. */
type Shown = { readonly hidden: true; readonly why?: "review" } | { readonly hidden: false; readonly value: Json };

/** `op`: `call` an argument to send, `set` a change, `show` a value, `ask` a tool's question. */
export type ViewLine = {
  readonly path: string;
  readonly op: "call" | "set" | "show" | "ask";
  readonly before: Shown | null;
  readonly after: Shown | null;
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
  /** One sentence that names tool and arguments; null without a call. */
  readonly summary: string | null;
  readonly signals: readonly Signal[];
  readonly effect: string;
  readonly authority: string;
  readonly lines: readonly ViewLine[];
  readonly expires_at: number;
};

const shown = (value: Json | undefined, withheld: Withheld | null): Shown | null => {
  if (value === undefined) return null;
  if (withheld === null) return { hidden: false, value };

  return withheld === "review" ? { hidden: true, why: "review" } : { hidden: true };
};

const line = (
  path: string,
  op: ViewLine["op"],
  { label, from }: Origin,
  reader: Reader,
  before: Json | undefined,
  after: Json | undefined,
): ViewLine => {
  const withheld = findWithheld(reader, { label, from });

  return {
    path,
    op,
    before: shown(before, withheld),
    after: shown(after, withheld),
    // Hides changes of hidden values, which proposers could otherwise guess.
    changed: (op === "call" || op === "set") && (withheld !== null || JSON.stringify(before) !== JSON.stringify(after)),
    integrity: label.integrity,
    confidentiality: label.confidentiality,
    provenance: [...label.provenance],
  };
};

/** Value of the same name in the record that the call is about, or the looked-up identity that differs. */
const beforeOf = (subjects: readonly Subject[], name: string, reader: Reader): Shown | null => {
  const subject = subjects.find((one) => one.matches || one.name === name);
  const value = subject && ownMember(subject.found.record, name);

  return subject ? shown(value, findWithheld(reader, { label: subject.found.cell.label, from: [subject.found.cell] })) : null;
};

type Call = { readonly tool: PinnedTool | undefined; readonly args: JsonObject; readonly subjects: readonly Subject[] };

const findCall = (published: PublishedGraph, state: RunState, gate: GateState["gate"], pending: Json | undefined): Call | null => {
  const args = ownMember(pending, "arguments");
  if (!gate.transition.effect || !isJsonObject(args)) return null;

  return { tool: findGatedTool(published, gate), args, subjects: listSubjects(state, args) };
};

const argumentLines = (
  published: PublishedGraph,
  state: RunState,
  gate: GateState["gate"],
  { tool, args, subjects }: Call,
  proposal: Origin,
  reader: Reader,
): ViewLine[] => {
  const { effect } = gate.transition;
  const declared = ownMember(tool?.input_schema, "properties");

  return Object.entries(args).map(([name, value], index) => {
    const origin = findArgumentOrigin(published, state, gate, proposal, [name, value]);
    // Undeclared names are the model's text, so hide them with the value.
    const isNamed = findWithheld(reader, origin) === null || ownMember(declared, name) !== undefined;
    const path = `${effect?.server}.${effect?.tool}.${isNamed ? name : `argument ${index + 1}`}`;

    return { ...line(path, "call", origin, reader, undefined, value), before: isNamed ? beforeOf(subjects, name, reader) : null };
  });
};

const summarize = (gate: GateState["gate"], call: Call | null, lines: readonly ViewLine[], simulated: boolean): string | null => {
  const { effect } = gate.transition;
  if (!call || !effect) return null;
  const named = lines.map(
    ({ path, after }) =>
      [path.slice(`${effect.server}.${effect.tool}.`.length), after?.hidden === false ? after.value : undefined] as const,
  );

  return (simulated ? "Simulated: " : "") + describeCall(effect.tool, call.tool?.input_schema ?? {}, named);
};

const updateLines = (state: RunState, pending: Json | undefined, { label, from }: Origin, reader: Reader): ViewLine[] => {
  const updates = isJsonObject(pending) ? pending["updates"] : undefined;
  if (!Array.isArray(updates)) return [];
  const memory = toMemory(state.cells);

  return updates.flatMap((update: Json) => {
    if (!isJsonObject(update) || typeof update["path"] !== "string") return [];
    const there = findCellsAt(state.cells, update["path"]);
    const origin = { label: joinLabels([label, ...there.map((cell) => cell.label)]), from: [...from, ...there] };

    return [line(update["path"], "set", origin, reader, getValueAt(memory, parsePath(update["path"]) ?? []), update["value"])];
  });
};

const reviewLines = (state: RunState, gate: GateState["gate"], reader: Reader): ViewLine[] => {
  const memory = toMemory(state.cells);

  return gate.review_keys.map((path) => {
    const from = findCellsAt(state.cells, path);
    const value = getValueAt(memory, parsePath(path) ?? []);

    return line(path, "show", { label: joinLabels(from.map((cell) => cell.label)), from }, reader, value, value);
  });
};

const askLines = (state: RunState, gate: GateState["gate"], reader: Reader): ViewLine[] => {
  const cell = findAside(state, getQuestionPath(gate.id)).at(-1);
  const asked = findQuestion(state, gate.id);
  if (!cell || !asked) return [];

  return asked.requests.map(({ question }, index) =>
    line(`question ${index + 1}`, "ask", { label: cell.label, from: [cell] }, reader, undefined, question as unknown as Json),
  );
};

const effectSentence = (gate: GateState["gate"]): string => {
  const effect = gate.transition.effect;
  if (effect && gate.reason === "tool_input") {
    return `Continues the call to ${effect.tool} on ${effect.server} with the arguments below and your answer.`;
  }
  if (effect) return `Calls ${effect.tool} on ${effect.server} once, with exactly the arguments below.`;
  if (gate.reason === "protected_key") return `Changes protected memory in node ${gate.transition.node}.`;

  return `Lets the run continue from node ${gate.node}.`;
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
  const call = findCall(published, state, gate, pending);
  const sent = call ? argumentLines(published, state, gate, call, origin, reader) : [];
  const lines = [
    ...sent,
    ...askLines(state, gate, reader),
    ...updateLines(state, pending, origin, reader),
    ...reviewLines(state, gate, reader),
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
    summary: summarize(gate, call, sent, isSimulated(state)),
    signals: listSignals(state, call?.subjects ?? [], lines),
    effect: isSimulated(state) ? "Simulated: no tool is called, whatever you decide." : effectSentence(gate),
    authority: describeAuthority(published, gate),
    lines,
    expires_at: gate.expires_at,
  };
};

export const computeViewDigest = (view: ApprovalView): HexDigest => digestOf("view", view);
