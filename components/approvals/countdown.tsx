"use client";

import { useEffect, useState } from "react";
import { formatAbsoluteTime } from "@/lib/format";
import { formatCountdown } from "./countdown-text";

type Props = {
  readonly until: number;
  readonly ended?: string;
};

/** Time left until a moment (ms since 1970); shows the moment before hydration. */
export const Countdown = ({ until, ended = "expired" }: Props) => {
  const [nowMs, setNowMs] = useState<number | null>(null);

  useEffect(() => {
    const tick = () => setNowMs(Date.now());
    tick();
    const timer = setInterval(tick, 1_000);

    return () => clearInterval(timer);
  }, []);

  return (
    <time dateTime={new Date(until).toISOString()} title={formatAbsoluteTime(until)} className="tabular whitespace-nowrap">
      {nowMs === null ? formatAbsoluteTime(until) : nowMs >= until ? ended : formatCountdown(until - nowMs)}
    </time>
  );
};
