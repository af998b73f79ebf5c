/** What a reviewer is shown, as data: the server and the browser hash the same view, and a decision names its digest. */
import type { PublishedGraph } from "@/lib/graph/document";
import type { Classification, Label } from "@/lib/graph/label";
import { parsePath, valueAt } from "@/lib/graph/path";
import { digestOf, type HexDigest } from "@/lib/hash";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import { askedOf, askedPath } from "@/lib/engine/approvals/asked-input";
import { authorityLine, gatedTool } from "@/lib/engine/approvals/authority-class";
import { publishedHere } from "@/lib/engine/frame";
import { NOTHING_SEALED, withheldFrom, type CellPlace, type Reader, type Sealed, type Withheld } from "@/lib/engine/labels/reading";
import { asideAt, cellsAt, isSimulated, knownValue, memoryOf, type GateState, type RunState } from "@/lib/engine/state";
import { joinLabels } from "@/lib/graph/label";

/** `why`: a review case about it is open; absent: its class is above the reader's clearance. */
type Shown = { readonly hidden: true; readonly why?: "review" } | { readonly hidden: false; readonly value: Json };

/**
 * `op`: what happens to the path: `call` an argument that is sent out, `set` memory that changes, `show` what stands now,
 * `ask` a question of a tool, in its server's words.
 */
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
  /** One sentence: what happens if this is approved. */
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

/** What a line is made of: its label, and the cells that it shows something of. */
type Origin = { readonly label: Label; readonly from: readonly CellPlace[] };

const line = (
  path: string,
  op: ViewLine["op"],
  { label, from }: Origin,
  reader: Reader,
  before: Json | undefined,
  after: Json | undefined,
): ViewLine => {
  const withheld = withheldFrom(reader, { label, from });

  return {
    path,
    op,
    before: shown(before, withheld),
    after: shown(after, withheld),
    // Of what is hidden nobody is told whether it is the same: whoever proposes could guess until it is.
    changed: (op === "call" || op === "set") && (withheld !== null || JSON.stringify(before) !== JSON.stringify(after)),
    integrity: label.integrity,
    confidentiality: label.confidentiality,
    provenance: [...label.provenance],
  };
};

const argumentLines = (
  published: PublishedGraph,
  gate: GateState["gate"],
  pending: Json | undefined,
  origin: Origin,
  reader: Reader,
): ViewLine[] => {
  const effect = gate.transition.effect;
  if (!effect || !isJsonObject(pending) || !isJsonObject(pending["arguments"])) return [];
  const declared = ownMember(gatedTool(published, gate)?.input_schema, "properties");
  // A name that no schema declares is whatever the model wrote, so it is hidden with the value.
  const nameOf = (name: string, index: number) =>
    withheldFrom(reader, origin) === null || ownMember(declared, name) !== undefined ? name : `argument ${index + 1}`;

  return Object.entries(pending["arguments"]).map(([name, value], index) =>
    line(`${effect.server}.${effect.tool}.${nameOf(name, index)}`, "call", origin, reader, undefined, value),
  );
};

const updateLines = (state: RunState, pending: Json | undefined, { label, from }: Origin, reader: Reader): ViewLine[] => {
  const updates = isJsonObject(pending) ? pending["updates"] : undefined;
  if (!Array.isArray(updates)) return [];
  const memory = memoryOf(state.cells);

  return updates.flatMap((update: Json) => {
    if (!isJsonObject(update) || typeof update["path"] !== "string") return [];
    const there = cellsAt(state.cells, update["path"]);
    const origin = { label: joinLabels([label, ...there.map((cell) => cell.label)]), from: [...from, ...there] };

    return [line(update["path"], "set", origin, reader, valueAt(memory, parsePath(update["path"]) ?? []), update["value"])];
  });
};

const reviewLines = (state: RunState, gate: GateState["gate"], reader: Reader): ViewLine[] => {
  const memory = memoryOf(state.cells);

  return gate.review_keys.map((path) => {
    const from = cellsAt(state.cells, path);
    const value = valueAt(memory, parsePath(path) ?? []);

    return line(path, "show", { label: joinLabels(from.map((cell) => cell.label)), from }, reader, value, value);
  });
};

/** What a tool asks a person for: untrusted, as everything that it says. */
const askLines = (state: RunState, gate: GateState["gate"], reader: Reader): ViewLine[] => {
  const cell = asideAt(state, askedPath(gate.id)).at(-1);
  const asked = askedOf(state, gate.id);
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
 * The redacted view of one gate for someone with this clearance. Both sides compute it from the same state.
 * @param root what the run executes as a whole
 * @param sealed what open review cases keep from this reader: nobody can decide by a view without it, whose digest is another one
 */
export const approvalView = (
  root: PublishedGraph,
  state: RunState,
  gateState: GateState,
  clearance: Classification,
  sealed: Sealed = NOTHING_SEALED,
): ApprovalView => {
  const { gate } = gateState;
  const published = publishedHere(root, state);
  const pendingCell = asideAt(state, `$pending.${gate.id}`).at(-1);
  const pending = knownValue(pendingCell);
  const origin = { label: pendingCell?.label ?? joinLabels([]), from: pendingCell ? [pendingCell] : [] };
  const reader = { clearance, sealed };

  return {
    v: 1,
    approval_id: gate.id,
    transition_digest: gate.transition_digest,
    graph_hash: gate.transition.graph_hash,
    policy_hash: gate.transition.policy_hash,
    node: gate.node,
    reason: gate.reason,
    prompt: gate.prompt,
    effect: isSimulated(state) ? "Simulated: no tool is called, whatever you decide." : effectSentence(gate),
    authority: authorityLine(published, gate),
    lines: [
      ...argumentLines(published, gate, pending, origin, reader),
      ...askLines(state, gate, reader),
      ...updateLines(state, pending, origin, reader),
      ...reviewLines(state, gate, reader),
    ],
    expires_at: gate.expires_at,
  };
};

export const viewDigest = (view: ApprovalView): HexDigest => digestOf("view", view);
