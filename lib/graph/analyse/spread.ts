/**
 * How something spreads: along control flow with every memory path that holds it, through nodes that read it, and over
 * decisions that it takes. The same rule as the engine's labels, for all runs at once.
 */
import { END, type Model, type Site } from "./model";

/** Worst first: what is reached at a level is not looked at again at a better one. */
export type Level = 0 | 1 | 2;
export const LEVELS: readonly Level[] = [0, 1, 2];

/** What can hold it at a node: a column of memory, or one of these. */
export type Place = { readonly at: number; readonly holds: Holds };
export type Holds = number | "way" | "input" | "output";

export type Seed<S> = Place & { readonly level: Level; readonly source: S; /** Of a way: where it ends. */ readonly until?: number };

export type Rules = {
  /** What passing a node does to what is in memory on the way through it. */
  readonly pass: (site: Site, level: Level) => Level;
  /** What a node's own writing does to it. */
  readonly write: (site: Site, column: number, level: Level) => Level;
  /** What an approval makes of a value that it promotes; null when promotion changes nothing. */
  readonly promote: Level | null;
  /** What a decision makes of it. */
  readonly decide: (level: Level) => Level;
};

export type Mark<S> = Place & {
  readonly level: Level;
  readonly until: number;
  readonly from: Mark<S> | null;
  readonly source: S;
};

export type Spread<S> = {
  readonly marks: readonly Mark<S>[];
  /** The first, so worst and nearest, mark of a place. */
  readonly markAt: (at: number, holds: Holds) => Mark<S> | undefined;
};

const OTHERS = { way: 0, input: 1, output: 2 } as const;

/** How far an end of influence is away from the end of the run: 0 is the end itself. */
const depthsOf = (sites: readonly Site[]): ((at: number) => number) => {
  const known = new Map([[END, 0]]);

  return (start) => {
    const chain: number[] = [];
    for (let at = start; !known.has(at); at = sites[at]?.until ?? END) chain.push(at);
    for (const at of chain.toReversed()) known.set(at, (known.get(sites[at]?.until ?? END) ?? 0) + 1);

    return known.get(start) ?? 0;
  };
};

type Reached<S> = { readonly place: Place; readonly level: Level; readonly until?: number; readonly from: Mark<S> };

const worse = (a: Level, b: Level): Level => (a > b ? a : b);

/** Everywhere that one mark leads in one step. */
const stepsOf = <S>(model: Model, rules: Rules, mark: Mark<S>): Reached<S>[] => {
  const site = model.sites[mark.at];
  if (!site) return [];
  const { at, holds, level } = mark;
  const reach = (place: Place, to: Level, until?: number): Reached<S> => ({
    place,
    level: to,
    from: mark,
    ...(until === undefined ? {} : { until }),
  });
  const ways = (targets: readonly number[], to: Level, until: number) =>
    targets.filter((target) => target !== until).map((target) => reach({ at: target, holds: "way" }, to, until));
  const decided = () => ways(site.next, rules.decide(level), site.until);
  const input = () => (site.node.kind === "approval" || site.node.kind === "router" ? [] : [reach({ at, holds: "input" }, level)]);

  if (holds === "way") return [...ways(site.next, rules.pass(site, level), mark.until), ...input()];
  if (holds === "input") {
    return [
      reach({ at, holds: "output" }, level),
      ...ways(site.failure, level, site.until),
      ...(site.worker === undefined ? [] : [reach({ at: site.worker, holds: "input" }, level)]),
    ];
  }
  if (holds === "output") {
    return [
      ...site.next.flatMap((target) => site.writes.map((column) => reach({ at: target, holds: column }, rules.write(site, column, level)))),
      ...(site.chooses || site.writes.some((column) => site.decides.includes(column)) ? decided() : []),
      ...(site.master === undefined ? [] : [reach({ at: site.master, holds: "output" }, level)]),
    ];
  }
  const { promote } = rules;
  const promoted = site.promotes.filter(([from, to]) => from === holds && to !== from);

  return [
    ...site.next.map((target) => reach({ at: target, holds }, rules.pass(site, level))),
    ...(site.reads.includes(holds) ? input() : []),
    ...(site.decides.includes(holds) ? decided() : []),
    ...promoted.flatMap(([, to]) => site.next.map((target) => reach({ at: target, holds: to }, worse(level, promote ?? level)))),
  ];
};

/**
 * Breadth first, level by level, from all seeds at once. Each place is visited once; the way along a decision once more
 * each time it turns out to last longer.
 */
export const spread = <S>(model: Model, rules: Rules, seeds: readonly Seed<S>[]): Spread<S> => {
  const width = model.paths.length + 3;
  const first = new Map<number, Mark<S>>();
  const depthOf = depthsOf(model.sites);
  const reaches = new Map<number, number>();
  const marks: Mark<S>[] = [];
  const waiting: Record<Level, Mark<S>[]> = { 0: [], 1: [], 2: [] };
  const indexOf = (at: number, holds: Holds) => at * width + (typeof holds === "number" ? holds : model.paths.length + OTHERS[holds]);

  const isNew = ({ at, holds, until }: Mark<S>): boolean => {
    if (holds !== "way") return !first.has(indexOf(at, holds));
    const depth = depthOf(until);
    if ((reaches.get(at) ?? Infinity) <= depth) return false;
    reaches.set(at, depth);

    return true;
  };

  for (const seed of seeds) waiting[seed.level].push({ ...seed, until: seed.until ?? END, from: null });
  for (const level of LEVELS) {
    // The list grows while it is gone through.
    for (const mark of waiting[level]) {
      if (!isNew(mark)) continue;
      const index = indexOf(mark.at, mark.holds);
      if (!first.has(index)) first.set(index, mark);
      marks.push(mark);
      for (const { place, level: to, until = END, from } of stepsOf(model, rules, mark)) {
        const known = typeof place.holds === "number" && first.has(indexOf(place.at, place.holds));
        if (!known) waiting[worse(level, to)].push({ ...place, level: worse(level, to), until, from, source: mark.source });
      }
    }
  }

  return { marks, markAt: (at, holds) => first.get(indexOf(at, holds)) };
};
