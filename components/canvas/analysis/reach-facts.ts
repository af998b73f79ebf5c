import type { BlastRadius } from "@/lib/graph/analyse/blast";
import type { NameOf } from "@/lib/graph/analyse/labels";

export type Fact = { readonly name: string; readonly items: readonly string[]; readonly none: string };

export const listReachFacts = ({ reads, keys, firstGates, unseen }: BlastRadius, nameOf: NameOf): readonly Fact[] => [
  { name: "Reads", items: reads, none: "Nothing." },
  { name: "Secrets", items: unseen.secrets, none: "None." },
  { name: "Writes", items: unseen.paths, none: "Nothing." },
  { name: "Calls", items: unseen.tools, none: "No tool." },
  ...(unseen.hosts === null ? [] : [{ name: "Hosts", items: unseen.hosts, none: "None: its servers run on this machine." }]),
  ...(unseen.credentials.length === 0
    ? []
    : [{ name: "Credentials", items: unseen.credentials.map((server) => `of ${server}`), none: "None." }]),
  { name: "Stored in", items: keys, none: "No memory key." },
  { name: "First approval", items: firstGates.map(nameOf), none: "None: no approval follows." },
];
