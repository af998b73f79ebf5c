"use client";

import { useId } from "react";
import { FieldChanges } from "@/components/canvas/versions/field-changes";
import { cn } from "@/components/ui/cn";
import type { Graph } from "@/lib/graph/document";
import type { MergeConflict } from "@/lib/graph/merge";
import type { Side } from "@/lib/graph/merge/order";
import { same } from "@/lib/graph/merge/same";
import { describeField, getSubject } from "./labels";

const Whole = ({ value, before }: { readonly value: unknown; readonly before: unknown }) => {
  if (typeof value !== "object" || value === null) return <em className="text-muted">Removed</em>;
  if (typeof before !== "object" || before === null || same(value, before)) return <em className="text-muted">Kept unchanged</em>;

  return (
    <>
      <em className="text-muted">Kept and changed</em>
      <FieldChanges before={before} after={value} />
    </>
  );
};

/** Shows text plain, anything else as JSON. */
const Value = ({ value }: { readonly value: unknown }) => {
  if (value === undefined) return <em className="text-muted">Not set</em>;
  if (value === "") return <em className="text-muted">Empty</em>;
  const isText = typeof value === "string";

  return (
    <pre className={cn("max-h-40 overflow-auto text-xs wrap-anywhere whitespace-pre-wrap", isText ? "font-sans" : "font-mono")}>
      {isText ? value : JSON.stringify(value, null, 2)}
    </pre>
  );
};

type Props = {
  readonly conflict: MergeConflict;
  readonly graphs: readonly Graph[];
  readonly who: string;
  readonly onChoose: (side: Side) => void;
};

export const ConflictChoice = ({ conflict, graphs, who, onChoose }: Props) => {
  const name = useId();
  const isWhole = conflict.field === null;
  const labels: Record<Side, string> = { mine: "Mine", theirs: `Theirs (${who})` };

  return (
    <fieldset className="rounded-md ring-1 ring-line">
      <legend className="ml-2 px-1 text-sm font-medium">
        {getSubject(conflict, graphs)} <span className="font-normal text-muted">{describeField(conflict)}</span>
      </legend>
      <div className="grid grid-cols-3 gap-2 p-2 max-lg:grid-cols-1">
        <div className="min-w-0 p-2">
          <p className="mb-1 flex min-h-6 items-center text-xs font-medium text-muted">Before</p>
          {isWhole ? <em className="text-sm text-muted">Present</em> : <Value value={conflict.base} />}
        </div>
        {(["mine", "theirs"] as const).map((side) => (
          <label
            key={side}
            className={cn(
              "flex min-w-0 cursor-pointer flex-col rounded-md p-2 ring-1 ring-line hover:bg-hover",
              conflict.choice === side && "bg-hover ring-2 ring-accent",
            )}
          >
            <span className="mb-1 flex min-h-6 items-center gap-2 text-xs font-medium">
              <input
                type="radio"
                name={name}
                className="size-4 accent-accent"
                checked={conflict.choice === side}
                onChange={() => onChoose(side)}
              />
              {labels[side]}
            </span>
            {isWhole ? <Whole value={conflict[side]} before={conflict.base} /> : <Value value={conflict[side]} />}
          </label>
        ))}
      </div>
      {conflict.namedBy.length > 0 ? (
        <p className="px-4 pb-2 text-xs text-muted">
          Used by {conflict.namedBy.map((place) => place.replace(/^\w+:/u, "").replaceAll("_", " ")).join(", ")}. If it stays removed, it is
          removed there too.
        </p>
      ) : null}
    </fieldset>
  );
};
