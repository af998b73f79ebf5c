import type { RunLedger } from "./use-run-ledger";

const TEXT = {
  connecting: "Connecting…",
  live: "Live",
  ended: "All records",
  broken: "Interrupted; trying again",
} as const satisfies Record<RunLedger["connection"], string>;

/** Whether what is on screen is all there is. */
export const ConnectionNote = ({ connection }: Pick<RunLedger, "connection">) => (
  <output className="text-xs text-muted">{TEXT[connection]}</output>
);
