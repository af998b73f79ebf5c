import { ownChild, startChild } from "@/bench/child";
import { figure, markdown, median, quantile, ratio } from "@/bench/report";
import { must, type Bench, type Section } from "@/bench/section";
import { NAMED, enterContestants, figuresOf, type Figures, type Name } from "./contestants";
import { costRows, costSchema, type Cost } from "./cost";

/** Seconds of work. */
const LOADS = {
  full: [
    { runs: 1, steps: 400 },
    { runs: 16, steps: 200 },
    { runs: 64, steps: 100 },
  ],
  quick: [
    { runs: 1, steps: 20 },
    { runs: 16, steps: 6 },
    { runs: 64, steps: 4 },
  ],
} as const;
const ROUNDS = { full: 3, quick: 1 } as const;
const WARM_STEPS = { full: 100, quick: 10 } as const;
const COST_STEPS = { full: 1_000, quick: 20 } as const;
const STATE_BYTES = 10;

type Latency = { readonly p50: number; readonly p95: number };

export type StepsResult = {
  /** Per second, durable. */
  readonly runs1: Figures<number>;
  readonly runs16: Figures<number>;
  readonly runs64: Figures<number>;
  /** Ms. */
  readonly latency_ms: { readonly runs1: Figures<Latency>; readonly runs16: Figures<Latency>; readonly runs64: Figures<Latency> };
  /** Ours. */
  readonly cost_us: Cost;
  readonly rounds: number;
};

type Taken = { readonly name: Name; readonly runs: number; readonly perSecond: number; readonly latency: Latency };

/** Load on the machine must affect all alike. */
const measureAll = async (bench: Bench): Promise<Taken[]> => {
  const all = await enterContestants(bench);
  const loads = LOADS[bench.scale];
  const warmSteps = WARM_STEPS[bench.scale];
  const server = await bench.server();
  const progress = bench.counted(ROUNDS[bench.scale] * loads.length * all.length);
  const taken: Taken[] = [];
  for (let round = 1; round <= ROUNDS[bench.scale]; round += 1)
    for (const load of loads)
      for (const { name, measure } of all) {
        progress(`round ${round}: ${name}, ${load.runs} ${load.runs === 1 ? "run" : "runs"} of ${load.steps} steps`);
        // No contestant pays for another's dirty pages.
        await server.query(server.adminUrl, "checkpoint");
        const measured = await measure({ ...load, warmSteps, stateBytes: STATE_BYTES });
        if (!measured) continue;
        must(measured.steps === load.runs * load.steps, `${name} made ${measured.steps} durable steps of ${load.runs * load.steps}`);
        must(measured.warmed === warmSteps, `${name} warmed up with ${measured.warmed} steps instead of ${warmSteps}`);
        const [p50, p95] = [median(measured.latencies), quantile(measured.latencies, 0.95)];
        taken.push({ name, runs: load.runs, perSecond: measured.steps / measured.seconds, latency: { p50, p95 } });
      }

  return taken;
};

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

const run = async (bench: Bench): Promise<StepsResult> => {
  const taken = await measureAll(bench);
  bench.progress("what each part of a step costs by itself");
  const order = { steps: COST_STEPS[bench.scale], stateBytes: STATE_BYTES };
  const cost = costSchema.parse(JSON.parse(await startChild(ownChild("cost", order)).answer));
  const of = (name: Name, runs: number) => taken.filter((one) => one.name === name && one.runs === runs);
  const rates = (runs: number) =>
    figuresOf((name) => {
      const mine = of(name, runs);

      return mine.length === 0 ? null : round(median(mine.map(({ perSecond }) => perSecond)), 1);
    });
  const latencies = (runs: number) =>
    figuresOf((name): Latency | null => {
      const mine = of(name, runs).map(({ latency }) => latency);
      if (mine.length === 0) return null;

      return { p50: round(median(mine.map(({ p50 }) => p50)), 3), p95: round(median(mine.map(({ p95 }) => p95)), 3) };
    });

  return {
    runs1: rates(1),
    runs16: rates(16),
    runs64: rates(64),
    latency_ms: { runs1: latencies(1), runs16: latencies(16), runs64: latencies(64) },
    cost_us: cost,
    rounds: ROUNDS[bench.scale],
  };
};

const LOAD_NAMES = ["runs1", "runs16", "runs64"] as const;

const table = (result: StepsResult): string => {
  const measured = NAMED.filter((name) => result.runs1[name] !== null);
  const rates = measured.map((name) => [
    name,
    ...LOAD_NAMES.flatMap((load) => [figure(result[load][name]), ratio(result[load].floor, result[load][name])]),
  ]);
  const waits = measured.map((name) => [
    name,
    ...LOAD_NAMES.flatMap((load) => {
      const latency = result.latency_ms[load][name];

      return [figure(latency?.p50 ?? null), figure(latency?.p95 ?? null)];
    }),
  ]);

  return [
    `Durable steps per second, and how many times slower than the floor; medians of ${result.rounds}.`,
    markdown(["", "1 run", "floor is", "16 runs", "floor is", "64 runs", "floor is"], rates),
    "Milliseconds from one durable step of a run to its next.",
    markdown(["", "1 run p50", "p95", "16 runs p50", "p95", "64 runs p50", "p95"], waits),
    "Microseconds of the processor for one of our steps, without the statement: medians, each part by itself.",
    markdown(
      ["", "what", "us"],
      [...costRows(result.cost_us), ["sum", "", figure(Object.values(result.cost_us).reduce((sum, each) => sum + each, 0))]],
    ),
  ].join("\n\n");
};

export const STEPS: Section<StepsResult> = {
  name: "steps",
  says: "durable steps per second and latency at 1, 16 and 64 runs, beside the floor and the peers",
  run,
  table,
};
