"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { actOf } from "@/components/arming/arming";
import { ArmingRefusal } from "@/components/arming/arming-refusal";
import { useArming } from "@/components/arming/use-arming";
import { useCountersign } from "@/components/passkeys/use-countersign";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { explainDenial, type Role } from "@/lib/roles";
import type { PublishRequest } from "./types";

type Props = {
  readonly request: PublishRequest;
  readonly hash: string | null;
  readonly role: Role;
  readonly onDecided: (text: string) => void;
};

export const OpenRequest = ({ request, hash, role, onDecided }: Props) => {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const arming = useArming(`publish:${request.id}`);
  const refresh = () =>
    Promise.all([trpc.graphs.pathKey(), trpc.approvals.count.queryKey()].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const approve = useMutation(
    trpc.graphs.publishRequestApprove.mutationOptions({
      onSuccess: (version) => {
        onDecided(`Published as version ${version.number}`);
        void refresh();
      },
    }),
  );
  const decline = useMutation(
    trpc.graphs.publishRequestDecline.mutationOptions({
      onSuccess: () => {
        onDecided("Declined. Nothing was published.");
        void refresh();
      },
    }),
  );
  const countersign = useCountersign();
  const policy = useQuery(trpc.policy.get.queryOptions());
  const isSigned = policy.data?.environments[0]?.approvals === "write";
  const sign = useMutation({
    mutationFn: () => countersign({ kind: "publish_approve", request: request.id, hash: request.hash }),
    onSuccess: (assertion) => approve.mutate({ request: request.id, hash: request.hash, ...(assertion ? { assertion } : {}) }),
  });
  const yes = () => (isSigned ? sign.mutate() : approve.mutate({ request: request.id, hash: request.hash }));
  const failure = sign.error ?? approve.error ?? decline.error;
  const isStale = hash !== null && hash !== request.hash;
  const cannotDecide = explainDenial(role, "graph.publish");
  const cannotApprove = cannotDecide ?? request.cannotApprove ?? (isStale ? "The draft changed after the request" : null);

  return (
    <section aria-label="Waiting for a second person" className="flex flex-col gap-3 rounded-md border p-3">
      {failure ? <Callout kind="refused" alert title={toApiError(failure).message} /> : null}
      <Callout kind="waiting" title="Waiting for a second person with graph.publish">
        <p className="flex flex-wrap items-center gap-2">
          {request.byAgent
            ? `Requested by an outside agent on behalf of ${request.requesterName}`
            : `Requested by ${request.requesterName}`}
          <RelativeTime at={request.createdAt} />
          <DigestChip digest={request.hash} label="version" />
        </p>
        {isStale ? <p>The draft changed after the request. Request publishing again.</p> : null}
      </Callout>
      <Field label="Reason for declining (optional)">
        <Input value={reason} maxLength={1_000} onChange={(event) => setReason(event.target.value)} />
      </Field>
      {isSigned && cannotApprove === null ? <p className="text-sm text-muted">You sign this approval with your passkey.</p> : null}
      <ArmingRefusal text={arming.refusal} />
      <div className="flex justify-end gap-2">
        <Button
          disabledReason={cannotDecide}
          pending={decline.isPending ? "Declining…" : null}
          onClick={(event) => {
            if (arming.arm(actOf(event)) !== null) decline.mutate({ request: request.id, reason });
          }}
        >
          {request.cannotApprove === null ? "Decline" : "Withdraw request"}
        </Button>
        <Button
          variant="primary"
          disabledReason={cannotApprove}
          pending={sign.isPending ? "Waiting for passkey…" : approve.isPending ? "Publishing…" : null}
          onClick={(event) => {
            if (arming.arm(actOf(event)) !== null) yes();
          }}
        >
          Approve and publish
        </Button>
      </div>
    </section>
  );
};
