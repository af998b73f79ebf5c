"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { AuthorityChanges } from "@/components/analysis/authority-changes";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Callout } from "@/components/ui/callout";
import { DialogButton } from "@/components/ui/dialog-button";
import { Form, FormActions } from "@/components/ui/form";
import { QueryState } from "@/components/ui/query-state";
import type { Environment } from "@/lib/environments/environment";
import { MissingSettings } from "./missing-settings";
import { explainSecondPerson } from "./second-person-text";
import type { PromotionPreview } from "./types";
import { useRefreshPromotions } from "./use-refresh-promotions";

export type Promoted = { readonly hash: string; readonly graphName: string; readonly number: number };

type BodyProps = {
  readonly version: Promoted;
  readonly to: Environment;
  readonly preview: PromotionPreview;
  readonly onDone: () => void;
};

export const PromotionReview = ({ to, preview }: Pick<BodyProps, "to" | "preview">) => (
  <>
    <MissingSettings title={to.title} variables={preview.missing} secrets={preview.missingSecrets} blocks />
    {preview.secondPerson.why === null ? (
      <Callout kind="clean" title={preview.base ? `Replaces version ${preview.base.number}` : "The first version of this graph here"} />
    ) : (
      <Callout kind="waiting" title={explainSecondPerson(preview.secondPerson.why)} />
    )}
    <AuthorityChanges changes={preview.changes} base={preview.base === null ? null : `version ${preview.base.number}`} />
  </>
);

const PromoteBody = ({ version, to, preview, onDone }: BodyProps) => {
  const api = useTRPCClient();
  const asks = preview.secondPerson.needed;
  const promote = useMutation({
    mutationFn: () => {
      const wanted = { environment: to.id, version: version.hash, base: preview.base?.hash ?? null };

      return asks ? api.environments.promotions.ask.mutate(wanted) : api.environments.promotions.promote.mutate(wanted);
    },
    onSuccess: onDone,
    onSettled: useRefreshPromotions(),
  });

  return (
    <Form onSubmit={() => promote.mutate()} error={promote.error}>
      <PromotionReview to={to} preview={preview} />
      <FormActions
        submit={asks ? "Ask a second person" : "Promote"}
        pending={promote.isPending ? "Committing…" : null}
        disabledReason={preview.missing.length > 0 ? "The environment lacks variables" : null}
        onCancel={onDone}
      />
    </Form>
  );
};

const PromoteContent = (props: Omit<BodyProps, "preview">) => {
  const { version, to } = props;
  const preview = useQuery(useTRPC().environments.promotions.preview.queryOptions({ environment: to.id, version: version.hash }));

  return (
    <QueryState query={preview} what="the comparison" rows={3}>
      {(found) => <PromoteBody {...props} preview={found} />}
    </QueryState>
  );
};

type Props = { readonly version: Promoted; readonly to: Environment; readonly mayNot: string | null };

export const PromoteButton = ({ version, to, mayNot }: Props) => (
  <DialogButton
    label={`Promote to ${to.title}…`}
    name={`Promote to ${to.title}: ${version.graphName} version ${version.number}`}
    buttonSize="sm"
    variant="ghost"
    disabledReason={mayNot}
    title={`Promote ${version.graphName} version ${version.number} to ${to.title}`}
    description="It becomes the version that runs there. The promotion is recorded."
    size="lg"
  >
    {(close) => <PromoteContent version={version} to={to} onDone={close} />}
  </DialogButton>
);
