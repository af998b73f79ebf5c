"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { loadRun } from "@/components/proof/load-run";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Panel } from "@/components/ui/panel";
import { Select } from "@/components/ui/select";
import { Spinner } from "@/components/ui/spinner";
import { TAMPER_KINDS, TAMPER_TEXT, type TamperKind } from "@/lib/engine/verify/tamper";
import { LEDGER_TAMPER_KINDS } from "@/lib/engine/verify/tamper-ledger";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { count } from "@/lib/format";
import { FaultCallout, WorkspaceResult } from "@/components/ledger/results";
import { RECORDS_URL } from "@/components/ledger/use-whole-check";
import { ChangeView } from "./change-view";
import { useLab, type Copy, type LabResult } from "./use-lab";

const WORKSPACE = "workspace";

const useSubjects = () => {
  const runs = useQuery(useTRPC().runs.list.queryOptions({ limit: 25 }));
  const named = runs.data?.runs.map(({ id, graphName }) => ({ value: id, label: `Run ${id.slice(0, 8)} ${graphName}`.trim() })) ?? [];

  return [{ value: WORKSPACE, label: "Whole workspace" }, ...named];
};

const useCopy = (keys: PublicKeys) => {
  const client = useTRPCClient();

  return async (subject: string): Promise<Copy> => {
    if (subject === WORKSPACE) {
      return { subject: { type: "workspace", url: new URL(RECORDS_URL, window.location.href).href }, keys, remembered: null };
    }
    const { ledger, keys: runKeys } = await loadRun(client, subject, () => undefined, new AbortController().signal);
    const { version, digest } = ledger.head;

    return { subject: { type: "run", ledger }, keys: runKeys, remembered: version === 0 ? null : { version, digest, at: 0 } };
  };
};

const Outcome = ({ result, ownLedger, run }: { readonly result: LabResult; readonly ownLedger: string; readonly run: string }) => {
  if (result.type === "workspace") return <WorkspaceResult result={result.result} ownLedger={ownLedger} took={null} isLab />;

  return result.result.ok ? (
    <Callout kind="clean" title="Copy verified" alert />
  ) : (
    <FaultCallout fault={{ ...result.result, run }} ownLedger={ownLedger} isLab />
  );
};

type Props = { readonly keys: PublicKeys; readonly ownLedger: string };

export const LabPanel = ({ keys, ownLedger }: Props) => {
  const [subject, setSubject] = useState(WORKSPACE);
  const subjects = useSubjects();
  const copyOf = useCopy(keys);
  const { lab, take, tamper, verify } = useLab();
  const isWorkspace = subject === WORKSPACE;
  const kinds: readonly TamperKind[] = isWorkspace ? TAMPER_KINDS : LEDGER_TAMPER_KINDS;
  const isReady = lab.step === "ready" || lab.step === "verifying";
  const choose = (next: string) => {
    setSubject(next);
    take(() => copyOf(next));
  };

  return (
    <Panel title="Tamper lab">
      <div className="flex flex-col gap-3 p-3">
        <p className="text-sm text-muted">
          You work on a copy in this browser&apos;s memory. Nothing changes on the server. Removed records are found by comparing the copy
          with the {isWorkspace ? "latest checkpoint" : "run's head"} from before the change.
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <Select aria-label="Copy of" items={subjects} value={subject} onValueChange={choose} className="w-auto min-w-56" />
          <Button size="sm" pending={lab.step === "loading" ? "Copying…" : null} onClick={() => choose(subject)}>
            {isReady ? "Copy again" : "Make a copy"}
          </Button>
          {isReady ? <span className="tabular text-sm text-muted">{count(lab.records)} records in the copy</span> : null}
        </div>
        {isReady ? (
          <div className="flex flex-wrap items-center gap-2">
            <Select
              aria-label="Tampering"
              items={kinds.map((kind) => ({ value: kind, label: TAMPER_TEXT[kind].title }))}
              value={lab.kind}
              placeholder="Choose what to change"
              onValueChange={tamper}
              className="w-auto min-w-56"
            />
            <Button size="sm" disabledReason={lab.change ? null : "Choose what to change first"} onClick={verify}>
              Verify the copy
            </Button>
            {lab.step === "verifying" ? <Spinner /> : null}
          </div>
        ) : null}
        {lab.kind === null ? null : <p className="text-sm">{TAMPER_TEXT[lab.kind].what}</p>}
        {lab.kind !== null && lab.change === null ? (
          <Callout kind="hidden" title="The copy has too few records for this change" alert />
        ) : null}
        {lab.change ? <ChangeView change={lab.change} /> : null}
        {lab.error === null ? null : <Callout kind="refused" title={lab.error} alert />}
        {lab.result ? <Outcome result={lab.result} ownLedger={ownLedger} run={subject} /> : null}
      </div>
    </Panel>
  );
};
