import { setTimeout as wait } from "node:timers/promises";
import type { Workspace } from "@/bench/chaos/load/workspace";
import type { People } from "@/bench/chaos/load/people";
import type { RunScript } from "@/bench/chaos/load/script";
import { MODEL } from "@/bench/chaos/models";

type Step = { readonly atMs: number; readonly act: () => Promise<void> };

const stepsOf = (script: RunScript, { people: { starter }, versions }: Workspace, people: People): Step[] => {
  const { id, graph, startAtMs, cancelAtMs, fork } = script;
  const start = (): Promise<void> =>
    people.ask(id, starter, {
      kind: "start",
      graph_hash: versions[graph].hash,
      goal: "Go on",
      constraints: [],
      inputs: { text: id },
      model: MODEL,
    });
  const cancel = (): Promise<void> => people.ask(id, starter, { kind: "cancel", reason: "Not needed any more." });
  const split = ({ id: run, effects, seq }: NonNullable<RunScript["fork"]>): Promise<void> =>
    people.ask(id, starter, { kind: "fork", run, parent_run: id, parent_seq: seq, change: { type: "none" }, effects });

  return [
    { atMs: startAtMs, act: start },
    ...(cancelAtMs === null ? [] : [{ atMs: cancelAtMs, act: cancel }]),
    ...(fork === null ? [] : [{ atMs: fork.atMs, act: () => split(fork) }]),
  ];
};

/** @param fromMs earliest start, as `Date.now()` */
export const driveLoad = async (scripts: readonly RunScript[], workspace: Workspace, people: People, fromMs: number): Promise<void> => {
  const steps = scripts.flatMap((script) => stepsOf(script, workspace, people)).toSorted((a, b) => a.atMs - b.atMs);
  const asked: Promise<void>[] = [];
  for (const { atMs, act } of steps) {
    await wait(Math.max(0, fromMs + atMs - Date.now()));
    asked.push(act());
  }
  await Promise.all(asked);
};
