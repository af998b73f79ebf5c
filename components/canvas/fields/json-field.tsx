"use client";

import { jsonSchema, type Json } from "@/lib/json";
import { TextField } from "./text-field";

type Props = {
  readonly label: string;
  readonly value: Json;
  readonly onCommit: (value: Json) => void;
  readonly check?: (value: Json) => string | null;
  readonly rows?: number;
  readonly hint?: string;
};

const parse = (text: string): Json | undefined => {
  try {
    const parsed = jsonSchema.safeParse(JSON.parse(text));

    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
};

export const JsonField = ({ label, value, onCommit, check, rows = 6, hint }: Props) => (
  <TextField
    label={label}
    value={JSON.stringify(value, null, 2)}
    rows={rows}
    mono
    check={(text) => {
      const parsed = parse(text);

      return parsed === undefined ? "Enter valid JSON." : (check?.(parsed) ?? null);
    }}
    onCommit={(text) => {
      const parsed = parse(text);
      if (parsed !== undefined) onCommit(parsed);
    }}
    {...(hint === undefined ? {} : { hint })}
  />
);
