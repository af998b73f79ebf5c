import type { ReactNode } from "react";
import type { SignedIn } from "@/server/auth/signed-in";
import { PageHeader } from "@/components/ui/page-header";
import { CustomersPanel } from "./customers-panel";
import { FirstStepsPanel } from "./first-steps-panel";
import { LedgerPanel } from "./ledger-panel";
import { MentionsPanel } from "./mentions-panel";
import { RunsPanel } from "./runs-panel";
import { WaitingPanel } from "./waiting-panel";

type Props = { readonly session: SignedIn; readonly publishRequests: ReactNode };

export const Home = ({ session, publishRequests }: Props) => (
  <>
    <PageHeader title="Home" description={`${session.workspace.name}, as ${session.role}`} />
    <div className="grid items-start gap-4 p-6 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="flex min-w-0 flex-col gap-4">
        {publishRequests}
        <MentionsPanel />
        <WaitingPanel role={session.role} />
        <RunsPanel />
        {session.workspace.demo ? <CustomersPanel /> : null}
      </div>
      <div className="flex flex-col gap-4">
        <FirstStepsPanel role={session.role} isDemo={session.workspace.demo} />
        <LedgerPanel />
      </div>
    </div>
  </>
);
