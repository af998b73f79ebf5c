"use client";

import { TextField } from "./text-field";

type Props = {
  readonly label: string;
  readonly value: number | undefined;
  /** `undefined` only when `optional`. */
  readonly onCommit: (value: number | undefined) => void;
  readonly min: number;
  readonly max: number;
  readonly optional?: boolean;
  readonly integer?: boolean;
  readonly hint?: string;
};

/** A number within bounds. */
export const NumberField = ({ label, value, onCommit, min, max, optional = false, integer = true, hint }: Props) => {
  const check = (text: string): string | null => {
    if (text.trim() === "") return optional ? null : "A number is needed.";
    const number = Number(text);
    if (!Number.isFinite(number) || (integer && !Number.isInteger(number)))
      return integer ? "A whole number is needed." : "A number is needed.";

    return number < min || number > max ? `Between ${min} and ${max}.` : null;
  };

  return (
    <TextField
      label={label}
      value={value === undefined ? "" : String(value)}
      check={check}
      onCommit={(text) => onCommit(text.trim() === "" ? undefined : Number(text))}
      {...(hint === undefined ? {} : { hint })}
    />
  );
};
