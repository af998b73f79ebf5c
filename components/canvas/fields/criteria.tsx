"use client";

import { TextField } from "./text-field";

type Props = { readonly value: string; readonly onCommit: (text: string) => void };

export const Criteria = ({ value, onCommit }: Props) => (
  <TextField
    label="Criteria"
    rows={3}
    value={value}
    check={(text) => (text.length > 4_000 ? "At most 4,000 characters." : null)}
    onCommit={onCommit}
  />
);
