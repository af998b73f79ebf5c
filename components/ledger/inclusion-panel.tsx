"use client";

import { useState, type FormEvent } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Panel } from "@/components/ui/panel";
import { isCovered } from "@/lib/engine/ledger/checkpoint";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { count } from "@/lib/format";

type Answer = { readonly kind: "clean" | "refused" | "waiting"; readonly text: string };

type Client = ReturnType<typeof useTRPCClient>;

const check = async (client: Client, workspace: string, keys: PublicKeys, run: string, seq: number): Promise<Answer> => {
  const found = await client.ledger.inclusion.query({ runId: run, seq });
  if (!found)
    return { kind: "waiting", text: "No checkpoint covers this record. It is newer than the latest checkpoint, or it doesn't exist." };
  const { index, leaf, signed, proof } = found;
  const isIt = leaf.run === run && leaf.seq === seq;
  if (!isIt || !(await isCovered({ signed, index, proof }, workspace, leaf, keys))) {
    return { kind: "refused", text: "The proof is invalid: the checkpoint does not cover this record." };
  }

  return {
    kind: "clean",
    text: `Record ${seq} is included: entry ${count(index)} of ${count(signed.checkpoint.count)} in the latest checkpoint. Inclusion proof of ${count(proof.length)} ${proof.length === 1 ? "hash" : "hashes"} checked.`,
  };
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

export const InclusionPanel = ({ workspace, keys }: { readonly workspace: string; readonly keys: PublicKeys }) => {
  const client = useTRPCClient();
  const [run, setRun] = useState("");
  const [seq, setSeq] = useState("0");
  const [answer, setAnswer] = useState<Answer | null>(null);
  const id = run.trim().toLowerCase();
  const number = Number(seq);
  const problem = UUID.test(id) && Number.isSafeInteger(number) && number >= 0 && seq !== "" ? null : "Enter a run ID and a record number";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem) return;
    check(client, workspace, keys, id, number).then(setAnswer, (error: unknown) =>
      setAnswer({ kind: "refused", text: toApiError(error).message }),
    );
  };

  return (
    <Panel title="Prove that a record is included">
      <form onSubmit={submit} className="flex flex-col gap-3 p-3">
        <div className="grid grid-cols-[1fr_7rem_auto] items-end gap-2">
          <Field label="Run">
            <Input
              value={run}
              onChange={(event) => setRun(event.target.value)}
              placeholder="Run ID"
              className="font-mono text-xs"
              spellCheck={false}
            />
          </Field>
          <Field label="Record">
            <Input value={seq} onChange={(event) => setSeq(event.target.value)} inputMode="numeric" className="tabular" />
          </Field>
          <Button type="submit" disabledReason={problem}>
            Check
          </Button>
        </div>
        {answer ? <Callout kind={answer.kind} title={answer.text} alert /> : null}
      </form>
    </Panel>
  );
};
