import { cpuSeconds } from "@/bench/processes";
import { startChild } from "@/bench/child";
import type { Bench } from "@/bench/section";
import { installPeers, peerArguments } from "@/bench/steps/peers";
import { queryOn } from "@/server/testing/connections";
import { summarise, type Answered } from "./answered";
import { openSender, sendAtRate } from "./open-loop";
import { toStarts } from "./place";

export type PeerStarts = Answered & {
  /** Milliseconds of processor of its process for each start; null: unreadable. */
  readonly cost: number | null;
};

type Load = { readonly perSecond: number; readonly seconds: number; readonly warm: number };

const createDatabase = async (admin: string): Promise<string> => {
  await queryOn(admin, "create database starts_of_dbos");
  const url = new URL(admin);
  url.pathname = "/starts_of_dbos";

  return url.toString();
};

export const measureDbos = async (bench: Bench, admin: string, { perSecond, seconds, warm }: Load): Promise<PeerStarts | null> => {
  await installPeers(bench);
  bench.progress("the same from DBOS");
  const child = startChild(...peerArguments("dbos-starts.mjs", { databaseUrl: await createDatabase(admin) }));
  const ready = new Promise<string>((resolve) => child.onLine((line) => resolve(line.replace(/^ready /u, ""))));
  try {
    const port = await Promise.race([ready, child.answer]);
    const sender = openSender(`http://127.0.0.1:${port}`);
    const send = (count: number) => sendAtRate(sender, toStarts([""], "", count), perSecond);
    await send(warm);
    const before = cpuSeconds(child.pid ?? 0);
    const answers = await send(perSecond * seconds);
    const after = cpuSeconds(child.pid ?? 0);
    await sender.close();

    return { ...summarise(answers), cost: before === null || after === null ? null : ((after - before) * 1_000) / answers.length };
  } catch (error) {
    bench.progress(`dbos cannot be measured: ${String(error).slice(0, 1_000)}`);

    return null;
  } finally {
    child.kill();
  }
};
