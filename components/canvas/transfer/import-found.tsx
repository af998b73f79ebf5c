import { ChangeRows } from "@/components/canvas/versions/change-list";
import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { diffGraphs } from "@/lib/graph/diff";
import type { Graph } from "@/lib/graph/document";
import type { ReadGraph } from "@/lib/graph/file";
import type { Missing } from "./missing";

type Props = {
  readonly found: ReadGraph;
  readonly draft: Graph | null;
  readonly missing: readonly Missing[];
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const counts = ({ nodes, edges, memory }: Graph): string =>
  [counted(nodes.length, "node"), counted(edges.length, "edge"), counted(memory.length, "memory key")].join(", ");

export const ImportFound = ({ found: { graph, hash, carried }, draft, missing }: Props) => (
  <div className="flex flex-col gap-3">
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <span className="font-medium wrap-anywhere">{graph.name}</span>
      <span className="text-muted">{counts(graph)}</span>
      <DigestChip digest={hash} label="content hash" />
    </p>
    {carried.length > 0 ? (
      <Callout kind="waiting" title={`The file contains ${carried.join(" and ")}, which are not imported`}>
        They belong to the registry. Ask an admin to add them.
      </Callout>
    ) : null}
    {missing.length > 0 ? (
      <Callout kind="tainted" title={`${missing.length} ${missing.length === 1 ? "dependency is" : "dependencies are"} missing`}>
        <ul className="mt-1 list-disc pl-4">
          {missing.map(({ what, id }) => (
            <li key={`${what} ${id}`} className="wrap-anywhere">
              {what} <span className="font-mono text-xs">{id}</span>
            </li>
          ))}
        </ul>
        You can edit the draft, but not publish it until they exist.
      </Callout>
    ) : null}
    {draft === null ? null : (
      <section aria-label="What would change" className="flex flex-col gap-2 rounded-md border p-3">
        <h3 className="text-sm font-semibold">What would change in this draft</h3>
        <ChangeRows diff={diffGraphs(draft, graph)} before={draft} after={graph} />
      </section>
    )}
  </div>
);
