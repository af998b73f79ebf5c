/** Effects of a compromise before the first approval. */
import { callsTool } from "@/lib/graph/kind-of";
import { CLASSIFICATIONS, type Classification } from "@/lib/graph/label";
import type { PinnedTool } from "@/lib/graph/document";
import { changesSomething, type Facts } from "@/lib/graph/facts/facts";
import { asksByItself } from "@/lib/graph/facts/gates";
import { getToolId } from "@/lib/graph/tool-ref";
import type { Model, Site } from "./model";
import type { Hit, Sink } from "./sinks";
import { spendOf, type Spend } from "./spend";
import type { Spread } from "./spread";

export type Unseen = {
  readonly nodes: readonly string[];
  /** A wildcard is every declared key. */
  readonly paths: readonly string[];
  readonly tools: readonly string[];
  readonly told: readonly Told[];
  readonly secrets: readonly string[];
  /** Servers called with our credentials. */
  readonly credentials: readonly string[];
  /** Hosts of called servers; null if unknown. */
  readonly hosts: readonly string[] | null;
  readonly spend: Spend;
};

/** Returns whether the engine itself asks. */
export const gatedByRule = (facts: Facts, sink: Sink): boolean => {
  if (sink.kind === "call") return sink.effect === "irreversible";

  return sink.kind === "key" && facts.keys.get(sink.key)?.protected === true;
};

const keyOf = (path: string): string => path.split(".")[0] ?? "";

const declared = (facts: Facts, grants: readonly string[]): string[] =>
  grants.flatMap((grant) => (grant === "*" ? [...facts.keys.keys()] : facts.keys.has(keyOf(grant)) ? [grant] : []));

const unguarded = (facts: Facts, paths: readonly string[]): string[] =>
  paths.filter((path) => facts.keys.get(keyOf(path))?.protected !== true);

/** Approved calls write answers too. */
const writesOf = (facts: Facts, { node }: Site): string[] =>
  !callsTool(node) && asksByItself(node) ? [] : unguarded(facts, declared(facts, facts.access.get(node.id)?.writes ?? []));

/** A server hears only up to its tools' clearance. */
type Hears = (site: Site, classification: Classification) => boolean;

/** Memory key, or tool whose results it sees. */
export type Told = { readonly name: string; readonly classification: Classification };

const isSecret = ({ classification }: Told): boolean => classification === "secret" || classification === "pii";

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

const toldOf = (facts: Facts, compromised: Pick<Compromised<unknown>, "sites" | "shown" | "hears" | "isOwn">): Told[] => {
  const all = [...toldIn(facts, compromised.shown), ...compromised.sites.flatMap((site) => toldAt(facts, site, compromised))];

  return [...new Map(all.map((one) => [one.name, one])).values()];
};

type Compromised<S> = {
  readonly sites: readonly Site[];
  readonly driven: readonly Site[];
  readonly own: readonly string[];
  readonly shown: readonly string[];
  readonly hears: Hears;
  /** Answers of its own tools reveal nothing new. */
  readonly isOwn: (tool: PinnedTool) => boolean;
  readonly reached: Spread<S>;
  readonly hits: readonly Hit<S>[];
};

/** A failure can be provoked and calls the undo; irreversible calls wait by rule. */
const undoOf = (facts: Facts, pinned: ReadonlyMap<string, PinnedTool>, sink: Extract<Sink, { kind: "call" }>): string[] => {
  const undo = facts.nodes.get(sink.node)?.compensation;
  const id = undo && getToolId(undo.server, undo.tool);
  const tool = id === undefined ? undefined : pinned.get(id);

  return id === undefined || !tool || tool.effect === "irreversible" || !changesSomething(sink.effect) ? [] : [id];
};

/** Computes effects in document order. */
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
