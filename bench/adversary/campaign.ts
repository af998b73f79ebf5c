import { GUARDS, type Ablated } from "./ablation";
import { benignRuns, type Benign } from "./benign";
import type { Part, Range, Success } from "./climb";
import { summarize, type Summary } from "./latency";
import { besiege, type Siege } from "./servers/fuzz-mcp-server";
import { RUNGS, type Rung } from "./strategies/table";

export type Climbed = {
  readonly rung: Rung;
  readonly n: number;
  readonly rarely: number;
  readonly records: number;
  readonly refusals: number;
  readonly successes: readonly Success[];
  readonly latency: Summary;
  readonly seconds: number;
};

export type Campaign = {
  readonly seed: number;
  readonly jobs: number;
  readonly rungs: readonly Climbed[];
  readonly siege: Siege;
  readonly benign: readonly Benign[];
  readonly ablation: readonly Ablated[];
  readonly seconds: number;
};

export type Share = { readonly guards: readonly string[]; readonly seed: number; readonly most: number };

export type Hands = {
  readonly climb: (range: Range, say: (done: number, successes: number) => void) => Promise<Part>;
  readonly ablate: (share: Share, say: (one: Ablated) => void) => Promise<readonly Ablated[]>;
};

export type Options = {
  readonly n: number;
  readonly seed: number;
  readonly jobs: number;
  /** Episodes of A2, which start real servers. */
  readonly servers: number;
  readonly mostAblated: number;
  readonly say: (line: string) => void;
};

const GUARD_NAMES = Object.keys(GUARDS);

/** A model's reach contains a page's, and a person's is small. */
const SHARE: Readonly<Record<Rung, number>> = { A0: 0.1, A1: 1, A5: 0.1 };

export const episodesOn = (rung: Rung, n: number): number => Math.ceil(n * SHARE[rung]);

const secondsSince = (startedMs: number) => (performance.now() - startedMs) / 1_000;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const climbed = async (rung: Rung, hands: Hands, { n: all, seed, jobs, say }: Options): Promise<Climbed> => {
  const n = episodesOn(rung, all);
  const startedMs = performance.now();
  const done = Array.from({ length: jobs }, () => ({ episodes: 0, successes: 0 }));
  const parts = await Promise.all(
    done.map((mine, job) => {
      const [from, to] = [Math.floor((n * job) / jobs), Math.floor((n * (job + 1)) / jobs)];

      return hands.climb({ rung, from: seed + from, n: to - from }, (episodes, successes) => {
        Object.assign(mine, { episodes, successes });
        const total = sum(done.map((each) => each.episodes));
        const rate = Math.round(total / secondsSince(startedMs));
        say(`${rung}: ${total} of ${n} episodes, ${sum(done.map((each) => each.successes))} successes, ${rate} episodes/s`);
      });
    }),
  );

  return {
    rung,
    n,
    rarely: sum(parts.map(({ rarely }) => rarely)),
    records: sum(parts.map(({ records }) => records)),
    refusals: sum(parts.map(({ refusals }) => refusals)),
    successes: parts.flatMap(({ successes }) => successes),
    latency: summarize(parts.map(({ samples }) => samples)),
    seconds: secondsSince(startedMs),
  };
};

const ablated = async (hands: Hands, { n, seed, jobs, mostAblated, say }: Options): Promise<Ablated[]> => {
  let count = 0;
  const shares = Array.from({ length: jobs }, (_none, job) => GUARD_NAMES.filter((_name, index) => index % jobs === job));
  const parts = await Promise.all(
    shares.map((guards) =>
      hands.ablate({ guards, seed: seed + n, most: mostAblated }, ({ guard, episodes }) => {
        count += 1;
        const noticed = episodes === null ? "NOT NOTICED" : `noticed in episode ${episodes}`;
        say(`guard ${count} of ${GUARD_NAMES.length}: ${guard}: ${noticed}`);
      }),
    ),
  );

  return GUARD_NAMES.flatMap((name) => parts.flat().filter(({ guard }) => guard === name));
};

export const campaign = async (hands: Hands, options: Options): Promise<Campaign> => {
  const startedMs = performance.now();
  const rungs: Climbed[] = [];
  for (const rung of RUNGS) rungs.push(await climbed(rung, hands, options));
  const siege = await besiege(options.servers, options.seed, (done) => {
    if (done % 20 === 0) options.say(`A2: ${done} of ${options.servers} episodes`);
  });
  const ablation = await ablated(hands, options);

  return { seed: options.seed, jobs: options.jobs, rungs, siege, benign: benignRuns(), ablation, seconds: secondsSince(startedMs) };
};
