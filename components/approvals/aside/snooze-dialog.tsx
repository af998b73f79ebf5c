"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { explainDenial } from "@/lib/roles";
import { SNOOZE_TEXT, SNOOZES, type Snooze } from "@/lib/notifications/snooze-times";
import { useAside } from "./use-aside";

const ITEMS = SNOOZES.map((value) => ({ value, label: SNOOZE_TEXT[value] }));
const MOST_REASON = 500;

type BodyProps = { readonly ids: readonly string[]; readonly onClose: () => void };

const Body = ({ ids, onClose }: BodyProps) => {
  const [until, setUntil] = useState<Snooze>("4h");
  const [reason, setReason] = useState("");
  const { snooze, notMine, isPending, error } = useAside(onClose);
  const role = useQuery(useTRPC().session.current.queryOptions()).data?.role;

  return (
    <div className="flex flex-col gap-4">
      {error ? <Callout kind="refused" title={toApiError(error).message} alert /> : null}
      <div className="flex items-end gap-2">
        <Field label="Snooze" className="min-w-0 flex-1">
          <Select items={ITEMS} value={until} onValueChange={(next) => setUntil(SNOOZES.find((one) => one === next) ?? "4h")} />
        </Field>
        <Button variant="primary" pending={isPending ? "Saving…" : null} onClick={() => snooze(ids, until)}>
          Snooze
        </Button>
      </div>
      <section aria-label="Not mine" className="flex flex-col gap-2 border-t pt-3">
        <Field label="Or say that it is not yours" hint="Others see your name and the reason.">
          <Textarea
            rows={2}
            value={reason}
            maxLength={MOST_REASON}
            placeholder="Reason (optional)"
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Field>
        <Button
          className="self-end"
          disabledReason={role ? explainDenial(role, "approval.comment") : null}
          pending={isPending ? "Saving…" : null}
          onClick={() => notMine(ids, reason)}
        >
          Not mine
        </Button>
      </section>
    </div>
  );
};

type Props = { readonly ids: readonly string[]; readonly open: boolean; readonly onClose: () => void };

export const SnoozeDialog = ({ ids, open, onClose }: Props) => (
  <Dialog
    open={open}
    onOpenChange={(next) => (next ? undefined : onClose())}
    title={ids.length === 1 ? "Snooze this request" : `Snooze ${ids.length} requests`}
    description="Hides it from you only, until shortly before it expires. It returns if it changes, or if you are the last who can decide."
  >
    {open ? <Body ids={ids} onClose={onClose} /> : null}
  </Dialog>
);
