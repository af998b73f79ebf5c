import { cn } from "@/components/ui/cn";
import { describeStep } from "@/components/analysis/witness";
import type { Step } from "@/lib/graph/analyse/flows";
import type { NameOf } from "@/lib/graph/analyse/labels";

type Props = {
  readonly steps: readonly Step[];
  readonly nameOf: NameOf;
  readonly current: number | null;
  readonly onStep: (index: number) => void;
};

const KINDS = { node: "node", path: "memory", way: "route" } as const;

const kindOf = (step: Step): keyof typeof KINDS => ("node" in step ? "node" : "path" in step ? "path" : "way");

export const PathList = ({ steps, nameOf, current, onStep }: Props) => (
  <ol aria-label="Data flow" className="flex flex-col">
    {steps.map((step, index) => (
      <li key={index} className="relative flex pl-5">
        <span
          aria-hidden
          className={cn(
            "absolute top-[9px] left-1 size-2 rounded-full border",
            kindOf(step) === "node" ? "border-control bg-control" : "border-control bg-surface",
            index === current && "border-accent bg-accent",
          )}
        />
        {index === steps.length - 1 ? null : (
          <span aria-hidden className="absolute top-[19px] bottom-[-7px] left-[7px] w-px bg-line-strong" />
        )}
        <button
          type="button"
          aria-current={index === current ? "step" : undefined}
          className={cn(
            "flex min-h-6 min-w-0 flex-1 items-baseline gap-2 rounded-sm px-1 text-left text-sm hover:text-accent",
            index === current && "bg-accent-soft",
          )}
          onClick={() => onStep(index)}
        >
          <span className={cn("min-w-0 flex-1 break-words", kindOf(step) === "path" && "font-mono text-xs")}>
            {describeStep(step, nameOf)}
          </span>
          <span className="text-xs text-faint">{KINDS[kindOf(step)]}</span>
        </button>
      </li>
    ))}
  </ol>
);
