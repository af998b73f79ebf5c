/** F1 and F2. */
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { GraphNode } from "@/lib/graph/document";
import { getValueAt } from "@/lib/graph/path";
import { joinOf } from "@/bench/adversary/joins";
import { CLEAR, joined, pathsIn, UNTRUSTED, type Level } from "@/bench/adversary/taint";
import { levelOfTask, findNode, placeOf, type Blame, type Seen } from "./visibility";

type Entered = Extract<RunEvent, { type: "node_entered" }>;

const drawn = (seen: Seen, edge: string | null) => placeOf(seen).published.graph.edges.find(({ id }) => id === edge);

/** Includes all edges before it. */
const lookedAt = (seen: Seen, edge: string): string[] => {
  const { published, at } = placeOf(seen);
  const kind = drawn(seen, edge)?.kind;
  if (kind === "error" || kind === "timeout") return [];
  const outgoing = published.graph.edges.filter((other) => other.source === at && other.kind === "normal");
  const taken = outgoing.findIndex(({ id }) => id === edge);

  return outgoing.slice(0, taken < 0 ? undefined : taken + 1).flatMap(({ condition }) => pathsIn(condition ?? ""));
};

const resolved = (seen: Seen, record: LedgerRecord, reason: string) =>
  record.control.some(
    (event) => event.type === "gate_resolved" && event.outcome === "approved" && seen.gates.get(event.approval_id)?.gate.reason === reason,
  );

const isChooser = (node: GraphNode) => node.kind === "supervisor" || (node.kind === "agent" && node.config.swarm !== undefined);
const isOurs = (node: GraphNode) =>
  ["router", "transform", "approval", "subgraph"].includes(node.kind) || (node.kind === "wait" && node.config.until.type !== "event");
const hasFailed = (record: LedgerRecord) => record.control.some(({ type }) => type === "attempt_failed");

/** Without input it fails instead of being false. */
const canFail = (seen: Seen): boolean => {
  const { published, at, memory } = placeOf(seen);
  const outgoing = published.graph.edges.filter(({ source, kind }) => source === at && kind === "normal");

  return outgoing.some(({ condition = "" }) => pathsIn(condition).some((path) => getValueAt(memory, path.split(".")) === undefined));
};

/** Undefined: the edges decide. */
const chosenWay = (seen: Seen, from: GraphNode): string | undefined => {
  const { chosen, handoff } = placeOf(seen);

  return from.kind === "supervisor" ? (chosen ?? undefined) : (handoff ?? undefined);
};

const declinedWay = (from: GraphNode, { control }: LedgerRecord): string | undefined => {
  const outcome = control.find((event) => event.type === "gate_resolved")?.outcome;
  if (from.kind !== "approval" || outcome === undefined) return undefined;
  if (outcome === "changes_requested") return from.config.changes_node;

  const { rejection_node: rejected, expiry_node: expired } = from.config;
  if (outcome === "expired") return expired ?? rejected;

  return outcome === "rejected" ? rejected : undefined;
};

const checkWay = (seen: Seen, record: LedgerRecord, event: Entered, from: GraphNode, blame: Blame): void => {
  const edge = drawn(seen, event.edge);
  const { at, activation } = placeOf(seen);
  if (edge && (edge.source !== at || edge.target !== event.node)) blame("F1", `went from ${at} to ${event.node} along another's edge`);
  if (event.edge !== null && !edge) blame("F1", `went along ${event.edge}, which is not in the graph`);
  if (edge?.kind === "error" || edge?.kind === "timeout") {
    if (!hasFailed(record) && !resolved(seen, record, "tainted_route") && !canFail(seen))
      blame("F1", `${at} went the way of a failure without one`);

    return;
  }
  const way = chosenWay(seen, from);
  if (event.edge === null && declinedWay(from, record) === event.node) return;
  if (event.edge === null && zoneWay(from, record) === event.node) return;
  if (way !== undefined && way !== event.node) blame("F1", `${at} chose ${way} and the run went to ${event.node}`);
  if (way === undefined && event.edge === null) blame("F1", `went from ${at} to ${event.node} without an edge`);
  if (way === undefined && from.kind === "supervisor" && from.config.managed_nodes.includes(event.node))
    blame("F1", `${event.node} was entered and not chosen`);
  const passed = [...seen.gates.values()].some(
    ({ gate, status, visit }) => gate.node === from.id && visit === activation && gate.reason === "approval_node" && status === "approved",
  );
  if (from.kind === "approval" && !passed) blame("F1", "went past a gate without an approval");
  if (from.kind === "tool" && !seen.answered.has(activation)) blame("F1", "went past a tool that was not called");
};

const wayLevel = (seen: Seen, record: LedgerRecord, event: Entered, from: GraphNode): Level => {
  if (hasFailed(record)) return joined(levelOfTask(seen, from), isOurs(from) ? CLEAR : UNTRUSTED);
  const chooser = isChooser(from) ? levelOfTask(seen, from) : CLEAR;

  return joined(chooser, event.edge === null ? CLEAR : seen.taint.at(lookedAt(seen, event.edge)));
};

const zoneWay = (from: GraphNode, { control }: LedgerRecord): string | undefined => {
  const failed = control.some((event) => event.type === "case_closed" && event.outcome !== "passed");
  const rejected = control.some((event) => event.type === "judged" && event.outcome === "rejected");
  const expired = control.some((event) => event.type === "case_closed" && event.outcome === "expired");
  if (from.kind === "review" && failed) return (expired ? from.config.expiry_node : undefined) ?? from.config.rework?.node;

  return from.kind === "judge" && rejected ? from.config.rejection_node : undefined;
};

export const checkEntered = (seen: Seen, record: LedgerRecord, event: Entered, blame: Blame): void => {
  const place = placeOf(seen);
  const from = findNode(seen, place.at);
  if (!findNode(seen, event.node)) blame("F1", `went to ${event.node}, which is not here`);
  if (!from) {
    if (event.node !== place.published.graph.start_node || event.edge !== null) blame("F1", "started somewhere else");
  } else {
    const level = wayLevel(seen, record, event, from);
    checkWay(seen, record, event, from, blame);
    const declined = record.control.some((other) => other.type === "gate_resolved" && other.outcome !== "approved");
    const open = hasFailed(record) || declined || resolved(seen, record, "tainted_route");
    if (place.strict && level.distrust === 2 && !open) blame("F2", `an untrusted value chose the way from ${from.id} to ${event.node}`);
    seen.taint.entered(event.node, joinOf(place.published.graph, from.id), level);
  }
  Object.assign(place, { at: event.node, activation: event.activation, chosen: undefined, handoff: null, attempts: 0 });
};

/** Checks that completed runs and subgraphs ended after their work. */
export const checkEnd = (seen: Seen, blame: Blame): void => {
  const { published, at, activation } = placeOf(seen);
  if (!published.graph.end_nodes.includes(at ?? "")) blame("F1", `ended at ${at}`);
  if (findNode(seen, at)?.kind === "tool" && !seen.answered.has(activation)) blame("F1", "ended at a tool that was not called");
};

export const checkChose = (seen: Seen, event: Extract<RunEvent, { type: "supervisor_chose" }>, key: string, blame: Blame): void => {
  const node = findNode(seen, placeOf(seen).at);
  const made = (seen.choices.get(key) ?? 0) + 1;
  seen.choices.set(key, made);
  placeOf(seen).chosen = event.to;
  if (node?.kind !== "supervisor" || node.id !== event.node) blame("F1", `${event.node} chose, which may not`);
  else if (event.to !== null && !node.config.managed_nodes.includes(event.to)) blame("F1", `${event.to} is not managed`);
  else if (made > node.config.max_iterations) blame("B1", "a supervisor chose more often than it may");
};

export const checkHandOff = (seen: Seen, event: Extract<RunEvent, { type: "handed_off" }>, blame: Blame): void => {
  const place = placeOf(seen);
  const node = findNode(seen, place.at);
  seen.handoffs += 1;
  if (place.handoff !== null) blame("F1", "handed off twice");
  place.handoff = event.to;
  const swarm = node?.kind === "agent" && node.id === event.node ? node.config.swarm : undefined;
  if (!swarm?.peers.includes(event.to)) blame("F1", `${event.node} handed off to ${event.to}, which is no peer`);
  else if (seen.handoffs > swarm.max_handoffs) blame("B1", "handed off more often than allowed");
};
