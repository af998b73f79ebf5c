import Link from "next/link";
import { Callout } from "@/components/ui/callout";
import type { Outcome } from "./waiting-decision";

type Props = { readonly outcome: Outcome; readonly runId: string | null };

export const OutcomeLine = ({ outcome, runId }: Props) => {
  if (!outcome.ok) {
    return (
      <Callout kind="refused" title={outcome.message} alert>
        <p className="text-xs">
          <span className="font-mono">{outcome.code}</span>{" "}
          {outcome.requestId ? <span className="font-mono text-muted">Request {outcome.requestId}</span> : null}
        </p>
      </Callout>
    );
  }

  return (
    <output className="block text-sm">
      Committed as{" "}
      {outcome.seq === null ? (
        "a record"
      ) : runId === null ? (
        `record ${outcome.seq}`
      ) : (
        <Link href={`/runs/${runId}?t=${outcome.seq}`} className="font-medium text-accent underline underline-offset-2">
          record {outcome.seq}
        </Link>
      )}{" "}
      of the run.
    </output>
  );
};
