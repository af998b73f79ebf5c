import { DigestChip } from "@/components/ui/digest-chip";
import type { ToolView } from "@/server/trpc/routers/mcp/view";
import { DriftMark } from "./drift-mark";
import { ToolTextSigns } from "./tool-text-signs";
import { NOT_LABELLED } from "./label-options";

const KINDS = ["added", "changed", "removed"] as const satisfies readonly NonNullable<ToolView["drift"]>[];

type Shown = Pick<ToolView, "name" | "drift" | "labelled" | "seen">;

const countChanges = (tools: readonly Shown[]): string =>
  KINDS.flatMap((kind) => {
    const count = tools.filter(({ drift }) => drift === kind).length;

    return count === 0 ? [] : [`${count} ${kind}`];
  }).join(", ");

const describeLabels = ({ drift, labelled }: Shown): string | null => {
  if (drift !== "added" && drift !== "changed") return null;

  return labelled ? "Keeps its labels" : NOT_LABELLED;
};

export const ToolsToPin = ({ tools }: { readonly tools: readonly Shown[] }) => {
  const changes = countChanges(tools);

  return (
    <>
      {changes === "" ? null : <p className="mb-2 text-sm">{changes}. Check the labels of changed tools afterwards.</p>}
      <ul className="flex flex-col divide-y divide-line">
        {tools
          .toSorted((one, other) => Number(other.drift !== null) - Number(one.drift !== null))
          .map((tool) => (
            <li key={tool.name} className="flex flex-wrap items-center gap-3 py-1.5 text-sm">
              <div className="min-w-0 flex-1">
                <span className={tool.seen ? "font-mono break-all" : "font-mono break-all text-muted line-through"}>{tool.name}</span>
                <p className="text-xs text-muted">{describeLabels(tool)}</p>
              </div>
              <DriftMark drift={tool.drift} />
              {tool.seen ? <DigestChip digest={tool.seen.digest} label={`digest of ${tool.name}`} /> : null}
              <div className="flex w-full flex-col gap-2 empty:hidden">
                <ToolTextSigns definition={tool.seen?.definition ?? null} />
              </div>
            </li>
          ))}
      </ul>
    </>
  );
};
