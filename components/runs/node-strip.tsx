import { cn } from "@/components/ui/cn";
import { Mark } from "@/components/ui/marks/mark";
import type { RunGraph } from "./types";

type Props = {
  readonly graph: RunGraph;
  readonly active: string | null;
  readonly visited: ReadonlySet<string>;
  readonly waiting: string | null;
};

const bringIntoSight = (item: HTMLLIElement | null): void => item?.scrollIntoView({ block: "nearest", inline: "nearest" });

/** The nodes of the version that runs, with the acting one lit. */
export const NodeStrip = ({ graph, active, visited, waiting }: Props) => (
  // It scrolls sideways and holds nothing to focus, so the keyboard must be able to reach it itself.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls takes the keyboard
  <section aria-label="Nodes" tabIndex={0} className="shrink-0 overflow-x-auto border-b bg-surface focus-visible:-outline-offset-2">
    <ol className="flex w-max items-center gap-1 px-6 py-2">
      {graph.nodes.map((node) => (
        <li
          key={node.id}
          // What is at work is in sight, however long the strip is.
          ref={node.id === active ? bringIntoSight : undefined}
          aria-current={node.id === active ? "step" : undefined}
          title={`${node.kind} ${node.id}`}
          className={cn(
            "flex h-6 shrink-0 items-center gap-1 rounded-sm px-2 text-xs ring-1 ring-inset",
            node.id === active
              ? "bg-accent-soft font-medium text-ink ring-accent"
              : visited.has(node.id)
                ? "text-ink ring-line-strong"
                : "text-faint ring-line",
          )}
        >
          {node.id === waiting ? <Mark kind="waiting" shapeOnly /> : null}
          {node.title || node.id}
        </li>
      ))}
    </ol>
  </section>
);
