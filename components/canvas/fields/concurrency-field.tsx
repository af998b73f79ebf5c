import { NumberField } from "./number-field";

type ConcurrencyFieldProps = { readonly value: number; readonly onCommit: (count: number) => void };

/** Maximum concurrency of a node. */
export const ConcurrencyField = ({ value, onCommit }: ConcurrencyFieldProps) => (
  <NumberField label="Max concurrency" value={value} min={1} max={50} onCommit={onCommit} />
);
