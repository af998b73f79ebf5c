"use client";

import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Chips } from "./chips";

type Props = {
  readonly label: string;
  readonly hint?: string;
  readonly names: readonly string[];
  readonly suggestions: readonly string[];
  readonly check: (name: string) => string | null;
  readonly onChange: (names: readonly string[]) => void;
  readonly placeholder?: string;
  readonly lastStays?: string;
};

export const NameList = ({ label, hint, names, suggestions, check, onChange, placeholder = "Add a path", lastStays }: Props) => {
  const listId = useId();
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const add = () => {
    const name = text.trim();
    if (name === "") return;
    const fault = names.includes(name) ? "Already in the list." : check(name);
    setError(fault);
    if (fault !== null) return;
    onChange([...names, name]);
    setText("");
  };

  return (
    <div className="flex flex-col gap-1.5">
      <Field label={label} hint={hint} error={error}>
        <div className="flex gap-1">
          <Input
            value={text}
            list={listId}
            placeholder={placeholder}
            className="font-mono text-xs"
            onChange={(event) => {
              setText(event.target.value);
              setError(null);
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
          />
          <Button size="iconMd" aria-label={`Add to ${label}`} onClick={add}>
            <Plus aria-hidden />
          </Button>
        </div>
      </Field>
      <datalist id={listId}>
        {suggestions.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <Chips
        label={label}
        items={names.map((name) => ({ value: name, label: name }))}
        onRemove={(name) => onChange(names.filter((other) => other !== name))}
        {...(lastStays === undefined ? {} : { lastStays })}
      />
    </div>
  );
};
