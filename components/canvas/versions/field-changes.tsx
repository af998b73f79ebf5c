import { diffFields, type FieldChange } from "@/lib/graph/diff-fields";
import type { Json } from "@/lib/json";

/** Longer texts get a line per part. */
const ONE_LINE = 60;

const textOf = (value: Json | undefined): string => {
  if (value === undefined) return "not set";
  if (typeof value === "string") return value;
  const line = JSON.stringify(value);

  return line.length <= ONE_LINE ? line : JSON.stringify(value, null, 1);
};

type SideProps = { readonly word: string; readonly value: Json | undefined };

const Value = ({ word, value }: SideProps) => (
  <div className="flex gap-2">
    <dt className="w-11 shrink-0 text-muted">{word}</dt>
    <dd className={`min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap ${value === undefined ? "text-muted italic" : "font-mono"}`}>
      {textOf(value)}
    </dd>
  </div>
);

const Change = ({ change: { field, before, after } }: { readonly change: FieldChange }) => (
  <li className="border-l-2 pl-2">
    <p className="font-mono text-muted">{field}</p>
    <dl className="flex flex-col gap-0.5">
      <Value word="Before" value={before} />
      <Value word="After" value={after} />
    </dl>
  </li>
);

export const FieldChanges = ({ before, after }: { readonly before: object; readonly after: object }) => (
  <ul className="mt-1 mb-2 flex flex-col gap-2 text-xs">
    {diffFields(before, after).map((change) => (
      <Change key={change.field} change={change} />
    ))}
  </ul>
);
