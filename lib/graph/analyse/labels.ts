/** What the analysis finds, in the words that every screen and every problem uses for it. */
import { count, money } from "@/lib/format";
import { CLASSIFICATIONS } from "@/lib/graph/label";
import type { BlastRadius, Reachable } from "./blast";
import type { Flow, Source } from "./flows";
import type { Sink } from "./sinks";
import type { Spend } from "./spend";
import type { Told } from "./blast-radius";

/** How people call a node, by its id. */
export type NameOf = (node: string) => string;

/** Fits after "from". */
export const sourceText = (source: Source, nameOf: NameOf): string => {
  switch (source.type) {
    case "tools":
      return `what the tools of ${nameOf(source.node)} answer`;
    case "failure":
      return `the failure of ${nameOf(source.node)}`;
    case "recall":
      return `what ${nameOf(source.node)} recalls of earlier runs`;
    case "given":
      return `what an outside agent gives to ${nameOf(source.node)}`;
    case "chosen":
      return `what an outside agent chooses after ${nameOf(source.node)}`;
    case "inputs":
    case "goal":
      return "what the run is started with";
    case "key":
      return source.key;
    default:
      return source satisfies never;
  }
};

/** What a call to a tool does at its worst; fits after "it". */
export const effectText = ({ effect, outward }: Pick<Extract<Sink, { kind: "call" }>, "effect" | "outward">): string => {
  switch (effect) {
    case "irreversible":
      return "does something that cannot be undone";
    case "write":
      return "changes data outside the run";
    case "read":
    case "pure":
      return outward ? "tells the outside what it is told" : "only looks";
    default:
      return effect satisfies never;
  }
};

/** A sink as a sentence without its full stop. */
export const sinkText = (sink: Sink, nameOf: NameOf): string => {
  const node = `“${nameOf(sink.node)}”`;
  switch (sink.kind) {
    case "call":
      return `${node} calls ${sink.tool}, which ${effectText(sink)}`;
    case "key":
      return `${node} writes the guarded key ${sink.key}`;
    case "route":
      return sink.edge === undefined ? `${node} chooses how the run goes on` : `${node} decides about the way ${sink.edge}`;
    default:
      return sink satisfies never;
  }
};

/** Why a flow matters, in one sentence. */
export const flowSentence = (flow: Flow, nameOf: NameOf): string => {
  const what = sinkText(flow.sink, nameOf);
  const from = sourceText(flow.source, nameOf);
  if (flow.kind === "confidential") return `${what}, and can be told ${from} (${flow.level}), for which it is not cleared.`;
  if (flow.verdict === "open" && flow.stopped) return `${what}, and ${from} is less than the key demands, whoever is asked.`;
  switch (flow.verdict) {
    case "open":
      return `${what}, and ${from} can shape it with nobody asked.`;
    case "held":
      return `${what}, and ${from} can shape it only before a person who decides.`;
    case "noted":
      return `${what}, and ${from} can shape it.`;
    default:
      return flow.verdict satisfies never;
  }
};

/** Whether a person decides before a sink is reached, and where. */
export const gateText = ({ gated, gates }: Pick<Reachable, "gated" | "gates">, nameOf: NameOf): string => {
  const named = gates.map((gate) => `“${nameOf(gate)}”`).join(", ");
  if (!gated) return named === "" ? "Nobody is asked" : `Nobody is asked: it comes in behind ${named}`;

  return named === "" ? "Waits for a person, by rule" : `Waits for a person at ${named}`;
};

/** What comes to somebody hostile, the most confidential class first: "pii: customer, request". */
export const toldTexts = (told: readonly Told[]): readonly string[] =>
  CLASSIFICATIONS.toReversed().flatMap((classification) => {
    const names = told.filter((one) => one.classification === classification).map(({ name }) => name);

    return names.length === 0 ? [] : [`${classification}: ${names.join(", ")}`];
  });

const MICRO = 1_000_000;

const counted = (amount: number, one: string): string => `${count(amount)} ${one}${amount === 1 ? "" : "s"}`;

/** Fits after "it could". */
export const spendText = ({ models, usd, tokens }: Spend): string => {
  if (!models) return `spend ${money(0)}`;
  if (usd !== null) return `spend ${money(usd * MICRO)}`;

  return tokens === null ? "spend without a limit" : `spend ${counted(tokens, "token")}`;
};

/** The one sentence about somebody hostile: what is done before any person sees anything of it. */
export const hostileSentence = ({ nodes, unseen }: Pick<BlastRadius, "nodes" | "unseen">): string => {
  if (nodes.length === 0) return "No node that a run can reach works with it. Nothing outside the run.";
  const { paths, tools, secrets, credentials, hosts, spend } = unseen;
  const parts = [
    `write ${counted(paths.length, "path")}`,
    `call ${counted(tools.length, "tool")}`,
    ...(secrets.length === 0 ? [] : [`read ${counted(secrets.length, "secret")}`]),
    ...(credentials.length === 0 ? [] : [`act with ${counted(credentials.length, "credential")}`]),
    ...(hosts === null ? [] : [`reach ${counted(hosts.length, "host")}`]),
    spendText(spend),
  ];

  return `Before a person sees anything it could: ${parts.join(", ")}.`;
};

const WEIGHTS = { irreversible: 5, write: 4, read: 3, pure: 3 } as const;
const KEY_WEIGHT = 2;
const ROUTE_WEIGHT = 1;
const UNGATED_WEIGHT = 10;

/** How bad it is that something hostile reaches a sink: what happens with nobody asked outweighs everything that waits. */
export const weightOf = ({ sink, gated }: Pick<Reachable, "sink" | "gated">): number => {
  const weight = sink.kind === "call" ? WEIGHTS[sink.effect] : sink.kind === "key" ? KEY_WEIGHT : ROUTE_WEIGHT;

  return gated ? weight : weight + UNGATED_WEIGHT;
};

/** Equals stay in the order of the document. */
export const worstFirst = (reachable: readonly Reachable[]): Reachable[] => reachable.toSorted((a, b) => weightOf(b) - weightOf(a));
