import type { Step } from "@/lib/graph/analyse/flows";
import type { NameOf } from "@/lib/graph/analyse/labels";

/** Counters such as `run.total_tokens` have no memory path. */
const SO_FAR = "$run";

type Props = {
  readonly steps: readonly Step[];
  readonly nameOf: NameOf;
  /** Makes the steps buttons. */
  readonly onStep?: (step: Step) => void;
};

export const describeStep = (step: Step, nameOf: NameOf): string => {
  if ("way" in step) return "the chosen route";
  if ("path" in step) return step.path === SO_FAR ? "what the run did so far" : step.path;

  return nameOf(step.node);
};

const isPlace = (step: Step): boolean => "node" in step || ("path" in step && step.path !== SO_FAR);

export const Witness = ({ steps, nameOf, onStep }: Props) => (
  <ol aria-label="Data flow" className="flex flex-wrap items-center gap-x-1 gap-y-0.5 text-xs">
    {steps.map((step, index) => {
      const text = <span className={"path" in step ? "font-mono" : undefined}>{describeStep(step, nameOf)}</span>;

      return (
        <li key={index} className="flex min-w-0 items-center gap-1">
          {index === 0 ? null : (
            <span aria-hidden className="text-faint">
              →
            </span>
          )}
          {onStep && isPlace(step) ? (
            <button
              type="button"
              className="min-h-6 rounded-sm px-0.5 text-left underline underline-offset-2 hover:text-accent"
              onClick={() => onStep(step)}
            >
              {text}
            </button>
          ) : (
            text
          )}
        </li>
      );
    })}
  </ol>
);
