"use client";

import { Plus, Trash2 } from "lucide-react";
import { useId } from "react";
import { Button } from "@/components/ui/button";
import { findPathFault } from "./path-check";
import { TextField } from "./text-field";

type Pair = readonly [left: string, right: string];
type Side = { readonly label: string; readonly suggestions: readonly string[] };

const MAX_PAIRS = 50;

type Props = {
  readonly title: string;
  readonly hint?: string;
  readonly left: Side;
  readonly right: Side;
  readonly pairs: readonly Pair[];
  readonly unique?: boolean;
  readonly onChange: (pairs: Pair[], field?: string) => void;
};

/** First unused suggestion, else a free path. */
const freeLeft = (left: Side, pairs: readonly Pair[]): string => {
  const taken = new Set(pairs.map(([path]) => path));
  const numbered = Array.from({ length: pairs.length + 1 }, (_, index) => `path_${index + 1}`);

  return [...left.suggestions, ...numbered].find((path) => !taken.has(path)) ?? "path";
};

const Suggestions = ({ id, of }: { readonly id: string; readonly of: Side }) => (
  <datalist id={id}>
    {of.suggestions.map((path) => (
      <option key={path} value={path}>
        {path}
      </option>
    ))}
  </datalist>
);

export const PairList = ({ title, hint, left, right, pairs, unique = false, onChange }: Props) => {
  const leftId = useId();
  const rightId = useId();
  const fault = (text: string, index: number): string | null => {
    const isTaken = unique && pairs.some(([path], other) => other !== index && path === text);

    return isTaken ? "Already in the list." : findPathFault(text);
  };

  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">{title}</legend>
      {hint === undefined ? null : <p className="text-xs text-muted">{hint}</p>}
      {pairs.map(([from, to], index) => (
        // Pairs have no id.
        <div key={index} className="flex flex-col gap-2 border-l-2 pl-2">
          <TextField
            label={`${left.label} ${index + 1}`}
            mono
            list={leftId}
            value={from}
            check={(text) => fault(text, index)}
            onCommit={(path) => onChange(pairs.toSpliced(index, 1, [path, to]), `pair.${index}.left`)}
          />
          <TextField
            label={`${right.label} ${index + 1}`}
            mono
            list={rightId}
            value={to}
            check={findPathFault}
            onCommit={(path) => onChange(pairs.toSpliced(index, 1, [from, path]), `pair.${index}.right`)}
          />
          <Button size="sm" variant="ghost" className="self-start" onClick={() => onChange(pairs.toSpliced(index, 1))}>
            <Trash2 aria-hidden /> Remove
          </Button>
        </div>
      ))}
      <Button
        size="sm"
        className="self-start"
        disabledReason={pairs.length >= MAX_PAIRS ? "At most 50" : null}
        onClick={() => onChange([...pairs, [freeLeft(left, pairs), right.suggestions[0] ?? "path"]])}
      >
        <Plus aria-hidden /> Add a path
      </Button>
      <Suggestions id={leftId} of={left} />
      <Suggestions id={rightId} of={right} />
    </fieldset>
  );
};
