import { listBefore, opensCall, toArguments, type CountedCall } from "@/lib/engine/approvals/run-calls";
import type { RunEvent } from "@/lib/engine/event";
import type { CellWrite, LedgerRecord } from "@/lib/engine/ledger/record";
import { ownMember, type Json, type JsonObject } from "@/lib/json";

/** Returns a write's value, if the reader may open it. */
export type OpenWrite = (write: CellWrite) => Json | undefined;

type Intent = Extract<RunEvent, { type: "effect_intended" }>;

/** Collects a run's calls, without hidden ones. */
export const createCallLog = () => {
  const waiting = new Map<string, CountedCall>();
  const made = new Map<string, CountedCall>();
  const settled = new Set<string>();

  const intend = (intent: Intent, seq: number, args: JsonObject | null): void => {
    const before = made.get(intent.effect_id);
    const gate = intent.approval_id === null ? undefined : waiting.get(intent.approval_id);
    const { server, tool } = intent.effect;
    made.set(intent.effect_id, before ?? { server, tool, since: gate?.since ?? seq, args });
    if (intent.approval_id !== null) waiting.delete(intent.approval_id);
  };
  const fork = (): void => {
    waiting.clear();
    for (const id of made.keys()) if (!settled.has(id)) made.delete(id);
  };
  const add = ({ seq, writes }: LedgerRecord, event: RunEvent, open: OpenWrite): void => {
    const read = (path: string) => {
      const write = writes.find((one) => one.path === path);

      return write && open(write);
    };
    if (event.type === "run_forked") fork();
    if (event.type === "effect_settled") settled.add(event.effect_id);
    if (event.type === "effect_intended") intend(event, seq, toArguments(read(`$arguments.${event.effect_id}`)));
    if (event.type === "gate_resolved" && event.outcome !== "approved") waiting.delete(event.approval_id);
    if (event.type !== "gate_opened" || !event.gate.transition.effect || !opensCall(event)) return;
    const { id, transition } = event.gate;
    const { server, tool } = transition.effect ?? { server: "", tool: "" };
    waiting.set(id, { server, tool, since: seq, args: toArguments(ownMember(read(`$pending.${id}`), "arguments")) });
  };

  return {
    add,
    listEarlier: ({ effect_id: id, effect }: Intent) =>
      listBefore([...made.values(), ...waiting.values()], effect, made.get(id)?.since ?? 0).filter((args) => args !== null),
  };
};
