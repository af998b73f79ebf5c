"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Failure } from "@/components/ui/failure";
import { Panel } from "@/components/ui/panel";
import { findTokenObjection, type AgentScope } from "@/lib/engine/principal";
import { CODE_MS, DEFAULT_SCOPES, GRANT_MS } from "@/lib/outside/oauth-grant";
import { getRedirectPlace } from "@/lib/outside/redirect-uri";
import { DAY_MS, DEFAULT_TOKEN_LIMITS } from "@/lib/outside/token-limits";
import type { Role } from "@/lib/roles";
import type { Authorization } from "@/server/oauth/request";
import type { Consent } from "@/server/oauth/consent";
import { SCOPES } from "./labels";

export type AskedConsent = { readonly request: Authorization; readonly consent: Consent };

type Props = AskedConsent & { readonly role: Role; readonly person: string };

const Fact = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <div className="flex flex-col gap-0.5 sm:flex-row sm:gap-3">
    <dt className="w-32 shrink-0 text-muted">{name}</dt>
    <dd className="min-w-0 font-medium break-words">{children}</dd>
  </div>
);

const leaveTo = (address: string): void => window.location.assign(address);

export const ConsentForm = ({ role, person, request, consent }: Props) => {
  const { clientName, clientHost, client, redirectUri, graph, scopes, denyTo } = consent;
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const grantable = scopes.filter((scope) => findTokenObjection(role, { scopes: [scope], integrity: "untrusted" }) === null);
  const [chosen, setChosen] = useState<readonly AgentScope[]>(
    grantable.filter((scope) => (DEFAULT_SCOPES as readonly AgentScope[]).includes(scope)),
  );
  const allow = useMutation({
    mutationFn: async () => {
      const token = {
        name: clientName,
        scopes: [...chosen],
        graphs: [graph.id],
        integrity: "untrusted" as const,
        limits: DEFAULT_TOKEN_LIMITS,
        strictErrors: false,
        singleBlock: false,
        lifetimeMs: CODE_MS,
        oauth: { client, redirectUri },
      };

      return api.connect.grants.allow.mutate({ request, scopes: [...chosen], ...(await sign({ kind: "token_mint", token })) });
    },
    onSuccess: ({ to }) => leaveTo(to),
  });

  return (
    <Panel title={`Let ${clientName} drive ${graph.name}?`} className="max-w-2xl" bodyClassName="flex flex-col gap-5 p-4">
      <p className="text-sm text-muted">
        The client chose its name; anyone can use it. Allow only what you just started yourself, on a host that you know.
      </p>
      <dl className="flex flex-col gap-2 text-sm">
        <Fact name="Client">{clientName}</Fact>
        {clientHost === null ? null : <Fact name="Registered by">{clientHost}</Fact>}
        <Fact name="Returns to">{getRedirectPlace(redirectUri)}</Fact>
        <Fact name="Graph">{graph.name}</Fact>
        <Fact name="For">{`${person}, up to ${GRANT_MS / DAY_MS} days`}</Fact>
      </dl>
      <CheckboxGroup
        legend="Permissions"
        choices={grantable.map((value) => ({ value, ...SCOPES[value] }))}
        value={chosen}
        error={chosen.length === 0 ? "Select at least one permission." : undefined}
        onChange={setChosen}
      />
      <p className="text-xs text-muted">
        Its inputs stay untrusted, and it can never approve. Runs count as yours: you can&apos;t approve in them. Revoke it at any time
        under Outside agents, Tokens.
      </p>
      <SignatureNote to="allow this client" />
      <Failure error={allow.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={() => leaveTo(denyTo)}>
          Deny
        </Button>
        <Button
          variant="primary"
          disabledReason={chosen.length === 0 ? "Select at least one permission." : null}
          pending={allow.isPending || allow.isSuccess ? "Connecting…" : null}
          onClick={() => allow.mutate()}
        >
          Allow
        </Button>
      </div>
    </Panel>
  );
};
