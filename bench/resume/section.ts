import { randomUUID } from "node:crypto";
import { figure, markdown, median } from "@/bench/report";
import type { Bench, Section } from "@/bench/section";
import { install } from "@/bench/steps/installation";
import { installPeers } from "@/bench/steps/peers";
import { resumablePeers, resumeOurs, resumePeer, type Resumed } from "./killed";

const PLANS = {
  full: { steps: 1_000, rounds: 3, leaseMs: 10_000 },
  quick: { steps: 300, rounds: 1, leaseMs: 2_000 },
} as const;

export type ResumeResult = {
  readonly steps: number;
  readonly lease_of_ms: number;
  readonly countersign: Resumed;
  readonly langgraph: Resumed | null;
  readonly dbos: Resumed | null;
};

const middle = (rounds: readonly Resumed[]): Resumed | null => {
  const time = median(rounds.map(({ resume_ms: ms }) => ms));

  return rounds.find(({ resume_ms: ms }) => ms === time) ?? null;
};

const peerRounds = async (bench: Bench, name: string, progress: (text: string) => void): Promise<Resumed | null> => {
  if (!bench.peers.includes(name)) return null;
  const { steps, rounds } = PLANS[bench.scale];
  const databaseUrl = await (await bench.server()).database();
  const made: Resumed[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      progress(`${name}, killed in the middle of ${steps} steps`);
      made.push(await resumePeer(name, databaseUrl, randomUUID(), steps));
    }
  } catch (error) {
    bench.progress(`${name} cannot be measured: ${String(error).slice(0, 1_000)}`);
  }

  return middle(made);
};

const run = async (bench: Bench): Promise<ResumeResult> => {
  const { steps, rounds, leaseMs } = PLANS[bench.scale];
  await installPeers(bench);
  const server = await bench.server();
  const progress = bench.counted(rounds * (1 + bench.peers.filter((name) => resumablePeers.includes(name)).length));
  const ours: Resumed[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`a runner of two, killed in the middle of ${steps} steps`);
    ours.push(await resumeOurs(await install(server), steps, leaseMs));
  }
  const countersign = middle(ours);
  if (!countersign) throw new Error("no round was measured");

  return {
    steps,
    lease_of_ms: leaseMs,
    countersign,
    langgraph: await peerRounds(bench, "langgraph", progress),
    dbos: await peerRounds(bench, "dbos", progress),
  };
};

const table = (result: ResumeResult): string => {
  const rows = (["countersign", "langgraph", "dbos"] as const).flatMap((name) => {
    const resumed = result[name];
    if (!resumed) return [];
    const { resume_ms: all, lease_ms: lease, steps_at_kill: atKill, steps } = resumed;

    return [[name, figure(all), figure(lease), figure(all - (lease ?? 0)), figure(atKill), figure(steps)]];
  });

  return [
    `Milliseconds from kill -9 to the next durable step by another process, in a run of ${result.steps} steps. Ours notices by itself when the lease of ${figure(result.lease_of_ms)} ms is over; peers are told to go on at the moment of the kill.`,
    markdown(["", "to the next step", "lease left", "without it", "steps at the kill", "steps at the end"], rows),
  ].join("\n\n");
};

export const RESUME: Section<ResumeResult> = {
  name: "resume",
  says: "from kill -9 in the middle of a run to the next durable step by another process; nothing lost, nothing twice",
  run,
  table,
};
