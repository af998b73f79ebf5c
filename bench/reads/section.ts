import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { ownChild, startChild } from "@/bench/child";
import { figure, markdown, ratio } from "@/bench/report";
import type { Bench, Section } from "@/bench/section";
import { installPeers, runPeer } from "@/bench/steps/peers";
import { peerSchema, readSchema, type Order, type PeerReads, type Read } from "./order";

/** The first size warms up. */
const LOADS = {
  full: { sizes: [1_000, 1_000, 10_000], repeats: 7, runs: 10_000, waiting: 1_000 },
  quick: { sizes: [60, 60, 120], repeats: 2, runs: 200, waiting: 20 },
} as const;
const PAGE = 500;

export type ReadsResult = {
  readonly runs: readonly (Read["runs"][number] & { readonly langgraph: PeerReads | null })[];
  readonly lists: Read["lists"];
};

const peerReads = async (bench: Bench, records: number, repeats: number): Promise<PeerReads | null> => {
  if (!bench.peers.includes("langgraph")) return null;
  try {
    await installPeers(bench);
    const databaseUrl = await (await bench.server()).database();

    return peerSchema.parse(await runPeer("langgraph-reads.mjs", { databaseUrl, records, page: PAGE, repeats }));
  } catch (error) {
    bench.progress(`langgraph cannot be measured: ${String(error).slice(0, 1_000)}`);

    return null;
  }
};

const run = async (bench: Bench): Promise<ReadsResult> => {
  const { sizes, ...load } = LOADS[bench.scale];
  const progress = bench.counted(sizes.length);
  const { admin, web, runner } = await (await bench.server()).migrated();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-reads-"));
  try {
    progress(`writing runs of ${sizes.slice(1).join(" and ")} records, ${load.runs} runs and ${load.waiting} approvals, and reading them`);
    const order: Order = { urls: { admin, web, runner }, home, sizes: [...sizes], ...load };
    // Node reads it before the process asks.
    const settings = path.join(home, "bench.env");
    fs.writeFileSync(settings, `COUNTERSIGN_HOME=${home}\n`);
    const read = readSchema.parse(JSON.parse(await startChild([`--env-file=${settings}`, ...ownChild("reads", order)]).answer));
    const runs: ReadsResult["runs"][number][] = [];
    for (const one of read.runs) {
      progress(`a thread of ${one.records} checkpoints of langgraph`);
      runs.push({ ...one, langgraph: await peerReads(bench, one.records, load.repeats) });
    }

    return { runs, lists: read.lists };
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
};

const ms = (value: number | null) => figure(value, "ms");

const NOT_ASKED = ["-", "-", "-", "-"];

const table = ({ runs, lists }: ReadsResult): string =>
  [
    "The state after a record, every check on: asked for the first time by a process that has not seen the run, and again; and a page of records. The checked floor has nothing but a digest and a signature more for each record.",
    markdown(
      ["", "floor", "checked floor", "first time", "of the floor", "of the checked floor", "again", "of the floor", "langgraph"],
      runs.flatMap(({ records, middle, last, page, langgraph }) => [
        [
          `state after the last of ${figure(records)} records`,
          ms(last.floor),
          ms(last.checked),
          ms(last.first),
          ratio(last.first, last.floor),
          ratio(last.first, last.checked),
          ms(last.again),
          ratio(last.again, last.floor),
          "-",
        ],
        [
          "state after the record in the middle",
          ms(middle.floor),
          ...NOT_ASKED,
          ms(middle.again),
          ratio(middle.again, middle.floor),
          ms(langgraph?.state_ms ?? null),
        ],
        [
          `${PAGE} of ${figure(records)} records`,
          ms(page.floor),
          ...NOT_ASKED,
          ms(page.ours),
          ratio(page.ours, page.floor),
          ms(langgraph?.page_ms ?? null),
        ],
      ]),
    ),
    "Lists of 50 runs and 200 approvals, of very many.",
    markdown(
      ["", "p50", "p95", "floor", "p50 of the floor"],
      lists.map(({ name, p50, p95, floor }) => [name, ms(p50), ms(p95), ms(floor), ratio(p50, floor)]),
    ),
  ].join("\n\n");

export const READS: Section<ReadsResult> = {
  name: "reads",
  says: "the state after any record, pages of records, lists of runs and approvals, beside the floor and langgraph",
  run,
  table,
};
