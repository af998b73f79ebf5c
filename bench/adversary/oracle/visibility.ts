import type { Gate, RunEvent } from "@/lib/engine/event";
import type { GateState } from "@/lib/engine/state";
import type { ReceiptPayload } from "@/lib/engine/approvals/receipt";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { readsOfAgent } from "@/bench/adversary/grants";
import { partyOf } from "@/bench/adversary/tasks";
import { joined, type Level, type Taint } from "@/bench/adversary/taint";
import type { World } from "@/bench/adversary/world";

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

export type SeenGate = {
  readonly gate: Gate;
  status: GateState["status"];
  readonly approvers: string[];
  receipt: ReceiptPayload | null;
  readonly visit: number;
  /** Certain influences. */
  readonly level: Level;
  readonly pending: Json;
  readonly memory: Json;
  used?: string;
};

export type SeenCase = {
  readonly opened: EventOf<"case_opened">["case"];
  readonly value: Json;
  readonly verdicts: EventOf<"verdict_given">[];
  status: "open" | EventOf<"case_closed">["outcome"];
};

export type SeenEffect = EventOf<"effect_intended"> & { settled: boolean; readonly level: Level };
export type SeenUndo = EventOf<"compensation_pushed"> & { readonly arguments: Json; settled: boolean };
export type Reservation = EventOf<"budget_reserved"> & { readonly key: string };

export type Place = {
  readonly published: PublishedGraph;
  readonly strict: boolean;
  /** Null: top level. */
  readonly node: string | null;
  at: string | null;
  activation: number;
  memory: Json;
  /** Undefined: none yet; null: done. */
  chosen: string | null | undefined;
  handoff: string | null;
  attempts: number;
  retryAt: number | null;
  /** Usage, for its limits. */
  readonly entered: { readonly iterations: number; readonly workedMs: number; readonly tokens: number; readonly cost: number };
};

export type Seen = {
  readonly world: World;
  readonly taint: Taint;
  readonly gates: Map<string, SeenGate>;
  readonly escalated: Set<string>;
  readonly effects: Map<string, SeenEffect>;
  readonly cases: Map<string, SeenCase>;
  readonly arguments: Map<string, Json>;
  readonly results: Map<string, Json>;
  /** By visit and task. */
  readonly answered: Map<number, Map<string, Level>>;
  readonly proposals: Set<string>;
  readonly reservations: Map<string, Reservation>;
  readonly spent: Map<string, { readonly tokens: number; readonly cost: number }>;
  readonly choices: Map<string, number>;
  readonly undo: SeenUndo[];
  /** Outermost first; never empty. */
  readonly places: Place[];
  wait: EventOf<"wait_opened"> | null;
  initiator: string;
  author: string;
  handoffs: number;
  iterations: number;
  counted: number | null;
  tokens: number;
  cost: number;
  startedAt: number | null;
  waitingSince: number | null;
  waitedMs: number;
  started: boolean;
  unwinding: boolean;
  over: boolean;
};

export type Blame = (property: string, what: string) => void;

export const placeOf = (seen: Seen): Place => {
  const place = seen.places.at(-1);
  if (!place) throw new Error("a walk is always somewhere");

  return place;
};

export const findNode = (seen: Seen, id: string | null): GraphNode | undefined =>
  placeOf(seen).published.graph.nodes.find((node) => node.id === id);

export const getKey = (seen: Seen, node: string): string =>
  [...seen.places.flatMap((place) => (place.node === null ? [] : [place.node])), node].join("/");

const answers = (seen: Seen, activation: number, task: string | null): Level =>
  joined(
    ...[...(seen.answered.get(activation) ?? [])].flatMap(([of, level]) => (task === null || of === task || of === "$" ? [level] : [])),
  );

/** Certain influences on a task. */
export const levelOfTask = (seen: Seen, node: GraphNode, task = ""): Level => {
  const { published, memory, activation } = placeOf(seen);
  const party = partyOf(published, memory, node, task);
  if (!party) return seen.taint.control();
  const read = party.judges ? node.read_keys : readsOfAgent(published, party.acting, party.agent);
  const items = party.item !== undefined && node.kind === "map" && "from" in node.config.items ? [node.config.items.from] : [];

  return joined(seen.taint.control(), seen.taint.at([...read, ...items]), answers(seen, activation, party.alone ? task : null));
};
