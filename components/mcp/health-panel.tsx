import type { ReactNode } from "react";
import { Panel } from "@/components/ui/panel";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { describeFault } from "./fault-texts";

type Health = ServerView["health"];

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-3">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="min-w-0 text-right tabular-nums">{children}</dd>
  </div>
);

const When = ({ at }: { readonly at: string | null }) =>
  at === null ? <span className="text-faint">never</span> : <RelativeTime at={at} />;

/** The newer decides. */
const callMark = ({ okAt, failedAt, calls }: Health) => {
  if (calls === 0) return <Mark kind="hidden">Never called</Mark>;

  return (failedAt ?? "") > (okAt ?? "") ? <Mark kind="refused">Last call failed</Mark> : <Mark kind="clean">Last call answered</Mark>;
};

const Calls = ({ health }: { readonly health: Health }) => (
  <section aria-label="Calls" className="flex flex-col gap-1.5 p-3">
    <h3 className="flex flex-wrap items-center justify-between gap-2 text-sm font-medium">
      Calls
      {callMark(health)}
    </h3>
    <dl className="flex flex-col gap-1 text-sm">
      <Fact label="Last response">
        <When at={health.okAt} />
      </Fact>
      <Fact label="Last failure">
        <When at={health.failedAt} />
      </Fact>
      {health.lastFault ? <Fact label="Reason">{describeFault(health.lastFault)}</Fact> : null}
      <Fact label="Last duration">{health.lastMs === null ? <span className="text-faint">none</span> : `${health.lastMs} ms`}</Fact>
      <Fact label="Calls, faults">
        {health.calls}, {health.faults}
      </Fact>
    </dl>
  </section>
);

const Look = ({ server }: { readonly server: ServerView }) => {
  const { lookedAt } = server.health;
  const isFailed = server.lastError !== null && server.tools.every(({ drift }) => drift === null);

  return (
    <section aria-label="Inspection" className="flex flex-col gap-1.5 border-b p-3">
      <h3 className="flex flex-wrap items-center justify-between gap-2 text-sm font-medium">
        Inspection
        {lookedAt === null ? (
          <Mark kind="hidden">Never inspected</Mark>
        ) : (
          <Mark kind={isFailed ? "refused" : "clean"}>{isFailed ? "No response" : "Tools listed"}</Mark>
        )}
      </h3>
      <dl className="flex flex-col gap-1 text-sm">
        <Fact label="Inspected">
          <When at={lookedAt} />
        </Fact>
        {isFailed ? <Fact label="Reason">{server.lastError}</Fact> : null}
      </dl>
    </section>
  );
};

export const HealthPanel = ({ server }: { readonly server: ServerView }) => (
  <Panel title="Health">
    <Look server={server} />
    <Calls health={server.health} />
    <p className="border-t px-3 py-2 text-xs text-muted">
      Counts calls from runs, with a delay of a few seconds. A tool that returns an error counts as answered. Calls from “Try it out”
      don&apos;t count.
    </p>
  </Panel>
);
