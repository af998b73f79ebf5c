import type { Flow } from "@/lib/graph/analyse/flows";
import type { GraphNode } from "@/lib/graph/document";
import type { EditOperation } from "@/lib/graph/edit";
import { callsTool, getKind, hearsProgram, isIdle, mapsItems, runsGraph } from "@/lib/graph/kind-of";
import { parsePath, type Path } from "@/lib/graph/path";
import { isJsonObject } from "@/lib/json";
import { listExpressionKeys } from "@/lib/graph/facts/access";
import { listSubgraphTools } from "@/lib/graph/facts/children";
import { findWritersAt, getNodeName, overlaps, listTools, touches, type Facts } from "@/lib/graph/facts/facts";
import { createAlwaysAskFix, insertGateFix } from "./gate-fix";
import type { Fix } from "./problem";

/** Gates before the node do not stop its own data. */
const bringsItsOwn = (facts: Facts, node: GraphNode): boolean => {
  const worker = mapsItems(node) ? facts.nodes.get(node.config.worker_node) : undefined;
  const recalls = getKind(node).facts(node.config).recalled !== undefined;
  const given = facts.given.some((one) => one.node.id === node.id);
  const calls = callsTool(node) || listTools(facts, node).length > 0 || listSubgraphTools(facts, node).length > 0;

  // Edges to a worker bypass its map's gates.
  const isOnWay = (facts.topology.predecessors.get(worker?.id ?? "") ?? []).length > 0;

  return calls || recalls || given || hearsProgram(node) || (worker !== undefined && (isOnWay || bringsItsOwn(facts, worker)));
};

/** Approved calls write results too. */
const writesAnswers = (node: GraphNode): boolean => callsTool(node) || runsGraph(node);

export const askFix = (facts: Facts, { kind, sink }: Flow): Fix | undefined => {
  const node = facts.nodes.get(sink.node);
  const demands = sink.kind === "key" && facts.keys.get(sink.key)?.min_integrity !== "untrusted";
  if (!node || kind === "confidential" || demands || sink.kind === "route") return undefined;
  if (sink.kind === "call" || !bringsItsOwn(facts, node)) return insertGateFix(facts, node);

  return writesAnswers(node) ? undefined : createAlwaysAskFix(node);
};

/** Grants alone name what a model reads. */
const looksAtGrants = (node: GraphNode): boolean => getKind(node).rights.reads === "grants" && !isIdle(node);

const lastPath = ({ source, sink, witness }: Flow): string | undefined => {
  if (source.type === "key" && source.node === sink.node) return source.key;
  const last = witness.at(-2);

  return last && "path" in last ? last.path : undefined;
};

const withoutReads = (facts: Facts, node: GraphNode, text: string): GraphNode | null => {
  const path = parsePath(text);
  if (!path || !looksAtGrants(node)) return null;
  const named = node.read_keys.flatMap((grant) => (grant === "*" ? [...facts.keys.keys()] : [grant]));
  const kept = [...new Set(named)].filter((grant) => !overlaps(parsePath(grant) ?? [], path));

  return kept.length === new Set(named).size || kept.length > 200 ? null : { ...node, read_keys: kept };
};

export const suggestIdleReadFix = (facts: Facts, node: GraphNode, path: Path): Fix | undefined => {
  const [key = ""] = path;
  const decides = (facts.topology.out.get(node.id) ?? []).some(
    ({ condition }) => condition !== undefined && listExpressionKeys(condition).some((name) => name === key || name === "*"),
  );
  const text = path.join(".");
  const kept = node.read_keys.filter((grant) => grant !== text);
  if (decides || kept.length === node.read_keys.length || !looksAtGrants(node)) return undefined;

  return { title: `Stop reading ${text}`, edits: [{ op: "replace_node", node: { ...node, read_keys: kept } }] };
};

export const suggestLaunchInputFix = (facts: Facts, path: Path): Fix | undefined => {
  const [name = ""] = path;
  const key = facts.keys.get(name);
  const { inputs, external } = facts.graph;
  const { properties = {}, required = [] } = inputs;
  const isPlain = inputs["type"] === "object" && isJsonObject(properties) && Array.isArray(required);
  const isWritten = findWritersAt(facts, path).length > 0 || facts.given.some((one) => overlaps(one.path, path));
  if (!key || key.protected || external || isWritten || !isPlain) return undefined;
  const asked = { ...inputs, properties: { ...properties, [name]: key.schema }, required: [...required.map(String), name] };

  return { title: `Ask for ${name} at the start`, edits: [{ op: "settings", settings: { inputs: asked } }] };
};

const narrowFix = (facts: Facts, flow: Flow): Fix | undefined => {
  const node = facts.nodes.get(flow.sink.node);
  const path = lastPath(flow);
  const narrowed = node && path !== undefined ? withoutReads(facts, node, path) : null;

  return narrowed && path !== undefined ? { title: `Stop reading ${path}`, edits: [{ op: "replace_node", node: narrowed }] } : undefined;
};

/** Suggests narrowing where only the sink reads the key. */
export const suggestSoleReaderFix = (facts: Facts, flow: Flow): Fix | undefined => {
  const { source, sink } = flow;
  if (source.type !== "key" || source.node !== sink.node) return undefined;
  const path = [source.key];
  const isReadElsewhere = facts.graph.nodes.some(
    ({ id, read_keys: grants }) => id !== sink.node && (touches(grants, path) || touches(facts.access.get(id)?.reads ?? [], path)),
  );

  return isReadElsewhere ? undefined : narrowFix(facts, flow);
};

const dropFix = (facts: Facts, { sink }: Flow): Fix | undefined => {
  const node = facts.nodes.get(sink.node);
  if (sink.kind !== "call" || !callsTool(node) || facts.masters.has(node.id)) return undefined;

  const { end_nodes: ends } = facts.graph;
  const before = facts.topology.predecessors.get(node.id) ?? [];
  const last = [...new Set([...ends, ...before])].filter((id) => id !== node.id);
  const endsEarlier: EditOperation[] = ends.includes(node.id) ? [{ op: "settings", settings: { end_nodes: last } }] : [];

  return { title: `Remove ${getNodeName(node)}`, edits: [{ op: "remove_node", node: node.id, rejoin: true }, ...endsEarlier] };
};

/** Lists fixes for the analysis to confirm, least invasive first. */
export const listCandidateFixes = (facts: Facts, flow: Flow): readonly Fix[] =>
  [askFix(facts, flow), narrowFix(facts, flow), dropFix(facts, flow)].filter((fix) => fix !== undefined);
