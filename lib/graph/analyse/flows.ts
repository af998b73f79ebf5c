/** Untrusted and confidential flows: shortest path and gates per sink. */
import { describeTakesFree } from "@/lib/graph/free-text";
import { callsTool, computes, getKind, hearsProgram, runsGraph, seesGoal } from "@/lib/graph/kind-of";
import type { Classification } from "@/lib/graph/label";
import { listSubgraphCalls } from "@/lib/graph/facts/children";
import { changesSomething, type Facts } from "@/lib/graph/facts/facts";
import { asksByItself } from "@/lib/graph/facts/gates";
import { getToolId } from "@/lib/graph/tool-ref";
import { END, SO_FAR, type Model, type Site } from "./model";
import { findGates, findHits, isAskedIfUntrusted, isPassedByPeople, REVIEWED, getSinkId, type Hit, type Sink } from "./sinks";
import { spread, type Level, type Mark, type Rules, type Seed, type Spread } from "./spread";
import { canHold } from "./blast-radius";
import type { Verdict } from "./verdict";

export type Source =
  | { readonly type: "tools"; readonly node: string; readonly tools: readonly string[] }
  | { readonly type: "inputs" }
  /** Failure that a model or server chose. */
  | { readonly type: "failure"; readonly node: string }
  | { readonly type: "given"; readonly node: string }
  /** Of a program, to a wait. */
  | { readonly type: "answer"; readonly node: string }
  | { readonly type: "chosen"; readonly node: string }
  /** Of earlier runs. */
  | { readonly type: "recall"; readonly node: string }
  | { readonly type: "goal"; readonly node: string }
  /** Declared confidential, or filled by people. */
  | { readonly type: "key"; readonly node: string; readonly key: string };

/** Nodes alternate with memory paths; `way`: the node before it chose the route. */
export type Step = { readonly node: string } | { readonly path: string } | { readonly way: true };

export type Flow = {
  readonly kind: "untrusted" | "confidential";
  /** Level at the sink; promotion makes it `reviewed`. */
  readonly level: "untrusted" | "reviewed" | "secret" | "pii" | "internal";
  readonly source: Source;
  readonly sink: Sink;
  readonly witness: readonly Step[];
  /** Approvals on every path, and here. */
  readonly gates: readonly string[];
  /** Every path from any source has an approval. */
  readonly stopped: boolean;
  readonly verdict: Verdict;
};

export type RawFlow = Omit<Flow, "verdict">;

const nodeStep = (model: Model, at: number): Step => ({ node: model.sites[at]?.node.id ?? "" });

const sameStep = (a: Step | undefined, b: Step): boolean => a !== undefined && "node" in a && "node" in b && a.node === b.node;

const witnessOf = (model: Model, way: readonly Mark<Source>[], sink: Sink): Step[] => {
  const steps: Step[] = [];
  const push = (step: Step) => {
    if (!sameStep(steps.at(-1), step)) steps.push(step);
  };
  const source = way[0]?.source;
  if (source && source.type !== "inputs") push({ node: source.node });
  for (const [index, mark] of way.entries()) {
    const from = way[index - 1];
    if (mark.holds === "input" || mark.holds === "output") push(nodeStep(model, mark.at));
    else if (mark.holds !== from?.holds) {
      if (from) push(nodeStep(model, from.at));
      push(mark.holds === "way" ? { way: true } : { path: model.paths[mark.holds] ?? "" });
    }
  }
  push({ node: sink.node });

  return steps;
};

export const buildIntegrityRules = (facts: Facts, model: Model): Rules => {
  const gated = (level: Level): Level => (level === 0 ? 1 : level);
  const guarded = model.paths.map((path) => facts.keys.get(path.split(".")[0] ?? "")?.protected === true);
  return {
    pass: (site, level) => (isPassedByPeople(site) ? gated(level) : level),
    // Protected writes and nodes that always ask wait for approval.
    write: ({ node }, column, level) => (guarded[column] || (!callsTool(node) && asksByItself(node)) ? gated(level) : level),
    promote: REVIEWED,
    hides: (site, level) => site.isolated && level < REVIEWED,
    // Strict taint pauses the run for a person.
    decide: (level) => (facts.graph.strict_taint ? gated(level) : level),
  };
};

/** Returns where answers arrive: agents think with them, others pass them on. */
export const answersAt = (site: Site): "input" | "output" => (callsTool(site.node) || runsGraph(site.node) ? "output" : "input");

const untrustedSeeds = (facts: Facts, model: Model, rules: Rules, inputs: boolean): Seed<Source>[] => [
  ...model.sites.flatMap((site, at): Seed<Source>[] => {
    const { node } = site;
    const tools = site.tools.map((tool) => getToolId(tool.server, tool.tool));
    const outside = site.works && !computes(node);
    const recalls = getKind(node).facts(node.config).recalled !== undefined;
    // Isolation makes tool answers and recalled facts handles.
    const told = !site.isolated;
    const answered: Source = { type: "tools", node: node.id, tools };

    return [
      ...((tools.length > 0 && told) || callsTool(node) ? [{ at, holds: answersAt(site), level: 0 as const, source: answered }] : []),
      ...(recalls && told ? [{ at, holds: "input" as const, level: 0 as const, source: { type: "recall" as const, node: node.id } }] : []),
      ...(hearsProgram(node)
        ? [{ at, holds: "output" as const, level: 0 as const, source: { type: "answer" as const, node: node.id } }]
        : []),
      ...(outside ? site.failure : [])
        .filter((target) => target !== site.until)
        .map((target): Seed<Source> => ({
          at: target,
          holds: "way",
          level: rules.decide(0),
          until: site.until,
          source: { type: "failure", node: node.id },
        })),
    ];
  }),
  ...(inputs ? inputSeeds(facts, model) : []),
  ...(facts.graph.external ? outsideSeeds(facts, model, rules) : []),
];

const outsideSeeds = (facts: Facts, model: Model, rules: Rules): Seed<Source>[] => [
  ...facts.given.flatMap(({ node, path }): Seed<Source>[] => {
    const at = model.numbers.get(node.id);
    if (at === undefined) return [];

    return [path.join("."), SO_FAR]
      .flatMap(model.columnsOf)
      .map((holds) => ({ at, holds, level: 0, source: { type: "given", node: node.id } }));
  }),
  ...model.sites.flatMap(({ node, until }): Seed<Source>[] => {
    const open = (facts.topology.out.get(node.id) ?? []).filter((edge) => edge.kind === "normal").map((edge) => edge.target);
    if (open.length < 2) return [];

    return [...new Set(open)]
      .flatMap((id) => model.numbers.get(id) ?? [])
      .filter((at) => at !== until)
      .map((at) => ({ at, holds: "way", level: rules.decide(0), until, source: { type: "chosen", node: node.id } }));
  }),
];

const inputSeeds = (facts: Facts, model: Model): Seed<Source>[] => {
  const start = model.numbers.get(facts.graph.start_node) ?? END;
  const filled = [...facts.inputKeys].flatMap(model.columnsOf).map((holds) => ({ at: start, holds }));
  const asked = model.sites.flatMap(({ node, isolated }, at) => (seesGoal(node) && !isolated ? [{ at, holds: "input" as const }] : []));

  return [...filled, ...asked].map((place): Seed<Source> => ({ ...place, level: 0, source: { type: "inputs" } }));
};

export const listCallerSeeds = (facts: Facts, model: Model): Seed<Source>[] =>
  facts.graph.external ? outsideSeeds(facts, model, buildIntegrityRules(facts, model)) : inputSeeds(facts, model);

const SECRECY = { secret: 0, pii: 1, internal: 2 } as const satisfies Partial<Record<Classification, Level>>;
const SECRECIES = ["secret", "pii", "internal"] as const;

const secrecyOf = (classification: Classification): Level | null => (classification === "public" ? null : SECRECY[classification]);

const keyOf = (path: string): string => path.split(".")[0] ?? "";

const keySecrecy = (facts: Facts, key: string): Level | null => {
  const declared = secrecyOf(facts.keys.get(key)?.classification ?? "internal");

  return facts.inputKeys.has(key) ? (declared ?? SECRECY.internal) : declared;
};

const confidentialSeeds = (facts: Facts, model: Model): Seed<Source>[] =>
  model.sites.flatMap((site, at): Seed<Source>[] => {
    const { node } = site;
    const named = site.given.includes("*") ? [...facts.keys.keys()] : [...new Set(site.given.map(keyOf))];
    const read = named.flatMap((key): Seed<Source>[] => {
      const level = keySecrecy(facts, key);

      return level === null ? [] : [{ at, holds: "input", level, source: { type: "key", node: node.id, key } }];
    });
    const answered = site.tools.flatMap((tool): Seed<Source>[] => {
      const level = secrecyOf(tool.output);
      const source: Source = { type: "tools", node: node.id, tools: [getToolId(tool.server, tool.tool)] };

      return level === null ? [] : [{ at, holds: answersAt(site), level, source }];
    });
    const goal: Seed<Source>[] = seesGoal(node)
      ? [{ at, holds: "input", level: SECRECY.internal, source: { type: "goal", node: node.id } }]
      : [];

    return [...read, ...answered, ...goal];
  });

/** Finds how the source was reached, by the nearest equally bad mark. */
const findBefore = (model: Model, reached: Spread<Source>, way: readonly Mark<Source>[]): readonly Mark<Source>[] => {
  const [first] = way;
  const site = first && model.sites[first.at];
  if (!first || !site || (first.holds !== "input" && first.holds !== "output")) return [];
  const passed = new Set(way.map(({ at }) => at));
  // Each step adds a node, so a loop ends.
  const isNew = (before: readonly Mark<Source>[]) => before.every(({ at }, index) => !passed.has(at) || (at === first.at && index > 0));

  return (
    [reached.markAt(first.at, "input"), ...site.reads.map((column) => reached.markAt(first.at, column))]
      .filter((mark) => mark !== undefined && mark.level <= first.level)
      .toSorted((a, b) => (a?.id ?? 0) - (b?.id ?? 0))
      .map((mark) => (mark ? reached.wayTo(mark) : []))
      .find((before) => before.length > 0 && isNew(before)) ?? []
  );
};

/** Begins at the run's first source: mail precedes the lookup it caused. */
const fromFirstSource = (model: Model, reached: Spread<Source>, nearest: readonly Mark<Source>[]): readonly Mark<Source>[] => {
  const before = findBefore(model, reached, nearest);

  return before.length === 0 ? nearest : fromFirstSource(model, reached, [...before, ...nearest]);
};

type Rest = Pick<Flow, "kind" | "level" | "stopped">;

const flowOf = (facts: Facts, model: Model, reached: Spread<Source>, { sink, mark }: Hit<Source>, rest: Rest): RawFlow => {
  const nearest = reached.wayTo(mark);
  const way = rest.kind === "untrusted" ? fromFirstSource(model, reached, nearest) : nearest;
  const source = way[0]?.source ?? mark.source;

  // Approvals before the nearest source do not hold its data.
  return { ...rest, source, sink, witness: witnessOf(model, way, sink), gates: findGates(facts, model, nearest, sink) };
};

/** Reads that send nothing outside are harmless. */
const matters = (sink: Sink): boolean => sink.kind !== "call" || changesSomething(sink.effect) || sink.outward;

/** Review does not satisfy a key that demands `trusted`. */
const isBelow = (facts: Facts, { sink, level }: Hit<Source>): boolean => {
  const key = sink.kind === "key" ? facts.keys.get(sink.key) : undefined;
  if (level < REVIEWED || !key) return level < REVIEWED;

  return key.min_integrity === "trusted";
};

export const spreadUntrusted = (facts: Facts, model: Model, inputs: boolean): Spread<Source> => {
  const rules = buildIntegrityRules(facts, model);

  return spread(model, rules, untrustedSeeds(facts, model, rules, inputs));
};

/** Finds untrusted flows. @param reached from `spreadUntrusted` */
export const findUntrustedFlows = (facts: Facts, model: Model, reached: Spread<Source>): RawFlow[] =>
  findHits(facts, model, reached)
    .filter((hit) => matters(hit.sink) && isBelow(facts, hit))
    .map((hit) =>
      flowOf(facts, model, reached, hit, {
        kind: "untrusted",
        level: hit.level === REVIEWED ? "reviewed" : "untrusted",
        stopped: hit.level > 0 || hit.gatedHere || isAskedIfUntrusted(facts, hit.sink),
      }),
    );

const AS_IT_IS: Rules = {
  pass: (_site, level) => level,
  write: (_site, _column, level) => level,
  promote: null,
  // Trusted values are never hidden.
  hides: () => false,
  decide: (level) => level,
};

/** `flows`: calls beyond a tool's clearance, which the engine always refuses. */
export type Confidential = {
  readonly flows: readonly RawFlow[];
  /** Nodes with secret or personal data, by highest class. */
  readonly confided: ReadonlyMap<string, Confided>;
  /** Calls (`getSinkId`) that send free text outside after non-public data. */
  readonly worded: ReadonlySet<string>;
};

export type Confided = Exclude<(typeof SECRECIES)[number], "internal">;

/** Includes calls inside a subgraph. */
const wordedCalls = (facts: Facts, site: Site): string[] => {
  const called = runsGraph(site.node) ? listSubgraphCalls(facts, site.node).map(({ tool }) => tool) : site.tools;

  return called
    .filter((tool) => tool.outward && describeTakesFree(site.node, tool))
    .map(({ server, tool, effect }) =>
      getSinkId({ kind: "call", node: site.node.id, tool: getToolId(server, tool), effect, outward: true }),
    );
};

export const findConfidentialFlows = (facts: Facts, model: Model): Confidential => {
  const wordy = model.sites.map((site) => wordedCalls(facts, site));
  const publicOnly = model.sites.some((site, at) => wordy[at]?.length !== 0 || site.tools.some((tool) => tool.clearance === "public"));
  // Nearly all data is internal, and nearly every tool may receive it.
  const seeds = confidentialSeeds(facts, model).filter(({ level }) => level !== SECRECY.internal || publicOnly);
  const reached = spread(model, AS_IT_IS, seeds);
  const flows = findHits(facts, model, reached).flatMap((hit) => {
    if (hit.sink.kind !== "call") return [];
    const level = SECRECIES[hit.level];
    const cleared = facts.tools.get(hit.sink.tool)?.clearance ?? "internal";
    if (canHold(cleared, level)) return [];

    return [flowOf(facts, model, reached, hit, { kind: "confidential", level, stopped: false })];
  });
  const told = model.sites.flatMap(({ node }, at): (readonly [string, Confided])[] => {
    const level = SECRECIES[reached.markAt(at, "input")?.level ?? SECRECY.internal];

    return level === "internal" ? [] : [[node.id, level]];
  });

  const worded = wordy.flatMap((calls, at) => (reached.markAt(at, "input") ? calls : []));

  return { flows, confided: new Map(told), worded: new Set(worded) };
};
