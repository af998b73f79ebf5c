"use client";

import { useQuery } from "@tanstack/react-query";
import { parseAsArrayOf, parseAsString, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { CountBadge } from "@/components/ui/count-badge";
import { PageHeader } from "@/components/ui/page-header";
import { Tabs } from "@/components/ui/tabs";
import { ListViews } from "@/components/views/list-views";
import { BudgetNotice } from "./inbox/budget-notice";
import { QueueFilters } from "./inbox/queue-filters";
import { QueuePanel } from "./inbox/queue-panel";
import { useInboxFilter } from "./inbox/use-inbox-filter";
import { useQueue } from "./inbox/use-queue";
import { MOST_TOGETHER } from "./inbox/selection";
import { TogetherPage } from "./together/together-page";

type Props = { readonly publishRequests: ReactNode };

type QueueProps = Props & { readonly onTogether: (ids: readonly string[]) => void };

const QueuePage = ({ publishRequests, onTogether }: QueueProps) => {
  const inbox = useInboxFilter();
  const queue = useQueue(inbox.filter);
  const { counts } = queue;
  const trpc = useTRPC();
  const open = useQuery(trpc.approvals.count.queryOptions());
  const panel = (
    <>
      <QueueFilters inbox={inbox} counts={counts} />
      <ListViews page="approvals" search={inbox.search} isFiltered={inbox.isNarrowed} />
      <QueuePanel key={inbox.search} inbox={inbox} queue={queue} onTogether={onTogether} />
    </>
  );

  return (
    <>
      <PageHeader title="Approvals" description="Risky steps wait here for a person's decision." />
      {publishRequests}
      <BudgetNotice />
      <Tabs
        aria-label="Approval requests"
        className="flex-1 px-6 max-sm:px-4"
        panelClassName="-mx-6 flex flex-col max-sm:-mx-4"
        value={inbox.filter.tab}
        onValueChange={(tab) => inbox.choose({ tab, mine: false, assigned: false, aside: false, expiring: false })}
        tabs={[
          {
            value: "open",
            label: (
              <>
                Open <CountBadge count={(inbox.filter.tab === "open" ? counts?.all : undefined) ?? open.data?.open ?? 0} label="open" />
              </>
            ),
            panel,
          },
          { value: "decided", label: "Decided", panel },
        ]}
      />
    </>
  );
};

export const ApprovalsPage = ({ publishRequests }: Props) => {
  const [together, setTogether] = useQueryState("together", parseAsArrayOf(parseAsString).withOptions({ history: "push" }));
  if (together && together.length > 0) {
    return <TogetherPage ids={together.slice(0, MOST_TOGETHER)} onChange={(ids) => void setTogether(ids.length === 0 ? null : [...ids])} />;
  }

  return <QueuePage publishRequests={publishRequests} onTogether={(ids) => void setTogether([...ids])} />;
};
