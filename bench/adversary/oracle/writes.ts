/** W1, I1 and T1. */
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { GraphNode } from "@/lib/graph/document";
import { CLASSIFICATIONS, type Label } from "@/lib/graph/label";
import { getValueAt } from "@/lib/graph/path";
import { effectiveReads, effectiveWrites } from "@/bench/adversary/grants";
import { VALID } from "@/bench/adversary/scenarios/outsider-view";
import { CLEAR, isAdmitted, isCovered, joined, type Level } from "@/bench/adversary/taint";
import { toCanonicalJson, FORBIDDEN_KEYS, isJsonObject, type Json } from "@/lib/json";
import { levelOfTask, findNode, placeOf, type Blame, type Place, type Seen } from "./visibility";

const depthOf = (value: Json): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map((item: Json) => depthOf(item))) : 0;

const hasForbidden = (value: Json): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(([key, item]: [string, Json]) => (FORBIDDEN_KEYS as readonly string[]).includes(key) || hasForbidden(item));

export type Written = { readonly path: string; readonly value: Json; readonly label: Label };

/** Values that cross a subgraph border. */
export type Crossing = {
  readonly node: GraphNode | undefined;
  readonly way: "in" | "out";
  readonly from: Place;
  readonly levels: Map<string, Level>;
};

const approvedHere = (seen: Seen, record: LedgerRecord) => {
  const resolved = record.control.find((event) => event.type === "gate_resolved" && event.outcome === "approved" && event.receipt !== null);

  return resolved?.type === "gate_resolved" ? seen.gates.get(resolved.approval_id) : undefined;
};

const wasShown = (pending: Json, path: string, value: Json) => {
  const updates = isJsonObject(pending) ? pending["updates"] : undefined;

  return Array.isArray(updates) && updates.some((update: Json) => toCanonicalJson(update) === toCanonicalJson({ path, value }));
};

const checkAuthority = (seen: Seen, record: LedgerRecord, { path, value }: Written, isProtected: boolean, blame: Blame): void => {
  const writer = record.principal.type === "executor" ? record.principal.node : placeOf(seen).at;
  const gate = approvedHere(seen, record);
  const { published } = placeOf(seen);
  const node = findNode(seen, gate?.gate.transition.node ?? writer ?? null);
  const waits = isProtected || (node !== undefined && node.approval !== "by_rule" && node.kind !== "tool");
  if (!node) blame("W1", `no node wrote ${path}`);
  else if (!isCovered(effectiveWrites(published, node), path)) blame("W1", `${node.id} wrote ${path} without a grant`);
  if (waits && (gate?.gate.reason !== "protected_key" || !wasShown(gate.pending, path, value)))
    blame("I1", `${path} changed without a yes to it`);
};

const checkCrossing = ({ node, way, from }: Crossing, { path, value }: Written, seen: Seen, blame: Blame): void => {
  if (node?.kind !== "subgraph") return blame("W1", `${path} came across no border`);
  const origin = (way === "in" ? node.config.inputs : node.config.outputs)[path];
  if (origin === undefined) return blame("W1", `${path} crossed a border and was not declared`);
  if (toCanonicalJson(getValueAt(from.memory, origin.split(".")) ?? null) !== toCanonicalJson(value))
    blame("W1", `${path} changed at a border`);
  if (way === "in" && !isCovered(effectiveReads(from.published, node), origin)) blame("C1", `${node.id} took ${origin} without a grant`);
  if (way === "out" && !isCovered(effectiveWrites(placeOf(seen).published, node), path))
    blame("W1", `${node.id} wrote ${path} without a grant`);

  return undefined;
};

const levelOf = (seen: Seen, record: LedgerRecord, written: Written, crossing: Crossing | null): Level => {
  const gate = approvedHere(seen, record);
  if (record.proposal_kind === "start") return CLEAR;
  if (crossing) return crossing.levels.get(written.path) ?? CLEAR;
  // Promoted copies count as reviewed.
  const raised = record.control.find((event) => event.type === "promoted" && event.to === written.path);
  if (raised?.type === "promoted") return { distrust: 1, secrecy: seen.taint.at([raised.from]).secrecy };
  if (gate) return gate.level;
  const node = findNode(seen, placeOf(seen).at);

  return node ? levelOfTask(seen, node) : CLEAR;
};

export const checkWrite = (seen: Seen, record: LedgerRecord, written: Written, crossing: Crossing | null, blame: Blame): void => {
  const { path, value, label } = written;
  const [name = ""] = path.split(".");
  const { published, memory } = placeOf(seen);
  const key = published.graph.memory.find((declared) => declared.key === name);
  const whole = isJsonObject(memory) ? (memory[name] ?? null) : null;
  if (!key || !VALID[name]?.(whole)) blame("W1", `${path} is not declared, or not valid`);
  if (key && (toCanonicalJson(whole).length > key.max_bytes || depthOf(whole) > key.max_depth)) blame("W1", `${path} is out of bounds`);
  if (hasForbidden(value)) blame("W1", `${path} has a forbidden member`);
  if (crossing) checkCrossing(crossing, written, seen, blame);
  else if (record.proposal_kind !== "start") checkAuthority(seen, record, written, key?.protected === true, blame);
  if (crossing && key?.protected) blame("I1", `${path} changed without a yes to it`);
  const secrecy = CLASSIFICATIONS.indexOf(key?.classification ?? "public");
  const level = joined(levelOf(seen, record, written, crossing), { distrust: 0, secrecy });
  const least = key?.min_integrity === "trusted" ? 0 : key?.min_integrity === "reviewed" ? 1 : 2;
  if (level.distrust > least) blame("T1", `${path} took a value that is not trusted enough`);
  if (!isAdmitted(label, level)) blame("T1", `the label of ${path} hides what shaped it`);
  seen.taint.wrote(path, level);
};

const ASIDE_OF_TASK = /^\$(?:thread|reasoning|compacted)\.[0-9]+\.[0-9]+(?:\.(.+))?$/;

/** Checks labels of conversations, arguments and answers. */
export const checkAside = (seen: Seen, { path, label }: Omit<Written, "value">, blame: Blame): void => {
  const node = findNode(seen, placeOf(seen).at);
  const thread = ASIDE_OF_TASK.exec(path);
  const level = thread && node ? levelOfTask(seen, node, thread[1] ?? "") : undefined;
  if (level && !isAdmitted(label, level)) blame("T1", "the label of a conversation hides what shaped it");
  if (node && path.startsWith("$fact.") && !isAdmitted(label, levelOfTask(seen, node)))
    blame("T1", "the label of a fact hides what shaped it");
  if (!path.startsWith("$result.")) return;
  const effect = seen.effects.get(path.slice("$result.".length));
  const asked = placeOf(seen).published.graph.nodes.find(({ id }) => id === effect?.node);
  const keys = asked?.kind === "tool" && effect?.undoes === null ? asked.write_keys.map((key) => key.split(".")[0]) : [];
  const classes = placeOf(seen)
    .published.graph.memory.filter(({ key }) => keys.includes(key))
    .map(({ classification }) => CLASSIFICATIONS.indexOf(classification));
  const answered = joined(effect?.level ?? CLEAR, { distrust: 2, secrecy: Math.max(0, ...classes) });
  if (!isAdmitted(label, answered)) blame("T1", "the label of an answer hides what it is");
};
