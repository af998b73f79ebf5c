import { randomUUID } from "node:crypto";
import type { ForkChange, ForkEffects } from "@/lib/engine/forks/fork-change";
import type { Mcp } from "@/server/mcp/contract";
import { outcomeSchema, type CommandOutcome } from "@/server/store/runs/commands";
import { command, query, type Desk } from "@/server/runner/testing/desk";
import { drive } from "@/server/runner/testing/run";

export type Forked = { readonly run: string; readonly outcome: CommandOutcome };

type Wanted = { readonly effects?: ForkEffects; readonly by?: string; readonly run?: string };

/** Requests a fork and drives only the parent. */
export const forkRun = async (desk: Desk, parent: string, seq: number, change: ForkChange, wanted: Wanted = {}): Promise<Forked> => {
  const run = wanted.run ?? randomUUID();
  const id = await command(desk, parent, wanted.by ?? desk.people.starter, {
    kind: "fork",
    run,
    parent_run: parent,
    parent_seq: seq,
    change,
    effects: wanted.effects ?? "simulate",
  });
  await drive(desk, parent);
  const [row] = await query<{ outcome: unknown }>(desk.urls.admin, "select outcome from command where id = $1", [id]);

  return { run, outcome: outcomeSchema.parse(row?.outcome) };
};

export const countingDesk = (desk: Desk): { readonly desk: Desk; readonly contacts: () => number } => {
  let contacts = 0;
  const { mcp } = desk.deps;
  const counted = <A extends unknown[], R>(ask: (...args: A) => R) => {
    return (...args: A): R => {
      contacts += 1;

      return ask(...args);
    };
  };

  return {
    desk: {
      ...desk,
      deps: {
        ...desk.deps,
        mcp: {
          call: counted((...args: Parameters<Mcp["call"]>) => mcp.call(...args)),
          check: counted((...args: Parameters<Mcp["check"]>) => mcp.check(...args)),
          standing: (target) => mcp.standing(target),
          close: () => mcp.close(),
        },
      },
    },
    contacts: () => contacts,
  };
};
