"use client";

import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export type Choice = { readonly value: string; readonly label: string; readonly about: string; readonly icon?: ReactNode };

/** Longer lists are filtered. */
const MAX_SHOWN = 50;

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

const matches = ({ value, label, about }: Choice, wanted: string): boolean => `${label} ${value} ${about}`.toLowerCase().includes(wanted);

/** Prefix matches come first. */
const found = (choices: readonly Choice[], text: string): readonly Choice[] => {
  const wanted = text.trim().toLowerCase();
  const isFirst = ({ value, label }: Choice) => label.toLowerCase().startsWith(wanted) || value.toLowerCase().startsWith(wanted);
  const there = choices.filter((choice) => matches(choice, wanted));

  return wanted === "" ? there : [...there.filter(isFirst), ...there.filter((choice) => !isFirst(choice))];
};

type Props = {
  readonly label: string;
  readonly noun: string;
  readonly choices: readonly Choice[];
  readonly onChoose: (value: string) => void;
};

export const ChoiceList = ({ label, noun, choices, onChoose }: Props) => {
  const listId = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const all = found(choices, text);
  const shown = all.slice(0, MAX_SHOWN);
  const marked = shown[Math.min(at, shown.length - 1)];
  const optionId = (choice: Choice) => `${listId}-${choice.value}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.min(Math.max(0, at + step), shown.length - 1);
      setAt(next);
      const choice = shown[next];
      // The field keeps the focus.
      if (choice) document.getElementById(optionId(choice))?.scrollIntoView({ block: "nearest" });
    }
    if (event.key === "Enter" && marked && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onChoose(marked.value);
    }
  };

  return (
    <div className="flex flex-col gap-2">
      <Field label={label}>
        <Input
          value={text}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is an input, with a list
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={marked ? optionId(marked) : undefined}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </Field>
      {shown.length === 0 ? (
        <EmptyState kind="no_match" title={`No ${noun.toLowerCase()} match`} className="py-6" />
      ) : (
        // A native list box can't show a marked option.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        <div role="listbox" id={listId} aria-label={noun} tabIndex={-1} className="max-h-80 overflow-y-auto">
          {shown.map((choice) => (
            // Keyboard focus stays in the field.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={choice.value}
              id={optionId(choice)}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option of the list box above
              role="option"
              tabIndex={-1}
              aria-selected={choice === marked}
              className={cn(
                "flex h-8 cursor-default items-center gap-2 rounded-md px-2 text-sm hover:bg-hover",
                choice === marked && "bg-accent-soft",
              )}
              onClick={() => onChoose(choice.value)}
            >
              {choice.icon}
              <span className="shrink-0">{choice.label}</span>
              <span className="truncate text-xs text-muted">{choice.about}</span>
            </div>
          ))}
        </div>
      )}
      <p aria-live="polite" className="text-xs text-muted">
        {all.length > shown.length ? `${all.length - shown.length} more. Type to filter.` : null}
      </p>
    </div>
  );
};
