import { cn } from "@/components/ui/cn";
import { Mark } from "@/components/ui/marks/mark";
import { CONTROL_TEXT } from "@/lib/engine/labels/control-position";
import type { Json } from "@/lib/json";
import { ValueView } from "./value-view";
import type { Row } from "./view-model";

const MOST_OPEN = 24;

const SIDE = {
  before: { sign: "−", word: "before", value: "text-muted line-through decoration-line-strong" },
  after: { sign: "+", word: "after", value: undefined },
} as const;

const Side = ({ side, value }: { readonly side: keyof typeof SIDE; readonly value: Json }) => (
  <div className="flex gap-2">
    <span aria-hidden className="w-3 shrink-0 text-center font-mono text-xs leading-5 text-faint">
      {SIDE[side].sign}
    </span>
    <span className="sr-only">{SIDE[side].word}</span>
    <ValueView value={value} className={SIDE[side].value} />
  </div>
);

const Values = ({ row }: { readonly row: Row }) => {
  if (row.op !== "replace" && row.op !== "add" && row.op !== "remove") return <ValueView value={row.after ?? row.before ?? null} />;

  return (
    <div className="flex min-w-0 flex-col">
      {row.before === undefined ? null : <Side side="before" value={row.before} />}
      {row.after === undefined ? null : <Side side="after" value={row.after} />}
    </div>
  );
};

export const Steering = ({ kind }: { readonly kind: NonNullable<Row["steers"]> }) => (
  <Mark kind="tainted">Untrusted value {CONTROL_TEXT[kind]}</Mark>
);

const RowView = ({ row }: { readonly row: Row }) => (
  <li className="grid grid-cols-[minmax(6rem,12rem)_minmax(0,1fr)] gap-x-3 py-0.5 max-sm:grid-cols-1">
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <span className="font-mono text-xs break-all text-muted">{row.place}</span>
      {row.op === "same" || row.op === "add" || row.op === "remove" ? <span className="text-xs text-faint">{row.op}</span> : null}
    </span>
    <span className="flex min-w-0 flex-col gap-0.5">
      <Values row={row} />
      {row.steers ? (
        <span>
          <Steering kind={row.steers} />
        </span>
      ) : null}
    </span>
  </li>
);

/** Values of one line by field; steering fields are never folded. */
export const DiffRows = ({ rows }: { readonly rows: readonly Row[] }) => {
  const [only] = rows;
  if (!only) return <span className="text-xs text-faint">No value</span>;
  if (rows.length === 1 && only.place === "") return <Values row={only} />;
  const open = rows.filter((row, index) => index < MOST_OPEN || row.steers !== null);
  const folded = rows.filter((row) => !open.includes(row));

  return (
    <>
      <ul className={cn("flex flex-col")}>
        {open.map((row) => (
          <RowView key={row.place} row={row} />
        ))}
      </ul>
      {folded.length === 0 ? null : (
        <details>
          <summary className="text-xs font-medium text-accent underline underline-offset-2">
            Show {folded.length} more {folded.length === 1 ? "field" : "fields"}
          </summary>
          <ul>
            {folded.map((row) => (
              <RowView key={row.place} row={row} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
};
