import type { ReactNode } from "react";
import { Panel } from "@/components/ui/panel";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { faultText } from "./fault-texts";

type Health = ServerView["health"];

const Fact = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-3">
    <dt className="text-xs text-muted">{label}</dt>
    <dd className="min-w-0 text-right tabular-nums">{children}</dd>
  </div>
);

const When = ({ at }: { readonly at: string | null }) =>
  at === null ? <span className="text-faint">never</span> : <RelativeTime at={at} />;

/** Which of the two is newer says how the server is. */
const callMark = ({ okAt, failedAt, calls }: Health) => {
  if (calls === 0) return <Mark kind="hidden">Never called</Mark>;

  return (failedAt ?? "") > (okAt ?? "") ? <Mark kind="refused">Last call failed</Mark> : <Mark kind="clean">Last call answered</Mark>;
};

const Calls = ({ health }: { readonly health: Health }) => (
  <section aria-label="Real calls" className="flex flex-col gap-1.5 p-3">
    <h3 className="flex flex-wrap items-center justify-between gap-2 text-sm font-medium">
      Real calls
      {callMark(health)}
    </h3>
    <dl className="flex flex-col gap-1 text-sm">
      <Fact label="Answered last">
        <When at={health.okAt} />
      </Fact>
      <Fact label="Failed last">
        <When at={health.failedAt} />
      </Fact>
      {health.lastFault ? <Fact label="Because">{faultText(health.lastFault)}</Fact> : null}
      <Fact label="Took last">{health.lastMs === null ? <span className="text-faint">nothing yet</span> : `${health.lastMs} ms`}</Fact>
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
    <section aria-label="The registry's look" className="flex flex-col gap-1.5 border-b p-3">
      <h3 className="flex flex-wrap items-center justify-between gap-2 text-sm font-medium">
        The registry&apos;s look
        {lookedAt === null ? (
          <Mark kind="hidden">Never looked</Mark>
        ) : (
          <Mark kind={isFailed ? "refused" : "clean"}>{isFailed ? "Did not answer" : "Listed its tools"}</Mark>
        )}
      </h3>
      <dl className="flex flex-col gap-1 text-sm">
        <Fact label="Looked">
          <When at={lookedAt} />
        </Fact>
        {isFailed ? <Fact label="Because">{server.lastError}</Fact> : null}
      </dl>
    </section>
  );
};

/** How the server is, from both ways to it: what the registry saw when it looked, and what the calls of runs met. */
export const HealthPanel = ({ server }: { readonly server: ServerView }) => (
  <Panel title="Health">
    <Look server={server} />
    <Calls health={server.health} />
    <p className="border-t px-3 py-2 text-xs text-muted">
      Counted where runs call, some seconds late. A tool that answers with an error of its own has answered. What is tried out by hand is
      not counted.
    </p>
  </Panel>
);
