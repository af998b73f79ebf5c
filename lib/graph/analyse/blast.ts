import { oncePer } from "@/lib/once-per";
import type { GraphNode, PinnedTool } from "@/lib/graph/document";
import { runsGraph } from "@/lib/graph/kind-of";
import type { Classification } from "@/lib/graph/label";
import type { Access } from "@/lib/graph/facts/access";
import { listCallingAgentIds } from "@/lib/graph/facts/acting";
import { findChild } from "@/lib/graph/facts/children";
import { changesSomething, listTools, type Facts } from "@/lib/graph/facts/facts";
import { listAllAgentIds, listAgentIds } from "@/lib/graph/refs";
import { findGatesBefore } from "@/lib/graph/facts/gates";
import { getToolId } from "@/lib/graph/tool-ref";
import { answersAt, listCallerSeeds, buildIntegrityRules } from "./flows";
import type { Model, Site } from "./model";
import { findGates, findHits, isPassedByPeople, type Hit, type Sink } from "./sinks";
import { isChecked } from "./spend";
import { spread, type Seed, type Spread } from "./spread";
import { gatedByRule, canHold, computeBlastRadius, type Unseen } from "./blast-radius";

/** `caller`: starts or drives runs. */
export type Subject =
  | { readonly node: string }
  | { readonly agent: string }
  | { readonly server: string; readonly tool?: string }
  | { readonly caller: true };

export type Reachable = { readonly sink: Sink; readonly gates: readonly string[]; readonly gated: boolean };

export type BlastRadius = {
  readonly nodes: readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Of a server, its tools here. */
  readonly tools: readonly string[];
  readonly keys: readonly string[];
  /** `gated`: never before an approval. */
  readonly reachable: readonly Reachable[];
  readonly firstGates: readonly string[];
  readonly unseen: Unseen;
};

const hasChoice = (facts: Facts, node: GraphNode): boolean =>
  (facts.topology.out.get(node.id) ?? []).filter(({ kind }) => kind === "normal").length > 1;

const floorOf = oncePer((facts: Facts): ReadonlySet<string> => {
  const { graph, topology } = facts;
  const isOpen = (node: GraphNode) => topology.reachable.has(node.id) && (node.action !== undefined || hasChoice(facts, node));
  const open = graph.external ? graph.nodes.filter(isOpen).map(({ id }) => id) : [];

  return new Set(open.length > 0 ? open : [graph.start_node]);
});

/** Includes answer-weighing agents and subgraphs. */
const speaksIn = (facts: Facts, node: GraphNode, agent: string): boolean => {
  const child = runsGraph(node) ? findChild(facts, node)?.published : undefined;
  const inside = child ? [child, ...child.subgraphs] : [];

  return listAgentIds(node).includes(agent) || inside.some(({ graph }) => listAllAgentIds(graph).includes(agent));
};

const checks = (facts: Facts, node: GraphNode, agent: string): boolean =>
  isChecked(facts, node) && facts.graph.verification?.checks.some((check) => check.agent_id === agent) === true;

const isOf = (facts: Facts, site: Site, subject: Subject): boolean => {
  if ("caller" in subject) return floorOf(facts).has(site.node.id);
  if ("node" in subject) return site.node.id === subject.node;
  if ("agent" in subject) return speaksIn(facts, site.node, subject.agent) || checks(facts, site.node, subject.agent);

  return site.tools.some((tool) => tool.server === subject.server && (subject.tool === undefined || tool.tool === subject.tool));
};

const seedsOf = (facts: Facts, model: Model, subject: Subject): Seed<Subject>[] => {
  if ("caller" in subject) return listCallerSeeds(facts, model).map((seed) => ({ ...seed, source: subject }));

  return model.sites.flatMap((site, at) => {
    if (!isOf(facts, site, subject)) return [];
    const from = "server" in subject ? answersAt(site) : "input";
    // Isolation makes answers handles; verifiers answer only yes or no.
    const isUnheard = "server" in subject ? site.isolated : "agent" in subject && !speaksIn(facts, site.node, subject.agent);
    const heard = isUnheard ? [] : [{ at, holds: from, level: 0, source: subject } satisfies Seed<Subject>];
    const turning = [...site.failure, ...site.sendsBack.to]
      .filter((target) => target !== site.until)
      .map((target): Seed<Subject> => ({ at: target, holds: "way", level: 0, until: site.until, source: subject }));

    return [...heard, ...turning];
  });
};

const isMet = (model: Model, reached: Spread<Subject>, at: number): boolean =>
  reached.markAt(at, "way")?.level === 0 || model.paths.some((_, column) => reached.markAt(at, column)?.level === 0);

const keysHeld = (facts: Facts, model: Model, reached: Spread<Subject>): string[] => {
  const held = model.sites.flatMap((site, at) => {
    if (!site.works) {
      return site.promotes.flatMap(([from, to]) => (reached.markAt(at, from) ? [model.paths[to] ?? ""] : []));
    }

    return reached.markAt(at, "output") ? (facts.access.get(site.node.id)?.writes ?? []) : [];
  });

  return [...new Set(held.flatMap((path) => (path === "*" ? [...facts.keys.keys()] : [path.split(".")[0] ?? ""])))].filter((key) =>
    facts.keys.has(key),
  );
};

const toolsFor = (facts: Facts, sites: readonly Site[], subject: Subject): string[] => {
  const isCalling = ({ node }: Site) => !("agent" in subject) || listCallingAgentIds(node).includes(subject.agent);
  const called = sites.flatMap((site) => (isCalling(site) ? listTools(facts, site.node) : []));
  const own = "server" in subject ? sites.flatMap((site) => site.tools).filter((tool) => tool.server === subject.server) : called;
  const named = "server" in subject && subject.tool !== undefined ? own.filter((tool) => tool.tool === subject.tool) : own;

  return [...new Set(named.map((tool) => getToolId(tool.server, tool.tool)))];
};

const grantsOf = (facts: Facts, sites: readonly Site[], subject: Subject): Access => {
  if (!("caller" in subject)) {
    const access = sites.flatMap((site) => facts.access.get(site.node.id) ?? []);

    return { reads: [...new Set(access.flatMap((uses) => uses.reads))], writes: [...new Set(access.flatMap((uses) => uses.writes))] };
  }
  const filled = facts.graph.external ? facts.given.map((one) => one.path.join(".")) : [...facts.inputKeys];

  return { reads: facts.graph.external?.read_keys ?? [], writes: [...new Set(filled)] };
};

const hears =
  (subject: Subject) =>
  (site: Site, classification: Classification): boolean => {
    if ("caller" in subject) return false;
    if (!("server" in subject)) return true;

    return site.tools.some(({ server, clearance }) => server === subject.server && canHold(clearance, classification));
  };

const isOwn =
  (subject: Subject) =>
  ({ server }: PinnedTool): boolean =>
    "server" in subject && server === subject.server;

export const computeBlastRadiusFor = (facts: Facts, model: Model, subject: Subject): BlastRadius => {
  const sites = model.sites.filter((site) => isOf(facts, site, subject));
  const { reads, writes } = grantsOf(facts, sites, subject);
  const reached = spread(model, buildIntegrityRules(facts, model), seedsOf(facts, model, subject));
  const hits = findHits(facts, model, reached);
  const matters = ({ sink }: Hit<Subject>) => sink.kind !== "call" || changesSomething(sink.effect) || sink.outward;
  const isCaller = "caller" in subject;
  // An outside agent names every step of a run.
  const driven = isCaller && facts.graph.external ? model.sites.filter(({ node }) => findGatesBefore(facts, node.id).length === 0) : [];
  const clearance = facts.graph.external?.clearance ?? "internal";
  const shown = isCaller
    ? reads.filter((path) => canHold(clearance, facts.keys.get(path.split(".")[0] ?? "")?.classification ?? "internal"))
    : [];

  return {
    nodes: sites.map((site) => site.node.id),
    reads,
    writes,
    tools: isCaller ? [] : toolsFor(facts, sites, subject),
    keys: keysHeld(facts, model, reached),
    reachable: hits.filter(matters).map((hit) => ({
      sink: hit.sink,
      gates: findGates(facts, model, reached.wayTo(hit.mark), hit.sink),
      gated: hit.level > 0 || hit.gatedHere || gatedByRule(facts, hit.sink),
    })),
    firstGates: model.sites.flatMap((site, at) => (isPassedByPeople(site) && isMet(model, reached, at) ? [site.node.id] : [])),
    unseen: computeBlastRadius(facts, model, {
      sites,
      driven,
      own: isCaller ? writes : [],
      shown,
      hears: hears(subject),
      isOwn: isOwn(subject),
      reached,
      hits,
    }),
  };
};
