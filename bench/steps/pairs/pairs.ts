/** Two checkouts by turns: the machine's other work affects both alike. */
import fs from "node:fs";
import path from "node:path";
import type { Plugin } from "esbuild";
import { inPlace } from "@/bench/bundled";
import { startChild, type Child } from "@/bench/child";
import { markdown } from "@/bench/report";
import { must, type Bench, type Section } from "@/bench/section";
import { bundlePrograms } from "@/bin/bundle";
import { RUNNER_ARGS } from "@/bin/start/node-args";
import { findMedian, type Interval } from "./interval";
import { ANSWER, turnSchema, type Turn, type TurnOrder } from "./turn";

const LOADS = {
  full: [
    { runs: 1, steps: 1_000 },
    { runs: 16, steps: 200 },
    { runs: 64, steps: 100 },
  ],
  quick: [{ runs: 4, steps: 6 }],
} as const;
/** Compiled code and plans differ by launch. */
const LAUNCHES = { full: 6, quick: 1 } as const;
const ROUNDS = { full: 10, quick: 6 } as const;
const WARM_ROUNDS = 2;

const MEASURES = ["cpuMs", "postgresMs", "bothMs", "wallMs"] as const;
type Measure = (typeof MEASURES)[number];

type Row = TurnOrder & {
  /** Per step of this checkout, medians. */
  readonly ours: Readonly<Record<Measure, number>>;
  /** This checkout's part of the other's. */
  readonly ratios: Readonly<Record<Measure, Interval>>;
};
export type PairsResult = { readonly against: string; readonly launches: number; readonly pairs: number; readonly rows: readonly Row[] };

const ROOT = process.cwd();

/** Resolves our addresses in another checkout. */
const inCheckout = (root: string): Plugin => ({
  name: "in-checkout",
  setup: (plugin) => {
    plugin.onResolve({ filter: /^@\// }, ({ path: address, kind }) => plugin.resolve(`./${address.slice(2)}`, { resolveDir: root, kind }));
  },
});

type Contestant = { readonly take: (order: TurnOrder) => Promise<Turn>; readonly end: () => Promise<void> };

const listen = (child: Child) => {
  let waiting: ((line: string) => void) | null = null;
  child.onLine((line) => {
    if (line.startsWith(ANSWER)) waiting?.(line.slice(ANSWER.length));
  });

  return (): Promise<string> =>
    Promise.race([
      new Promise<string>((resolve) => (waiting = resolve)),
      child.answer.then(() => {
        throw new Error("a contestant ended early");
      }),
    ]);
};

const enter = async (root: string, steps: readonly number[]): Promise<Contestant> => {
  const outdir = path.join(root, "node_modules", ".cache", `countersign-pairs-${process.pid}`);
  const entries = { turns: path.join(ROOT, "bench", "steps", "pairs", "turns.ts") };
  await bundlePrograms({ root, outdir, entries }, { plugins: [inPlace(root), inCheckout(root)] });
  const child = startChild([...RUNNER_ARGS, path.join(outdir, "turns.mjs"), JSON.stringify(steps)], root);
  const next = listen(child);
  await next();

  return {
    take: async (order) => {
      const answer = next();
      child.tell(JSON.stringify(order));

      return turnSchema.parse(JSON.parse(await answer));
    },
    end: async () => {
      child.tell("end");
      await child.answer;
      fs.rmSync(outdir, { recursive: true, force: true });
    },
  };
};

type Taken = Turn & { readonly bothMs: number };
type Pair = { readonly ours: Taken; readonly theirs: Taken };

const withBoth = (turn: Turn): Taken => ({ ...turn, bothMs: turn.cpuMs + turn.postgresMs });

const takePair = async (ours: Contestant, theirs: Contestant, order: TurnOrder, isOursFirst: boolean): Promise<Pair> => {
  const first = await (isOursFirst ? ours : theirs).take(order);
  const second = await (isOursFirst ? theirs : ours).take(order);
  for (const { completed } of [first, second]) must(completed === order.runs, `${completed} of ${order.runs} runs completed`);

  const [own, other] = isOursFirst ? [first, second] : [second, first];

  return { ours: withBoth(own), theirs: withBoth(other) };
};

const ofEach = <Value>(pick: (measure: Measure) => Value): Readonly<Record<Measure, Value>> => ({
  cpuMs: pick("cpuMs"),
  postgresMs: pick("postgresMs"),
  bothMs: pick("bothMs"),
  wallMs: pick("wallMs"),
});

const summarise = (order: TurnOrder, pairs: readonly Pair[]): Row => ({
  ...order,
  ours: ofEach((measure) => findMedian(pairs.map(({ ours }) => ours[measure] / (order.runs * order.steps))).median),
  ratios: ofEach((measure) => findMedian(pairs.map(({ ours, theirs }) => ours[measure] / Math.max(theirs[measure], 1)))),
});

const compare = async (bench: Bench, against: string): Promise<PairsResult> => {
  const loads = LOADS[bench.scale];
  const steps = loads.map((load) => load.steps);
  const [launches, rounds] = [LAUNCHES[bench.scale], ROUNDS[bench.scale]];
  const progress = bench.counted(launches * (rounds + WARM_ROUNDS) * loads.length);
  const taken = loads.map((): Pair[] => []);
  for (let launch = 0; launch < launches; launch += 1) {
    const [ours, theirs] = [await enter(ROOT, steps), await enter(against, steps)];
    for (let round = 0; round < rounds + WARM_ROUNDS; round += 1)
      for (const [index, load] of loads.entries()) {
        progress(`launch ${launch + 1}, round ${round + 1}: ${load.runs} x ${load.steps} steps`);
        const pair = await takePair(ours, theirs, load, round % 2 === 0);
        if (round >= WARM_ROUNDS) taken[index]?.push(pair);
      }
    await Promise.all([ours.end(), theirs.end()]);
  }

  return { against, launches, pairs: launches * rounds, rows: loads.map((load, index) => summarise(load, taken[index] ?? [])) };
};

const showRatio = ({ median, low, high }: Interval): string => `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;

export const createPairs = (against: string): Section<PairsResult> => ({
  name: "pairs",
  says: "steps of this checkout beside another one's, by turns",
  run: (bench) => compare(bench, path.resolve(against)),
  table: ({ launches, pairs, rows }) =>
    [
      `This checkout's part of the other's, medians of ${pairs} pairs from ${launches} launches with their 95 % intervals.`,
      markdown(
        ["runs x steps", "our CPU per step", "control plane's CPU", "Postgres' CPU", "both", "time"],
        rows.map(({ runs, steps, ours, ratios }) => [
          `${runs} x ${steps}`,
          `${(ours.cpuMs * 1_000).toFixed(0)} us`,
          showRatio(ratios.cpuMs),
          showRatio(ratios.postgresMs),
          showRatio(ratios.bothMs),
          showRatio(ratios.wallMs),
        ]),
      ),
    ].join("\n\n"),
});
