import { count, formatMoney } from "@/lib/format";
import { CLASSIFICATIONS } from "@/lib/graph/label";
import type { BlastRadius, Reachable } from "./blast";
import type { Flow, Source } from "./flows";
import type { Sink } from "./sinks";
import type { Spend } from "./spend";
import type { Told } from "./blast-radius";

export type NameOf = (node: string) => string;

/** Describes a source, to follow "from". */
export const describeSource = (source: Source, nameOf: NameOf): string => {
  switch (source.type) {
    case "tools":
      return `tool results of ${nameOf(source.node)}`;
    case "failure":
      return `a failure of ${nameOf(source.node)}`;
    case "recall":
      return `facts that ${nameOf(source.node)} recalls from earlier runs`;
    case "given":
      return `an outside agent's input to ${nameOf(source.node)}`;
    case "answer":
      return `the answer that ${nameOf(source.node)} waits for`;
    case "chosen":
      return `an outside agent's choice after ${nameOf(source.node)}`;
    case "inputs":
    case "goal":
      return "the run's launch input";
    case "key":
      return source.key;
    default:
      return source satisfies never;
  }
};

/** Describes a call's worst effect, to follow "it". */
export const describeEffect = ({ effect, outward }: Pick<Extract<Sink, { kind: "call" }>, "effect" | "outward">): string => {
  switch (effect) {
    case "irreversible":
      return "makes an irreversible change";
    case "write":
      return "changes data outside the run";
    case "read":
    case "pure":
      return outward ? "sends its arguments outside" : "only reads";
    default:
      return effect satisfies never;
  }
};

export const describeSink = (sink: Sink, nameOf: NameOf): string => {
  const node = `“${nameOf(sink.node)}”`;
  switch (sink.kind) {
    case "call":
      return `${node} calls ${sink.tool}, which ${describeEffect(sink)}`;
    case "key":
      return `${node} writes the guarded key ${sink.key}`;
    case "route":
      return sink.edge === undefined ? `${node} chooses the route` : `${node} decides whether edge ${sink.edge} is taken`;
    default:
      return sink satisfies never;
  }
};

export const describeFlow = (flow: Flow, nameOf: NameOf): string => {
  const what = describeSink(flow.sink, nameOf);
  const from = describeSource(flow.source, nameOf);
  if (flow.kind === "confidential") return `${what}, and can receive ${from} (${flow.level}), for which it is not cleared.`;
  if (flow.verdict === "open" && flow.stopped) return `${what}, and ${from} can't meet the integrity it requires, even with an approval.`;
  switch (flow.verdict) {
    case "open":
      return `${what}, and ${from} can influence it without an approval.`;
    case "held":
      return `${what}, and ${from} can influence it, but only with an approval.`;
    case "noted":
      return `${what}, and ${from} can influence it.`;
    default:
      return flow.verdict satisfies never;
  }
};

export const describeGates = ({ gated, gates }: Pick<Reachable, "gated" | "gates">, nameOf: NameOf): string => {
  const named = gates.map((gate) => `“${nameOf(gate)}”`).join(", ");
  if (!gated) return named === "" ? "No approval" : `No approval: enters after ${named}`;

  return named === "" ? "Needs an approval, by policy" : `Needs an approval at ${named}`;
};

/** Describes received data: "pii: customer, request". */
export const describeTold = (told: readonly Told[]): readonly string[] =>
  CLASSIFICATIONS.toReversed().flatMap((classification) => {
    const names = told.filter((one) => one.classification === classification).map(({ name }) => name);

    return names.length === 0 ? [] : [`${classification}: ${names.join(", ")}`];
  });

const MICRO = 1_000_000;

const counted = (amount: number, one: string): string => `${count(amount)} ${one}${amount === 1 ? "" : "s"}`;

export const spendText = ({ models, usd, tokens }: Spend): string => {
  if (!models) return `spend ${formatMoney(0)}`;
  if (usd !== null) return `spend ${formatMoney(usd * MICRO)}`;

  return tokens === null ? "spend without limit" : `spend ${counted(tokens, "token")}`;
};

export const blastRadiusSentence = ({ nodes, unseen }: Pick<BlastRadius, "nodes" | "unseen">): string => {
  if (nodes.length === 0) return "No reachable node uses it, so it can do nothing.";
  const { paths, tools, secrets, credentials, hosts, spend } = unseen;
  const parts = [
    `write ${counted(paths.length, "path")}`,
    `call ${counted(tools.length, "tool")}`,
    ...(secrets.length === 0 ? [] : [`read ${counted(secrets.length, "secret")}`]),
    ...(credentials.length === 0 ? [] : [`act with ${counted(credentials.length, "credential")}`]),
    ...(hosts === null ? [] : [`reach ${counted(hosts.length, "host")}`]),
    spendText(spend),
  ];

  return `Before the first approval it could: ${parts.join(", ")}.`;
};

const WEIGHTS = { irreversible: 5, write: 4, read: 3, pure: 3 } as const;
const KEY_WEIGHT = 2;
const ROUTE_WEIGHT = 1;
const UNGATED_WEIGHT = 10;

/** Weighs a sink; ungated ones outweigh all gated ones. */
export const weighReach = ({ sink, gated }: Pick<Reachable, "sink" | "gated">): number => {
  const weight = sink.kind === "call" ? WEIGHTS[sink.effect] : sink.kind === "key" ? KEY_WEIGHT : ROUTE_WEIGHT;

  return gated ? weight : weight + UNGATED_WEIGHT;
};

/** Sorts by severity, then document order. */
export const sortWorstFirst = (reachable: readonly Reachable[]): Reachable[] => reachable.toSorted((a, b) => weighReach(b) - weighReach(a));
