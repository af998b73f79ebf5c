"use client";

import { useMutation } from "@tanstack/react-query";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CopyBlock } from "@/components/ui/copy-block";
import { DialogButton, ShowOnce } from "@/components/ui/dialog-button";
import { Mark } from "@/components/ui/marks/mark";
import { useNow } from "@/components/ui/use-now";
import { findOpenWait } from "@/lib/engine/state";
import { formatAbsoluteTime, formatDuration } from "@/lib/format";
import { explainDenial, type Role } from "@/lib/roles";
import { WaitAnswer, type WaitingState } from "./wait-answer";

type Props = { readonly runId: string; readonly graphHash: string; readonly state: WaitingState; readonly role: Role };

export const WaitNote = ({ runId, graphHash, state, role }: Props) => {
  const now = useNow();
  const take = useMutation(useTRPC().runs.takeWaitToken.mutationOptions());
  const wait = findOpenWait(state);
  if (wait === null && !take.data) return null;
  const leftMs = (wait?.until ?? now) - now;
  const mayNot = explainDenial(role, "run.start");
  const taken = wait?.tokenHash === null ? null : "The token was handed out already";

  return (
    <output aria-label="Wait" className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-6 py-2 text-sm max-sm:px-4">
      {wait ? (
        <>
          <Mark kind="waiting">{wait.answerable ? "Waiting for an answer" : "Waiting"}</Mark>
          <span suppressHydrationWarning title={formatAbsoluteTime(wait.until)} className="tabular-nums text-muted">
            {leftMs <= 0 ? "Continuing…" : `${wait.answerable ? "Times out" : "Continues"} in ${formatDuration(leftMs)}`}
          </span>
        </>
      ) : null}
      {take.error ? <span className="text-xs text-refused">{toApiError(take.error).message}</span> : null}
      {wait?.answerable ? (
        <div className="ml-auto flex flex-wrap gap-1">
          <Button
            size="sm"
            variant="ghost"
            disabledReason={mayNot ?? taken}
            pending={take.isPending ? "Taking…" : null}
            onClick={() => take.mutate({ runId })}
          >
            Take answer token
          </Button>
          <DialogButton
            label="Answer…"
            buttonSize="sm"
            disabledReason={mayNot}
            title="Answer this wait"
            description="The run continues with it. The answer is on record as yours."
          >
            {(close) => <WaitAnswer runId={runId} waitId={wait.wait_id} graphHash={graphHash} state={state} onDone={close} />}
          </DialogButton>
        </div>
      ) : null}
      {take.data ? (
        <ShowOnce
          title="Copy the token now"
          description="Its holder answers this wait once, without an account: with a header, or at the address alone. Only its hash is stored."
          onDone={() => take.reset()}
        >
          <CopyBlock label="token" text={take.data.token} />
          <CopyBlock label="request" text={`POST /api/v1/waits/answer\nAuthorization: Bearer TOKEN\n{ "value": … }`} />
          <CopyBlock label="address, which takes the value as the body of a POST" text={take.data.url} />
        </ShowOnce>
      ) : null}
    </output>
  );
};
