"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { AGENT_SCOPES, type AgentScope } from "@/lib/engine/principal";
import type { Integrity } from "@/lib/graph/label";
import type { Role } from "@/lib/roles";
import { LimitFields } from "./limit-fields";
import { DEFAULT_LIMIT_TEXTS, readLimits } from "./token-limits";
import { INTEGRITIES, LIFETIMES, SCOPES, type Lifetime } from "./labels";

const ALL = "all";
const MAX_NAME = 120;
const DAY_MS = 86_400_000;

type Props = { readonly role: Role; readonly onMinted: (token: string) => void; readonly onCancel: () => void };

const toggled = <T,>(list: readonly T[], item: T, isIn: boolean): readonly T[] =>
  isIn ? [...list, item] : list.filter((each) => each !== item);

export const MintForm = ({ role, onMinted, onCancel }: Props) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const graphs = useQuery(trpc.connect.graphs.list.queryOptions());
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly AgentScope[]>(["run.read", "run.drive", "approval.request"]);
  const [graph, setGraph] = useState(ALL);
  const [integrity, setIntegrity] = useState<Integrity>("untrusted");
  const [lifetime, setLifetime] = useState<Lifetime>("30");
  const [limitTexts, setLimitTexts] = useState(DEFAULT_LIMIT_TEXTS);
  const { limits, problems, isValid } = readLimits(limitTexts);
  const [isStrict, setIsStrict] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const mint = useMutation({
    mutationFn: async () => {
      const chosen = {
        name: name.trim(),
        scopes: [...scopes],
        graphs: graph === ALL ? null : [graph],
        integrity,
        limits,
      };
      const [strictErrors, lifetimeMs] = [isStrict, Number(lifetime) * DAY_MS];
      const signature = await sign({ kind: "token_mint", token: { ...chosen, strictErrors, singleBlock: false, lifetimeMs } });

      return api.connect.tokens.mint.mutate({
        ...chosen,
        strictErrors,
        expiresInDays: Number(lifetime),
        ...signature,
      });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: trpc.connect.tokens.pathKey() }),
  });
  const failure = mint.error ? toApiError(mint.error) : null;
  const missing = { name: name.trim() === "", scopes: scopes.length === 0 };
  const submit = async () => {
    setIsAsked(true);
    if (missing.name || missing.scopes || !isValid) return;
    try {
      const { token } = await mint.mutateAsync();
      onMinted(token);
    } catch {
      // The mutation keeps the error.
    }
  };

  return (
    <Form onSubmit={() => void submit()}>
      {failure ? (
        <Callout kind="refused" alert title={failure.message}>
          {failure.requestId ? <span className="font-mono text-xs">Request {failure.requestId}</span> : null}
        </Callout>
      ) : null}
      <Field label="Name" hint="Shown in lists and in the ledger." error={isAsked && missing.name ? "Required." : null}>
        <Input autoComplete="off" maxLength={MAX_NAME} value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Graphs">
          <Select
            items={[
              { value: ALL, label: "All graphs for outside agents" },
              ...(graphs.data ?? []).map((each) => ({ value: each.graphId, label: each.name })),
            ]}
            value={graph}
            onValueChange={setGraph}
          />
        </Field>
        <Field label="Expires after">
          <Select items={LIFETIMES} value={lifetime} onValueChange={setLifetime} />
        </Field>
      </div>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-sm font-medium">Permissions</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {AGENT_SCOPES.map((scope) => (
            <Checkbox key={scope} checked={scopes.includes(scope)} onCheckedChange={(isIn) => setScopes(toggled(scopes, scope, isIn))}>
              {SCOPES[scope].label}
              <span className="block text-xs text-muted">{SCOPES[scope].hint}</span>
            </Checkbox>
          ))}
        </div>
        {isAsked && missing.scopes ? (
          <p role="alert" className="text-xs text-refused">
            Select at least one permission.
          </p>
        ) : null}
      </fieldset>
      <Field
        label="Trust in its inputs"
        hint={role === "admin" ? "Recorded in every run that it drives." : "Only admins can select a higher level."}
      >
        <Select items={role === "admin" ? INTEGRITIES : INTEGRITIES.slice(0, 1)} value={integrity} onValueChange={setIntegrity} />
      </Field>
      <LimitFields texts={limitTexts} problems={problems} onChange={setLimitTexts} />
      <Checkbox checked={isStrict} onCheckedChange={setIsStrict}>
        Report refusals as errors
        <span className="block text-xs text-muted">For frameworks that only notice errors. The responses stay the same.</span>
      </Checkbox>
      <SignatureNote to="create this token" />
      <div className="flex justify-end gap-2 border-t pt-3">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={mint.isPending ? "Creating…" : null}>
          Create token
        </Button>
      </div>
    </Form>
  );
};
