/** Spread of data along control flow, memory and decisions, as in engine labels. */
import { END, type Model, type Site } from "./model";

/** Worst first: better levels never revisit a place. */
export type Level = 0 | 1 | 2;
const LEVELS: readonly Level[] = [0, 1, 2];

export type Place = { readonly at: number; readonly holds: Holds };
export type Holds = number | "way" | "input" | "output";

export type Seed<S> = Place & { readonly level: Level; readonly source: S; /** End of a decision's influence. */ readonly until?: number };

export type Rules = {
  readonly pass: (site: Site, level: Level) => Level;
  readonly write: (site: Site, column: number, level: Level) => Level;
  /** Null: unchanged. */
  readonly promote: Level | null;
  /** The node sees only handles. */
  readonly hides: (site: Site, level: Level) => boolean;
  readonly decide: (level: Level) => Level;
};

export type Mark<S> = Place & { readonly level: Level; readonly source: S; /** Number among all marks. */ readonly id: number };

export type Spread<S> = {
  /** First mark, so worst and nearest. */
  readonly markAt: (at: number, holds: Holds) => Mark<S> | undefined;
  readonly wayTo: (mark: Mark<S>) => readonly Mark<S>[];
};

const OTHERS = ["way", "input", "output"] as const;
const READS = 1;
const DECIDES = 2;
const NOT_YET = 3;

/** A table replaces searches. */
const usesOf = ({ sites, paths }: Model): Uint8Array => {
  const uses = new Uint8Array(sites.length * paths.length);
  for (const [at, site] of sites.entries()) {
    for (const column of site.reads) uses[at * paths.length + column] = READS;
    for (const column of site.decides) uses[at * paths.length + column] = (uses[at * paths.length + column] ?? 0) | DECIDES;
  }

  return uses;
};

const depthsOf = (sites: readonly Site[]): ((at: number) => number) => {
  const known = new Map([[END, 0]]);

  return (start) => {
    const chain: number[] = [];
    for (let at = start; !known.has(at); at = sites[at]?.until ?? END) chain.push(at);
    for (const at of chain.toReversed()) known.set(at, (known.get(sites[at]?.until ?? END) ?? 0) + 1);

    return known.get(start) ?? 0;
  };
};

/** Columns of numbers, since marks number nodes x paths. */
type Marks = {
  readonly place: number[];
  readonly level: Level[];
  readonly until: number[];
  readonly from: number[];
  readonly seed: number[];
};

/** Spreads breadth first by level. Visits a place once, a longer decision's influence again. */
export const spread = <S>(model: Model, rules: Rules, seeds: readonly Seed<S>[]): Spread<S> => {
  const { sites, paths } = model;
  const width = paths.length + OTHERS.length;
  const [wayColumn, inputColumn, outputColumn] = [paths.length, paths.length + 1, paths.length + 2];
  const uses = seeds.length === 0 ? new Uint8Array() : usesOf(model);
  const depthOf = depthsOf(sites);
  const marks: Marks = { place: [], level: [], until: [], from: [], seed: [] };
  const waiting: Record<Level, number[]> = { 0: [], 1: [], 2: [] };
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
    // // The list grows meanwhile.
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
