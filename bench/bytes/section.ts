/** Differences of two runs cancel fixed costs. */
import { figure, markdown, ratio } from "@/bench/report";
import { must, type Bench, type Section } from "@/bench/section";
import { NAMED, enterContestants, figuresOf, type Contestant, type Figures, type Name } from "@/bench/steps/contestants";
import { countStatements, eachStep, stopCounting, writtenBy, type Written } from "./written";

/** Memory size and run lengths; last two: first and last steps of a long run. */
const PLANS = {
  full: { small: 10_000, large: 1_000_000, lengths: [20, 220], first: [100, 200], last: [900, 1_000] },
  quick: { small: 10_000, large: 100_000, lengths: [10, 20], first: [10, 20], last: [30, 40] },
} as const;
const WARM_STEPS = 20;
const BUDGET_BYTES = 2_000;
const KINDS_SHOWN = 8;

type Each = { readonly wal: number; readonly images: number; readonly kept: number; readonly statements: number; readonly writes: number };
type Flat = { readonly first: number; readonly last: number };

export type BytesResult = {
  /** With 10 KB of memory: log, page image and row bytes, statements, writing transactions. */
  readonly kb10: Figures<Each>;
  readonly mb1: Figures<Each>;
  /** Log bytes, first and last hundred of a thousand steps. */
  readonly flat: Figures<Flat>;
  readonly kinds: readonly { readonly kind: string; readonly bytes: number }[];
  /** At most 2 kB besides the patch, without page images. */
  readonly within_budget: boolean;
};

type Lengths = readonly [number, number];

/** Null: unmeasurable. */
const between = async (bench: Bench, contestant: Contestant, stateBytes: number, [short, long]: Lengths): Promise<Written | null> => {
  const server = await bench.server();
  const written: Written[] = [];
  for (const steps of [short, long]) {
    let made: number | null = null;
    const one = await writtenBy(server, contestant.databaseUrl, async () => {
      made = (await contestant.measure({ runs: 1, steps, warmSteps: WARM_STEPS, stateBytes }))?.steps ?? null;
    });
    if (made === null) return null;
    must(made === steps, `${contestant.name} made ${String(made)} durable steps of ${steps}`);
    written.push(one);
  }
  const [shorter, longer] = written;

  return shorter && longer ? eachStep(longer, shorter, long - short) : null;
};

const rounded = (value: number): number => Number(value.toFixed(2));

const eachOf = ({ wal, images, kept, statements, writes }: Written): Each => ({
  wal: rounded(wal),
  images: rounded(images),
  kept: rounded(kept),
  statements: rounded(statements),
  writes: rounded(writes),
});

const walOf = ({ wal, images }: Written): number => rounded(wal - images);

const run = async (bench: Bench): Promise<BytesResult> => {
  const plan = PLANS[bench.scale];
  const all = await enterContestants(bench);
  const server = await bench.server();
  const progress = bench.counted(all.length * 5);
  const small = new Map<Name, Written>();
  const large = new Map<Name, Written>();
  const flat = new Map<Name, Flat>();
  await countStatements(server);
  for (const contestant of all) {
    const { name } = contestant;
    progress(`${name}: tables and caches`);
    await contestant.measure({ runs: 1, steps: plan.lengths[0], warmSteps: WARM_STEPS, stateBytes: plan.small });
    progress(`${name}: ${plan.small} bytes of memory`);
    const little = await between(bench, contestant, plan.small, plan.lengths);
    progress(`${name}: ${plan.large} bytes of memory`);
    const much = await between(bench, contestant, plan.large, plan.lengths);
    progress(`${name}: steps ${plan.first.join(" to ")}`);
    const first = await between(bench, contestant, plan.small, plan.first);
    progress(`${name}: steps ${plan.last.join(" to ")}`);
    const last = await between(bench, contestant, plan.small, plan.last);
    if (little) small.set(name, little);
    if (much) large.set(name, much);
    if (first && last) flat.set(name, { first: walOf(first), last: walOf(last) });
  }
  await stopCounting(server);
  const ours = [small.get("countersign"), large.get("countersign")];
  const kinds = Object.entries(ours[0]?.kinds ?? {}).map(([kind, bytes]) => ({ kind, bytes: rounded(bytes) }));
  const of = (measured: ReadonlyMap<Name, Written>) => (name: Name) => {
    const written = measured.get(name);

    return written ? eachOf(written) : null;
  };

  return {
    kb10: figuresOf(of(small)),
    mb1: figuresOf(of(large)),
    flat: figuresOf((name) => flat.get(name) ?? null),
    kinds: kinds.toSorted((a, b) => b.bytes - a.bytes).slice(0, KINDS_SHOWN),
    within_budget: ours.every((written) => written !== undefined && walOf(written) <= BUDGET_BYTES),
  };
};

const table = (result: BytesResult): string => {
  const measured = NAMED.filter((name) => result.kb10[name] !== null);
  const rows = measured.map((name) => {
    const [little, much, flat] = [result.kb10[name], result.mb1[name], result.flat[name]];
    const wal = (each: Each | null) => (each ? each.wal - each.images : null);

    return [
      name,
      figure(wal(little)),
      figure(wal(much)),
      ratio(wal(much), wal(little)),
      figure(little?.images ?? null),
      figure(little?.kept ?? null),
      ratio(flat?.last ?? null, flat?.first ?? null),
      figure(little?.statements ?? null),
      figure(little?.writes ?? null),
    ];
  });
  const heads = [
    "",
    "log, 10 KB",
    "log, 1 MB",
    "1 MB to 10 KB",
    "page images",
    "kept",
    "last 100 to first",
    "statements",
    "write transactions",
  ];

  return [
    "Bytes that a step writes to the log (page images apart), bytes of rows kept, and bytes sent to the server.",
    markdown(heads, rows),
    `Ours by kind of record, in bytes of a step (${result.within_budget ? "within" : "OVER"} the budget of 2 kB beside the patch):`,
    markdown(
      ["kind", "bytes"],
      result.kinds.map(({ kind, bytes }) => [kind, figure(bytes)]),
    ),
  ].join("\n\n");
};

export const BYTES: Section<BytesResult> = {
  name: "bytes",
  says: "bytes written per step at 10 KB and 1 MB of memory, whether it stays flat, statements and transactions",
  run,
  table,
};
