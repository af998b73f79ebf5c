"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { cn } from "@/components/ui/cn";
import { Mark } from "@/components/ui/marks/mark";
import { count } from "@/lib/format";
import type { Comparison } from "@/lib/engine/forks/compare";
import type { ComparedStep, StepPair } from "@/lib/engine/forks/compare-steps";
import { stripPrefix } from "@/lib/engine/frame";
import { parseEntries, type Entry } from "./entries";
import { formatNodeTitle, type NodeNames } from "./node-names";
import { shortenPath } from "@/components/values/shorten-path";
import { summarize } from "./record-summary";
import { toShownEntry } from "@/components/values/visible-value";
import { ShownValue } from "@/components/values/value-text";

type SideProps = { readonly run: string; readonly names: NodeNames };

export const RecordLink = ({ run, seq }: { readonly run: string; readonly seq: number }) => (
  <Link href={`/runs/${run}?t=${seq}`} className="inline-flex min-h-6 items-center text-accent underline underline-offset-2">
    record {seq}
  </Link>
);

const Written = ({ entry }: { readonly entry: Entry }) => (
  <ul className="mt-1 flex flex-col gap-1">
    {(entry.record?.writes ?? []).map(({ path }, index) => (
      <li key={`${index} ${path}`} className="text-xs">
        <span className="font-mono break-all text-muted">{shortenPath(stripPrefix(path))}</span>
        <ShownValue shown={toShownEntry(entry.cells.find((cell) => cell.index === index))} className="max-h-40" />
      </li>
    ))}
  </ul>
);

const DifferenceSide = ({ run, names, seq, title }: SideProps & { readonly seq: number | null; readonly title: string }) => {
  const trpc = useTRPC();
  const page = useQuery(trpc.runs.records.queryOptions(seq === null ? skipToken : { runId: run, afterSeq: seq - 1, limit: 1 }));
  const entry = page.data && parseEntries(page.data)[0];
  const row = entry && summarize(entry, names, []);

  return (
    <section aria-label={title} className="min-w-0 rounded-md border px-3 py-2">
      <h3 className="text-xs font-semibold text-muted">{title}</h3>
      {seq === null ? <p className="text-sm">The run had ended.</p> : null}
      {seq !== null && !row ? <p className="text-sm text-muted">{page.isError ? "This record could not be loaded." : "Loading…"}</p> : null}
      {row && seq !== null ? (
        <>
          <p className="text-sm">
            <RecordLink run={run} seq={seq} /> <span className="font-medium">{row.title}</span>
            {row.node === null ? "" : ` in ${row.node}`}
          </p>
          <p className="text-xs text-muted">{row.detail}</p>
          {entry ? <Written entry={entry} /> : null}
        </>
      ) : null}
    </section>
  );
};

type Names = { readonly a: NodeNames; readonly b: NodeNames };

export const DifferenceSides = ({ found: { divergence, a, b }, names }: { readonly found: Comparison; readonly names: Names }) =>
  divergence === null ? null : (
    <div className="grid gap-3 md:grid-cols-2">
      <DifferenceSide run={a.run} names={names.a} seq={divergence.a} title="Run A" />
      <DifferenceSide run={b.run} names={names.b} seq={divergence.b} title="Run B" />
    </div>
  );

const Step = ({ run, names, step }: SideProps & { readonly step: ComparedStep | null }) =>
  step === null ? (
    <span className="text-xs text-faint">no step</span>
  ) : (
    <span className="text-xs">
      <RecordLink run={run} seq={step.seq} /> {step.proposalKind.replaceAll("_", " ")}
      {step.node === null ? "" : ` in ${formatNodeTitle(names, step.places, step.node)}`}{" "}
      {step.refusal === null ? null : <Mark kind="refused">{step.refusal}</Mark>}
    </span>
  );

const keyOf = ({ a, b }: StepPair): string => `${a?.seq ?? "-"} ${b?.seq ?? "-"}`;

export const StepTable = ({ found: { steps, more, a, b }, names }: { readonly found: Comparison; readonly names: Names }) => (
  <>
    <ol aria-label="Steps side by side">
      {steps.map((pair) => (
        <li
          key={keyOf(pair)}
          className={cn(
            "grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,0.7fr)] items-baseline gap-4 border-t px-3 py-1 first:border-t-0 max-sm:grid-cols-2 max-sm:gap-x-3",
            pair.a === null && "bg-clean-soft",
            pair.b === null && "bg-refused-soft",
            pair.changed.length > 0 && "bg-tainted-soft",
          )}
        >
          <Step run={a.run} names={names.a} step={pair.a} />
          <Step run={b.run} names={names.b} step={pair.b} />
          <span className="text-xs text-muted max-sm:col-span-2 max-sm:empty:hidden">
            {pair.a === null ? "only in run B" : pair.b === null ? "only in run A" : ""}
            {pair.changed.length === 0 ? null : (
              <>
                different value at <span className="font-mono break-all">{pair.changed.map(shortenPath).join(", ")}</span>
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
    {more === 0 ? null : (
      <p className="px-3 py-2 text-xs text-muted">{more === 1 ? "1 more step" : `${count(more)} more steps`} not shown</p>
    )}
  </>
);
