"use client";

import { ArrowLeft, ArrowRight, PinOff } from "lucide-react";
import { Button } from "@/components/ui/button";
import { HiddenShape } from "@/components/ui/marks/shapes";
import { displayJson } from "@/components/values/json-display";
import { shortenPath } from "@/components/values/shorten-path";
import { describeHidden, type Shown } from "@/components/values/visible-value";
import type { RecordSummary } from "@/components/runs/record-summary";
import type { PinnedPath } from "./pins";

const MOST_TEXT = 160;

const Value = ({ shown }: { readonly shown: Shown }) => {
  if (shown.kind === "absent") return <span className="text-faint">no value yet</span>;
  if (shown.kind !== "value") {
    return (
      <span className="inline-flex items-center gap-1 text-hidden" data-hidden-value>
        <HiddenShape className="size-3" /> {describeHidden(shown)}
      </span>
    );
  }
  const text = displayJson(shown.value).replaceAll(/\s+/g, " ");

  return <span title={text.slice(0, 2_000)}>{text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text}</span>;
};

type Props = {
  readonly pinned: readonly PinnedPath[];
  readonly rowOf: (seq: number) => RecordSummary | undefined;
  readonly onGo: (seq: number) => void;
  readonly onUnpin: (path: string) => void;
};

export const PinBar = ({ pinned, rowOf, onGo, onUnpin }: Props) =>
  pinned.length === 0 ? null : (
    <section aria-label="Pinned paths" className="max-h-40 shrink-0 overflow-y-auto border-b bg-surface">
      <ul className="divide-y">
        {pinned.map(({ path, shown, writtenAt, previous, next }) => {
          const writer = writtenAt === null ? undefined : rowOf(writtenAt);

          return (
            <li
              key={path}
              className="grid grid-cols-[minmax(8rem,16rem)_minmax(0,1fr)_auto_auto] items-center gap-3 px-6 py-0.5 text-xs max-sm:grid-cols-2 max-sm:px-4"
            >
              <span className="truncate font-mono font-medium" title={path}>
                {shortenPath(path)}
              </span>
              <output className="truncate font-mono" aria-label={`Value of ${path}`}>
                <Value shown={shown} />
              </output>
              <span className="tabular text-muted">
                {writtenAt === null ? "not written yet" : `${writer ? `by ${writer.node ?? writer.actor} ` : ""}in record ${writtenAt}`}
              </span>
              <span className="flex items-center">
                <Button
                  size="icon"
                  variant="ghost"
                  aria-label={`Previous change to ${path}`}
                  disabledReason={previous === null ? "No earlier change" : null}
                  onClick={() => (previous === null ? undefined : onGo(previous))}
                >
                  <ArrowLeft aria-hidden />
                </Button>
                <Button
                  size="icon"
                  variant="ghost"
                  aria-label={`Next change to ${path}`}
                  disabledReason={next === null ? "No later change" : null}
                  onClick={() => (next === null ? undefined : onGo(next))}
                >
                  <ArrowRight aria-hidden />
                </Button>
                <Button size="icon" variant="ghost" aria-label={`Unpin ${path}`} onClick={() => onUnpin(path)}>
                  <PinOff aria-hidden />
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
