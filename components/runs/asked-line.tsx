import type { RunState } from "@/lib/engine/state";
import { displayJson } from "@/components/values/json-display";
import { describeHidden, type Shown } from "@/components/values/visible-value";
import { readAsked } from "./run-facts";

const textOf = (shown: Shown): string => {
  if (shown.kind === "absent") return "none";

  return shown.kind === "value" ? displayJson(shown.value) : describeHidden(shown);
};

/** Goal and inputs, one line each; records show all. */
export const AskedLine = ({ begun }: { readonly begun: RunState }) => {
  const { goal, inputs } = readAsked(begun);

  return (
    <dl className="flex w-full min-w-0 flex-wrap gap-x-4 text-xs">
      <div className="flex max-w-full min-w-0 gap-1.5">
        <dt className="shrink-0 text-muted">Goal</dt>
        <dd className="min-w-0 truncate" title={textOf(goal)}>
          {textOf(goal)}
        </dd>
      </div>
      {inputs.map(({ key, shown }) => (
        <div key={key} className="flex max-w-80 min-w-0 gap-1.5">
          <dt className="shrink-0 font-mono text-muted">{key}</dt>
          <dd className="min-w-0 truncate" title={textOf(shown)}>
            {textOf(shown)}
          </dd>
        </div>
      ))}
    </dl>
  );
};
