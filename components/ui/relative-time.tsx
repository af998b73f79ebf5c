"use client";

import { formatAbsoluteTime, formatRelativeTime } from "@/lib/format";
import { useNow } from "./use-now";

type Props = {
  /** ms since 1970, or ISO. */
  readonly at: number | string;
  readonly className?: string | undefined;
};

/** "3 min ago", absolute on hover. */
export const RelativeTime = ({ at, className }: Props) => {
  const now = useNow();
  const atMs = typeof at === "number" ? at : Date.parse(at);

  return (
    // Server and browser may differ by a tick.
    <time suppressHydrationWarning dateTime={new Date(atMs).toISOString()} title={formatAbsoluteTime(atMs)} className={className}>
      {formatRelativeTime(atMs, now)}
    </time>
  );
};
