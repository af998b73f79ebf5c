"use client";

import { useState } from "react";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { FaultCallout, ProgressLine } from "./bundle-status";
import type { KeptBundle } from "./bundle-store";
import { NO_TRUST_DRAFT, TrustFields, parseTrust } from "./trust-fields";
import { useAddBundle } from "./use-bundles";

type Props = { readonly userId: string; readonly onAdded: (bundle: KeptBundle) => void };

export const AddBundle = ({ userId, onAdded }: Props) => {
  const [draft, setDraft] = useState(NO_TRUST_DRAFT);
  const { add, progress, isReady } = useAddBundle(userId);
  const trust = parseTrust(draft);
  const take = (file: File | undefined) => {
    if (!file || !trust || !isReady || add.isPending) return;
    add.mutate({ file, trust }, { onSuccess: (added) => (added.ok ? onAdded(added.bundle) : undefined) });
  };

  return (
    <section aria-label="Open a file" className="flex flex-col gap-3">
      <TrustFields draft={draft} onChange={setDraft} />
      <Field label="Bundle" hint="Choose a file or drop it here. It stays in this browser and is never sent to the server.">
        <Input
          type="file"
          accept=".json,application/json"
          disabled={trust === null || !isReady || add.isPending}
          className="h-20 border-dashed py-6"
          onChange={(event) => {
            take(event.currentTarget.files?.[0]);
            // Allows choosing a repaired file again.
            event.currentTarget.value = "";
          }}
        />
      </Field>
      {add.isPending ? <ProgressLine progress={progress} /> : null}
      {add.data && !add.data.ok ? <FaultCallout fault={add.data.fault} /> : null}
      {add.isError ? (
        <Callout kind="refused" title="The file could not be saved" alert>
          <p>This browser is out of space or has reached the limit of saved bundles. Remove some and try again.</p>
        </Callout>
      ) : null}
    </section>
  );
};
