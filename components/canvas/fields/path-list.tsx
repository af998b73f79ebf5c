"use client";

import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

type Props = {
  readonly label: string;
  readonly hint?: string;
  readonly paths: readonly string[];
  readonly suggestions: readonly string[];
  readonly check: (path: string) => string | null;
  readonly onChange: (paths: readonly string[]) => void;
};

/** A list of paths: add one by typing or choosing, take one away. */
export const PathList = ({ label, hint, paths, suggestions, check, onChange }: Props) => {
  const listId = useId();
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const add = () => {
    const path = text.trim();
    if (path === "") return;
    const fault = paths.includes(path) ? "It is in the list already." : check(path);
    setError(fault);
    if (fault !== null) return;
    onChange([...paths, path]);
    setText("");
  };

  return (
    <div className="flex flex-col gap-1.5">
      <Field label={label} hint={hint} error={error}>
        <div className="flex gap-1">
          <Input
            value={text}
            list={listId}
            placeholder="Add a path"
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
        {suggestions.map((path) => (
          <option key={path} value={path}>
            {path}
          </option>
        ))}
      </datalist>
      {paths.length === 0 ? null : (
        <ul aria-label={label} className="flex flex-wrap gap-1">
          {paths.map((path) => (
            <li key={path}>
              <Badge mono className="pr-0.5">
                {path}
                <button
                  type="button"
                  aria-label={`Remove ${path} from ${label}`}
                  className="rounded-sm p-0.5 hover:text-ink disabled:hidden"
                  onClick={() => onChange(paths.filter((other) => other !== path))}
                >
                  <X aria-hidden className="size-3" />
                </button>
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
