"use client";

import { TextField } from "./text-field";

const MAX_LENGTH = 20_000;

type Props = { readonly value: string; readonly onCommit: (text: string) => void; readonly label?: string; readonly rows?: number };

/** Prompt added to the agent's own. */
export const Instructions = ({ value, onCommit, label = "Instructions", rows = 4 }: Props) => (
  <TextField
    label={label}
    rows={rows}
    value={value}
    check={(text) => (text.length > MAX_LENGTH ? "At most 20,000 characters." : null)}
    onCommit={onCommit}
  />
);

export const Criteria = ({ value, onCommit }: Pick<Props, "value" | "onCommit">) => (
  <TextField
    label="Criteria"
    rows={3}
    value={value}
    check={(text) => (text.length > 4_000 ? "At most 4,000 characters." : null)}
    onCommit={onCommit}
  />
);
