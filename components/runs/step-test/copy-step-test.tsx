"use client";

import { useMutation } from "@tanstack/react-query";
import { getOpenedValue } from "@/lib/engine/verify/verify";
import { getPublished } from "@/lib/engine/forks/fork";
import { stateAt, type LedgerEntry } from "@/lib/engine/timeline";
import type { PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import type { Entry } from "@/components/runs/entries";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { notify } from "@/components/ui/toast";

type Client = ReturnType<typeof useTRPCClient>;

const valuesOf = ({ cells }: Entry): readonly (Json | undefined)[] => {
  const values: (Json | undefined)[] = [];
  for (const cell of cells) values[cell.index] = getOpenedValue(cell);

  return values;
};

const ledgerOf = (entries: readonly Entry[]): LedgerEntry[] =>
  entries.flatMap((entry) => {
    const { record, digest, kid, signature } = entry;

    return record ? [{ signed: { record, digest, kid, signature }, values: valuesOf(entry) }] : [];
  });

/** Includes changes by earlier forks. */
const executedAt = async (client: Client, run: string, entries: readonly LedgerEntry[], seq: number): Promise<PublishedGraph> => {
  const details = await client.runs.get.query({ runId: run });
  const version = await client.graphs.version.query({ hash: details.run.graphHash });

  return getPublished(version.published, stateAt(entries, seq - 1));
};

/** @throws Error when the clipboard is denied */
const copy = async (text: string): Promise<string> => {
  await navigator.clipboard.writeText(text);

  return text;
};

type Props = { readonly entries: readonly Entry[]; readonly seq: number };

/** Copies a vitest file for this step, if it needs no hidden value. */
export const CopyStepTest = ({ entries, seq }: Props) => {
  const client = useTRPCClient();
  const run = entries[seq]?.record?.run;
  const make = useMutation({
    mutationFn: async () => {
      const ledger = ledgerOf(entries.slice(0, seq + 1));
      if (run === undefined || ledger.length <= seq) return { ok: false, error: "An earlier record can't be read." } as const;
      // The engine is large.
      const { buildStepTest: stepTest } = await import("@/lib/engine/step-test/step-test");
      const made = stepTest(await executedAt(client, run, ledger, seq), ledger, seq);
      if (made.ok) await copy(made.value);

      return made;
    },
    onSuccess: (made) => {
      if (made.ok) notify({ title: `Test for record ${seq} copied. Save it as a .test.ts file in lib/.` });
      else notify({ tone: "error", title: `No test for record ${seq}: ${made.error}` });
    },
    onError: (error) => {
      const { message, requestId } = toApiError(error);
      notify({ tone: "error", title: requestId ? message : "The test could not be copied. Allow clipboard access and try again." });
    },
  });

  return (
    <Button size="sm" variant="ghost" pending={make.isPending ? "Creating test…" : null} onClick={() => make.mutate()}>
      Copy as test
    </Button>
  );
};
