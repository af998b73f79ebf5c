/** Blast radius: what a compromised subject can do before the first approval, directly and through nodes that read its data. */
import { CLASSIFICATIONS, type Classification } from "@/lib/graph/label";
import type { PinnedTool } from "@/lib/graph/document";
import { changesSomething, type Facts } from "@/lib/graph/problems/facts";
import { asksByItself } from "@/lib/graph/problems/gates";
import { getToolId } from "@/lib/graph/tool-ref";
import type { Model, Site } from "./model";
import type { Hit, Sink } from "./sinks";
import { spendOf, type Spend } from "./spend";
import type { Spread } from "./spread";

export type Unseen = {
  /** The nodes that work with something of it. */
  readonly nodes: readonly string[];
  /** Memory paths that it writes or has written; a wildcard is every declared key. */
  readonly paths: readonly string[];
  /** Ids of the tools that it calls or has called. */
  readonly tools: readonly string[];
  /** Everything that comes to it, and what of it is secret or personal. */
  readonly told: readonly Told[];
  readonly secrets: readonly string[];
  /** Called servers that use one of our credentials. */
  readonly credentials: readonly string[];
  /** Hosts of the called servers; null when unknown. */
  readonly hosts: readonly string[] | null;
  /** Of the compromised nodes and those that handle their data. */
  readonly spend: Spend;
};

/** What cannot be undone and what is protected waits for a person by the engine's own rule, whatever the graph says. */
export const gatedByRule = (facts: Facts, sink: Sink): boolean => {
  if (sink.kind === "call") return sink.effect === "irreversible";

  return sink.kind === "key" && facts.keys.get(sink.key)?.protected === true;
};

const keyOf = (path: string): string => path.split(".")[0] ?? "";

/** Grants as paths that are declared. */
const declared = (facts: Facts, grants: readonly string[]): string[] =>
  grants.flatMap((grant) => (grant === "*" ? [...facts.keys.keys()] : facts.keys.has(keyOf(grant)) ? [grant] : []));

const unguarded = (facts: Facts, paths: readonly string[]): string[] =>
  paths.filter((path) => facts.keys.get(keyOf(path))?.protected !== true);

/** Paths that a node writes without an approval. Answers are written even when the call was approved. */
const writesOf = (facts: Facts, { node }: Site): string[] =>
  node.kind !== "tool" && asksByItself(node) ? [] : unguarded(facts, declared(facts, facts.access.get(node.id)?.writes ?? []));

/** What a classification may be told to; of a server only what its tools are cleared for. */
type Hears = (site: Site, classification: Classification) => boolean;

/** Data that a compromised subject receives: a memory key, or the id of a tool whose results it sees. */
export type Told = { readonly name: string; readonly classification: Classification };

const isSecret = ({ classification }: Told): boolean => classification === "secret" || classification === "pii";

/** Up to a clearance. */
export const canHold = (clearance: Classification, level: Classification): boolean =>
  CLASSIFICATIONS.indexOf(level) <= CLASSIFICATIONS.indexOf(clearance);

const toldIn = (facts: Facts, paths: readonly string[]): Told[] =>
  declared(facts, paths).flatMap((path) => {
    const key = facts.keys.get(keyOf(path));

    return key ? [{ name: key.key, classification: key.classification }] : [];
  });

const toldAt = (facts: Facts, site: Site, { hears, isOwn }: Pick<Compromised<unknown>, "hears" | "isOwn">): Told[] => {
  const answers = site.tools
    .filter((tool) => !isOwn(tool))
    .map((tool) => ({ name: getToolId(tool.server, tool.tool), classification: tool.output }));

  return [...toldIn(facts, site.given), ...answers].filter(({ classification }) => hears(site, classification));
};

/** Each once. */
const toldOf = (facts: Facts, compromised: Pick<Compromised<unknown>, "sites" | "shown" | "hears" | "isOwn">): Told[] => {
  const all = [...toldIn(facts, compromised.shown), ...compromised.sites.flatMap((site) => toldAt(facts, site, compromised))];

  return [...new Map(all.map((one) => [one.name, one])).values()];
};

type Compromised<S> = {
  /** Where it speaks. */
  readonly sites: readonly Site[];
  /** Where it has others work, whether they listen to it or not. */
  readonly driven: readonly Site[];
  /** Paths that it fills in itself, besides what nodes write. */
  readonly own: readonly string[];
  /** Grants of its own to read, besides what the nodes are given. */
  readonly shown: readonly string[];
  readonly hears: Hears;
  /** Whether it is the one who answers for a tool: what it says itself it is not told. */
  readonly isOwn: (tool: PinnedTool) => boolean;
  readonly reached: Spread<S>;
  readonly hits: readonly Hit<S>[];
};

/** What takes a call's effect back when the run fails, which can be brought about; what cannot be undone itself waits by rule. */
const undoOf = (facts: Facts, pinned: ReadonlyMap<string, PinnedTool>, sink: Extract<Sink, { kind: "call" }>): string[] => {
  const undo = facts.nodes.get(sink.node)?.compensation;
  const id = undo && getToolId(undo.server, undo.tool);
  const tool = id === undefined ? undefined : pinned.get(id);

  return id === undefined || !tool || tool.effect === "irreversible" || !changesSomething(sink.effect) ? [] : [id];
};

/** Sorted as the document is; each once. */
export const computeBlastRadius = <S>(facts: Facts, model: Model, compromised: Compromised<S>): Unseen => {
  const { sites, driven, own, reached, hits } = compromised;
  const working = model.sites.filter((site, at) => site.works && reached.markAt(at, "output")?.level === 0);
  const written = working.flatMap((site) => writesOf(facts, site));
  const calls = hits.filter(({ sink, level, gatedHere }) => sink.kind === "call" && level === 0 && !gatedHere && !gatedByRule(facts, sink));
  const pinned = new Map([
    ...facts.tools,
    ...model.sites.flatMap((site) => site.tools.map((tool) => [getToolId(tool.server, tool.tool), tool] as const)),
  ]);
  const called = calls.flatMap(({ sink }) => (sink.kind === "call" ? [sink.tool, ...undoOf(facts, pinned, sink)] : []));
  const tools = [...new Set(called)];
  const servers = [...new Set(tools.flatMap((tool) => pinned.get(tool)?.server ?? []))];
  const told = toldOf(facts, compromised);

  return {
    nodes: working.map(({ node }) => node.id),
    paths: [...new Set([...unguarded(facts, declared(facts, own)), ...written])],
    tools,
    told,
    secrets: told.filter(isSecret).map(({ name }) => name),
    credentials: servers.filter((server) => facts.servers?.get(server)?.credential === true),
    hosts: facts.servers && [...new Set(servers.flatMap((server) => facts.servers?.get(server)?.host ?? []))],
    spend: spendOf(facts, [...new Set([...sites, ...driven, ...working].map(({ node }) => node))]),
  };
};
