/** What the walk over a ledger knows when it comes to a record. */
import type { Gate, RunEvent } from "@/lib/engine/event";
import type { ReceiptPayload } from "@/lib/engine/receipt";
import type { Json } from "@/lib/json";
import type { Scenario } from "@/bench/adversary/scenarios";
import type { Taint } from "@/bench/adversary/taint";
import type { World } from "@/bench/adversary/world";

export type SeenGate = {
  readonly gate: Gate;
  status: "open" | "approved" | "rejected" | "expired" | "void";
  readonly approvers: string[];
  receipt: ReceiptPayload | null;
  /** The visit that it was opened in. */
  readonly visit: number;
  /** Whether that visit had certainly seen something tainted by then. */
  readonly tainted: boolean;
  readonly pending: Json;
  used?: string;
};

type SeenEffect = Extract<RunEvent, { type: "effect_intended" }> & { settled: boolean };

export type Seen = {
  readonly scenario: Scenario;
  readonly world: World;
  readonly taint: Taint;
  readonly gates: Map<string, SeenGate>;
  readonly effects: Map<string, SeenEffect>;
  readonly arguments: Map<string, Json>;
  readonly answered: Set<number>;
  readonly proposals: Set<string>;
  memory: Json;
  at: string | null;
  activation: number;
  initiator: string;
  author: string;
  iterations: number;
  tokens: number;
  cost: number;
  startedAt: number | null;
  waitingSince: number | null;
  waitedMs: number;
};

export type Blame = (property: string, what: string) => void;

export const nodeOf = (seen: Seen, id: string | null) => seen.scenario.published.graph.nodes.find((node) => node.id === id);
