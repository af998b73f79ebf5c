/** One hostile move. */
import type { Random } from "@/bench/adversary/random";
import { say, type World } from "@/bench/adversary/world";

export type Move = (world: World, random: Random) => void;
export type Strategies = Readonly<Record<string, Move>>;

export const write = (path: string, value: unknown) => ({ type: "update_memory", updates: [{ path, value }] });

export const put = (world: World, random: Random, ...actions: readonly unknown[]): void => {
  if (random.chance(0.6)) say(world, { kind: "node_result", actions });
  else for (const action of actions) say(world, { kind: "action", action });
};

export const ask = (world: World, server: string, tool: string, args: unknown, more: Record<string, unknown> = {}): void => {
  const call = `c${world.run.state().version}`;
  say(world, { kind: "effect_intent", call_id: call, server, tool, arguments: args, availability: "ok", ...more });
};

export const EVIL_PLANS = ["enterprise", "again", "free", "team "] as const;
