import Link from "next/link";
import { toVisibleText } from "@/components/values/visible-text";
import { cn } from "@/components/ui/cn";
import { RISK_MARKS } from "@/components/approvals/inbox/risk-mark";
import type { ApprovalView } from "@/lib/engine/approvals/approval-view";

type Props = { readonly signals: ApprovalView["signals"]; readonly runId: string };

/** Signs of an attack or a mistake, worst first. */
export const Signals = ({ signals, runId }: Props) =>
  signals.length === 0 ? null : (
    <section aria-label="Signals" className="overflow-hidden rounded-lg border bg-surface">
      <header className="flex min-h-10 items-center gap-x-3 border-b px-3 py-1.5">
        <h2 className="text-sm font-semibold">Signals</h2>
        <span className="tabular text-xs text-muted">{signals.length}</span>
      </header>
      <ul>
        {signals.map(({ code, risk, text }) => {
          const { Shape, word } = RISK_MARKS[risk];

          return (
            <li
              key={`${code} ${text}`}
              data-signal={code}
              className={cn(
                "flex items-start gap-2 border-b border-l-2 border-l-transparent px-3 py-2 text-sm last:border-b-0",
                risk === "high" && "border-l-tainted font-medium",
              )}
            >
              <Shape aria-hidden className={cn("mt-0.5 size-4 shrink-0", risk === "high" ? "text-tainted" : "text-muted")} />
              <span className="min-w-0">
                <span className="sr-only">{word} risk: </span>
                {toVisibleText(text)}
                {code === "attempts" ? (
                  <>
                    {" "}
                    <Link href={`/runs/${runId}?tried=true`} className="font-medium text-accent underline underline-offset-2">
                      View attempts
                    </Link>
                  </>
                ) : null}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
