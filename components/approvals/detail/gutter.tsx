"use client";

import Link from "next/link";
import { useContext } from "react";
import { LabelMark } from "@/components/values/label-mark";
import type { ViewLine } from "@/lib/engine/approvals/approval-view";
import { BesideContext } from "./beside-context";
import { groupSources, describeIntegrity, describeSource, type People } from "./origin-text";

const MOST_SHOWN = 4;

const Source = ({ source, people, lead }: { readonly source: string; readonly people: People; readonly lead: string }) => {
  const beside = useContext(BesideContext);
  const origins = beside?.around?.origins ?? {};
  const origin = Object.hasOwn(origins, source) ? origins[source] : undefined;

  return (
    <li className="flex gap-1" title={source}>
      <span className="w-7 shrink-0 text-faint">{lead}</span>
      <span className="min-w-0 break-words">
        <span className="text-ink">{describeSource(source, people)}</span>
        {origin ? <>, {describeIntegrity(origin.integrity)}</> : null}
        {beside && origin
          ? origin.records.map((seq, index) => (
              <span key={seq}>
                {", "}
                {/* Keeps the word with its number. */}
                {index === 0 ? "record\u00a0" : ""}
                <Link href={`/runs/${beside.runId}?t=${seq}`} className="tabular underline underline-offset-2 hover:text-ink">
                  {seq}
                </Link>
              </span>
            ))
          : null}
        {origin && origin.more > 0 ? ` and ${origin.more} more` : null}
      </span>
    </li>
  );
};

const Sources = ({ sources, people }: { readonly sources: readonly string[]; readonly people: People }) => {
  const { outside, others } = groupSources(sources);
  const named = [...outside, ...others];
  const rest = named.slice(MOST_SHOWN);

  return (
    <>
      <ul className="text-xs text-muted">
        {named.slice(0, MOST_SHOWN).map((source, index) => (
          <Source key={source} source={source} people={people} lead={index === 0 ? "from" : ""} />
        ))}
      </ul>
      {rest.length === 0 ? null : (
        <details className="text-xs text-muted">
          <summary className="min-h-6 leading-6 hover:text-ink">and {rest.length} more</summary>
          <ul>
            {rest.map((source) => (
              <Source key={source} source={source} people={people} lead="" />
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

type Props = { readonly line: ViewLine; readonly isLikeBefore: boolean; readonly people: People };

export const Gutter = ({ line, isLikeBefore, people }: Props) => (
  <div className="flex min-w-0 flex-col gap-1">
    <span className="flex flex-wrap items-center gap-2">
      <LabelMark integrity={line.integrity} bare />
      <span className="text-xs text-muted">{line.confidentiality}</span>
    </span>
    {line.provenance.length === 0 ? null : isLikeBefore ? (
      <span className="text-xs text-faint">from the same sources</span>
    ) : (
      <Sources sources={line.provenance} people={people} />
    )}
  </div>
);
