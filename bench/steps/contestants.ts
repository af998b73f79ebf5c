import { ownChild, startChild } from "@/bench/child";
import type { Bench } from "@/bench/section";
import { measuredSchema, type Measured, type Order } from "./contestant";
import { countingGraph } from "./graph";
import { install, publishVersion } from "./installation";
import { installPeers, measurePeer } from "./peers";

/** Named even if unmeasured. */
export const NAMED = ["countersign", "langgraph", "dbos", "cycgraph", "mastra", "floor"] as const;
export type Name = (typeof NAMED)[number];
export type Figures<Value> = { readonly [name in Name]: Value | null };
export type Load = Omit<Order, "databaseUrl">;

export type Contestant = {
  readonly name: Name;
  /** As administrator. */
  readonly databaseUrl: string;
  /** Null: unmeasurable. */
  readonly measure: (load: Load) => Promise<Measured | null>;
};

export const figuresOf = <Value>(pick: (name: Name) => Value | null): Figures<Value> => ({
  countersign: pick("countersign"),
  langgraph: pick("langgraph"),
  dbos: pick("dbos"),
  cycgraph: pick("cycgraph"),
  mastra: pick("mastra"),
  floor: pick("floor"),
});

const ownMeasured = async (name: string, order: object): Promise<Measured> =>
  measuredSchema.parse(JSON.parse(await startChild(ownChild(name, order)).answer));

const floorOf = (databaseUrl: string): Contestant => ({
  name: "floor",
  databaseUrl,
  measure: (load) => ownMeasured("floor", { ...load, databaseUrl }),
});

const countersignOf = async (bench: Bench): Promise<Contestant> => {
  const installed = await install(await bench.server());
  const versions = new Map<number, string>();
  const hashOf = async (steps: number): Promise<string> => {
    const hash = versions.get(steps) ?? (await publishVersion(installed, countingGraph(steps)));
    versions.set(steps, hash);

    return hash;
  };

  return {
    name: "countersign",
    databaseUrl: installed.urls.admin,
    measure: async (load) =>
      ownMeasured("countersign", { ...load, installed, graphHash: await hashOf(load.steps), warmHash: await hashOf(load.warmSteps) }),
  };
};

const peerOf = (bench: Bench, name: Name, databaseUrl: string): Contestant => {
  let isGone = false;

  return {
    name,
    databaseUrl,
    measure: async (load) => {
      const measured = isGone ? null : await measurePeer(bench, name, { ...load, databaseUrl });
      isGone = measured === null;

      return measured;
    },
  };
};

export const enterContestants = async (bench: Bench): Promise<Contestant[]> => {
  await installPeers(bench);
  const server = await bench.server();
  const peers = NAMED.filter((name) => bench.peers.includes(name));
  const entered = [floorOf(await server.database()), await countersignOf(bench)];
  for (const name of peers) entered.push(peerOf(bench, name, await server.database()));

  return entered;
};
