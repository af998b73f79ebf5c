"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Failure } from "@/components/ui/failure";
import { PageSection } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { explainDenial } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";

const PERCENTS = ["25", "50", "75", "90", "95"] as const;
const CHOICES = PERCENTS.map((value) => ({ value, label: `After ${value} % of the time` }));

type Props = { readonly percents: readonly number[]; readonly mayNot: string | null };

const Times = ({ percents, mayNot }: Props) => {
  const trpc = useTRPC();
  const [chosen, setChosen] = useState(() => PERCENTS.filter((one) => percents.includes(Number(one))));
  const set = useMutation(trpc.reminders.set.mutationOptions({ onSettled: useRefresh(trpc.reminders.pathFilter()) }));
  const isSame = chosen.length === percents.length && chosen.every((one) => percents.includes(Number(one)));

  return (
    <div className="flex flex-col gap-3">
      <Failure error={set.error} />
      <CheckboxGroup
        legend="Remind"
        choices={CHOICES}
        value={chosen}
        onChange={(next) => setChosen(PERCENTS.filter((one) => next.includes(one)))}
      />
      <Button
        className="self-start"
        disabledReason={mayNot ?? (isSame ? "No changes yet." : null)}
        pending={set.isPending ? "Saving…" : null}
        onClick={() => set.mutate({ percents: chosen.map(Number) })}
      >
        Save reminders
      </Button>
    </div>
  );
};

export const Reminders = ({ session }: { readonly session: SignedIn }) => (
  <PageSection id="reminders" title="Reminders">
    <p className="text-sm text-muted">
      A waiting request reminds those who can decide it and have not snoozed it. Webhooks send it as <code>approval.reminder</code>.
    </p>
    <QueryState query={useQuery(useTRPC().reminders.get.queryOptions())} what="the reminders" rows={1}>
      {({ percents }) => (
        <Times key={percents.join()} percents={percents} mayNot={explainDenial(session.role, "webhook.manage", session.auditor)} />
      )}
    </QueryState>
  </PageSection>
);
