import { NumberField } from "./number-field";

type ConcurrencyFieldProps = { readonly value: number; readonly onCommit: (count: number) => void };

/** How many parts of a node's work may be under way together. */
export const ConcurrencyField = ({ value, onCommit }: ConcurrencyFieldProps) => (
  <NumberField label="Max concurrency" value={value} min={1} max={50} onCommit={onCommit} />
);
