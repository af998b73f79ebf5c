"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { getSnoozeEnd, SNOOZE_TEXT, SNOOZES, type Snooze } from "@/lib/notifications/snooze-times";

const ITEMS = SNOOZES.map((value) => ({ value, label: SNOOZE_TEXT[value] }));

type Props = { readonly token: string; readonly onDone: (title: string) => void };

export const ReplySnooze = ({ token, onDone }: Props) => {
  const [until, setUntil] = useState<Snooze>("4h");
  const { mutate, isPending, error } = useMutation(useTRPC().reply.snooze.mutationOptions({ onSuccess: () => onDone("Snoozed for you") }));

  return (
    <div className="flex flex-col gap-4">
      {error ? <Callout kind="refused" title={toApiError(error).message} alert /> : null}
      <Field label="Snooze" hint="Hides it from you only, until shortly before it expires.">
        <Select items={ITEMS} value={until} onValueChange={(next) => setUntil(SNOOZES.find((one) => one === next) ?? "4h")} />
      </Field>
      <Button
        size="lg"
        variant="primary"
        pending={isPending ? "Saving…" : null}
        onClick={() => mutate({ token, untilMs: getSnoozeEnd(until, Date.now()) })}
      >
        Snooze
      </Button>
    </div>
  );
};
