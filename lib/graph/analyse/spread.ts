/**
 * How something spreads: along control flow with every memory path that holds it, through nodes that read it, and over
 * decisions that it takes. The same rule as the engine's labels, for all runs at once.
 */
import { END, type Model, type Site } from "./model";

/** Worst first: what is reached at a level is not looked at again at a better one. */
export type Level = 0 | 1 | 2;
const LEVELS: readonly Level[] = [0, 1, 2];

/** What can hold it at a node: a column of memory, or one of these. */
export type Place = { readonly at: number; readonly holds: Holds };
export type Holds = number | "way" | "input" | "output";

export type Seed<S> = Place & { readonly level: Level; readonly source: S; /** Of a way: where it ends. */ readonly until?: number };

export type Rules = {
  /** What passing a node does to what is in memory on the way through it, where it is allowed to pass. */
  readonly pass: (site: Site, level: Level) => Level;
  /** What a node's own writing does to it. */
  readonly write: (site: Site, column: number, level: Level) => Level;
  /** What an approval or a judge makes of a value that it promotes; null when promotion changes nothing. */
  readonly promote: Level | null;
  /** Whether a node that is shown handles cannot read it. */
  readonly hides: (site: Site, level: Level) => boolean;
  /** What a decision makes of it. */
  readonly decide: (level: Level) => Level;
};

/** Somewhere it can be, at its worst there. */
export type Mark<S> = Place & { readonly level: Level; readonly source: S; /** Its number among all marks. */ readonly id: number };

export type Spread<S> = {
  /** The first, so worst and nearest, mark of a place. */
  readonly markAt: (at: number, holds: Holds) => Mark<S> | undefined;
  /** From the source to the mark, step by step. */
  readonly wayTo: (mark: Mark<S>) => readonly Mark<S>[];
};

const OTHERS = ["way", "input", "output"] as const;
const READS = 1;
const DECIDES = 2;
const NOT_YET = 3;

/** What each node does with each column, looked up instead of searched for. */
const usesOf = ({ sites, paths }: Model): Uint8Array => {
  const uses = new Uint8Array(sites.length * paths.length);
  for (const [at, site] of sites.entries()) {
    for (const column of site.reads) uses[at * paths.length + column] = READS;
    for (const column of site.decides) uses[at * paths.length + column] = (uses[at * paths.length + column] ?? 0) | DECIDES;
  }

  return uses;
};

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

/** Marks as columns of numbers: there are as many as nodes x paths. */
type Marks = {
  readonly place: number[];
  readonly level: Level[];
  readonly until: number[];
  readonly from: number[];
  readonly seed: number[];
};

/**
 * Breadth first, level by level, from all seeds at once. Each place is visited once; the way along a decision once more
 * each time it turns out to last longer.
 */
export const spread = <S>(model: Model, rules: Rules, seeds: readonly Seed<S>[]): Spread<S> => {
  const { sites, paths } = model;
  const width = paths.length + OTHERS.length;
  const [wayColumn, inputColumn, outputColumn] = [paths.length, paths.length + 1, paths.length + 2];
  const uses = seeds.length === 0 ? new Uint8Array() : usesOf(model);
  const depthOf = depthsOf(sites);
  const marks: Marks = { place: [], level: [], until: [], from: [], seed: [] };
  const waiting: Record<Level, number[]> = { 0: [], 1: [], 2: [] };
  /** Number of the first mark of a place, plus one. */
  const first = new Int32Array(seeds.length === 0 ? 0 : sites.length * width);
  const best = new Uint8Array(first.length).fill(NOT_YET);
  const reaches = new Map<number, number>();

  const push = (place: number, level: Level, from: number, seed: number, until = END) => {
    const isWay = place % width === wayColumn;
    if (!isWay && level >= (best[place] ?? 0)) return;
    best[place] = level;
    waiting[level].push(marks.place.length);
    marks.place.push(place);
    marks.level.push(level);
    marks.until.push(until);
    marks.from.push(from);
    marks.seed.push(seed);
  };

  const isNews = (mark: number): boolean => {
    const place = marks.place[mark] ?? 0;
    if (place % width !== wayColumn) return first[place] === 0;
    const at = Math.floor(place / width);
    const depth = depthOf(marks.until[mark] ?? END);
    if ((reaches.get(at) ?? Infinity) <= depth) return false;
    reaches.set(at, depth);

    return true;
  };

  const passed = (site: Site, target: number, level: Level): Level => (site.refused.includes(target) ? level : rules.pass(site, level));

  /** Everywhere that one mark leads in one step. */
  const step = (mark: number) => {
    const place = marks.place[mark] ?? 0;
    const level = marks.level[mark] ?? 0;
    const seed = marks.seed[mark] ?? 0;
    const at = Math.floor(place / width);
    const column = place % width;
    const site = sites[at];
    if (!site) return;
    const put = (target: number, holds: number, to: Level, until?: number) =>
      push(target * width + holds, to > level ? to : level, mark, seed, until);
    const ways = (targets: readonly number[], to: Level, until: number) => {
      for (const target of targets) if (target !== until) put(target, wayColumn, to, until);
    };
    if (column === wayColumn) {
      for (const target of site.next) ways([target], passed(site, target, level), marks.until[mark] ?? END);
      if (site.works) put(at, inputColumn, level);
      if (site.worker !== undefined) put(site.worker, inputColumn, level);
    } else if (column === inputColumn) {
      put(at, outputColumn, level);
      ways(site.failure, rules.decide(level), site.until);
      const worker = site.worker === undefined ? undefined : sites[site.worker];
      if (site.worker !== undefined && worker && !rules.hides(worker, level)) put(site.worker, inputColumn, level);
    } else if (column === outputColumn) {
      for (const written of site.writes) {
        const to = rules.write(site, written, level);
        for (const target of site.next) put(target, written, to);
      }
      if (site.chooses || site.writesWhatDecides) ways(site.next, rules.decide(level), site.until);
      if (site.master !== undefined) put(site.master, outputColumn, level);
    } else {
      const use = uses[at * paths.length + column] ?? 0;
      for (const target of site.next) put(target, column, passed(site, target, level));
      if (site.works && (use & READS) !== 0 && !rules.hides(site, level)) put(at, inputColumn, level);
      if ((use & DECIDES) !== 0) ways(site.next, rules.decide(level), site.until);
      if (site.sendsBack.columns.includes(column)) ways(site.sendsBack.to, rules.decide(level), site.until);
      for (const [from, to] of site.promotes) {
        if (from === column) for (const target of site.next) put(target, to, rules.promote ?? level);
      }
    }
  };

  const columnOf = (holds: Holds) => (typeof holds === "number" ? holds : paths.length + OTHERS.indexOf(holds));
  for (const [index, { at, holds, level, until }] of seeds.entries()) push(at * width + columnOf(holds), level, -1, index, until);
  for (const level of LEVELS) {
    // The list grows while it is gone through.
    for (const mark of waiting[level]) {
      if (!isNews(mark)) continue;
      const place = marks.place[mark] ?? 0;
      if (first[place] === 0) first[place] = mark + 1;
      step(mark);
    }
  }

  const markOf = (id: number): Mark<S> | undefined => {
    const place = marks.place[id] ?? 0;
    const column = place % width;
    const source = seeds[marks.seed[id] ?? -1]?.source;
    const level = marks.level[id];
    if (source === undefined || level === undefined) return undefined;

    return { at: Math.floor(place / width), holds: OTHERS[column - paths.length] ?? column, level, source, id };
  };

  return {
    markAt: (at, holds) => markOf((first[at * width + columnOf(holds)] ?? 0) - 1),
    wayTo: (mark) => {
      const ids: number[] = [];
      for (let id = mark.id; id >= 0; id = marks.from[id] ?? -1) ids.push(id);

      return ids.toReversed().flatMap((id) => markOf(id) ?? []);
    },
  };
};
