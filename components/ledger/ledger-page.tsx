"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Page } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { notify } from "@/components/ui/toast";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { getKeys } from "@/lib/engine/ledger/trust-anchor";
import { count } from "@/lib/format";
import { explainDenial, type Role } from "@/lib/roles";
import { CheckpointsPanel } from "./checkpoints-panel";
import { InclusionPanel } from "./inclusion-panel";
import { KeysPanel } from "./keys-panel";
import { LabPanel } from "./lab/lab-panel";
import { AnchorCallout } from "@/components/proof/memory/anchor-callout";
import { isAnchorAlarm } from "@/components/proof/memory/anchor-pin";
import { useForgetAnchor, usePinnedAnchor } from "@/components/proof/memory/use-anchor";
import { useLogMemory, useMemoryActions, useRecognisedKeys } from "@/components/proof/memory/use-memory";
import { OfflinePanel } from "./offline-panel";
import { StatePanel } from "./state-panel";
import { listLedgerKeys, type LedgerOverview } from "@/components/proof/types";
import { VerifyPanel } from "./verify-panel";

const REFRESH_MS = 15_000;
const VIEWS = ["overview", "keys", "lab"] as const;
type View = (typeof VIEWS)[number];

type Props = { readonly role: Role; readonly auditor: boolean };

const TakeCheckpoint = ({ role }: Pick<Props, "role">) => {
  const trpc = useTRPC();
  const refresh = useRefresh(trpc.ledger.pathFilter());
  const take = useMutation(
    trpc.ledger.takeCheckpoint.mutationOptions({
      onSuccess: async ({ count: counted }) => {
        notify({ tone: "info", title: `Checkpoint taken. It covers ${count(counted)} ${counted === 1 ? "record" : "records"}.` });
        await refresh();
      },
      onError: (error) => {
        const { refusal, message, requestId } = toApiError(error);
        const title =
          refusal === "run_frozen"
            ? "The log doesn't match its latest checkpoint, so the runner no longer signs it. Contact the operator."
            : message;
        notify({ tone: "error", title, ...(requestId === null ? {} : { description: `Request ${requestId}` }) });
      },
    }),
  );

  return (
    <Button
      variant="primary"
      disabledReason={explainDenial(role, "ledger.checkpoint")}
      pending={take.isPending ? "Committing…" : null}
      onClick={() => take.mutate()}
    >
      Take checkpoint
    </Button>
  );
};

const Export = ({ role, auditor }: Props) => {
  const reason = explainDenial(role, "ledger.export", auditor);

  return reason ? (
    <Button disabledReason={reason}>Export</Button>
  ) : (
    // The router must not handle downloads.
    <a href="/api/ledger/export" download className={buttonStyle()}>
      Export
    </a>
  );
};

const Body = ({ overview, view }: { readonly overview: LedgerOverview; readonly view: View }) => {
  const router = useRouter();
  const { workspace, ownLedger, newest } = overview;
  const pinned = usePinnedAnchor(workspace, overview.anchor);
  const forgetAnchor = useForgetAnchor(workspace);
  const memory = useLogMemory(workspace, newest, pinned.data ?? null);
  const recognised = useRecognisedKeys(workspace);
  const { remembered, remember, forget, recognise } = useMemoryActions(workspace);
  if (!pinned.data) return <SkeletonRows rows={12} />;
  const { trusted } = pinned.data;
  const keys: PublicKeys = trusted ? getKeys(trusted) : {};
  const handovers = trusted?.handovers ?? [];
  const panels = {
    overview: (
      <div className="grid items-start gap-4 p-6 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <StatePanel overview={overview} memory={memory.isError ? undefined : (memory.data ?? null)} onForget={forget} />
          <VerifyPanel keys={keys} handovers={handovers} ownLedger={ownLedger} remembered={remembered} onClean={remember} />
          <OfflinePanel />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <CheckpointsPanel keys={keys} />
          <InclusionPanel workspace={workspace} keys={keys} />
        </div>
      </div>
    ),
    keys: (
      <div className="max-w-3xl p-6">
        <KeysPanel keys={listLedgerKeys(overview.anchor)} recognised={recognised.data ?? null} onRecognise={recognise} />
      </div>
    ),
    lab: (
      <div className="max-w-4xl p-6">
        <LabPanel keys={keys} ownLedger={ownLedger} />
      </div>
    ),
  } as const satisfies Record<View, React.ReactNode>;

  return (
    <>
      {isAnchorAlarm(pinned.data) ? (
        <div className="px-6 pt-4">
          <AnchorCallout pinned={pinned.data} onForget={forgetAnchor} />
        </div>
      ) : null}
      <Tabs
        aria-label="Ledger"
        className="px-0 [&>[role=tablist]]:px-6"
        tabs={[
          { value: "overview", label: "Checkpoints", panel: panels.overview },
          { value: "keys", label: "Keys", panel: panels.keys },
          { value: "lab", label: "Tamper lab", panel: panels.lab },
        ]}
        value={view}
        onValueChange={(next) => router.push(next === "overview" ? "/ledger" : `/ledger?view=${next}`)}
      />
    </>
  );
};

export const LedgerPage = ({ role, auditor }: Props) => {
  const query = useQuery(useTRPC().ledger.overview.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const asked = useSearchParams().get("view");

  return (
    <Page
      title="Ledger"
      description="Every record, chained and signed by the runner, with checkpoints and proofs that this browser checks itself."
      actions={
        <>
          <Export role={role} auditor={auditor} />
          <TakeCheckpoint role={role} />
        </>
      }
      isFlush
    >
      <QueryState query={query} what="the ledger" rows={12}>
        {(overview) => <Body overview={overview} view={VIEWS.find((each) => each === asked) ?? "overview"} />}
      </QueryState>
    </Page>
  );
};
