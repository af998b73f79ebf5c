"use client";

import { useState } from "react";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { cn } from "@/components/ui/cn";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { HiddenCharacters } from "@/components/values/hidden-characters";

type Props = {
  readonly label: string;
  readonly value: string;
  readonly onCommit: (text: string) => void;
  /** Rejected text stays out of the document. */
  readonly check?: (text: string) => string | null;
  readonly hint?: string;
  readonly rows?: number;
  readonly mono?: boolean;
  readonly list?: string;
  readonly placeholder?: string;
  /** References to names change once, on leave or Enter. */
  readonly commitOn?: "change" | "leave";
};

const accept = () => null;

/** Document text; one typing session is one undo step. */
export const TextField = ({
  label,
  value,
  onCommit,
  check = accept,
  hint,
  rows,
  mono = false,
  list,
  placeholder,
  commitOn = "change",
}: Props) => {
  const [draft, setDraft] = useState<string | null>(null);
  const endGroup = useCanvas((state) => state.endGroup);
  const text = draft ?? value;
  const error = draft === null ? null : check(draft);
  const common = {
    value: text,
    placeholder,
    spellCheck: mono ? false : undefined,
    className: cn(mono && "font-mono text-xs"),
    onBlur: () => leave(),
  };
  const leave = () => {
    if (commitOn === "leave" && draft !== null && error === null && draft !== value) onCommit(draft);
    if (error === null) setDraft(null);
    endGroup();
  };
  const change = (next: string) => {
    setDraft(next);
    if (commitOn === "change" && check(next) === null) onCommit(next);
  };

  return (
    <Field label={label} hint={hint} error={error}>
      {rows === undefined ? (
        <Input
          {...common}
          list={list}
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") leave();
          }}
        />
      ) : (
        <>
          <Textarea {...common} rows={rows} onChange={(event) => change(event.target.value)} />
          <HiddenCharacters text={text} onRemove={change} />
        </>
      )}
    </Field>
  );
};
