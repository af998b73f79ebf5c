"use client";

import { TextField } from "./text-field";

type Bounds = { readonly min?: number | undefined; readonly max?: number | undefined; readonly integer?: boolean };

type Props = Bounds & {
  readonly label: string;
  readonly value: number;
  readonly onCommit: (value: number) => void;
  readonly hint?: string;
};

const notANumber = (text: string, { min = -Infinity, max = Infinity, integer = true }: Bounds): string | null => {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) return "Enter a number.";
  if (integer && !Number.isSafeInteger(number)) return "Enter a whole number.";

  if (number >= min && number <= max) return null;
  if (max === Infinity) return `Enter a number of at least ${min}.`;

  return min === -Infinity ? `Enter a number of at most ${max}.` : `Enter a number between ${min} and ${max}.`;
};

export const NumberField = ({ label, value, onCommit, hint, ...bounds }: Props) => (
  <TextField
    label={label}
    value={String(value)}
    check={(text) => notANumber(text, bounds)}
    onCommit={(text) => onCommit(Number(text))}
    {...(hint === undefined ? {} : { hint })}
  />
);

type OptionalProps = Omit<Props, "value" | "onCommit"> & {
  readonly value: number | undefined;
  readonly onCommit: (value: number | undefined) => void;
};

export const OptionalNumberField = ({ label, value, onCommit, hint, ...bounds }: OptionalProps) => (
  <TextField
    label={label}
    value={value === undefined ? "" : String(value)}
    check={(text) => (text.trim() === "" ? null : notANumber(text, bounds))}
    onCommit={(text) => onCommit(text.trim() === "" ? undefined : Number(text))}
    {...(hint === undefined ? {} : { hint })}
  />
);
