/** What the analysis knows of somebody hostile, prepared to be read. */
import type { BlastRadius, Reachable } from "@/lib/graph/analyse/blast";
import type { NameOf } from "@/lib/graph/analyse/words";

/** Whether a person decides before a sink is reached, and where. */
export const gateText = ({ gated, gates }: Pick<Reachable, "gated" | "gates">, nameOf: NameOf): string => {
  const named = gates.map((gate) => `“${nameOf(gate)}”`).join(", ");
  if (!gated) return named === "" ? "Nobody is asked" : `Nobody is asked: it comes in behind ${named}`;

  return named === "" ? "Waits for a person, by rule" : `Waits for a person at ${named}`;
};

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/** Calls are the only things that happen outside the run. */
const callsIn = (reachable: readonly Reachable[]): readonly Reachable[] => reachable.filter(({ sink }) => sink.kind === "call");

/** What it could do before a person sees anything. */
export const reachSummary = ({
  nodes,
  writes,
  tools,
  reachable,
}: Pick<BlastRadius, "nodes" | "writes" | "tools" | "reachable">): string => {
  if (nodes.length === 0) return "No node that a run can reach works with it. Nothing outside the run.";
  const calls = callsIn(reachable);
  const free = calls.filter(({ gated }) => !gated).length;
  const own = `Before a person sees anything it could write ${counted(writes.length, "path")} and call ${counted(tools.length, "tool")}.`;
  if (calls.length === 0) return `${own} Nothing outside the run.`;
  if (free === 0) return `${own} Outside the run it changes nothing before a person decides.`;

  return `${own} Outside the run it steers ${counted(free, "call")} that nobody is asked about.`;
};

export type Fact = { readonly name: string; readonly items: readonly string[]; readonly none: string };

/** Grants and what comes of them, each with what is said when there is nothing. */
export const reachFacts = ({ reads, writes, tools, keys, firstGates }: BlastRadius, nameOf: NameOf): readonly Fact[] => [
  { name: "Reads", items: reads, none: "Nothing." },
  { name: "Writes", items: writes, none: "Nothing." },
  { name: "Calls", items: tools, none: "No tool." },
  { name: "Ends up in", items: keys, none: "No memory key." },
  { name: "Met first by", items: firstGates.map(nameOf), none: "Nobody: no approval comes after it." },
];
