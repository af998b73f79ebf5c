"use client";

import { Mark } from "@/components/ui/marks/mark";
import { useOnScreen, usePart } from "@/components/approvals/seeing/seeing-context";
import { isLongValue } from "@/lib/engine/approvals/view-parts";
import { CONTROL_TEXT } from "@/lib/engine/labels/control-position";
import { ValueView } from "./value-view";
import type { Row } from "./view-model";

const MOST_OF_NAME = 120;

/** Cuts a long name; the opened value shows all of it. */
export const cutName = (name: string): string => (name.length <= MOST_OF_NAME ? name : `${name.slice(0, MOST_OF_NAME)}…`);

const Arrow = () => (
  <span aria-hidden className="text-faint">
    →
  </span>
);

const ABSENT = "text-sm text-faint";

/** @param without text for an unknown value */
const Before = ({ row, without }: { readonly row: Row; readonly without: string | null }) => {
  if (row.before === null) {
    return without === null ? null : (
      <>
        <span className={ABSENT}>{without}</span>
        <Arrow />
      </>
    );
  }

  return (
    <>
      <span className="sr-only">before</span>
      <ValueView
        side={row.before}
        isLong={isLongValue(row.before.value)}
        part={row.op === "remove" ? row.key : null}
        className="text-muted line-through decoration-line-strong"
      />
      <Arrow />
    </>
  );
};

type ValuesProps = {
  readonly row: Row;
  /** Text of an unknown value before; null: nothing was compared. */
  readonly without: string | null;
  /** The line's path, if too long for its place. */
  readonly name?: string | null;
};

/** Short values share one line: `before → after`. */
const Values = ({ row, without, name }: ValuesProps) => {
  const part = useOnScreen(row.isControl && !row.isLong ? row.key : null);
  const { idOf } = usePart();
  const long = name ?? (row.place === "" ? null : row.place);
  const only = row.after ?? row.before;
  const isPlain = row.op !== "replace" && row.op !== "add" && row.op !== "remove" && row.op !== "send";

  return (
    <div ref={part} data-part={idOf(row.key)} className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-0.5">
      {isPlain || only === null ? null : <Before row={row} without={row.op === "remove" ? null : without} />}
      {row.op === "remove" ? (
        <span className={ABSENT}>removed</span>
      ) : only === null ? null : (
        <>
          {row.before === null || isPlain ? null : <span className="sr-only">after</span>}
          <ValueView side={only} isLong={row.isLong} part={row.key} name={long} className={isPlain ? undefined : "font-medium"} />
        </>
      )}
      {row.op === "same" ? <span className="text-xs text-faint">unchanged</span> : null}
    </div>
  );
};

export const Steering = ({ kind }: { readonly kind: NonNullable<Row["steers"]> }) => (
  <Mark kind="tainted">Untrusted value {CONTROL_TEXT[kind]}</Mark>
);

const RowView = ({ row, without, name = null }: ValuesProps) => (
  <li className="grid grid-cols-[minmax(6rem,12rem)_minmax(0,1fr)] gap-x-3 py-0.5 max-sm:grid-cols-1">
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      <span className="font-mono text-xs break-all text-muted">{row.isLong ? cutName(row.place) : row.place}</span>
      {row.op === "add" || row.op === "remove" ? <span className="text-xs text-faint">{row.op}</span> : null}
    </span>
    <span className="flex min-w-0 flex-col gap-0.5">
      <Values row={row} without={without} name={name === null ? null : `${name} ${row.place}`} />
      {row.steers ? (
        <span>
          <Steering kind={row.steers} />
        </span>
      ) : null}
    </span>
  </li>
);

type FoldedProps = Omit<ValuesProps, "row"> & { readonly rows: readonly Row[]; readonly says: string };

const Folded = ({ rows, says, without, name = null }: FoldedProps) => {
  const { see } = usePart();
  if (rows.length === 0) return null;

  return (
    <details
      onToggle={(event) => {
        if (event.currentTarget.open) see(rows.flatMap(({ key, isLong }) => (key === null || isLong ? [] : [key])));
      }}
    >
      <summary className="text-xs font-medium text-accent underline underline-offset-2">
        Show {rows.length} {says} {rows.length === 1 ? "field" : "fields"}
      </summary>
      <ul>
        {rows.map((row) => (
          <RowView key={row.place} row={row} without={without} name={name} />
        ))}
      </ul>
    </details>
  );
};

type Props = { readonly rows: readonly Row[]; readonly without?: string | null; readonly name?: string | null };

/** Values of one line by field; control positions are never folded. */
export const DiffRows = ({ rows, without = null, name = null }: Props) => {
  const [only] = rows;
  if (!only) return <span className="text-xs text-faint">No value</span>;
  if (rows.length === 1 && only.place === "") return <Values row={only} without={without} name={name} />;

  return (
    <>
      <ul className="flex flex-col">
        {rows
          .filter(({ fold }) => fold === null)
          .map((row) => (
            <RowView key={row.place} row={row} without={without} name={name} />
          ))}
      </ul>
      <Folded rows={rows.filter(({ fold }) => fold === "rest")} says="more" without={without} name={name} />
      <Folded rows={rows.filter(({ fold }) => fold === "unchanged")} says="unchanged" without={without} name={name} />
    </>
  );
};
