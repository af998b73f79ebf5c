/** Data flow: reads have writers, untrusted data and secrets stay contained. */
import { flowsIn } from "@/lib/graph/analyse";
import type { Confidential, Flow, Source } from "@/lib/graph/analyse/flows";
import { asksForLeak, describeAsksForFree, leaks } from "@/lib/graph/analyse/verdict";
import { describeSource } from "@/lib/graph/analyse/labels";
import { mapsItems } from "@/lib/graph/kind-of";
import { parsePath, type Path } from "@/lib/graph/path";
import { findReachable } from "@/lib/graph/topology";
import { findUngatedEffect } from "./effects";
import { getNodeName, overlaps, findWritersAt, type Facts } from "@/lib/graph/facts/facts";
import { isCappedBefore } from "./ceilings";
import { askFix, suggestIdleReadFix, suggestLaunchInputFix, suggestSoleReaderFix } from "./flow-fixes";
import { findNeverCleanProblems } from "./never-clean";
import { createProblem, type Problem } from "./problem";

type Told = Pick<Confidential, "confided" | "worded">;

const behindWriters = (facts: Facts, path: Path): Set<string> => {
  const written = findWritersAt(facts, path).flatMap((node) => facts.topology.successors.get(node.id) ?? []);
  // An input is available to its node.
  const given = facts.given.filter((one) => overlaps(one.path, path)).map((one) => one.node.id);
  const first = [...written, ...given];

  return findReachable(first, facts.topology.successors);
};

const neverWritten = (facts: Facts): Problem[] => {
  const known = new Map<string, Set<string>>();
  const canHold = (path: Path, node: string) => {
    const text = path.join(".");
    const behind = known.get(text) ?? behindWriters(facts, path);
    known.set(text, behind);

    return behind.has(node);
  };

  return facts.graph.nodes.flatMap((node) => {
    const grants = facts.access.get(node.id)?.reads ?? [];
    // A wildcard reads whatever exists.
    if (!facts.topology.reachable.has(node.id) || grants.includes("*")) return [];

    return grants
      .flatMap((grant) => [parsePath(grant) ?? []])
      .filter(([key = ""]) => facts.keys.has(key) && !facts.inputKeys.has(key))
      .filter((path) => !canHold(path, node.id) && !isCappedBefore(facts, node.id, path))
      .map((path) =>
        createProblem(
          "read_never_written",
          { node: node.id, key: path.join(".") },
          `No earlier step writes ${path.join(".")}, which ${node.id} reads.`,
          suggestLaunchInputFix(facts, path) ?? suggestIdleReadFix(facts, node, path),
        ),
      );
  });
};

const nameOf = (facts: Facts, id: string): string => {
  const node = facts.nodes.get(id);

  return node ? getNodeName(node) : id;
};

const sourceName = (facts: Facts, source: Source): string => describeSource(source, (id) => nameOf(facts, id));

/** No gate raises integrity. */
const toKey = (facts: Facts, flow: Flow, name: string): Problem[] => {
  const key = facts.keys.get(name);
  const place = { node: flow.sink.node, key: name };
  const from = sourceName(facts, flow.source);
  const who = nameOf(facts, flow.sink.node);
  if (key && key.min_integrity !== "untrusted") {
    return [
      createProblem("untrusted_to_key", place, `${name} requires ${key.min_integrity} values, but ${who} can write it from ${from}.`),
    ];
  }
  if (!key?.protected || flow.stopped) return [];

  return [
    createProblem(
      "untrusted_to_protected",
      place,
      `${who} can write the protected key ${name} from ${from} without an approval.`,
      askFix(facts, flow),
    ),
  ];
};

const toEffect = (facts: Facts, flow: Flow, told: Told): Problem[] => {
  const { sink } = flow;
  if (sink.kind !== "call") return [];
  const asked = describeAsksForFree(flow, told) || asksForLeak(facts, flow, told);
  if (!flow.stopped && flow.verdict === "held" && asked) {
    return [
      createProblem(
        "untrusted_outward",
        { node: sink.node, key: sink.tool },
        `In ${nameOf(facts, sink.node)}, ${sourceName(facts, flow.source)} can choose the text that ${sink.tool} sends outside. Each such call needs an approval.`,
      ),
    ];
  }
  if (flow.verdict !== "open") return [];
  const node = facts.nodes.get(sink.node);
  // A missing gate is already reported.
  if (!node || findUngatedEffect(facts, node) !== null) return [];
  const does = leaks(flow, told) ? "leak confidential data through" : "influence";

  return [
    createProblem(
      "untrusted_to_effect",
      { node: sink.node, key: sink.tool },
      `In ${nameOf(facts, sink.node)}, ${sourceName(facts, flow.source)} can ${does} ${sink.tool}, and at least one route has no approval.`,
      askFix(facts, flow),
    ),
  ];
};

const toDecision = (facts: Facts, flow: Flow): Problem[] => {
  if (flow.sink.kind !== "route") return [];
  const { node, edge } = flow.sink;
  const then = facts.graph.strict_taint ? "the run waits for a person here every time" : "later steps inherit its label";
  const chosen = mapsItems(facts.nodes.get(node))
    ? `The number of items in ${nameOf(facts, node)}`
    : `The route after ${nameOf(facts, node)}`;
  const what = edge === undefined ? chosen : `Edge ${edge}`;

  return [
    createProblem(
      "untrusted_decision",
      edge === undefined ? { node } : { edge },
      `${what} can depend on an untrusted value (${sourceName(facts, flow.source)}): ${then}.`,
    ),
  ];
};

const confidential = (facts: Facts, flow: Flow): Problem[] => {
  if (flow.kind !== "confidential" || flow.sink.kind !== "call") return [];

  return [
    createProblem(
      "secret_to_tool",
      { node: flow.sink.node, key: flow.source.type === "key" ? flow.source.key : flow.sink.tool },
      `${nameOf(facts, flow.sink.node)} can pass ${sourceName(facts, flow.source)} (${flow.level}) to ${flow.sink.tool}, which is not cleared for it.`,
      suggestSoleReaderFix(facts, flow),
    ),
  ];
};

const problemsOf = (facts: Facts, flow: Flow, told: Told): Problem[] => {
  if (flow.kind === "confidential") return confidential(facts, flow);

  return [
    ...(flow.sink.kind === "key" ? toKey(facts, flow, flow.sink.key) : []),
    ...toEffect(facts, flow, told),
    ...toDecision(facts, flow),
  ];
};

export const findFlowProblems = (facts: Facts): Problem[] => {
  const { flows, ...told } = flowsIn(facts);

  return [
    ...neverWritten(facts),
    ...flows.flatMap((flow) => problemsOf(facts, flow, told).map((found) => ({ ...found, witness: flow.witness }))),
    ...findNeverCleanProblems(facts),
  ];
};
