/** Health from real calls, written every two seconds. */
import { noteMcpHealth, type HealthNote } from "@/server/store/mcp/health";
import type { AnswerFault } from "./answer";
import { coalesce } from "./coalesce";

const EVERY_MS = 2_000;

/** `unreachable`: no connection. */
export type CallFault = AnswerFault | "unreachable";

export type Health = {
  /** A tool's own error is healthy. */
  readonly note: (workspaceId: string, server: string, call: { at: number; ms: number; fault: CallFault | null }) => void;
  readonly close: () => Promise<void>;
};

export const createHealth = (): Health => {
  const notes = new Map<string, HealthNote>();
  const coalesced = coalesce(
    async () => {
      const taken = [...notes.values()];
      notes.clear();
      for (const note of taken) await noteMcpHealth(note);
    },
    EVERY_MS,
    "the health of MCP servers is not written for a moment",
  );

  return {
    note: (workspaceId, server, { at, ms, fault }) => {
      const key = `${workspaceId}/${server}`;
      const before = notes.get(key) ?? { workspaceId, server, okAt: null, failedAt: null, lastFault: null, lastMs: 0, calls: 0, faults: 0 };
      const seen = fault === null ? { okAt: at } : { failedAt: at, lastFault: fault, faults: before.faults + 1 };
      notes.set(key, { ...before, ...seen, lastMs: Math.round(ms), calls: before.calls + 1 });
      coalesced.mark();
    },
    close: coalesced.close,
  };
};
